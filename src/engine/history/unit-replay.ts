// Units and lots of the positions that more happens to than buying and selling, replayed row by row and upload by upload. What it
// has passed it remembers, so that another day does not begin at the first. Knows no cash and no values but those it is told.

import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import {
  Books,
  type BookContext,
  type Booked,
  type PositionFinding,
  type PositionRealisation,
} from '../lots/lot-books.ts';
import { checkpointRow, type Checkpoint } from './checkpoint.ts';
import type { Leg } from '../ledger/leg.ts';
import type { LotBook } from '../lots/lot-book.ts';
import { noStake } from '../lots/quantity-and-cost.ts';
import type { Stake } from '../lots/lot.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import type { Rows } from './ledger-rows.ts';
import { Steps } from './step-function.ts';
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

/** What happened, in the order in which it did. */
export interface ReplayRecord {
  readonly realised: PositionRealisation[];
  readonly findings: (PositionFinding | UploadFinding)[];
  readonly legs: DatedLeg[];
}

export interface ReplayContext extends BookContext {
  readonly rows: Rows;
  /** The rows to replay, in order. */
  readonly replayed: Uint32Array;
  readonly checkpoints: readonly Checkpoint[];
  /** What an upload says that so many of its units are worth. */
  uploadedMoney(checkpoint: Checkpoint, quantity: Fixed): UploadedMoney;
  /** Positions of accounts at the same depository in the same instrument: the upload speaks of all together. */
  neighbours(position: number): readonly number[];
}

interface Change {
  readonly days: Day[];
  readonly stakes: Stake[];
}

const noChange: Change = { days: [], stakes: [] };

/** So often the books are put aside. */
const eventsPerBookmark = 256;

export class UnitReplay {
  readonly #context: ReplayContext;
  /** Rows as they are; uploads as −1 − their index. They come after the rows of their day. */
  readonly #events: Int32Array;
  readonly #eventDays: Int32Array;
  readonly #record: ReplayRecord = { realised: [], findings: [], legs: [] };
  readonly #changes = new Map<number, Change>();
  /** How far it has been replayed, and books put aside on the way. */
  #reached = 0;
  #books: Books;
  readonly #bookmarks: Books[];

  constructor(context: ReplayContext) {
    this.#context = context;
    const { events, days } = eventsOf(context);
    this.#events = events;
    this.#eventDays = days;
    this.#books = new Books(context);
    this.#bookmarks = [this.#books.copy()];
  }

  /** The lots of a position at the end of a day. */
  book(position: number, day: Day): LotBook | undefined {
    return this.#booksOn(day).find(position);
  }

  /** Units, and what they cost, from each day on. */
  units(position: number): Steps {
    const { days, stakes } = this.#changesOf(position);
    return Steps.ofAmounts(
      days,
      stakes.map(({ quantity }) => quantity),
    );
  }

  stake(position: number, day: Day): Stake {
    const { days, stakes } = this.#changesOf(position);
    return stakes[lastOnOrBefore(days, day)] ?? noStake;
  }

  record(): ReplayRecord {
    this.#replayUntil(this.#events.length);
    return this.#record;
  }

  #changesOf(position: number): Change {
    this.#replayUntil(this.#events.length);
    return this.#changes.get(position) ?? noChange;
  }

  #booksOn(day: Day): Books {
    const count = lastOnOrBefore(this.#eventDays, day) + 1;
    if (count >= this.#reached) {
      this.#replayUntil(count);
      return this.#books;
    }
    const bookmark = Math.trunc(count / eventsPerBookmark);
    const books = this.#bookmarks[bookmark]!.copy();
    for (let event = bookmark * eventsPerBookmark; event < count; event++) this.#replay(books, event);
    return books;
  }

  #replayUntil(count: number): void {
    for (; this.#reached < count; this.#reached++) {
      const day = this.#eventDays[this.#reached]!;
      const { realised, findings, legs, touched } = this.#replay(this.#books, this.#reached);
      this.#record.realised.push(...realised);
      this.#record.findings.push(...findings);
      this.#record.legs.push(...legs.map((leg) => ({ ...leg, day })));
      for (const position of touched) this.#noteChange(position, day);
      if ((this.#reached + 1) % eventsPerBookmark === 0) this.#bookmarks.push(this.#books.copy());
    }
  }

  #noteChange(position: number, day: Day): void {
    const change = this.#changes.get(position) ?? { days: [], stakes: [] };
    this.#changes.set(position, change);
    const stake = this.#books.find(position)!.total;
    if (change.days.at(-1) === day) change.stakes[change.stakes.length - 1] = stake;
    else {
      change.days.push(day);
      change.stakes.push(stake);
    }
  }

  #replay(books: Books, event: number): Replayed {
    const index = this.#events[event]!;
    if (index >= 0) return books.apply(this.#context.rows.transaction(index));
    return this.#checkpoint(books, this.#context.checkpoints[-1 - index]!);
  }

  #checkpoint(books: Books, checkpoint: Checkpoint): Replayed {
    const { position, day } = checkpoint;
    const held = books.find(position)?.total.quantity ?? 0n;
    const elsewhere = this.#context
      .neighbours(position)
      .reduce((sum, other) => sum + (books.find(other)?.total.quantity ?? 0n), 0n);
    const quantity = checkpoint.quantity - elsewhere;
    const isFirst = !this.#changes.has(position);
    const money = this.#context.uploadedMoney(checkpoint, quantity);
    books.checkpoint(position, { row: checkpointRow(day), day, ...money.stake });
    const legs = quantity === held ? [] : [impliedFlow(checkpoint, money, { quantity, held })];
    const isImplied = legs.length > 0 && !isFirst;
    const finding: UploadFinding = { kind: 'implied-flow', position, day, quantity: quantity - held };
    return { realised: [], findings: isImplied ? [finding] : [], legs, touched: [position] };
  }
}

/** What came or went at the value that was uploaded; what is all gone, at its value of the day. */
function impliedFlow(
  { position }: Checkpoint,
  { value, currency }: UploadedMoney,
  { quantity, held }: { quantity: Fixed; held: Fixed },
): Leg {
  if (quantity === 0n) return { measure: 'units', position, quantity: -held, of: position };
  return { measure: 'cash', position, amount: multiplyDivide(value, quantity - held, quantity), currency };
}

type Replayed = Omit<Booked, 'findings' | 'legs'> & {
  readonly findings: readonly (PositionFinding | UploadFinding)[];
  readonly legs: readonly Leg[];
};

function eventsOf({ rows, replayed, checkpoints }: ReplayContext): { events: Int32Array; days: Int32Array } {
  const events = new Int32Array(replayed.length + checkpoints.length);
  const days = new Int32Array(events.length);
  let next = 0;
  const add = (event: number, day: Day): void => {
    events[next] = event;
    days[next++] = day;
  };
  let upload = 0;
  for (const row of replayed) {
    const day = rows.days[row]!;
    for (; upload < checkpoints.length && checkpoints[upload]!.day < day; upload++) {
      add(-1 - upload, checkpoints[upload]!.day);
    }
    add(row, day);
  }
  for (; upload < checkpoints.length; upload++) add(-1 - upload, checkpoints[upload]!.day);
  return { events, days };
}
