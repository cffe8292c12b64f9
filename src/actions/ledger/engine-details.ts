// Translates the details of transactions from their stored form to the engine's.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { defined } from '../../kit/assert.ts';
import { toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { greatestCommonDivisor, toFixed, type Fixed } from '../../kit/fixed.ts';
import type { CostGap } from '../../engine/lots/cost-gap.ts';
import type { DatedQuantityAndCost, Ratio } from '../../engine/lots/lot.ts';
import type { CorporateAction, TransactionDetails, TransactionKind } from '../../engine/ledger/transaction.ts';
import type { LedgerDetails } from '../../store/ledger/ledger-rows.ts';

/** The row that the details belong to. */
export interface DetailedRow {
  readonly kind: TransactionKind;
  readonly account: string | null;
  readonly instrument: string | null;
}

export interface LotTerms {
  /** Converts the cost of an instrument's units on a day to the reference currency; a gap if the rate is missing. */
  referenceCost(cost: Fixed, units: { readonly instrument: string; readonly acquired: Day }): Fixed | CostGap;
}

/** For instruments in the reference currency. */
export const sameCurrencyTerms: LotTerms = { referenceCost: (cost) => cost };

/** Reads `3:2` and reduces it. */
function parseRatio(text: string): Ratio {
  const [after, before] = text.split(':').map((part) => toFixed(part as Decimal)) as [Fixed, Fixed];
  const divisor = greatestCommonDivisor(after, before);
  return { numerator: after / divisor, denominator: before / divisor };
}

/** A change of symbol keeps the number of units, unless it says otherwise. */
function toCorporateAction(details: LedgerDetails): CorporateAction {
  const { ratio = '1:1', costShare, cashInLieu } = details;
  const target = (): string => defined(details.target, 'an action into another instrument names its target');
  switch (defined(details.action, 'details of a corporate action name the action')) {
    case 'split':
    case 'reverse-split':
    case 'stock-dividend':
      return { action: 'split', ratio: parseRatio(ratio) };
    case 'spin-off':
      return {
        action: 'spin-off',
        ratio: parseRatio(ratio),
        target: target(),
        share: toFixed(defined(costShare, 'a spin-off states its share of the cost')),
      };
    case 'merger':
    case 'symbol-change': {
      const paid = cashInLieu === undefined ? {} : { cashInLieu: toFixed(cashInLieu) };
      const kept = details.action === 'symbol-change' ? { isSymbolChange: true as const } : {};
      return { action: 'merger', ratio: parseRatio(ratio), target: target(), ...paid, ...kept };
    }
    case 'return-of-capital':
      return { action: 'return-of-capital' };
  }
}

/** Money or units that move between two own places. */
function counterDetails(details: LedgerDetails, { kind, account }: DetailedRow): TransactionDetails {
  const { counterAccount, counterDepository = null, counterAmount, counterCurrency } = details;
  const other = counterAccount ?? account;
  if (counterAmount !== undefined && counterCurrency !== undefined) {
    return { counterCash: { account: other!, currency: counterCurrency, amount: toFixed(counterAmount) } };
  }
  const isMoved =
    traitsOfKind(kind).units === 'delivered' && (counterAccount !== undefined || counterDepository !== null);
  return isMoved ? { counterPlace: { account: other, depository: counterDepository } } : {};
}

function toAcquiredLots(
  acquired: NonNullable<LedgerDetails['acquired']>,
  instrument: string,
  terms: LotTerms,
): DatedQuantityAndCost[] {
  return acquired.map((lot) => {
    const [day, cost] = [toDayNumber(lot.date), toFixed(lot.cost)];
    const converted = terms.referenceCost(cost, { instrument, acquired: day });
    const reference =
      typeof converted === 'bigint' ? { referenceCost: converted } : { referenceCost: 0n, gap: converted };
    return { quantity: toFixed(lot.quantity), cost, ...reference, acquired: day, isEstimated: false };
  });
}

/** Null if the engine needs none of them. */
export function toEngineDetails(details: LedgerDetails, row: DetailedRow, terms: LotTerms): TransactionDetails | null {
  const { accrued, lots, acquired, action, category, effectOnUnfunded, recallable, withholding, periodEnd } = details;
  const found: TransactionDetails = {
    ...(accrued === undefined ? {} : { accrued: toFixed(accrued) }),
    ...counterDetails(details, row),
    ...(acquired === undefined
      ? {}
      : { lots: toAcquiredLots(acquired, defined(row.instrument, 'a row with lots names an instrument'), terms) }),
    ...(lots === undefined
      ? {}
      : {
          named: lots.map(({ sequence, ordinal, quantity }) => ({
            row: sequence,
            ordinal,
            quantity: toFixed(quantity),
          })),
        }),
    ...(action === undefined ? {} : { action: toCorporateAction(details) }),
    ...(category === undefined ? {} : { category }),
    ...(effectOnUnfunded === undefined ? {} : { effectOnUnfunded: toFixed(effectOnUnfunded) }),
    ...(recallable === undefined ? {} : { recallable: toFixed(recallable) }),
    ...(withholding === undefined ? {} : { withholding: toFixed(withholding) }),
    ...(periodEnd === undefined ? {} : { periodEnd: toDayNumber(periodEnd) }),
  };
  return Object.keys(found).length === 0 ? null : found;
}
