// Finds accrued interest of bonds that their own terms contradict: of what uploads state was held, and of trades. It is in the currency of the
// instrument in both.

import { weekdayOf, type Day } from '../../kit/day.ts';
import { magnitude, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { minorUnitOf } from '../currencies/minor-unit.ts';
import type { History } from '../history/history.ts';
import { isPurchaseOrSaleKind } from '../history/position-kinds.ts';
import { accruedInterest, type Accrual } from '../instruments/accrued-interest.ts';
import { listCouponDates } from '../instruments/coupon-schedule.ts';
import type { DayCountConvention, DaySpan } from '../instruments/day-count.ts';
import type { BondTerms, ValuedInstrument } from '../instruments/instrument.ts';
import { noSettlementDay } from '../ledger/columns/ledger-chunk.ts';
import type { DayWindow } from '../quick/daily-points.ts';
import { couponAmount } from '../valuation/coupon-amount.ts';
import { indexRatioOn } from '../valuation/index-ratio.ts';

export interface AccruedInterestFinding {
  readonly kind: 'accrued-interest-differs';
  readonly position: number;
  /** Of the upload or of the trade. */
  readonly day: Day;
  /** The nominal it was stated for: held, or traded. */
  readonly quantity: Fixed;
  /** In the currency of the instrument, like the interest that is expected. */
  readonly stated: Fixed;
  /** By the terms, up to `accruedTo`. */
  readonly expected: Accrual;
  /** The day of the upload; of a trade the day it settles, or its own if that is not known. */
  readonly accruedTo: Day;
  readonly convention: DayCountConvention;
  /** The booking number of the trade; absent for an upload. */
  readonly row?: number;
}

/** What an upload or a trade states. */
interface Statement extends Pick<AccruedInterestFinding, 'day' | 'quantity' | 'stated' | 'accruedTo' | 'row'> {
  /** To which it may have been computed. */
  readonly days: DayWindow;
}

/** Custodians compute to the day before the statement, to the day itself, or to the day on which a trade of that day would settle. */
function uploadDays(day: Day): DayWindow {
  const [thursday, friday] = [4, 5];
  const weekday = weekdayOf(day);
  const spansWeekend = weekday === thursday || weekday === friday;
  return around(day, { before: 1, after: spansWeekend ? 4 : 3 });
}

/** A trade counts to its settlement, with or without that day. */
const settledDays = { before: 1, after: 1 };

/** Without a settlement date it may be as late as three working days and a weekend. */
const unsettledDays = { before: 1, after: 5 };

/** A coupon that fell due this many days ago may still be part of what a custodian states, since it is paid on the next working day. */
const unpaidDays = 4;

export class AccruedInterestChecks {
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  /** Of uploads within the days, and of the position's rows of these days. */
  *findingsOf(position: number, window: DayWindow, own: Uint32Array): Generator<AccruedInterestFinding> {
    const instrument = this.#history.instrument(position);
    const { terms } = instrument;
    if (terms.type !== 'bond') return;
    const check = new BondCheck(instrument, terms);
    for (const one of this.#uploads(position, window)) yield* check.findingsOf(position, one);
    for (const one of this.#trades(own)) yield* check.findingsOf(position, one);
  }

  *#uploads(position: number, { first, last }: DayWindow): Generator<Statement> {
    for (const { day, upload } of this.#history.checkpoints.get(position) ?? []) {
      if (upload === null || upload.accrued === 0n || day < first || day > last) continue;
      const { quantity, accrued: stated } = upload;
      yield { day, quantity, stated, accruedTo: day, days: uploadDays(day) };
    }
  }

  *#trades(own: Uint32Array): Generator<Statement> {
    const { rows } = this.#history;
    for (const index of own) {
      if (!isPurchaseOrSaleKind(rows.kinds[index]!)) continue;
      const stated = rows.details(index)?.accrued ?? 0n;
      if (stated === 0n) continue;
      const { row, day, quantity } = rows.transaction(index);
      const settlement = rows.settlement(index);
      const toDay =
        settlement === noSettlementDay
          ? { accruedTo: day, days: around(day, unsettledDays) }
          : { accruedTo: settlement, days: around(settlement, settledDays) };
      yield { day, quantity, stated, ...toDay, row };
    }
  }
}

function around(day: Day, { before, after }: { readonly before: number; readonly after: number }): DayWindow {
  return { first: day - before, last: day + after };
}

/** Compares with the terms of a bond. */
class BondCheck {
  readonly #instrument: ValuedInstrument;
  readonly #terms: BondTerms;

  constructor(instrument: ValuedInstrument, terms: BondTerms) {
    this.#instrument = instrument;
    this.#terms = terms;
  }

  *findingsOf(position: number, { days, ...statement }: Statement): Generator<AccruedInterestFinding> {
    const { day, quantity, stated, accruedTo, row } = statement;
    // What is sold brings its interest, as what is bought costs it; what is owed of a short position is negative.
    const nominal = row === undefined ? quantity : magnitude(quantity);
    const expected = this.#accrualOn(nominal, accruedTo);
    if (expected === undefined || this.#isSaid({ nominal, days, ...statement })) return;
    const { convention } = this.#terms;
    const kind = 'accrued-interest-differs';
    const source = row === undefined ? {} : { row };
    yield { kind, position, day, quantity, stated, expected, accruedTo, convention, ...source };
  }

  /** Whether the terms give what was stated on one of the days, or do not say. */
  #isSaid({ nominal, stated, accruedTo, days, row }: Statement & { readonly nominal: Fixed }): boolean {
    for (let day = days.first; day <= days.last; day++) {
      const accrual = this.#accrualOn(nominal, day);
      if (accrual === undefined) return true;
      const unpaid =
        row === undefined ? this.#unpaidCoupons(nominal, { start: accruedTo - unpaidDays - 1, end: day }) : 0n;
      const tolerance = this.#toleranceOf(nominal, row);
      const agrees = (given: Fixed): boolean =>
        magnitude(stated - given) <= greatest(magnitude(given) / 200n, tolerance);
      if (agrees(accrual.amount)) return true;
      if (unpaid !== 0n && (agrees(unpaid) || agrees(unpaid + accrual.amount))) return true;
    }
    return false;
  }

  /** Undefined as long as a rate or an index factor is missing or assumed, which is a finding of its own. */
  #accrualOn(nominal: Fixed, day: Day): Accrual | undefined {
    const index = this.#indexOn(day);
    if (index.findings.length > 0) return undefined;
    const accrual = accruedInterest(this.#terms, { nominal, day, index: index.ratio });
    return accrual.state === 'rate-missing' || accrual.isEstimated ? undefined : accrual;
  }

  #indexOn(day: Day) {
    return indexRatioOn(this.#terms, this.#instrument.indexFactors, Math.min(day, this.#terms.schedule.maturity));
  }

  /** Those due after the first day of the span and up to its last, as known then. */
  #unpaidCoupons(nominal: Fixed, span: DaySpan): Fixed {
    return listCouponDates(this.#terms.schedule, span).reduce((sum, couponDate) => {
      const index = this.#indexOn(couponDate).ratio;
      return sum + couponAmount(this.#terms, { couponDate, nominal, index }, span.end).amount;
    }, 0n);
  }

  /** A coin for each 1,000 nominal that were begun; of trades, also what two prices with two digits may be off by. */
  #toleranceOf(nominal: Fixed, row: number | undefined): Fixed {
    const perThousand = minorUnitOf(this.#instrument.currency) * startedThousands(nominal);
    return row === undefined ? perThousand : greatest(perThousand, magnitude(nominal) / 10_000n);
  }
}

function startedThousands(nominal: Fixed): bigint {
  const thousand = 1_000n * oneFixed;
  return (magnitude(nominal) + thousand - 1n) / thousand;
}

function greatest(one: Fixed, other: Fixed): Fixed {
  return one > other ? one : other;
}
