// What explains a figure, before it is told: the engine's tree and whose numbers stand in it. Knows no wire.

import { fixedText, type Fixed } from '../../../kit/fixed.ts';
import type { Explanation, Figure } from '../../../engine/explanation/explanation.ts';
import { amountFigure, sumOperands, type Facets } from '../../../engine/explanation/figure.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { FigureParameter } from '../../../model/report/explainable-figures.ts';
import type { ComparedInstrument } from '../benchmark.ts';

export interface ExplanationDraft {
  readonly explanation: Explanation;
  /** Where all of it is of one position. */
  readonly of?: PositionKey;
  /** Whose levels the points of no held instrument are. */
  readonly compared?: ComparedInstrument | undefined;
}

/** There is no one figure that is meant: what has to be asked otherwise, and why. */
export class AmbiguousFigure extends Error {
  readonly parameter: FigureParameter;

  constructor(parameter: FigureParameter, detail: string) {
    super(detail);
    this.name = 'UnclearFigure';
    this.parameter = parameter;
  }
}

/** One figure is itself; of several, or of none, the sum. */
export function summedFigure(
  name: string,
  figures: readonly Figure[],
  { value, ...facets }: Facets & { value: Fixed },
): Figure {
  const [first, ...others] = figures;
  if (first !== undefined && others.length === 0 && first.value === fixedText(value)) return first;
  return amountFigure(name, value, { ...facets, ...sumOperands(figures) });
}
