// Which positions are only bought and sold, and which more happens to. Knows no quantities.

import type { Checkpoints } from './checkpoint.ts';
import type { Facts } from './facts.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import { transactionKinds, type Transaction, type TransactionKind } from '../ledger/transaction.ts';
import type { Rows } from './ledger-rows.ts';

const number = (kind: TransactionKind): number => transactionKinds.indexOf(kind);

const trade = number('trade');
const redemption = number('redemption');
const flow = number('flow');
const corporateAction = number('corporate-action');
const movingUnits: ReadonlySet<number> = new Set(
  (['capital-call', 'distribution', 'forward-settlement'] as const).map(number),
);

/** Whether a row of that kind trades units against cash. */
export function isTrade(kind: number): boolean {
  return kind === trade || kind === redemption;
}

export class PositionKinds {
  readonly #involved = new Set<number>();
  readonly #wide = new Set<number>();
  readonly #isForeign: readonly boolean[];
  readonly #isQuickMethod: boolean;
  readonly #rows: Rows;

  /** Numbers every position that any row or upload speaks of. */
  constructor(rows: Rows, { table, facts, checkpoints }: KindsContext) {
    this.#rows = rows;
    for (const position of checkpoints.keys()) this.#involveUploaded(position, table);
    for (let row = 0; row < rows.count; row++) this.#classify(row);
    for (const row of rows.detailed) this.#involveOthers(rows.transaction(row), table);
    const { referenceCurrency, method } = facts.settings;
    this.#isForeign = table.positions.map(
      ({ instrument }) => facts.instruments.get(instrument)?.currency !== referenceCurrency,
    );
    this.#isQuickMethod = method !== 'SPECIFIC_ID';
  }

  /** More happens to it than buying and selling. */
  isInvolved(position: number): boolean {
    return this.#involved.has(position);
  }

  /** All its units fit into doubles. */
  isNarrow(position: number): boolean {
    return !this.#wide.has(position);
  }

  isQuick(position: number): boolean {
    return this.#isQuickMethod && this.isPlain(position);
  }

  /** Bought and sold in quantities that fit. */
  isPlain(position: number): boolean {
    return !this.isInvolved(position) && this.isNarrow(position);
  }

  #classify(row: number): void {
    const kind = this.#rows.kinds[row]!;
    const position = this.#rows.positions[row]!;
    if (position < 0) return;
    if (isTrade(kind)) {
      if (Number.isNaN(this.#rows.quantities[row]!) || Number.isNaN(this.#rows.values[row]!)) this.#wide.add(position);
    } else if (movingUnits.has(kind) || (kind === flow && this.#rows.quantities[row] !== 0)) {
      this.#involved.add(position);
    }
  }

  #involveOthers(transaction: Transaction, table: PositionTable): void {
    const { instrument, details } = transaction;
    if (instrument === null) return;
    if (details?.counterPlace !== undefined) {
      this.#involved.add(table.number({ ...details.counterPlace, instrument }));
    }
    if (details?.action === undefined) return;
    const target = 'target' in details.action ? details.action.target : undefined;
    for (const [position, key] of table.positions.entries()) {
      if (key.instrument !== instrument) continue;
      this.#involved.add(position);
      if (target !== undefined) this.#involved.add(table.number({ ...key, instrument: target }));
    }
  }

  #involveUploaded(position: number, table: PositionTable): void {
    this.#involved.add(position);
    for (const neighbour of neighboursOf(position, table)) this.#involved.add(neighbour);
  }

  /** The rows that move units of involved positions. */
  replayed(): Uint32Array {
    const { count, kinds, positions, quantities } = this.#rows;
    const found: number[] = [];
    for (let row = 0; row < count; row++) {
      const kind = kinds[row]!;
      const isMoving =
        isTrade(kind) || movingUnits.has(kind) || kind === corporateAction || (kind === flow && quantities[row] !== 0);
      if (isMoving && this.#involved.has(positions[row]!)) found.push(row);
    }
    return Uint32Array.from(found);
  }

  /** Its cost is in another currency than the reference currency. */
  isForeign(position: number): boolean {
    return this.#isForeign[position] ?? false;
  }

  /** By row, the position that the quick pass may do; −1 for all else. */
  quickRows(currency: 'own' | 'foreign'): Int32Array {
    const { count, kinds, positions } = this.#rows;
    const quick = new Int32Array(count).fill(-1);
    const isAsked = this.#isForeign.map(
      (isForeign, position) => isForeign === (currency === 'foreign') && this.isQuick(position),
    );
    for (let row = 0; row < count; row++) {
      const position = positions[row]!;
      if (position >= 0 && isTrade(kinds[row]!) && isAsked[position]) quick[row] = position;
    }
    return quick;
  }
}

interface KindsContext {
  readonly table: PositionTable;
  readonly facts: Facts;
  readonly checkpoints: Checkpoints;
}

/** Where units lie in a depository that several accounts settle through: those of the accounts. */
export function neighboursOf(position: number, table: PositionTable): readonly number[] {
  const { account, depository, instrument } = table.key(position);
  if (account !== null || depository === null) return [];
  return table.positions.flatMap((key, other) =>
    key.depository === depository && key.instrument === instrument && other !== position ? [other] : [],
  );
}
