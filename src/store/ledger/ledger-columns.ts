// The ledgers of accounts as columns, as one snapshot sees them: what the memory has at the same version as it is, what it has of
// an earlier version with what has changed since, the rest from the database. Knows not what follows from the rows.

import type { Id } from '../../kit/id.ts';
import type { Reach } from '../../model/access/scope.ts';
import {
  advanced,
  findChanges,
  wholeLedger,
  type AccountLedger,
  type ClosedRow,
  type LedgerChanges,
  type SideChanges,
  type Sides,
} from './account-ledger.ts';
import { noName } from '../postgres/binary/column-builder.ts';
import type { LedgerMemory } from './ledger-cache.ts';
import { toLedgerPiece, withoutAccounts, wholePiece, type LivePiece } from './ledger-block.ts';
import {
  accountOf,
  currentRows,
  currentRowsOfEach,
  rowsClosedAfter,
  rowsKnownAt,
  type ClosedPiece,
  type LedgerRowsPiece,
  type LedgerSide,
} from './ledger-rows.ts';
import { ownersOf, standOf, type StandRow } from './version-vector.ts';
import { wallOf } from '../resources/resource-sql.ts';
import type { Run } from '../postgres/pipelined-batch.ts';

/** How far each ledger has come that columns are of: an account's by its id, what was booked for all holders by `holders` and client. */
export type LedgerStand = ReadonlyMap<string, number>;

export interface LedgerColumnsView {
  /** The accounts that there are. */
  readonly accounts: readonly Id[];
  readonly clients: readonly Id[];
  readonly stand: LedgerStand;
  /** All rows that move the accounts, each once, in no order; with them what was booked for all holders. */
  readonly pieces: readonly LivePiece[];
  /** What is different from an earlier view of the same accounts; undefined where that is not known. */
  findChanges(since: LedgerStand): LedgerChanges | undefined;
}

/** What is loaded and remembered as a whole. */
interface LedgerSet {
  readonly key: string;
  /** None of what was booked for all holders. */
  readonly account: Id | null;
  readonly version: number;
  readonly sides: Partial<Sides<LedgerSide>>;
}

function setOf({ account: id, client, version }: StandRow): LedgerSet {
  if (id === null) {
    return { key: `holders ${client ?? ''}`, account: id, version, sides: { own: { side: 'all-holders', client } } };
  }
  return {
    key: id,
    account: id,
    version,
    sides: { own: { side: 'own', account: id }, counter: { side: 'counter', account: id } },
  };
}

type PiecesByAccount = ReadonlyMap<Id, readonly LedgerRowsPiece[]>;

const nothingBooked = wholeLedger(0, { own: [], counter: [] });

export class LedgerColumns {
  readonly #reach: Reach;
  readonly #run: Run;
  readonly #memory: LedgerMemory;

  /** The store must see one moment: what it is asked together must fit together. */
  constructor({ reach, run }: { reach: Reach; run: Run }, memory: LedgerMemory) {
    this.#reach = reach;
    this.#run = run;
    this.#memory = memory;
  }

  /** An account that is out of reach is not there. */
  async of(accountIds: readonly Id[]): Promise<LedgerColumnsView> {
    const rows = await this.#readStand(accountIds);
    const sets = rows.map(setOf);
    const ledgers = await this.#ledgersOf(sets);
    const [accounts, clients] = [idsOf(rows, 'account'), idsOf(rows, 'client')];
    const asked = new Set<string>(accounts);
    const all = [...ledgers.values()];
    return {
      accounts,
      clients,
      stand: new Map(sets.map(({ key, version }) => [key, version])),
      pieces: [
        ...all.flatMap(({ own }) => own),
        ...withoutAccounts(
          all.flatMap(({ counter }) => counter),
          asked,
        ),
      ],
      findChanges: (since) => changesOf(ledgers, since, asked),
    };
  }

  /**
   * As they were known at a moment, accounts that are gone by now included. Read anew each time, and not remembered. A stranger's
   * account has no rows.
   */
  async knownAt(accountIds: readonly Id[], moment: number): Promise<Pick<LedgerColumnsView, 'clients' | 'pieces'>> {
    const accounts = [...new Set(accountIds)].toSorted();
    const { rows } = await this.#run(ownersOf(this.#reach.sight.kind), [...wallOf(this.#reach), accounts]);
    const clients = rows.map(({ client }) => client);
    const read = async (sides: readonly LedgerSide[]): Promise<LivePiece[]> => {
      const pieces = await this.#run.columns(sides.map((side) => rowsKnownAt(this.#reach, side, moment)));
      return pieces.flat().map((piece) => wholePiece(toLedgerPiece(piece)));
    };
    const ofAccounts = (side: 'own' | 'counter'): LedgerSide[] => accounts.map((id) => ({ side, account: id }));
    const holders = [null, ...clients].map((client): LedgerSide => ({ side: 'all-holders', client }));
    const [own, counter] = await Promise.all([read([...ofAccounts('own'), ...holders]), read(ofAccounts('counter'))]);
    return { clients, pieces: [...own, ...withoutAccounts(counter, new Set<string>(accounts))] };
  }

  async #readStand(accountIds: readonly Id[]): Promise<StandRow[]> {
    const ids = [...new Set(accountIds)].toSorted();
    return (await this.#run(standOf(this.#reach.sight.kind), [...wallOf(this.#reach), ids])).rows;
  }

  #keyOf({ key }: Pick<LedgerSet, 'key'>): string {
    const { workspaceId, environment } = this.#reach;
    return `${workspaceId} ${environment} ${key}`;
  }

  /** What the memory has the ledgers of a stand under. */
  keysOf(stand: LedgerStand): string[] {
    return [...stand.keys()].map((key) => this.#keyOf({ key }));
  }

  /** What is missing is asked for before what others are loading is waited for: so nobody waits in a circle. */
  async #ledgersOf(sets: readonly LedgerSet[]): Promise<ReadonlyMap<string, AccountLedger>> {
    const found = new Map<string, AccountLedger | Promise<AccountLedger>>();
    const missing: LedgerSet[] = [];
    for (const set of sets) {
      const known = this.#find(set);
      if (known === undefined) missing.push(set);
      else found.set(set.key, known);
    }
    const loaded = this.#load(missing);
    for (const [index, set] of missing.entries()) {
      const one = loaded.then((ledgers) => ledgers[index]!);
      this.#memory.load(this.#keyOf(set), set.version, one);
      found.set(set.key, one);
    }
    await loaded;
    const ledgers = new Map<string, AccountLedger>();
    for (const set of sets) ledgers.set(set.key, await this.#settle(set, found.get(set.key)!));
    return ledgers;
  }

  #find(set: LedgerSet): AccountLedger | Promise<AccountLedger> | undefined {
    if (set.version === 0) return nothingBooked;
    const known = this.#memory.find<AccountLedger>(this.#keyOf(set));
    return known?.version === set.version ? known : this.#memory.findLoading(this.#keyOf(set), set.version);
  }

  /** Whoever was loading it may have failed. */
  async #settle(set: LedgerSet, found: AccountLedger | Promise<AccountLedger>): Promise<AccountLedger> {
    try {
      return await found;
    } catch {
      const [ledger] = await this.#load([set]);
      this.#memory.put(this.#keyOf(set), ledger!);
      return ledger!;
    }
  }

  /** All on one trip. */
  #load(sets: readonly LedgerSet[]): Promise<AccountLedger[]> {
    const earlier = sets.map((set) => this.#findEarlier(set));
    const whole = this.#readAccounts(sets.flatMap(({ account: id }, at) => (earlier[at] || id === null ? [] : id)));
    return Promise.all(
      sets.map((set, at) => (earlier[at] ? this.#advance(set, earlier[at]) : this.#loadWhole(set, whole))),
    );
  }

  #findEarlier(set: LedgerSet): AccountLedger | undefined {
    const known = this.#memory.find<AccountLedger>(this.#keyOf(set));
    return known !== undefined && known.version < set.version ? known : undefined;
  }

  /** Accounts of one client lie on the same pages, so that they are read together. */
  async #readAccounts(accounts: readonly Id[]): Promise<Sides<PiecesByAccount>> {
    if (accounts.length === 0) return { own: new Map(), counter: new Map() };
    const read = async (side: 'own' | 'counter'): Promise<PiecesByAccount> => {
      const [pieces] = await this.#run.columns([currentRowsOfEach(this.#reach, side, accounts)]);
      return Map.groupBy(pieces!, accountOf);
    };
    const [own, counter] = await Promise.all([read('own'), read('counter')]);
    return { own, counter };
  }

  async #loadWhole({ version, sides }: LedgerSet, accounts: Promise<Sides<PiecesByAccount>>): Promise<AccountLedger> {
    const read = async (side: LedgerSide): Promise<readonly LedgerRowsPiece[]> => {
      if (side.side !== 'all-holders') return (await accounts)[side.side].get(side.account) ?? [];
      const [pieces] = await this.#run.columns([currentRows(this.#reach, side)]);
      return pieces!;
    };
    const { own, counter } = await onBothSides(sides, read, []);
    return wholeLedger(version, { own: own.map(toLedgerPiece), counter: counter.map(toLedgerPiece) });
  }

  async #advance({ version, sides }: LedgerSet, before: AccountLedger): Promise<AccountLedger> {
    const read = async (side: LedgerSide): Promise<SideChanges> => {
      const [[closed], [opened]] = await Promise.all([
        this.#run.columns([rowsClosedAfter(this.#reach, side, before.version)]),
        this.#run.columns([currentRows(this.#reach, side, before.version)]),
      ]);
      return { closed: closed!.flatMap(closedRows), opened: opened!.map(toLedgerPiece) };
    };
    return advanced(before, version, await onBothSides(sides, read, { opened: [], closed: [] }));
  }
}

async function onBothSides<T>(
  { own, counter }: Partial<Sides<LedgerSide>>,
  read: (side: LedgerSide) => Promise<T>,
  none: T,
): Promise<Sides<T>> {
  const [ofOwn, ofCounter] = await Promise.all([own, counter].map((side) => (side === undefined ? none : read(side))));
  return { own: ofOwn!, counter: ofCounter! };
}

function closedRows({ length, sequence, day, account: { numbers, names }, opened }: ClosedPiece): ClosedRow[] {
  return Array.from({ length }, (_, row) => ({
    sequence: sequence[row]!,
    day: day[row]!,
    account: numbers[row] === noName ? null : names[numbers[row]!]!,
    opened: opened[row]!,
  }));
}

function idsOf(rows: readonly StandRow[], column: 'account' | 'client'): readonly Id[] {
  return [...new Set(rows.map((row) => row[column]).filter((id) => id !== null))].toSorted();
}

/** Rows that move two of the accounts are told of once, with the account that they are of. */
function changesOf(
  ledgers: ReadonlyMap<string, AccountLedger>,
  since: LedgerStand,
  asked: ReadonlySet<string>,
): LedgerChanges | undefined {
  if (since.size !== ledgers.size) return undefined;
  const closed: ClosedRow[] = [];
  const opened: LivePiece[] = [];
  for (const [key, ledger] of ledgers) {
    const version = since.get(key);
    const changes = version === undefined ? undefined : findChanges(ledger, version);
    if (changes === undefined) return undefined;
    closed.push(...changes.own.closed, ...changes.counter.closed.filter((row) => !asked.has(row.account ?? '')));
    opened.push(...changes.own.opened, ...withoutAccounts(changes.counter.opened, asked));
  }
  return { closed, opened };
}
