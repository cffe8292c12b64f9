// Replays the rows and uploads of positions that are not only bought and sold. Keeps snapshots, so that another day does not
// start from the beginning.

import { append } from '../../kit/memory/long-list.ts';
import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import type { Pieces } from '../../kit/turns/pieces.ts';
import type { LotBookContext, LotBookChanges, PositionFinding, PositionRealisation } from '../lots/lot-book-changes.ts';
import { LotBooks } from '../lots/lot-books.ts';
import { checkpointRow, type Checkpoint } from './checkpoint.ts';
import type { Leg } from '../ledger/leg.ts';
import type { LotBook } from '../lots/lot-book.ts';
import { zeroQuantityAndCost } from '../lots/quantity-and-cost.ts';
import type { QuantityAndCost } from '../lots/lot.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import type { LedgerRows } from './ledger-rows.ts';
import { StepFunction } from './step-function.ts';
import type { UploadedMoney } from './upload-value.ts';

export type DatedLeg = Leg & { readonly day: Day };

/** Something about an upload that a person should look at. */
export interface UploadFinding {
  /** Units or money changed and no row says why: counted as a flow. */
  readonly kind: 'implied-flow';
  readonly position: number;
  readonly day: Day;
  readonly quantity: Fixed;
}

/** What happened, in order. */
export interface ReplayOutcome {
  readonly realised: PositionRealisation[];
  readonly findings: (PositionFinding | UploadFinding)[];
  readonly legs: DatedLeg[];
}

interface ReplayContext extends LotBookContext {
  readonly rows: LedgerRows;
  /** The rows to replay, in order. */
  readonly replayedRows: Uint32Array;
  readonly checkpoints: readonly Checkpoint[];
  /** What an upload says that many of its units are worth. */
  uploadedMoney(checkpoint: Checkpoint, quantity: Fixed): UploadedMoney;
  /** Positions of accounts at the same depository in the same instrument: the upload states all of them together. */
  siblingPositions(position: number): readonly number[];
}

interface QuantityHistory {
  readonly days: Day[];
  readonly quantitiesAndCosts: QuantityAndCost[];
}

const emptyHistory: QuantityHistory = { days: [], quantitiesAndCosts: [] };

/** The number of events between snapshots, at first. */
const eventsPerSnapshotMin = 256;
/** Each may have all lots anew, such as after splits. An even number: the last one is kept when every other one is given up. */
const snapshotsMax = 24;

export class UnitReplay {
  readonly #context: ReplayContext;
  /** Rows as they are; uploads as −1 − their index, after the rows of their day. */
  readonly #events: Int32Array;
  readonly #eventDays: Int32Array;
  readonly #outcome: ReplayOutcome = { realised: [], findings: [], legs: [] };
  readonly #histories = new Map<number, QuantityHistory>();
  /** How far it has been replayed, and the snapshots on the way. */
  #replayedCount = 0;
  #books: LotBooks;
  /** Why the next event cannot be replayed. */
  #failure: { readonly cause: unknown } | undefined;
  #snapshots: LotBooks[];
  #eventsPerSnapshot = eventsPerSnapshotMin;
  /** The books of the earlier day that was asked for last, which are asked for position by position. */
  #earlier: { readonly count: number; readonly books: LotBooks } | undefined;

  constructor(context: ReplayContext) {
    this.#context = context;
    const { events, days } = mergeEvents(context);
    this.#events = events;
    this.#eventDays = days;
    this.#books = new LotBooks(context);
    this.#snapshots = [this.#books.copy()];
  }

  /** The lots of a position at the end of a day. */
  lotBook(position: number, day: Day): LotBook | undefined {
    return this.#booksOn(day).find(position);
  }

  /** Units and their cost from each day on. */
  units(position: number): StepFunction {
    const { days, quantitiesAndCosts } = this.#getHistory(position);
    return StepFunction.fromAmounts(
      days,
      quantitiesAndCosts.map(({ quantity }) => quantity),
    );
  }

  quantityAndCost(position: number, day: Day): QuantityAndCost {
    const { days, quantitiesAndCosts } = this.#getHistory(position);
    return quantitiesAndCosts[lastOnOrBefore(days, day)] ?? zeroQuantityAndCost;
  }

  replayOutcome(): ReplayOutcome {
    this.#replayTo(this.#events.length);
    return this.#outcome;
  }

  /** The same in pieces, one for each event: a split or a named sale may concern very many lots. */
  *replayPieces(): Pieces<ReplayOutcome> {
    while (this.#replayedCount < this.#events.length) {
      this.#replayTo(this.#replayedCount + 1);
      yield;
    }
    return this.#outcome;
  }

  #getHistory(position: number): QuantityHistory {
    this.#replayTo(this.#events.length);
    return this.#histories.get(position) ?? emptyHistory;
  }

  #booksOn(day: Day): LotBooks {
    const count = lastOnOrBefore(this.#eventDays, day) + 1;
    if (count >= this.#replayedCount) {
      this.#replayTo(count);
      return this.#books;
    }
    if (this.#earlier?.count !== count) this.#earlier = { count, books: this.#booksAfter(count) };
    return this.#earlier.books;
  }

  /** The books after as many events, which must have been replayed before. */
  #booksAfter(count: number): LotBooks {
    const snapshot = Math.trunc(count / this.#eventsPerSnapshot);
    const books = this.#snapshots[snapshot]!.copy();
    for (let event = snapshot * this.#eventsPerSnapshot; event < count; event++) this.#replay(books, event);
    return books;
  }

  /** Replays everything into other books; tells before each event which row it is, or which upload by its number. */
  replayInto(books: LotBooks, beforeEvent: (event: { readonly row: number; readonly day: Day }) => void): void {
    for (let event = 0; event < this.#events.length; event++) {
      const [index, day] = [this.#events[event]!, this.#eventDays[event]!];
      beforeEvent({ row: index < 0 ? checkpointRow(day) : this.#context.rows.numbers[index]!, day });
      this.#replay(books, event);
    }
  }

  #replayTo(count: number): void {
    for (; this.#replayedCount < count; this.#replayedCount++) {
      const day = this.#eventDays[this.#replayedCount]!;
      const { realised, findings, legs, changedPositions } = this.#replayNext();
      append(this.#outcome.realised, realised);
      append(this.#outcome.findings, findings);
      append(
        this.#outcome.legs,
        legs.map((leg) => ({ ...leg, day })),
      );
      for (const position of changedPositions) this.#recordChange(position, day);
      if ((this.#replayedCount + 1) % this.#eventsPerSnapshot === 0) this.#addSnapshot();
    }
  }

  #addSnapshot(): void {
    this.#snapshots.push(this.#books.copy());
    if (this.#snapshots.length <= snapshotsMax) return;
    this.#snapshots = this.#snapshots.filter((_, index) => index % 2 === 0);
    this.#eventsPerSnapshot *= 2;
  }

  /** An event that cannot be replayed, for want of a rate, fails in the same way each time and leaves nothing half done. */
  #replayNext(): EventOutcome {
    if (this.#failure !== undefined) throw this.#failure.cause;
    try {
      return this.#replay(this.#books, this.#replayedCount);
    } catch (cause) {
      this.#failure = { cause };
      this.#books = this.#booksAfter(this.#replayedCount);
      throw cause;
    }
  }

  #recordChange(position: number, day: Day): void {
    const history = this.#histories.get(position) ?? { days: [], quantitiesAndCosts: [] };
    this.#histories.set(position, history);
    const quantityAndCost = this.#books.find(position)!.guardedTotal;
    if (history.days.at(-1) === day)
      history.quantitiesAndCosts[history.quantitiesAndCosts.length - 1] = quantityAndCost;
    else {
      history.days.push(day);
      history.quantitiesAndCosts.push(quantityAndCost);
    }
  }

  #replay(books: LotBooks, event: number): EventOutcome {
    const index = this.#events[event]!;
    if (index >= 0) return books.apply(this.#context.rows.transaction(index));
    return this.#applyCheckpoint(books, this.#context.checkpoints[-1 - index]!);
  }

  /** What a statement no longer lists is gone, whatever the accounts at the depository hold by their own rows. */
  #statedQuantity(books: LotBooks, { position, quantity, upload }: Checkpoint): Fixed {
    if (upload === null) return 0n;
    const siblings = this.#context.siblingPositions(position);
    return siblings.reduce((rest, other) => rest - (books.find(other)?.total.quantity ?? 0n), quantity);
  }

  #applyCheckpoint(books: LotBooks, checkpoint: Checkpoint): EventOutcome {
    const { position, day } = checkpoint;
    const held = books.find(position)?.total.quantity ?? 0n;
    const quantity = this.#statedQuantity(books, checkpoint);
    const isFirst = !this.#histories.has(position);
    const money = this.#context.uploadedMoney(checkpoint, quantity);
    books.checkpoint(position, { row: checkpointRow(day), day, ...money.quantityAndCost });
    const legs = quantity === held ? [] : [impliedFlow(checkpoint, money, { quantity, held })];
    const isImplied = legs.length > 0 && !isFirst;
    const finding: UploadFinding = { kind: 'implied-flow', position, day, quantity: quantity - held };
    return { realised: [], findings: isImplied ? [finding] : [], legs, changedPositions: [position] };
  }
}

/** What came or went, at the uploaded value; if everything is gone, at the day's value. */
function impliedFlow(
  { position }: Checkpoint,
  { value, currency }: UploadedMoney,
  { quantity, held }: { quantity: Fixed; held: Fixed },
): Leg {
  if (quantity === 0n) return { measure: 'units', position, quantity: -held, valuedPosition: position };
  return { measure: 'cash', position, amount: multiplyDivide(value, quantity - held, quantity), currency };
}

type EventOutcome = Omit<LotBookChanges, 'findings' | 'legs'> & {
  readonly findings: readonly (PositionFinding | UploadFinding)[];
  readonly legs: readonly Leg[];
};

function mergeEvents({ rows, replayedRows, checkpoints }: ReplayContext): { events: Int32Array; days: Int32Array } {
  const events = new Int32Array(replayedRows.length + checkpoints.length);
  const days = new Int32Array(events.length);
  let next = 0;
  const add = (event: number, day: Day): void => {
    events[next] = event;
    days[next++] = day;
  };
  let nextUpload = 0;
  for (const row of replayedRows) {
    const day = rows.days[row]!;
    for (; nextUpload < checkpoints.length && checkpoints[nextUpload]!.day < day; nextUpload++) {
      add(-1 - nextUpload, checkpoints[nextUpload]!.day);
    }
    add(row, day);
  }
  for (; nextUpload < checkpoints.length; nextUpload++) add(-1 - nextUpload, checkpoints[nextUpload]!.day);
  return { events, days };
}
