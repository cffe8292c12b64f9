// Explains the units of a lot: how many came, how many each later row took, and what splits made of them.

import type { Day } from '../../../kit/day.ts';
import { multiplyDivide } from '../../../kit/fixed.ts';
import type { History } from '../../history/history.ts';
import type { LotKey, QuantityAndCost, Ratio } from '../../lots/lot.ts';
import { amountFigure, countFigure, formula, halfEven, lazyFigure, type Facets, type Figure } from '../figure.ts';
import { runningFormula, stepRow, stepSource, type CostChange } from './lot-figures.ts';
import { isSameLot, lotStepsOf, replacedLot, type LotStep } from './lot-steps.ts';

interface LotUnitsRequest {
  readonly position: number;
  readonly lot: LotKey & QuantityAndCost & { readonly acquired: Day };
  /** At the end of this day. */
  readonly day: Day;
}

/** Derived when it is first read. */
export function explainLotUnits(history: History, { position, lot, day }: LotUnitsRequest): Figure {
  const own = lotStepsOf(history).ofLot(position, lot);
  const [opening] = own;
  const name = 'lot-units';
  if (opening?.kind !== 'opened') return amountFigure(name, lot.quantity, { unit: 'units', day: lot.acquired });
  const source = stepSource(opening);
  return lazyFigure(name, lot.quantity, { unit: 'units', day: lot.acquired, source }, () => {
    const first = amountFigure('units-opened', opening.lot.quantity, { unit: 'units', day: opening.day, source });
    const steps = own.slice(1).filter((step) => step.day <= day);
    return steps.length === 0 ? {} : unitFacets(history, { first, steps, lot });
  });
}

interface UnitSteps {
  readonly first: Figure;
  readonly steps: readonly LotStep[];
  readonly lot: LotKey & QuantityAndCost;
}

function unitFacets(history: History, { first, steps, lot }: UnitSteps): Facets {
  let start = first;
  let changes: CostChange[] = [];
  for (const step of steps) {
    const taken = takenUnits(step, lot);
    if (taken !== undefined) changes.push(taken);
    const split = splitUnits(history, step, { lot, start, changes });
    if (split !== undefined) [start, changes] = [split, []];
  }
  return runningFormula(start, changes);
}

function takenUnits(step: LotStep, lot: LotKey): CostChange | undefined {
  const taken =
    step.kind === 'taken'
      ? step.part
      : step.kind === 'taken-together'
        ? step.lots.find((one) => isSameLot(one, lot))
        : undefined;
  if (taken === undefined) return undefined;
  const facets = { unit: 'units', day: step.day, source: stepSource(step) };
  return { delta: -taken.quantity, sign: '−', figure: amountFigure('units-taken', taken.quantity, facets) };
}

interface UnitsSoFar {
  readonly lot: LotKey;
  readonly start: Figure;
  readonly changes: readonly CostChange[];
}

/** The running total of all lots is rounded, so that the units of a lot may differ in the last place. */
function splitUnits(history: History, step: LotStep, { lot, start, changes }: UnitsSoFar): Figure | undefined {
  if (step.kind !== 'replaced') return undefined;
  const change = replacedLot(step, lot);
  if (change?.after === undefined || change.after.quantity === change.before.quantity) return undefined;
  const facets = { unit: 'units', day: step.day, source: stepSource(step) };
  const { before, after } = change;
  const action = stepRow(history, step)?.details?.action;
  const ratio = action?.action === 'split' ? action.ratio : undefined;
  const isPlain = ratio && multiplyDivide(before.quantity, ratio.numerator, ratio.denominator) === after.quantity;
  if (!isPlain) return amountFigure('units-after-split', after.quantity, facets);
  const held =
    changes.length === 0
      ? start
      : amountFigure('units-before-split', before.quantity, { unit: 'units', ...runningFormula(start, changes) });
  return amountFigure('units-after-split', after.quantity, { ...facets, ...ratioFormula(held, ratio) });
}

function ratioFormula(held: Figure, { numerator, denominator }: Ratio): Facets {
  const after = countFigure('units-after', numerator, { unit: 'units' });
  const before = countFigure('units-before', denominator, { unit: 'units' });
  return { ...formula`${held} × ${after} ÷ ${before}`, rounding: halfEven };
}
