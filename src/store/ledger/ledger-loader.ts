// Loads the ledgers of accounts from the database: all rows, the changes since an earlier version, or a packed copy and the changes since.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { nameAt } from '../postgres/binary/column-builder.ts';
import { readColumns, type StatementRunner } from '../postgres/statement-runner.ts';
import {
  accountLedgerAt,
  advanceLedger,
  ledgerRowCount,
  type AccountLedger,
  type ClosedRow,
  type SideChanges,
  type Sides,
} from './account-ledger.ts';
import { toLedgerBlock } from './ledger-block.ts';
import { LedgerCopies } from './ledger-copies.ts';
import {
  accountOfBlock,
  currentRows,
  currentRowsByAccount,
  rowsClosedAfter,
  type ClosedRowsBlock,
  type LedgerRowsBlock,
  type LedgerSide,
} from './ledger-rows.ts';
import type { VersionVectorRow } from './version-vector.ts';

/** The unit that is loaded and cached as a whole. */
export interface LedgerPart extends VersionVectorRow {
  readonly key: string;
  readonly sides: Partial<Sides<LedgerSide>>;
}

export function ledgerPart(row: VersionVectorRow): LedgerPart {
  const { account, client } = row;
  if (account === null)
    return { ...row, key: `holders ${client ?? ''}`, sides: { own: { side: 'all-holders', client } } };
  return { ...row, key: account, sides: { own: { side: 'own', account }, counter: { side: 'counter', account } } };
}

/** Smaller ledgers are read from their rows in a moment. */
const copiedRowsMin = 20_000;
/** A copy is written anew once the changes since take a noticeable part of the time that it saves. */
const changedShare = 1 / 8;
const changedVersionsMax = 5_000;

/** Whether a ledger is large, and has no packed copy or one that is far behind. */
export function isWorthCopying({ version, copied, copiedRows }: LedgerPart, ledger: AccountLedger): boolean {
  const rows = ledgerRowCount(ledger);
  if (rows < copiedRowsMin) return false;
  if (copied === null || copiedRows === null) return true;
  return Math.abs(rows - copiedRows) > rows * changedShare || version - copied > changedVersionsMax;
}

interface PartToLoad extends LedgerPart {
  /** The ledger at an earlier version, where that is in memory. */
  readonly earlier: AccountLedger | undefined;
}

type BlocksByAccount = ReadonlyMap<Id, readonly LedgerRowsBlock[]>;

export class LedgerLoader {
  readonly #scope: Scope;
  readonly #run: StatementRunner;

  /** The runner must read from one snapshot, so that versions, rows and copies fit together. */
  constructor(scope: Scope, run: StatementRunner) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Sends all statements in one pipelined batch. */
  load(parts: readonly PartToLoad[]): Promise<AccountLedger[]> {
    const accounts = (isCopied: boolean): Id[] =>
      parts.flatMap(({ account, copied, earlier }) =>
        account === null || earlier !== undefined || (copied !== null) !== isCopied ? [] : account,
      );
    const copies = new LedgerCopies(this.#scope, this.#run).list(accounts(true));
    const whole = this.#readAccounts(accounts(false));
    return Promise.all(
      parts.map((part) => {
        if (part.earlier !== undefined) return this.#advance(part, part.earlier);
        return part.copied === null ? this.#loadWhole(part, whole) : this.#loadCopy(part, part.copied, copies);
      }),
    );
  }

  /** Reads the accounts together, since accounts of one client share pages of the table. */
  async #readAccounts(accounts: readonly Id[]): Promise<Sides<BlocksByAccount>> {
    if (accounts.length === 0) return { own: new Map(), counter: new Map() };
    const read = async (side: 'own' | 'counter'): Promise<BlocksByAccount> => {
      const blocks = await readColumns(this.#run, currentRowsByAccount(this.#scope, side, accounts));
      return Map.groupBy(blocks, accountOfBlock);
    };
    const [own, counter] = await Promise.all([read('own'), read('counter')]);
    return { own, counter };
  }

  async #loadWhole({ version, sides }: LedgerPart, accounts: Promise<Sides<BlocksByAccount>>): Promise<AccountLedger> {
    const read = async (side: LedgerSide): Promise<readonly LedgerRowsBlock[]> => {
      if (side.side !== 'all-holders') return (await accounts)[side.side].get(side.account) ?? [];
      return readColumns(this.#run, currentRows(this.#scope, side));
    };
    const { own, counter } = await onBothSides(sides, read, []);
    return accountLedgerAt(version, { own: own.map(toLedgerBlock), counter: counter.map(toLedgerBlock) });
  }

  /** From all rows, where the copy cannot be read. */
  async #loadCopy(
    part: LedgerPart,
    copied: number,
    copies: Promise<ReadonlyMap<Id, AccountLedger>>,
  ): Promise<AccountLedger> {
    const account = defined(part.account, 'only ledgers of accounts have copies');
    const [found, changes] = await Promise.all([copies, this.#readChanges(part, copied)]);
    const copy = found.get(account);
    if (copy === undefined) return this.#loadWhole(part, this.#readAccounts([account]));
    return copied === part.version ? copy : advanceLedger(copy, part.version, changes);
  }

  async #advance(part: LedgerPart, before: AccountLedger): Promise<AccountLedger> {
    return advanceLedger(before, part.version, await this.#readChanges(part, before.version));
  }

  #readChanges({ sides }: LedgerPart, since: number): Promise<Sides<SideChanges>> {
    const read = async (side: LedgerSide): Promise<SideChanges> => {
      const [closed, opened] = await Promise.all([
        readColumns(this.#run, rowsClosedAfter(this.#scope, side, since)),
        readColumns(this.#run, currentRows(this.#scope, side, since)),
      ]);
      return { closed: closed.flatMap(closedRows), opened: opened.map(toLedgerBlock) };
    };
    return onBothSides(sides, read, { opened: [], closed: [] });
  }
}

async function onBothSides<T>(
  { own, counter }: Partial<Sides<LedgerSide>>,
  read: (side: LedgerSide) => Promise<T>,
  none: T,
): Promise<Sides<T>> {
  const readOrNone = (side: LedgerSide | undefined): T | Promise<T> => (side === undefined ? none : read(side));
  const [ownResult, counterResult] = await Promise.all([readOrNone(own), readOrNone(counter)]);
  return { own: ownResult, counter: counterResult };
}

function closedRows({ length, sequence, day, account, opened }: ClosedRowsBlock): ClosedRow[] {
  return Array.from({ length }, (_, row) => ({
    sequence: sequence[row]!,
    day: day[row]!,
    account: nameAt(account, row),
    opened: opened[row]!,
  }));
}
