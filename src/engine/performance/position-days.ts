// The columns of a position over a window of days, in the currency of a report: values, flows, income, fees. Knows no segments.

import type { Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { AmountColumn } from '../amount-column.ts';
import { DailyPrices } from '../daily-prices.ts';
import { DailyRates, type DayWindow } from '../daily-rates.ts';
import { convertedAmount, type Currency } from '../exchange-rates.ts';
import type { History } from '../history.ts';
import type { DatedLeg } from '../history/unit-replay.ts';
import { findSynthetic } from '../position.ts';
import { quickCash, quickFlows, quickValues } from '../quick-values.ts';
import type { PositionColumns } from '../segment-returns/segment-columns.ts';
import { lastOnOrBefore } from '../series.ts';
import { AmountFlows, feeKind, signIndex, type AmountUse, type FeeTreatment } from './amount-flows.ts';
import { GatheredRows } from './gathered-rows.ts';
import { findQuoted } from './quoted-series.ts';

export type { FeeTreatment };

export interface PositionDaysRequest {
  readonly window: DayWindow;
  readonly fees: FeeTreatment;
  readonly currency: Currency;
}

export class PositionDays {
  readonly #history: History;
  readonly #request: PositionDaysRequest;
  readonly #amounts: AmountFlows;
  readonly #rates = new Map<Currency, DailyRates>();
  readonly #prices = new Map<string, DailyPrices>();
  readonly #gathered: GatheredRows;

  constructor(history: History, request: PositionDaysRequest) {
    this.#history = history;
    this.#request = request;
    this.#amounts = new AmountFlows(history, request.fees);
    this.#gathered = new GatheredRows(history.rows);
  }

  columns(position: number): PositionColumns {
    const values = this.#values(position);
    const flows = this.#amountsOf('flow', position) ?? this.#column();
    this.#addLegs(flows, position);
    const income = this.#incomeOf(position);
    const fees = this.#amountsOf('fee', position);
    return {
      values: this.#inReportCurrency(values),
      flows: this.#inReportCurrency(flows),
      ...(income && { income: this.#inReportCurrency(income) }),
      ...(fees && { fees: this.#inReportCurrency(fees) }),
    };
  }

  #column(): AmountColumn {
    const { first, last } = this.#request.window;
    return new AmountColumn(last - first + 1);
  }

  /** Into the reference currency. */
  #ratesFrom(from: Currency): DailyRates {
    const known = this.#rates.get(from);
    if (known !== undefined) return known;
    const { rates, settings } = this.#history.facts;
    const daily = new DailyRates(rates, { from, to: settings.referenceCurrency }, this.#request.window);
    this.#rates.set(from, daily);
    return daily;
  }

  #values(position: number): AmountColumn {
    const column = this.#column();
    if (this.#isLeftOut(position)) return column;
    const { window } = this.#request;
    const instrument = this.#history.instrument(position);
    const steps = this.#history.units(position);
    const integers = steps.findIntegers();
    const units = integers && { ...integers, days: steps.days };
    const rates = this.#ratesFrom(instrument.currency);
    if (findSynthetic(instrument.id) !== undefined) {
      const isDone = units !== undefined && quickCash({ balances: units, rates }, column);
      if (!isDone) this.#setDays(column, position, window);
      return column;
    }
    const prices = this.#findPrices(position);
    const done = units && prices && quickValues({ units, prices, rates }, column);
    const rest = done === undefined ? window : done.noPoint;
    if (rest !== undefined) this.#setDays(column, position, rest);
    return column;
  }

  #findPrices(position: number): DailyPrices | undefined {
    const quoted = findQuoted(this.#history, position);
    if (quoted === undefined) return undefined;
    const { id, priceUnit } = this.#history.instrument(position);
    const known = this.#prices.get(id);
    if (known !== undefined) return known;
    const prices = new DailyPrices(quoted, priceUnit, this.#request.window);
    this.#prices.set(id, prices);
    return prices;
  }

  /** Gross: what is owed for advice lowers nothing. */
  #isLeftOut(position: number): boolean {
    if (this.#request.fees === 'net') return false;
    const { terms, id } = this.#history.instrument(position);
    if (terms.type !== 'fee') return findSynthetic(id)?.kind === 'fees-owed';
    return this.#history.facts.settings.advisoryCategories.has(terms.category);
  }

  /** Day by day, as the valuation of each says. */
  #setDays(column: AmountColumn, position: number, { first, last }: DayWindow): void {
    const { days } = this.#history.units(position);
    const from = Math.max(first, days[0] ?? Infinity);
    for (let day = from; day <= last; day++) {
      const { value } = this.#history.value(position, day);
      if (value !== 0n) column.set(day - this.#request.window.first, value);
    }
  }

  /** None where no row has one. */
  #amountsOf(use: AmountUse, position: number): AmountColumn | undefined {
    if (!this.#amounts.has(use, position)) return undefined;
    const { days, kinds, positions, cash } = this.#history.rows;
    const { first, last } = this.#request.window;
    const signs = this.#amounts.signs(use, position);
    const own = this.#amounts.rowsOf(position);
    let column: AmountColumn | undefined;
    this.#gathered.clear();
    for (let index = countBefore(own, this.#history.rows.countUntil(first)); index < own.length; index++) {
      const row = own[index]!;
      if (days[row]! > last) break;
      const isPlain = kinds[row] !== feeKind;
      const sign = isPlain ? signs[signIndex(kinds[row]!, positions[row]!)]! : this.#amounts.sign(use, position, row);
      if (sign === 0) continue;
      column ??= this.#column();
      if (this.#gathered.isOfOther(cash[row]!)) this.#addGathered(column);
      this.#gathered.add(row, sign);
    }
    if (column !== undefined) this.#addGathered(column);
    return column;
  }

  /** All that was gathered has its amount in one currency. */
  #addGathered(column: AmountColumn): void {
    const { rows } = this.#history;
    const { length } = this.#gathered;
    const currency = this.#amounts.currencyOf(this.#gathered.row(0));
    const flows = this.#gathered.column();
    if (!quickFlows({ flows, rates: this.#ratesFrom(currency) }, column)) {
      for (let index = 0; index < length; index++) {
        const row = this.#gathered.row(index);
        const amount = BigInt(this.#gathered.sign(index)) * rows.get('amount', row);
        this.#addMoney(column, { day: rows.days[row]!, amount, currency });
      }
    }
    this.#gathered.clear();
  }

  #incomeOf(position: number): AmountColumn | undefined {
    const income = this.#amountsOf('income', position);
    if (this.#amounts.accruedRows(position).length === 0) return income;
    const column = income ?? this.#column();
    this.#addAccrued(column, position);
    return column;
  }

  #addMoney(column: AmountColumn, money: { day: Day; amount: Fixed; currency: Currency }): void {
    const { day, amount, currency } = money;
    if (amount === 0n) return;
    column.add(day - this.#request.window.first, convertedAmount(amount, this.#ratesFrom(currency).get(day)));
  }

  /** Interest that is bought with a bond is negative income, and positive when it is sold. */
  #addAccrued(column: AmountColumn, position: number): void {
    const { rows } = this.#history;
    const { currency } = this.#history.instrument(position);
    for (const row of this.#amounts.accruedRows(position)) {
      const day = rows.days[row]!;
      if (!this.#isWithin(day)) continue;
      const { accrued = 0n } = rows.details(row)!;
      this.#addMoney(column, { day, amount: rows.get('quantity', row) > 0n ? -accrued : accrued, currency });
    }
  }

  #addLegs(column: AmountColumn, position: number): void {
    for (const leg of this.legsOf(position)) {
      if (leg.measure === 'cash') this.#addMoney(column, leg);
      else column.add(leg.day - this.#request.window.first, this.#history.values.ofLeg(leg).value);
    }
  }

  /** What flowed within the window beyond the amounts of rows. */
  legsOf(position: number): readonly DatedLeg[] {
    return this.#history.legs(position).filter((leg) => this.#isWithin(leg.day) && !this.#isLegLeftOut(leg));
  }

  #isLegLeftOut(leg: DatedLeg): boolean {
    if (this.#request.fees === 'net') return false;
    return (leg.measure === 'cash' && leg.settles === 'fees-owed') || this.#isLeftOut(leg.position);
  }

  /** What happened on the day before the window is none of its flows. */
  #isWithin(day: Day): boolean {
    return day > this.#request.window.first && day <= this.#request.window.last;
  }

  #inReportCurrency(column: AmountColumn): AmountColumn {
    const { window, currency: to } = this.#request;
    const { rates, settings } = this.#history.facts;
    if (to === settings.referenceCurrency || column.isBlank) return column;
    const converted = this.#column();
    for (let day = window.first; day <= window.last; day++) {
      const amount = column.at(day - window.first);
      if (amount === 0n) continue;
      const conversion = rates.get({ from: settings.referenceCurrency, to, day });
      converted.set(day - window.first, convertedAmount(amount, conversion));
    }
    return converted;
  }
}

/** How many of the ordered rows come before a number. */
function countBefore(rows: Uint32Array, limit: number): number {
  return lastOnOrBefore(rows, limit - 1) + 1;
}
