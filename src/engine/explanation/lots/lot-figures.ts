// What the figures about the cost of lots have in common: the question, a change of a cost, and where it comes from.

import type { Fixed } from '../../../kit/fixed.ts';
import type { IsoCurrency } from '../../currencies/exchange-rates.ts';
import { checkpointRow } from '../../history/checkpoint.ts';
import type { History } from '../../history/history.ts';
import type { LedgerTransaction } from '../../ledger/transaction.ts';
import { formula, joinOperands, type Figure, type FigureSource, type Formula } from '../figure.ts';
import type { LotStep, LotSteps } from './lot-steps.ts';

/** In the instrument's currency, or in the reference currency at the rates of the acquisitions. */
export type CostField = 'cost' | 'referenceCost';

export interface LotCostContext {
  readonly history: History;
  readonly steps: LotSteps;
  readonly position: number;
  readonly unit: IsoCurrency;
  readonly field: CostField;
  /** From how many places the lot has been followed to this one. */
  readonly moves: number;
}

/** A term of a running sum. */
export interface CostChange {
  readonly delta: Fixed;
  readonly sign: '+' | '−';
  readonly figure: Figure;
}

export function runningFormula(first: Figure, changes: readonly CostChange[]): Formula {
  const terms = changes.map(({ sign, figure }) => (sign === '−' ? formula` − ${figure}` : formula` + ${figure}`));
  return joinOperands([first, ...terms], '');
}

export function stepSource({ row, day }: Pick<LotStep, 'row' | 'day'>): FigureSource {
  return row === checkpointRow(day) ? { kind: 'upload', day } : { kind: 'row', row };
}

/** The row behind a step; undefined if an upload is. */
export function stepRow({ facts }: History, { row, day }: Pick<LotStep, 'row' | 'day'>): LedgerTransaction | undefined {
  return row === checkpointRow(day) ? undefined : facts.ledger.find({ row, day });
}
