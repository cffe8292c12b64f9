// Explains the cost of a lot: what it was when the lot came into its position, and what each later row took from it or added to
// it. Units that moved between own places are followed back to where they were bought.

import { traitsOfKind } from '../../../model/ledger/kind-traits.ts';
import { multiply, multiplyDivide, type Fixed } from '../../../kit/fixed.ts';
import type { Day } from '../../../kit/day.ts';
import type { History } from '../../history/history.ts';
import type { CorporateAction, LedgerTransaction } from '../../ledger/transaction.ts';
import type { Lot, LotKey, QuantityAndCost } from '../../lots/lot.ts';
import { amountFigure, formula, halfEven, lazyFigure, type Facets, type Figure, positionSource } from '../figure.ts';
import { explainCostChange } from './lot-cost-change.ts';
import { runningFormula, stepRow, stepSource, type CostChange, type LotCostContext } from './lot-figures.ts';
import { isSameLot, replacedLot, type LotStep, type LotStepOf } from './lot-steps.ts';
import { tradeFacets } from './lot-trade.ts';

/** How often a lot is followed from place to place. */
const movesMax = 20;

interface LotMoment {
  /** As it is at that moment. */
  readonly lot: LotKey & QuantityAndCost & Pick<Lot, 'acquired'>;
  readonly name: string;
  /** Only what happened before this step counts. */
  readonly before?: LotStep | undefined;
  /** Only what happened up to the end of this day counts. */
  readonly until?: Day | undefined;
}

/** Derived when it is first read. */
export function explainLotCost(context: LotCostContext, moment: LotMoment): Figure {
  const { lot, name } = moment;
  const { steps, position, field, unit } = context;
  const own = steps.ofLot(position, lot);
  const [opening] = own;
  if (opening?.kind !== 'opened') return amountFigure(name, lot[field], { unit, day: lot.acquired });
  const units = { left: lot.quantity, opened: opening.lot.quantity };
  const facets = { unit, day: lot.acquired, source: stepSource(opening), units };
  return lazyFigure(name, lot[field], facets, () => {
    const first = explainOpening(context, opening);
    const changes = stepsBefore(own.slice(1), moment).flatMap((step) => lotCostChange(context, step, lot));
    const total = changes.reduce((sum, { delta }) => sum + delta, opening.lot[field]);
    if (total !== lot[field]) return {};
    const notes = first.notes ?? [];
    if (changes.length === 0) return { notes, formula: first.formula, rounding: first.rounding, of: first.of };
    return { notes, ...runningFormula(first, changes) };
  });
}

function stepsBefore(steps: readonly LotStep[], { before, until = Infinity }: LotMoment): readonly LotStep[] {
  const end = before === undefined ? -1 : steps.indexOf(before);
  return (end < 0 ? steps : steps.slice(0, end)).filter(({ day }) => day <= until);
}

function lotCostChange(context: LotCostContext, step: LotStep, key: LotKey): readonly CostChange[] {
  if (step.kind === 'taken')
    return [{ delta: -step.part[context.field], sign: '−', figure: explainTakenCost(context, step) }];
  if (step.kind !== 'replaced') return [];
  const change = replacedLot(step, key);
  if (change?.after === undefined) return [];
  const [before, after] = [change.before[context.field], change.after[context.field]];
  const index = step.before.findIndex((lot) => isSameLot(lot, key));
  return after === before ? [] : [explainCostChange(context, step, { index, delta: after - before })];
}

/** A lot's cost × units that left ÷ units that it had. */
export function explainTakenCost(context: LotCostContext, step: LotStepOf<'taken'>): Figure {
  const { lot, part } = step;
  const held = (name: string) => explainLotCost(context, { lot, name, before: step });
  return takenFigure(context, step, { held: lot, part, heldCost: held });
}

interface TakenPart {
  readonly held: QuantityAndCost;
  readonly part: QuantityAndCost;
  heldCost(name: string): Figure;
}

/** The whole takes the whole cost. */
export function takenFigure(
  { unit, field, moves }: LotCostContext,
  step: LotStep,
  { held, part, heldCost }: TakenPart,
): Figure {
  const facets = { unit, day: step.day, source: stepSource(step) };
  const units = { left: part.quantity, opened: held.quantity };
  return lazyFigure('cost-taken', part[field], { ...facets, units }, () => {
    // Within a lot, what it cost before is told by the steps before; from another place, it is followed from there.
    const cost = moves > 0 ? heldCost('cost-before') : amountFigure('cost-before', held[field], { unit });
    if (part.quantity === held.quantity) return formula`${cost}`;
    if (multiplyDivide(held[field], part.quantity, held.quantity) !== part[field]) return {};
    const taken = amountFigure('units', part.quantity, { unit: 'units' });
    const whole = formula`${cost} × ${taken} ÷ ${amountFigure('units-before', held.quantity, { unit: 'units' })}`;
    return { ...whole, rounding: halfEven };
  });
}

/** In the field and currency of the context. */
export function explainOpening(context: LotCostContext, step: LotStepOf<'opened'>): Figure {
  const { unit, field } = context;
  const { lot, day } = step;
  const notes = lot.isEstimated ? ['estimated'] : [];
  const row = stepRow(context.history, step);
  const { name, facets } = openingDerivation(context, step, row);
  return amountFigure(name, lot[field], { unit, day, source: stepSource(step), notes, ...facets });
}

interface OpeningDerivation {
  readonly name: string;
  readonly facets: Facets;
}

function openingDerivation(
  context: LotCostContext,
  step: LotStepOf<'opened'>,
  row: LedgerTransaction | undefined,
): OpeningDerivation {
  if (row === undefined) return { name: 'uploaded-cost', facets: {} };
  // A sale has fetched the units from the depository alone.
  const isFetched = row.quantity < 0n && step.lot.quantity > 0n;
  const { units } = traitsOfKind(row.kind);
  if (isFetched && units !== 'converted') return { name: 'moved-cost', facets: moveFacets(context, step) };
  if (units === 'converted') return { name: 'converted-cost', facets: conversionFacets(context, step, row) };
  if (units !== 'delivered') return { name: 'traded-cost', facets: tradeFacets(context, step.lot, row) };
  if (row.details?.counterPlace === undefined) return { name: 'delivered-cost', facets: {} };
  return { name: 'moved-cost', facets: moveFacets(context, step) };
}

/** Units that moved between own places keep the cost that they had there. */
function moveFacets(context: LotCostContext, step: LotStepOf<'opened'>): Facets {
  const { lot } = step;
  const { steps, field, moves } = context;
  if (moves >= movesMax) return {};
  const rowSteps = steps.ofRow(step.row);
  const left = rowSteps.filter((one) => one.kind === 'taken' && one.position !== step.position);
  const opened = rowSteps.filter((one) => one.kind === 'opened' && one.position === step.position);
  const candidates = left.filter(
    (one): one is LotStepOf<'taken'> =>
      one.kind === 'taken' &&
      one.lot.acquired === lot.acquired &&
      one.part.quantity === lot.quantity &&
      one.part[field] === lot[field],
  );
  const found = candidates[Math.min(candidates.length - 1, opened.filter((one) => isTwin(one, lot)).indexOf(step))];
  if (found === undefined) return {};
  const { position } = found;
  const taken = explainTakenCost({ ...context, position, moves: moves + 1 }, found);
  return formula`${{ ...taken, source: positionSource(context.history.key(position)) }}`;
}

function isTwin(step: LotStep, lot: Lot): boolean {
  return (
    step.kind === 'opened' &&
    step.lot.acquired === lot.acquired &&
    step.lot.quantity === lot.quantity &&
    step.lot.cost === lot.cost &&
    step.lot.referenceCost === lot.referenceCost
  );
}

/** A merger moves all of a lot's cost, a spin-off a share of it; both at a rate if the currencies differ. */
function conversionFacets(context: LotCostContext, step: LotStepOf<'opened'>, row: LedgerTransaction): Facets {
  const { steps, field, history, moves } = context;
  const action = row.details?.action;
  if (action === undefined || moves >= movesMax) return {};
  const change = steps
    .ofRow(step.row)
    .find(
      (one): one is LotStepOf<'replaced'> =>
        one.kind === 'replaced' && one.position !== step.position && isSamePlace(history, one.position, step.position),
    );
  const origins = change?.before.filter(({ acquired }) => acquired === step.lot.acquired) ?? [];
  if (change === undefined || origins.length === 0) return {};
  const isForeign =
    field === 'cost' && history.instrument(change.position).currency !== history.instrument(step.position).currency;
  const origin = origins.find((one) => !isForeign && movedCost(one[field], action) === step.lot[field]);
  if (origin === undefined || replacedLot(change, origin) === undefined) return {};
  const { currency } = history.instrument(change.position);
  const unit = field === 'cost' ? currency : context.unit;
  const before = { ...context, position: change.position, unit, moves: moves + 1 };
  const cost = explainLotCost(before, { lot: origin, before: change, name: 'cost-before' });
  const from = { ...cost, source: positionSource(history.key(change.position)) };
  if (action.action !== 'spin-off') return formula`${from}`;
  const share = amountFigure('cost-share', action.share, { source: { kind: 'row', row: row.row } });
  return { ...formula`${from} × ${share}`, rounding: halfEven };
}

function isSamePlace({ table }: History, one: number, other: number): boolean {
  const [first, second] = [table.key(one), table.key(other)];
  return first.account === second.account && first.depository === second.depository;
}

function movedCost(cost: Fixed, action: CorporateAction): Fixed {
  return action.action === 'spin-off' ? multiply(cost, action.share) : cost;
}
