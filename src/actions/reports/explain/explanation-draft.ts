// An explanation before it is rendered: the engine's tree of figures and what its numbers belong to.

import { fixedText, type Fixed } from '../../../kit/fixed.ts';
import type { Explanation, Figure } from '../../../engine/explanation/explanation.ts';
import { amountFigure, sumOperands, type Facets } from '../../../engine/explanation/figure.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { FigureParameter } from '../../../model/report/explainable-figures.ts';
import type { ComparedInstrument } from '../benchmark.ts';

export interface ExplanationDraft {
  readonly explanation: Explanation;
  /** Present if all of it belongs to one position. */
  readonly of?: PositionKey;
  /** The instrument whose levels the points are, if it is not held. */
  readonly compared?: ComparedInstrument | undefined;
}

/** No single figure is meant: says what to ask for instead, and why. */
export class AmbiguousFigure extends Error {
  readonly parameter: FigureParameter;

  constructor(parameter: FigureParameter, detail: string) {
    super(detail);
    this.name = 'UnclearFigure';
    this.parameter = parameter;
  }
}

/** One figure is itself; several, or none, become a sum. */
export function summedFigure(
  name: string,
  figures: readonly Figure[],
  { value, ...facets }: Facets & { value: Fixed },
): Figure {
  const [first, ...others] = figures;
  if (first !== undefined && others.length === 0 && first.value === fixedText(value)) return first;
  return amountFigure(name, value, { ...facets, ...sumOperands(figures) });
}
