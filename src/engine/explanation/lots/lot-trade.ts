// Explains what a lot cost by the row that traded it: what was paid for it, or received for a short.

import { magnitude, multiplyDivide, type Fixed } from '../../../kit/fixed.ts';
import type { History } from '../../history/history.ts';
import type { LedgerTransaction } from '../../ledger/transaction.ts';
import type { Lot } from '../../lots/lot.ts';
import { amountFigure, formula, halfEven, type Facets, type Figure, type Formula } from '../figure.ts';
import type { CostField, LotCostContext } from './lot-figures.ts';
import { explainReferenceMoney } from '../reference-money.ts';
import { rowValueFacets } from './row-value.ts';

/** What the row paid, or received for a short; the units that closed a short before are not in the lot. */
export function tradeFacets({ history, field, position }: LotCostContext, lot: Lot, row: LedgerTransaction): Facets {
  const money = explainRowMoney(history, position, { row, field });
  const amount =
    field === 'cost' ? row.value : explainReferenceMoney(row, history.currencyContext(position)).money.amount;
  const isShort = lot.quantity < 0n;
  const cost = isShort ? -lot[field] : lot[field];
  const signed = (whole: Formula): Formula => (isShort ? formula`0 − ${whole}` : whole);
  if (cost === amount && !isShort) return { formula: money.formula, rounding: money.rounding, of: money.of };
  if (cost === amount) return signed(formula`${money}`);
  const [units, all] = [magnitude(lot.quantity), magnitude(row.quantity)];
  if (all === 0n || multiplyDivide(amount, units, all) !== cost) return {};
  const share = formula`${money} × ${unitsFigure('units', units)} ÷ ${unitsFigure('traded-units', all)}`;
  return { ...signed(share), rounding: halfEven };
}

/** A row's money for its units, in the instrument's or the reference currency. */
export function explainRowMoney(
  history: History,
  position: number,
  { row, field }: { readonly row: LedgerTransaction; readonly field: CostField },
): Figure {
  if (field === 'referenceCost')
    return explainReferenceMoney(row, history.currencyContext(position), rowValueFacets(history, position, row)).amount;
  const { currency: unit } = history.instrument(position);
  const source = { kind: 'row', row: row.row } as const;
  return amountFigure('row-value', row.value, {
    unit,
    day: row.day,
    source,
    ...rowValueFacets(history, position, row),
  });
}

function unitsFigure(name: string, units: Fixed): Figure {
  return amountFigure(name, units, { unit: 'units' });
}
