// Says how the units and the amount of a finding came about: drafts that are made into explanations on request.

import type { Day } from '../../../kit/day.ts';
import type { Finding } from '../../../engine/history/findings.ts';
import type { Holding } from '../../../engine/history/holdings.ts';
import {
  explainAccruedDifference,
  explainAccruedUnits,
  explainExpectedInterest,
  explainImpliedFlow,
  explainLotUnits,
  explainOpenLotCost,
  explainPrincipalExcess,
  explainRowUnits,
  explainStatedInterest,
  explainUnexplainedAmount,
  explainUnits,
  explainUnitsInPlaces,
  explainValuation,
  explainValueChange,
  explainValueParts,
  type Explanation,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import { amountFigure, formula, positionSource, sumOperands } from '../../../engine/explanation/figure.ts';
import { valueSources } from '../../../engine/explanation/position-sources.ts';
import type { LedgerTransaction } from '../../../engine/ledger/transaction.ts';
import type { OpenLot } from '../../../engine/lots/lot.ts';
import type { ValuationFinding } from '../../../engine/valuation/valuation.ts';
import type { ReportedFinding } from '../../../model/report/finding.ts';
import { explainKnownHoldings } from '../explain/explain-holding.ts';
import { summedFigure, type ExplanationDraft } from '../explain/explanation-draft.ts';
import type { ReportBasis } from '../report-basis.ts';

/** A figure that the finding does not have is absent. */
export interface FindingDrafts {
  readonly quantity?: () => ExplanationDraft;
  readonly amount?: () => ExplanationDraft;
  /** The two figures that the amount is the difference of, where the finding names them. */
  readonly stated?: () => ExplanationDraft;
  readonly expected?: () => ExplanationDraft;
}

type PlacedFinding = Pick<ReportedFinding, 'accountId' | 'depositoryId' | 'instrumentId'>;

export class FindingExplainer {
  readonly #basis: ReportBasis;
  readonly #day: Day;

  constructor(basis: ReportBasis, day: Day) {
    this.#basis = basis;
    this.#day = day;
  }

  draft(found: Finding): FindingDrafts {
    const { history } = this.#basis;
    const { position } = found;
    const day = this.#day;
    const at = (explain: () => Explanation) => this.#at(position, explain);
    switch (found.kind) {
      case 'about-value':
        return this.#aboutValue(found.finding, position);
      case 'stale-value':
      case 'estimated-value':
        return { amount: at(() => this.#value(position)) };
      case 'short':
      case 'overdrawn':
      case 'unidentified':
        return { quantity: at(() => explainUnits(history, position, day)) };
      case 'more-than-principal':
        return {
          quantity: at(() => explainUnitsInPlaces(history, found, day)),
          amount: at(() => explainPrincipalExcess(history, found, day)),
        };
      case 'amount-far-from-price': {
        const facets = { day: found.day, source: { kind: 'row', row: found.row } } as const;
        return {
          quantity: at(() => amountFigure('traded-units', found.quantity, { unit: 'units', ...facets })),
          amount: at(() => amountFigure('row-amount', found.amount, { unit: found.currency, ...facets })),
        };
      }
      case 'accrued-interest-differs':
        return {
          quantity: at(() => explainAccruedUnits(found)),
          amount: at(() => explainAccruedDifference(history, found)),
          stated: at(() => explainStatedInterest(history, found)),
          expected: at(() => explainExpectedInterest(history, found)),
        };
      case 'unexplained-value-change':
        return { amount: at(() => explainValueChange(history, found)) };
      case 'implied-flow':
        return { quantity: at(() => explainImpliedFlow(history, found)) };
      case 'short-opened':
      case 'named-lot-missing':
      case 'lots-not-named':
      case 'too-much-named':
        return { quantity: at(() => explainRowUnits(history, found)) };
      case 'stale-rate':
      case 'fund-in-several-places':
      case 'fund-units-unclear':
      case 'settlement-not-booked':
      case 'settles-after-upload':
        return {};
    }
  }

  #aboutValue(found: ValuationFinding, position: number): FindingDrafts {
    const { history } = this.#basis;
    const day = this.#day;
    switch (found.kind) {
      case 'coupon-not-booked': {
        const parts = {
          day,
          name: 'due-coupon',
          isMeant: (part: { kind: string; couponDate?: Day }) =>
            part.kind === 'coupon' && part.couponDate === found.couponDate,
        };
        return { amount: this.#at(position, () => explainValueParts(history, position, parts)) };
      }
      case 'coupon-paid-early': {
        const parts = {
          day,
          name: 'paid-coupon',
          isOpposite: true,
          isMeant: (part: { kind: string; couponDate?: Day }) =>
            part.kind === 'prepaid-coupon' && part.couponDate === found.couponDate,
        };
        return { amount: this.#at(position, () => explainValueParts(history, position, parts)) };
      }
      case 'paid-out-beyond-value': {
        const parts = { day, name: found.kind, isMeant: (part: { kind: string }) => part.kind === 'beyond-value' };
        return { amount: this.#at(position, () => explainValueParts(history, position, parts)) };
      }
      default:
        return {};
    }
  }

  /** The value of a position in its own currency. */
  #value(position: number): Figure {
    const { history } = this.#basis;
    const { valuation } = history.value(position, this.#day);
    const figure = explainValuation(valuation, valueSources(history, position, this.#day));
    return { ...figure, day: this.#day, source: positionSource(history.key(position)) };
  }

  unexplainedAmount({ row, day, currency, amount }: LedgerTransaction, difference: bigint): FindingDrafts {
    const terms = { row, day, currency, amount, difference };
    return { amount: () => ({ explanation: explainUnexplainedAmount(terms) }) };
  }

  /** Units and cost of lots whose cost is estimated. */
  estimatedCost({ position }: Holding, lots: readonly OpenLot[]): FindingDrafts {
    const { history } = this.#basis;
    const day = this.#day;
    const source = positionSource(history.key(position));
    const sum = (of: 'quantity' | 'cost'): bigint => lots.reduce((total, lot) => total + lot[of], 0n);
    const units = (): Figure => {
      const figures = lots.map((lot) => explainLotUnits(history, { position, lot, day }));
      return summedFigure('units', figures, { value: sum('quantity'), unit: 'units', day, source });
    };
    const cost = (): Figure => {
      const { currency: unit } = history.instrument(position);
      const figures = lots.map((lot) => explainOpenLotCost(history, { position, lot, day, field: 'cost' }));
      return summedFigure('cost', figures, { value: sum('cost'), unit, day, source });
    };
    return { quantity: this.#at(position, units), amount: this.#at(position, cost) };
  }

  /** What is held in a currency, in that currency. */
  heldIn(positions: readonly number[], { amount: value, unit }: { amount: bigint; unit: string }): FindingDrafts {
    const day = this.#day;
    const sum = (): Figure => {
      const values = positions.map((position) => this.#value(position));
      return amountFigure('value-in-currency', value, { unit, day, ...sumOperands(values) });
    };
    return { amount: () => ({ explanation: sum() }) };
  }

  /** Units and value of an instrument in all of its places. */
  held(holdings: readonly Holding[]): Required<Pick<FindingDrafts, 'quantity' | 'amount'>> {
    const input = { basis: this.#basis, day: this.#day };
    return {
      quantity: () => explainKnownHoldings('quantity', input, holdings),
      amount: () => explainKnownHoldings('marketValue', input, holdings),
    };
  }

  /** What a finding could move, from the amount that says so. */
  effect(
    { accountId: account, depositoryId: depository, instrumentId: instrument }: PlacedFinding,
    from: Figure,
  ): ExplanationDraft {
    const { value, unit } = from;
    const explanation = {
      name: 'effect',
      value,
      ...(unit !== undefined && { unit }),
      day: this.#day,
      ...formula`${from}`,
    };
    return { explanation, ...(instrument !== null && { of: { account, depository, instrument } }) };
  }

  #at(position: number, explain: () => Explanation): () => ExplanationDraft {
    return () => ({ explanation: explain(), of: this.#basis.history.key(position) });
  }
}
