// Explains the figures of rows of activity: what was booked, and how the cash of a trade follows from its units, price, fees and rate.

import { toDayNumber } from '../../../kit/calendar-date.ts';
import type { Decimal } from '../../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../../kit/fixed.ts';
import { explainRowAmount, type Figure } from '../../../engine/explanation/explanation.ts';
import { amountFigure, magnitudeFigure } from '../../../engine/explanation/figure.ts';
import { priceUnitOf } from '../../../engine/valuation/quoted-base-value.ts';
import { explainedActivityFigures, type ReportedActivity } from '../../../model/report/activity.ts';
import type { ActivityRow } from '../../../store/ledger/activity-reader.ts';
import type { Work } from '../../core/work.ts';
import type { ReportBasis } from '../report-basis.ts';
import type { ExplanationDraft } from './explanation-draft.ts';
import { RowExplainer } from './explain-rows.ts';

/** A transaction as it was booked, and as the reporting entity sees it. */
interface BookedActivity {
  readonly booked: ActivityRow;
  readonly row: ReportedActivity;
}

export async function explainActivityRows(
  work: Work,
  basis: ReportBasis,
  activity: readonly BookedActivity[],
): Promise<readonly ReportedActivity[]> {
  const explainer = await RowExplainer.open(work, basis, activity.length * explainedActivityFigures.length);
  explainer.prepare(activity.map(({ booked }) => booked.sequence));
  const rows = activity.map(({ row }) => row);
  return explainer.explainAll(rows, (row, index) => new ActivityFigures(basis, activity[index]!.booked).drafts(row));
}

class ActivityFigures {
  readonly #basis: ReportBasis;
  readonly #booked: ActivityRow;

  constructor(basis: ReportBasis, booked: ActivityRow) {
    this.#basis = basis;
    this.#booked = booked;
  }

  drafts({ amount, counterAmount }: ReportedActivity) {
    const { quantity, price, fees, taxes } = this.#booked;
    const traded = this.#tradedCurrency();
    return {
      quantity: draft(quantity, (own) => magnitudeFigure(this.#leaf('units', own, 'units'))),
      price: draft(price, (own) => this.#leaf('traded-price', own, this.#priceCurrency(traded))),
      amount: draft(amount, (own) => this.#cash(own)),
      counterAmount: draft(counterAmount, (own) => this.#cash(own)),
      fees: draft(fees, (own) => this.#leaf('fees', own, traded)),
      taxes: draft(taxes, (own) => this.#leaf('taxes', own, traded)),
    };
  }

  #leaf(name: string, value: Decimal, unit: string | null): Figure {
    const { date, sequence } = this.#booked;
    const source = { kind: 'row', row: sequence } as const;
    return amountFigure(name, toFixed(value), { unit: unit ?? undefined, day: toDayNumber(date), source });
  }

  #tradedCurrency(): string | null {
    const { instrument, currency } = this.#booked;
    return this.#basis.history.facts.instruments.get(instrument ?? '')?.currency ?? currency;
  }

  /** A price in per cent or in hundredths is no amount of the currency. */
  #priceCurrency(currency: string | null): string | null {
    const instrument = this.#basis.history.facts.instruments.get(this.#booked.instrument ?? '');
    return instrument === undefined || priceUnitOf(instrument) === '1' ? currency : null;
  }

  /** One of the two cash legs. */
  #cash(value: Decimal): Figure {
    const { amount, counterCcyCode } = this.#booked;
    return value === amount ? this.#bookedCash(value) : this.#leaf('other-cash-leg', value, counterCcyCode);
  }

  #bookedCash(amount: Decimal): Figure {
    const { date, sequence, exchangeRate, currency } = this.#booked;
    const { history } = this.#basis;
    const row = history.facts.ledger.find({ row: sequence, day: toDayNumber(date) });
    if (row === undefined || fromFixed(row.amount) !== amount) return this.#leaf('row-amount', amount, currency);
    return explainRowAmount(history, row, exchangeRate === null ? null : toFixed(exchangeRate));
  }
}

function draft(value: Decimal | null, explain: (value: Decimal) => Figure): (() => ExplanationDraft) | undefined {
  return value === null ? undefined : () => ({ explanation: explain(value) });
}
