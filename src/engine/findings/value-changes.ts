// Finds days on which a position's value changed by more than the bound of the settings without a trade, an action or a price
// that says so. Looks only at days on which that can happen: trades far from the carried value, uploads, and maturities.

import { append } from '../../kit/memory/long-list.ts';
import type { Day } from '../../kit/day.ts';
import { magnitude, multiply, multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import { lastOnOrBefore } from '../amounts/series.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { Valuation } from '../valuation/valuation.ts';
import { farTradeDays } from './carried-values.ts';
import type { History } from '../history/history.ts';
import { isTradeKind } from '../history/position-kinds.ts';
import type { DayWindow } from '../quick/daily-points.ts';

export interface ValueChangeFinding {
  readonly kind: 'unexplained-value-change';
  readonly position: number;
  readonly day: Day;
  /** What the value changed by beyond what was paid in or out, without interest. */
  readonly change: Fixed;
  readonly currency: IsoCurrency;
  /** after − before − what the trades paid − what came in kind = change. */
  readonly before: Fixed;
  readonly after: Fixed;
  readonly inKind: Fixed;
  /** The position's trades on the day by their booking numbers: what was paid for units that came, negative for those that left. */
  readonly trades: readonly { readonly row: number; readonly paid: Fixed }[];
}

interface ValuesAroundDay {
  readonly before: Fixed;
  readonly after: Fixed;
  readonly unitsBefore: Fixed;
  readonly unitsAfter: Fixed;
  readonly currency: IsoCurrency;
}

export class ValueChanges {
  readonly #history: History;
  #actionDays: ReadonlyMap<string, ReadonlySet<Day>> | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  /** Within the days. Takes the position's rows of these days. */
  *findingsOf(position: number, window: DayWindow, own: Uint32Array): Generator<ValueChangeFinding> {
    for (const day of this.#candidateDays(position, window, own)) {
      const found = this.#isSaid(position, day) ? undefined : this.#findChange(position, day);
      if (found !== undefined) yield found;
    }
  }

  /** Fees and forwards begin at nothing, and what private funds call and pay out is their value: no change of them stands out. */
  #candidateDays(position: number, { first, last }: DayWindow, own: Uint32Array): readonly Day[] {
    const { terms } = this.#history.instrument(position);
    if (isExempt(terms)) return [];
    const uploads = this.#history.values.uploads(position);
    const days = uploads.flatMap(({ day }) => [day, day + 1]);
    if (terms.type === 'bond') days.push(terms.schedule.maturity);
    if (terms.type === 'zero-coupon') days.push(terms.maturity);
    if (own.length > 0)
      append(days, uploads.length > 0 ? this.#tradeDays(own) : farTradeDays(this.#history, position, own));
    return [...new Set(days)].filter((day) => day >= first && day <= last);
  }

  /** Where uploads decide the value, any trade may be far from it. */
  #tradeDays(own: Uint32Array): readonly Day[] {
    const { kinds, days } = this.#history.rows;
    return Array.from(own)
      .filter((row) => isTradeKind(kinds[row]!))
      .map((row) => days[row]!);
  }

  /** A price, net asset value or index factor of the day, or a corporate action, says what the value is. */
  #isSaid(position: number, day: Day): boolean {
    const { id, prices, netAssetValues, indexFactors } = this.#history.instrument(position);
    const hasPoint = [prices, netAssetValues, indexFactors].some(({ days }) => days[lastOnOrBefore(days, day)] === day);
    this.#actionDays ??= actionDays(this.#history);
    return hasPoint || this.#actionDays.get(id)?.has(day) === true;
  }

  #findChange(position: number, day: Day): ValueChangeFinding | undefined {
    const values = this.#cleanValues(position, day);
    const trades = values && this.#tradesOn(position, day, values.currency);
    if (values === undefined || trades === undefined) return undefined;
    const { before, after, unitsBefore, unitsAfter, currency } = values;
    const payments = trades.map(({ row, quantity, value }) => ({ row, paid: quantity < 0n ? -value : value }));
    const paid = payments.reduce((sum, one) => sum + one.paid, 0n);
    const moved = trades.reduce((units, { quantity }) => units - quantity, unitsAfter - unitsBefore);
    const inKind = unitsAfter !== 0n ? share(after, moved, unitsAfter) : share(before, moved, unitsBefore);
    const change = after - before - paid - inKind;
    const isShort = (unitsAfter || unitsBefore) < 0n;
    const added = [paid, inKind].filter((flow) => flow < 0n === isShort);
    const base = added.reduce((sum, flow) => sum + magnitude(flow), magnitude(before));
    if (!this.#isBeyondBound(change, base) || this.#isTraded(trades, values)) return undefined;
    const terms = { before, after, inKind, trades: payments };
    return { kind: 'unexplained-value-change', position, day, change, currency, ...terms };
  }

  #isBeyondBound(change: Fixed, base: Fixed): boolean {
    return magnitude(change) > multiply(this.#history.facts.settings.valueChangeBound, magnitude(base));
  }

  /** Whether the last trade of the day says that the units are worth that much, or took them all. */
  #isTraded(trades: readonly LedgerTransaction[], { after, unitsAfter }: ValuesAroundDay): boolean {
    const last = trades.at(-1);
    if (last === undefined || unitsAfter === 0n) return last !== undefined;
    const stated = share(magnitude(last.value), unitsAfter, magnitude(last.quantity));
    return !this.#isBeyondBound(after - stated, stated);
  }

  /** At the end of the day before and of the day, without interest; in the reference currency if their own ones differ. */
  #cleanValues(position: number, day: Day): ValuesAroundDay | undefined {
    const { values, facts } = this.#history;
    const [before, after] = [values.inOwnCurrency(position, day - 1), values.inOwnCurrency(position, day)];
    const isSame = before.currency === after.currency;
    const to = isSame ? after.currency : facts.settings.referenceCurrency;
    const [rateBefore, rateAfter] = [
      facts.rates.find({ from: before.currency, to, day: day - 1 }),
      facts.rates.find({ from: after.currency, to, day }),
    ];
    if (rateBefore === undefined || rateAfter === undefined) return undefined;
    const units = this.#history.units(position);
    return {
      before: convertedAmount(cleanValue(before), rateBefore),
      after: convertedAmount(cleanValue(after), rateAfter),
      unitsBefore: units.valueOn(day - 1),
      unitsAfter: units.valueOn(day),
      currency: to,
    };
  }

  /** With values in the currency; undefined if there is no rate. */
  #tradesOn(position: number, day: Day, to: IsoCurrency): readonly LedgerTransaction[] | undefined {
    const { rows, byPosition, facts } = this.#history;
    const rate = facts.rates.find({ from: this.#history.instrument(position).currency, to, day });
    if (rate === undefined) return undefined;
    const todays = byPosition.rowsWithin(position, rows.spanOf({ first: day, last: day }));
    const trades = todays.filter((row) => isTradeKind(rows.kinds[row]!));
    return Array.from(trades, (row) => {
      const trade = rows.transaction(row);
      return { ...trade, value: convertedAmount(trade.value, rate) };
    });
  }
}

function isExempt({ type }: InstrumentTerms): boolean {
  return type === 'fee' || type === 'forward' || type === 'private-fund';
}

function share(amount: Fixed, part: Fixed, whole: Fixed): Fixed {
  return whole === 0n ? 0n : multiplyDivide(amount, part, whole);
}

function cleanValue({ value, accrued, parts }: Valuation): Fixed {
  return parts.reduce((rest, part) => (part.kind === 'coupon' ? rest - part.amount : rest), value - accrued);
}

/** By instrument, whether it is the one acted on or the one that comes out of it. */
function actionDays({ rows }: History): ReadonlyMap<string, ReadonlySet<Day>> {
  const days = new Map<string, Set<Day>>();
  for (const row of rows.rowsWithDetails) {
    const action = rows.details(row)?.action;
    if (action === undefined) continue;
    const { instrument, day } = rows.transaction(row);
    for (const one of [instrument, 'target' in action ? action.target : null]) {
      if (one !== null) days.set(one, (days.get(one) ?? new Set()).add(day));
    }
  }
  return days;
}
