// Writes an explanation as an indented page of text: a line for each figure, and below it its exact value and formula.

import type { ReportedFigure } from '../../../model/report/explanation.ts';

/** Longer formulas are cut: their numbers are the lines below. */
const formulaLengthMax = 400;

/** One line with its line break at a time, so that a long page is not in memory twice. */
export function* explanationLines(figure: ReportedFigure, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth);
  yield `${indent}${figure.sentence ?? figure.name}\n`;
  const derivation = derivationOf(figure);
  if (derivation !== undefined) yield `${indent}  = ${derivation}\n`;
  for (const part of figure.of ?? []) yield* explanationLines(part, depth + 1);
  if (figure.isTruncated === true) yield `${indent}  … (more figures than are listed)\n`;
}

function derivationOf({ value, unit, formula, operation, rounding, of = [] }: ReportedFigure): string | undefined {
  if (value === null) return undefined;
  const exact = unit === undefined || unit === 'day' ? value : `${value} ${unit}`;
  const rounded = rounding === undefined ? '' : ` (${roundingNames[rounding]})`;
  if (operation !== undefined) return `${exact}: the ${operation.replaceAll('-', ' ')} of what follows`;
  if (formula === undefined || (of.length === 1 && formula === of[0]!.value)) return undefined;
  const text =
    formula.length > formulaLengthMax ? `${formula.slice(0, formulaLengthMax)} … (${of.length} figures)` : formula;
  return `${text} = ${exact}${rounded}`;
}

const roundingNames = {
  'half-even at 18 places': 'rounded at 18 places, half to even',
  double: 'in double precision',
  solved: 'solved numerically',
} as const;
