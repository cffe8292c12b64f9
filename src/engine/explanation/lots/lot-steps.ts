// Records, event by event, what happened to the lots of positions. Replays rows that reports compute in quick passes, so it is
// made only for explanations.

import type { Day } from '../../../kit/day.ts';
import type { History } from '../../history/history.ts';
import type { LotBookContext } from '../../lots/lot-book-changes.ts';
import { LotBooks } from '../../lots/lot-books.ts';
import type { LotObserver } from '../../lots/lot-observer.ts';
import type { Lot, LotKey, QuantityAndCost } from '../../lots/lot.ts';

/** What an event did to one lot, or to all lots of a position. */
type LotChange =
  | { readonly kind: 'opened'; readonly lot: Lot }
  /** A part left the lot; the lot is given as it was before. */
  | { readonly kind: 'taken'; readonly lot: Lot; readonly part: QuantityAndCost }
  /** Under AVERAGE: a part left the position. */
  | {
      readonly kind: 'taken-together';
      readonly held: QuantityAndCost;
      readonly part: QuantityAndCost;
      readonly lots: readonly Lot[];
    }
  | { readonly kind: 'replaced'; readonly before: readonly Lot[]; readonly after: readonly Lot[] };

export type LotStep = LotChange & {
  readonly position: number;
  /** The row, or the number of an upload. */
  readonly row: number;
  readonly day: Day;
};

export type LotStepOf<Kind extends LotStep['kind']> = Extract<LotStep, { kind: Kind }>;

export class LotSteps {
  readonly #history: History;
  readonly #plain = new Map<number, readonly LotStep[]>();
  readonly #byLot = new Map<number, ReadonlyMap<string, readonly LotStep[]>>();
  #replayed: ReadonlyMap<number, readonly LotStep[]> | undefined;
  #replayedByRow: ReadonlyMap<number, readonly LotStep[]> | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  /** All steps of a position, in order. */
  of(position: number): readonly LotStep[] {
    if (this.#history.isReplayed(position)) return this.#ofReplayed().get(position) ?? [];
    const known = this.#plain.get(position);
    if (known !== undefined) return known;
    const steps = recordTrades(this.#history, position);
    this.#plain.set(position, steps);
    return steps;
  }

  /** The steps of one lot, from its opening on. */
  ofLot(position: number, key: LotKey): readonly LotStep[] {
    const known = this.#byLot.get(position) ?? groupByLot(this.of(position));
    this.#byLot.set(position, known);
    return known.get(lotText(key)) ?? [];
  }

  /** All steps of a row that moved units between positions. */
  ofRow(row: number): readonly LotStep[] {
    this.#replayedByRow ??= Map.groupBy([...this.#ofReplayed().values()].flat(), (step) => step.row);
    return this.#replayedByRow.get(row) ?? [];
  }

  #ofReplayed(): ReadonlyMap<number, readonly LotStep[]> {
    this.#replayed ??= recordReplay(this.#history);
    return this.#replayed;
  }
}

let recent = new WeakMap<History, LotSteps>();

/** Keeps those of the history that was explained last: a tree asks for the same ones again and again. */
export function lotStepsOf(history: History): LotSteps {
  const known = recent.get(history);
  if (known !== undefined) return known;
  const steps = new LotSteps(history);
  recent = new WeakMap([[history, steps]]);
  return steps;
}

/** Collects the steps of positions under the event that is being applied. */
class StepRecorder {
  readonly steps = new Map<number, LotStep[]>();
  #event = { row: 0, day: 0 };

  begin(event: { readonly row: number; readonly day: Day }): void {
    this.#event = { row: event.row, day: event.day };
  }

  observe(position: number): LotObserver {
    const steps: LotStep[] = [];
    this.steps.set(position, steps);
    const add = (change: LotChange): void => {
      steps.push({ ...change, position, ...this.#event });
    };
    return {
      opened: (lot) => add({ kind: 'opened', lot }),
      taken: (lot, part) => add({ kind: 'taken', lot, part }),
      takenTogether: (held, part, lots) => add({ kind: 'taken-together', held, part, lots }),
      replaced: (before, after) => add({ kind: 'replaced', before, after }),
    };
  }

  context(history: History): LotBookContext {
    return { ...history.lotBookContext(), observe: (position) => this.observe(position) };
  }
}

function recordTrades(history: History, position: number): readonly LotStep[] {
  const recorder = new StepRecorder();
  const books = new LotBooks(recorder.context(history));
  for (const row of history.byPosition.rowsOf(position)) {
    const transaction = history.rows.transaction(row);
    recorder.begin(transaction);
    books.apply(transaction);
  }
  return recorder.steps.get(position) ?? [];
}

function recordReplay(history: History): ReadonlyMap<number, readonly LotStep[]> {
  const recorder = new StepRecorder();
  history.replay.replayInto(new LotBooks(recorder.context(history)), (event) => recorder.begin(event));
  return recorder.steps;
}

export function isSameLot(one: LotKey, other: LotKey): boolean {
  return one.row === other.row && one.ordinal === other.ordinal;
}

/** The lot before and after a step in which all lots of its position changed; undefined if it is not one of them. */
export function replacedLot(
  { before, after }: LotStepOf<'replaced'>,
  key: LotKey,
): { readonly before: Lot; readonly after: Lot | undefined } | undefined {
  const found = before.find((lot) => isSameLot(lot, key));
  return found && { before: found, after: after.find((lot) => isSameLot(lot, key)) };
}

function lotText({ row, ordinal }: LotKey): string {
  return `${row} ${ordinal}`;
}

/** A number that was given twice means the last lot. */
function groupByLot(steps: readonly LotStep[]): ReadonlyMap<string, readonly LotStep[]> {
  const byLot = new Map<string, LotStep[]>();
  for (const step of steps) {
    if (step.kind === 'opened') byLot.set(lotText(step.lot), [step]);
    else if (step.kind === 'taken') byLot.get(lotText(step.lot))?.push(step);
    else for (const lot of step.kind === 'replaced' ? step.before : step.lots) byLot.get(lotText(lot))?.push(step);
  }
  return byLot;
}
