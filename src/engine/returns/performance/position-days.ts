// The columns of a position over a window of days, in the currency of a report: values, flows, income, fees. Knows no segments.

import type { Fixed } from '../../../kit/fixed.ts';
import type { Day } from '../../../kit/day.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import { AmountEntries } from '../../amounts/sparse-amounts.ts';
import { DailyPrices } from '../../quick/daily-prices.ts';
import { DailyRates, type DayWindow } from '../../quick/daily-rates.ts';
import { convertedAmount, type Currency } from '../../currencies/exchange-rates.ts';
import type { History } from '../../history/history.ts';
import type { DatedLeg } from '../../history/unit-replay.ts';
import { findSynthetic } from '../../ledger/position-key.ts';
import { quickCash, quickFlows, quickValues } from '../../quick/quick-values.ts';
import type { PositionAmounts, PositionColumns } from '../segments/segment-columns.ts';
import { countBelow } from '../../amounts/series.ts';
import { AmountFlows, type AmountUse, type FeeTreatment } from './amount-flows.ts';
import { GatheredRows } from './row-buffer.ts';
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
  /** Those of the window, its first day left out. */
  readonly #rowSpan: { readonly from: number; readonly to: number };

  constructor(history: History, request: PositionDaysRequest) {
    this.#history = history;
    this.#request = request;
    this.#amounts = new AmountFlows(history, request.fees);
    this.#gathered = new GatheredRows(history.rows);
    const { first, last } = request.window;
    this.#rowSpan = { from: history.rows.countUntil(first), to: history.rows.countUntil(last) };
  }

  /** A blank column that is not needed elsewhere may become that of the values. */
  columns(position: number, spare: AmountColumn = this.#column()): PositionColumns {
    const values = this.#values(position, spare);
    const flows = this.#flowsOf(position);
    const income = this.#incomeOf(position);
    const fees = this.#amountsOf('fee', position);
    return {
      values: this.#inReportCurrency(values),
      flows: this.#inReportCurrency(flows),
      ...(income && { income: this.#inReportCurrency(income) }),
      ...(fees && { fees: this.#inReportCurrency(fees) }),
    };
  }

  get #length(): number {
    const { first, last } = this.#request.window;
    return last - first + 1;
  }

  #column(): AmountColumn {
    return new AmountColumn(this.#length);
  }

  /** To be added to. */
  #columnOf(amounts: PositionAmounts | undefined): AmountColumn {
    if (amounts instanceof AmountColumn) return amounts;
    const column = this.#column();
    if (amounts !== undefined) column.addEntries(amounts);
    return column;
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

  #values(position: number, column: AmountColumn): AmountColumn {
    if (this.#isLeftOut(position)) return column;
    const { window } = this.#request;
    const instrument = this.#history.instrument(position);
    const steps = this.#history.units(position);
    const integers = steps.findIntegers();
    const units = integers && { days: steps.days, values: integers.values, scale: integers.scale };
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
  #amountsOf(use: AmountUse, position: number): PositionAmounts | undefined {
    if (!this.#amounts.has(use, position)) return undefined;
    const gathered = this.#gathered;
    const own = this.#amounts.rowsOf(position);
    const { from, to } = this.#rowSpan;
    gathered.gather(own.subarray(countBelow(own, from), countBelow(own, to)), this.#amounts.signs(use, position));
    if (gathered.length === 0) return undefined;
    const end = gathered.endOfCash(0);
    const entries = this.#quickAmounts(0, end);
    if (entries !== undefined && end === gathered.length) return entries;
    return this.#summedAmounts();
  }

  /** Of those gathered that have their amounts in one currency. */
  #quickAmounts(start: number, end: number): AmountEntries | undefined {
    const currency = this.#amounts.currencyOf(this.#gathered.row(start));
    return quickFlows({ flows: this.#gathered.column(start, end), rates: this.#ratesFrom(currency) });
  }

  #summedAmounts(): AmountColumn {
    const column = this.#column();
    const { length } = this.#gathered;
    for (let start = 0, end = 0; start < length; start = end) {
      end = this.#gathered.endOfCash(start);
      const entries = this.#quickAmounts(start, end);
      if (entries !== undefined) column.addEntries(entries);
      else for (let index = start; index < end; index++) this.#addRow(column, index);
    }
    return column;
  }

  #addRow(column: AmountColumn, index: number): void {
    const { rows } = this.#history;
    const row = this.#gathered.row(index);
    const amount = BigInt(this.#gathered.sign(index)) * rows.get('amount', row);
    this.#addMoney(column, { day: rows.days[row]!, amount, currency: this.#amounts.currencyOf(row) });
  }

  #flowsOf(position: number): PositionAmounts {
    const flows = this.#amountsOf('flow', position);
    if (this.legsOf(position).length === 0) return flows ?? AmountEntries.none(this.#length);
    const column = this.#columnOf(flows);
    this.#addLegs(column, position);
    return column;
  }

  #incomeOf(position: number): PositionAmounts | undefined {
    const income = this.#amountsOf('income', position);
    if (this.#amounts.accruedRows(position).length === 0) return income;
    const column = this.#columnOf(income);
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

  #inReportCurrency<Amounts extends PositionAmounts>(column: Amounts): Amounts | AmountColumn {
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
