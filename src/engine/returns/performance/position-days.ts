// Computes the columns of a position over a window of days, in the report's currency: values, flows, income, fees.

import type { Pieces } from '../../../kit/turns/pieces.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import type { Day } from '../../../kit/day.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import { SparseAmounts } from '../../amounts/sparse-amounts.ts';
import { DailyPrices } from '../../quick/daily-prices.ts';
import { DailyRates, type DayWindow } from '../../quick/daily-rates.ts';
import { convertedAmount, type IsoCurrency } from '../../currencies/exchange-rates.ts';
import { paidPart } from '../../currencies/reference-money.ts';
import type { History } from '../../history/history.ts';
import type { RowSpan } from '../../history/ledger-rows.ts';
import type { DatedLeg } from '../../history/unit-replay.ts';
import { findSyntheticInstrument } from '../../ledger/position-key.ts';
import { quickCash, quickFlows, quickValues } from '../../quick/quick-values.ts';
import type { PositionAmounts, PositionColumns } from '../segments/segment-columns.ts';
import { countBelow } from '../../amounts/series.ts';
import { GainSplitter, type QuickRequest } from './gain-split.ts';
import { AmountFlows, type AmountUse, type FeeTreatment } from './amount-flows.ts';
import { SelectedRows } from './selected-rows.ts';
import { findQuotedSeries } from './quoted-series.ts';

export type { FeeTreatment };

interface PositionDaysRequest {
  readonly window: DayWindow;
  readonly fees: FeeTreatment;
  readonly currency: IsoCurrency;
  /** Whether gains are split into price, income and currency. */
  readonly splitsGain?: boolean;
  /** Of the same history and fees; made anew if absent. */
  readonly amounts?: AmountFlows;
}

/** Days that are valued one by one before others may compute. One may take long: a position has lots, splits and payments without number. */
const daysPerPiece = 4;

export class PositionDays {
  readonly #history: History;
  readonly #request: PositionDaysRequest;
  readonly #amounts: AmountFlows;
  readonly #rates = new Map<IsoCurrency, DailyRates>();
  readonly #prices = new Map<string, DailyPrices>();
  readonly #selectedRows: SelectedRows;
  readonly #splitter: GainSplitter | undefined;
  /** The rows of the window, without its first day. */
  readonly #rowSpan: RowSpan;

  constructor(history: History, request: PositionDaysRequest) {
    this.#history = history;
    this.#request = request;
    this.#amounts = request.amounts ?? new AmountFlows(history, request.fees);
    this.#selectedRows = new SelectedRows(history.rows);
    this.#splitter = request.splitsGain === true ? new GainSplitter(history, request) : undefined;
    const { first, last } = request.window;
    this.#rowSpan = history.rows.spanOf({ first: first + 1, last });
  }

  /** A blank column that is not needed elsewhere may be reused for the values. */
  *columns(position: number, reusable: AmountColumn = this.#blankColumn()): Pieces<PositionColumns> {
    this.#splitter?.begin();
    const values = yield* this.#values(position, reusable);
    const flows = this.#flowsOf(position);
    const income = this.#incomeOf(position);
    const fees = this.#amountsOf('fee', position);
    const columns: PositionColumns = {
      isHeld: this.#isHeld(position),
      isUninvested: this.#history.instrument(position).terms.type === 'forward',
      values: this.#inReportCurrency(values),
      flows: this.#inReportCurrency(flows),
      ...(income && { income: this.#inReportCurrency(income) }),
      ...(fees && { fees: this.#inReportCurrency(fees) }),
    };
    if (this.#splitter === undefined) return columns;
    const returnedFees = this.#request.fees === 'gross' ? this.#amountsOf('returned-fee', position) : undefined;
    const rest = {
      legs: this.legsOf(position),
      ...(returnedFees && { returnedFees: this.#inReportCurrency(returnedFees) }),
    };
    return { ...columns, shares: this.#splitter.finish(position, values, columns, rest) };
  }

  /** Whether anything was held when the window began, or changed within it. */
  #isHeld(position: number): boolean {
    const { first, last } = this.#request.window;
    const units = this.#history.units(position);
    return units.valueOn(first) !== 0n || countBelow(units.days, last + 1) > countBelow(units.days, first + 1);
  }

  get #length(): number {
    const { first, last } = this.#request.window;
    return last - first + 1;
  }

  #blankColumn(): AmountColumn {
    return new AmountColumn(this.#length);
  }

  #toColumn(amounts: PositionAmounts | undefined): AmountColumn {
    if (amounts instanceof AmountColumn) return amounts;
    const column = this.#blankColumn();
    if (amounts !== undefined) column.addSparse(amounts);
    return column;
  }

  /** Into the report's currency. */
  #ratesFrom(from: IsoCurrency): DailyRates {
    const cached = this.#rates.get(from);
    if (cached !== undefined) return cached;
    const { rates, settings } = this.#history.facts;
    const daily = new DailyRates(rates, { from, to: settings.referenceCurrency }, this.#request.window);
    this.#rates.set(from, daily);
    return daily;
  }

  *#values(position: number, column: AmountColumn): Pieces<AmountColumn> {
    if (this.#isExcluded(position)) return column;
    const { window } = this.#request;
    const instrument = this.#history.instrument(position);
    const steps = this.#history.units(position);
    const integers = steps.findIntegers();
    const units = integers && { days: steps.days, values: integers.values, scale: integers.scale };
    const rates = this.#ratesFrom(instrument.currency);
    if (findSyntheticInstrument(instrument.id) !== undefined) {
      const isDone = units !== undefined && quickCash({ balances: units, rates }, column);
      if (isDone) this.#carryQuickly(position, { units }, column);
      else yield* this.#valueDays(column, position, window);
      return column;
    }
    const prices = this.#findPrices(position);
    const sumsRateGain = this.#splitter?.sumsRateGain(position) ?? false;
    const quickResult = units && prices && quickValues({ units, prices, rates, sumsRateGain }, column);
    if (quickResult?.rateGain !== undefined) this.#splitter?.takeRateGain(quickResult.rateGain);
    else if (quickResult) this.#carryQuickly(position, { units, prices }, column);
    const remainingWindow = quickResult === undefined ? window : quickResult.unpricedDays;
    if (remainingWindow !== undefined) yield* this.#valueDays(column, position, remainingWindow);
    return column;
  }

  #carryQuickly(position: number, request: QuickRequest, values: AmountColumn): void {
    if (this.#splitter?.isCarried(position) !== true) return;
    this.#splitter.carryQuickly(this.#history.instrument(position).currency, request, values);
  }

  #findPrices(position: number): DailyPrices | undefined {
    const quoted = findQuotedSeries(this.#history, position);
    if (quoted === undefined) return undefined;
    const { id, priceUnit } = this.#history.instrument(position);
    const cached = this.#prices.get(id);
    if (cached !== undefined) return cached;
    const prices = new DailyPrices(quoted, priceUnit, this.#request.window);
    this.#prices.set(id, prices);
    return prices;
  }

  /** In gross returns, advisory fees that are owed lower nothing. */
  #isExcluded(position: number): boolean {
    if (this.#request.fees === 'net') return false;
    const { terms, id } = this.#history.instrument(position);
    if (terms.type !== 'fee') return findSyntheticInstrument(id)?.kind === 'fees-owed';
    return this.#history.facts.settings.advisoryCategories.has(terms.category);
  }

  /** Values each day by its own valuation. */
  *#valueDays(column: AmountColumn, position: number, { first, last }: DayWindow): Pieces<void> {
    const { days } = this.#history.units(position);
    const from = Math.max(first, days[0] ?? Infinity);
    for (let day = from; day <= last; day++) {
      const found = this.#history.value(position, day);
      if (found.value !== 0n) column.set(day - this.#request.window.first, found.value);
      this.#splitter?.carryDay(position, found, day);
      if (day % daysPerPiece === 0) yield;
    }
  }

  /** Undefined if no row has that use. */
  #amountsOf(use: AmountUse, position: number): PositionAmounts | undefined {
    if (!this.#amounts.hasUse(use, position)) return undefined;
    const selectedRows = this.#selectedRows;
    selectedRows.select(this.#amounts.rowsWithin(position, this.#rowSpan), this.#amounts.signs(use, position));
    if (selectedRows.length === 0) return undefined;
    const end = selectedRows.endOfSameCash(0);
    const entries = this.#quickAmounts(0, end);
    if (entries !== undefined && end === selectedRows.length) return entries;
    return this.#summedAmounts();
  }

  /** Sums selected rows whose amounts are in one currency. */
  #quickAmounts(start: number, end: number): SparseAmounts | undefined {
    const currency = this.#amounts.currencyOf(this.#selectedRows.row(start));
    return quickFlows({ flows: this.#selectedRows.column(start, end), rates: this.#ratesFrom(currency) });
  }

  #summedAmounts(): AmountColumn {
    const column = this.#blankColumn();
    const { length } = this.#selectedRows;
    for (let start = 0, end = start; start < length; start = end) {
      end = this.#selectedRows.endOfSameCash(start);
      const entries = this.#quickAmounts(start, end);
      if (entries !== undefined) column.addSparse(entries);
      else for (let index = start; index < end; index++) this.#addRow(column, index);
    }
    return column;
  }

  #addRow(column: AmountColumn, index: number): void {
    const { rows } = this.#history;
    const row = this.#selectedRows.row(index);
    const amount = BigInt(this.#selectedRows.sign(index)) * rows.get('amount', row);
    this.#addMoney(column, { day: rows.days[row]!, amount, currency: this.#amounts.currencyOf(row) });
  }

  #flowsOf(position: number): PositionAmounts {
    const flows = this.#amountsOf('flow', position);
    if (this.legsOf(position).length === 0) return flows ?? SparseAmounts.empty(this.#length);
    const column = this.#toColumn(flows);
    this.#addLegs(column, position);
    return column;
  }

  #incomeOf(position: number): PositionAmounts | undefined {
    const income = this.#amountsOf('income', position);
    if (this.#amounts.accruedRows(position).length === 0) return income;
    const column = this.#toColumn(income);
    this.#addAccrued(column, position);
    return column;
  }

  #addMoney(column: AmountColumn, money: { day: Day; amount: Fixed; currency: IsoCurrency }): void {
    const { day, amount, currency } = money;
    if (amount === 0n) return;
    column.add(day - this.#request.window.first, convertedAmount(amount, this.#ratesFrom(currency).get(day)));
  }

  /** Interest bought with a bond is negative income; interest sold is positive. */
  #addAccrued(column: AmountColumn, position: number): void {
    const { rows } = this.#history;
    const context = this.#history.currencyContext(position);
    for (const row of this.#amounts.accruedRows(position)) {
      const day = rows.days[row]!;
      if (!this.#isWithin(day)) continue;
      const accrued = rows.details(row)!.accrued!;
      const part = rows.get('quantity', row) > 0n ? -accrued : accrued;
      this.#addMoney(column, { day, ...paidPart(rows.transaction(row), part, context) });
    }
  }

  #addLegs(column: AmountColumn, position: number): void {
    for (const leg of this.legsOf(position)) {
      if (leg.measure === 'cash') this.#addMoney(column, leg);
      else column.add(leg.day - this.#request.window.first, this.#history.values.legValue(leg).value);
    }
  }

  /** Lists what flowed within the window beyond the amounts of rows. */
  legsOf(position: number): readonly DatedLeg[] {
    return this.#history.legs(position).filter((leg) => this.#isWithin(leg.day) && !this.#isLegExcluded(leg));
  }

  #isLegExcluded(leg: DatedLeg): boolean {
    if (this.#request.fees === 'net') return false;
    return (leg.measure === 'cash' && leg.settles === 'fees-owed') || this.#isExcluded(leg.position);
  }

  /** What happened on the day before the window is not a flow of the window. */
  #isWithin(day: Day): boolean {
    return day > this.#request.window.first && day <= this.#request.window.last;
  }

  #inReportCurrency<Amounts extends PositionAmounts>(column: Amounts): Amounts | AmountColumn {
    const { window, currency: to } = this.#request;
    const { rates, settings } = this.#history.facts;
    if (to === settings.referenceCurrency || column.isEmpty) return column;
    const converted = this.#blankColumn();
    for (let day = window.first; day <= window.last; day++) {
      const amount = column.at(day - window.first);
      if (amount === 0n) continue;
      const conversion = rates.get({ from: settings.referenceCurrency, to, day });
      converted.set(day - window.first, convertedAmount(amount, conversion));
    }
    return converted;
  }
}
