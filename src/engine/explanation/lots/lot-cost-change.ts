// Explains how a row changed the cost of lots without taking units from them: money returned or called, a spin-off, a split that
// left a lot without units.

import { traitsOfKind } from '../../../model/ledger/kind-traits.ts';
import { multiply, type Fixed } from '../../../kit/fixed.ts';
import type { Lot } from '../../lots/lot.ts';
import { allocateCost, totalCosts } from '../../lots/quantity-and-cost.ts';
import { amountFigure, formula, halfEven, type Facets, type Figure } from '../figure.ts';
import { stepRow, stepSource, type CostChange, type CostField, type LotCostContext } from './lot-figures.ts';
import { explainRowMoney } from './lot-trade.ts';
import type { LotStepOf } from './lot-steps.ts';
import type { LedgerTransaction } from '../../ledger/transaction.ts';

interface ChangeAmount {
  /** Which lot; null for all together. */
  readonly index: number | null;
  readonly delta: Fixed;
}

export function explainCostChange(
  context: LotCostContext,
  step: LotStepOf<'replaced'>,
  { index, delta }: ChangeAmount,
): CostChange {
  const row = stepRow(context.history, step);
  const [name, facets] = row === undefined ? ['cost-changed', {}] : changeFacets(context, step, { row, index, delta });
  const { unit } = context;
  const isAdded = name === 'cost-called';
  const figure = amountFigure(name, isAdded ? delta : -delta, {
    unit,
    day: step.day,
    source: stepSource(step),
    ...facets,
  });
  return { delta, sign: isAdded ? '+' : '−', figure };
}

interface RowChange extends ChangeAmount {
  readonly row: LedgerTransaction;
}

function changeFacets(
  context: LotCostContext,
  step: LotStepOf<'replaced'>,
  change: RowChange,
): readonly [name: string, facets: Facets] {
  const { row } = change;
  const action = row.details?.action?.action;
  if (action === 'spin-off') return ['cost-spun-off', spinOffFacets(context, step, change)];
  if (action === 'split') return ['cost-passed-on', {}];
  if (action === 'merger') return ['cost-converted', mergerFacets(context, step, change)];
  if (traitsOfKind(row.kind).fund === 'call') return ['cost-called', moneyFacets(context, step, change)];
  return ['cost-returned', moneyFacets(context, step, change)];
}

function spinOffFacets(
  { unit, field }: LotCostContext,
  { before }: LotStepOf<'replaced'>,
  { row, index, delta }: RowChange,
): Facets {
  const action = row.details?.action;
  const lot = index === null ? undefined : before[index];
  if (lot === undefined || action?.action !== 'spin-off' || multiply(lot[field], action.share) !== -delta) return {};
  const cost = amountFigure('cost-before', lot[field], { unit });
  const share = amountFigure('cost-share', action.share, { source: { kind: 'row', row: row.row } });
  return { ...formula`${cost} × ${share}`, rounding: halfEven };
}

/** All of a position's cost leaves with its units. */
function mergerFacets(
  { unit, field }: LotCostContext,
  { before }: LotStepOf<'replaced'>,
  { delta }: RowChange,
): Facets {
  const all = totalCosts(before)[field];
  return all === -delta ? formula`${amountFigure('cost-before', all, { unit })}` : {};
}

/** Money is spread over the lots by units; no lot's cost falls below zero. */
function moneyFacets(context: LotCostContext, { before }: LotStepOf<'replaced'>, change: RowChange): Facets {
  const { unit, field, history, position } = context;
  const { row, index, delta } = change;
  const money = explainRowMoney(history, position, { row, field });
  const sign = traitsOfKind(row.kind).fund === 'call' ? -1n : 1n;
  const amount = sign * amountOf(money);
  if (index === null) return amount === -delta ? formula`${money}` : {};
  const lot = before[index]!;
  const shares = sharesOf(before, { amount, field });
  if (shares[index] === -delta) return shareFacets(money, { before, shares, index, sign, unit });
  return lot[field] === -delta
    ? { ...formula`${amountFigure('cost-before', lot[field], { unit })}`, notes: ['limited-to-cost'] }
    : {};
}

function amountOf({ value }: Figure): Fixed {
  const [whole = '0', rest = ''] = value.replace('-', '').split('.');
  const amount = BigInt(whole + rest.padEnd(18, '0'));
  return value.startsWith('-') ? -amount : amount;
}

function sharesOf(lots: readonly Lot[], { amount, field }: { amount: Fixed; field: CostField }): readonly Fixed[] {
  const { quantity } = totalCosts(lots);
  return allocateCost({ quantity, cost: amount, referenceCost: amount }, lots).map((share) => share[field]);
}

interface LotShares {
  readonly before: readonly Lot[];
  readonly shares: readonly Fixed[];
  readonly index: number;
  readonly sign: bigint;
  readonly unit: string;
}

/** What earlier lots have not got is split by the units that they do not have. */
function shareFacets(money: Figure, { before, shares, index, sign, unit }: LotShares): Facets {
  if (before.length === 1) return formula`${money}`;
  const units = (name: string, lots: readonly Lot[]): Figure =>
    amountFigure(name, totalCosts(lots).quantity, { unit: 'units' });
  const [own, all] = [units('units', [before[index]!]), units('held-units', before)];
  if (index === 0) return { ...formula`${money} × ${own} ÷ ${all}`, rounding: halfEven };
  const given = sign * shares.slice(0, index).reduce((sum, share) => sum + share, 0n);
  const earlier = amountFigure('earlier-shares', given, { unit });
  const earlierUnits = units('earlier-units', before.slice(0, index));
  return { ...formula`(${money} − ${earlier}) × ${own} ÷ (${all} − ${earlierUnits})`, rounding: halfEven };
}
