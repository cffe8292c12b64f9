// Finds amounts, values and accrued interest that contradict prices, trades and terms. Remembers what it found for as long as the history lives, because
// every report on it needs that again.

import type { History } from '../history/history.ts';
import type { DayWindow } from '../quick/daily-points.ts';
import { AccruedInterestChecks, type AccruedInterestFinding } from './accrued-interest-checks.ts';
import { AmountChecks, type AmountFinding } from './amount-checks.ts';
import { ValueChanges, type ValueChangeFinding } from './value-changes.ts';

export type UnlikelyFigure = AmountFinding | AccruedInterestFinding | ValueChangeFinding;

/** A position with more findings than this is checked each time, so that little memory is taken. */
const rememberedMax = 16;

interface CheckedPosition {
  readonly window: DayWindow;
  readonly found: readonly UnlikelyFigure[];
}

export class UnlikelyFigures {
  readonly #history: History;
  readonly #amounts: AmountChecks;
  readonly #accrued: AccruedInterestChecks;
  readonly #changes: ValueChanges;
  readonly #checked = new Map<number, CheckedPosition>();
  static readonly #byHistory = new WeakMap<History, UnlikelyFigures>();

  private constructor(history: History) {
    this.#history = history;
    this.#amounts = new AmountChecks(history);
    this.#accrued = new AccruedInterestChecks(history);
    this.#changes = new ValueChanges(history);
  }

  static of(history: History): UnlikelyFigures {
    const known = this.#byHistory.get(history) ?? new UnlikelyFigures(history);
    this.#byHistory.set(history, known);
    return known;
  }

  /** Of a position within the days. */
  find(position: number, window: DayWindow): readonly UnlikelyFigure[] {
    const checked = this.#checked.get(position);
    if (checked !== undefined && checked.window.first <= window.first && window.last <= checked.window.last)
      return checked.found.filter(({ day }) => day >= window.first && day <= window.last);
    const found = this.#check(position, window);
    if (found.length <= rememberedMax) this.#checked.set(position, { window, found });
    return found;
  }

  #check(position: number, window: DayWindow): readonly UnlikelyFigure[] {
    const { rows, byPosition } = this.#history;
    const own = byPosition.rowsWithin(position, rows.spanOf(window));
    return [
      ...(own.length > 0 ? this.#amounts.findingsOf(position, own) : []),
      ...this.#accrued.findingsOf(position, window, own),
      ...this.#changes.findingsOf(position, window, own),
    ];
  }
}
