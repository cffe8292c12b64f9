// A figure with its formula and inputs, as data that a surface can show and anybody can recompute.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { fixedText, type Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';

export interface Figure {
  /** A stable name, such as `market-value`. */
  readonly name: string;
  /** Plain digits: an exact decimal, or the shortest digits that identify a double. */
  readonly value: string;
  /** A currency, `units`, `days`, or `day` for a day's number. */
  readonly unit?: string;
  readonly day?: Day;
  /** Decimals, + − × ÷ and parentheses with the usual precedence. Evaluated and rounded as stated, it gives the value. */
  readonly formula?: string;
  /** How the value follows from its parts if + − × ÷ cannot express it. */
  readonly operation?: FigureOperation;
  /** Undefined if the formula is exact. */
  readonly rounding?: FigureRounding;
  readonly source?: FigureSource;
  /** What a reader should know about it, as stable words: `stale`, `estimated`, `zero-base`. */
  readonly notes?: readonly string[];
  /** Every number of the formula that is a figure itself, each once, in order of first use. */
  readonly of?: readonly Figure[];
}

/**
 * `square-root` and `exponential` (e to the power) of the one part; `power`: the first part to the power of the second; `root`:
 * the value at which the one part is zero.
 */
export type FigureOperation = 'square-root' | 'exponential' | 'power' | 'root';

/** `solved`: as close to the value as a root that is a double can be. */
export type FigureRounding = typeof halfEven | 'double' | 'solved';

export const halfEven = 'half-even at 18 places';

/** A figure without a value; the notes say why. */
export interface MissingFigure {
  readonly name: string;
  readonly value: null;
  readonly notes: readonly string[];
  readonly of?: readonly Figure[];
}

export type Explanation = Figure | MissingFigure;

/** Where a number comes from that is not computed here. */
export type FigureSource =
  | { readonly kind: 'row'; readonly row: number }
  /** Rows of a day that cannot be told apart. */
  | { readonly kind: 'rows'; readonly day: Day }
  | { readonly kind: 'upload'; readonly day: Day }
  | { readonly kind: 'point'; readonly series: string; readonly day: Day }
  | { readonly kind: 'rate'; readonly base: IsoCurrency; readonly quote: IsoCurrency; readonly day: Day }
  /** Terms of an instrument, a limit or a setting. */
  | { readonly kind: 'terms' }
  | {
      readonly kind: 'position';
      readonly account: string | null;
      readonly depository: string | null;
      readonly instrument: string;
    };

/** A formula's text, and the figures in it. */
export interface Formula {
  readonly formula: string;
  readonly of: readonly Figure[];
}

/** Part of a formula: a figure contributes its value, a formula its text. */
type Operand = Figure | Formula;

/** Template whose placeholders are figures. */
export function formula(strings: TemplateStringsArray, ...operands: readonly Operand[]): Formula {
  const parts = operands.map((operand, index) => operandText(operand) + strings[index + 1]!);
  return { formula: strings[0]! + parts.join(''), of: operandFigures(operands) };
}

function operandText(operand: Operand): string {
  if (!('value' in operand)) return operand.formula;
  return operand.value.startsWith('-') ? `(${operand.value})` : operand.value;
}

function operandFigures(operands: readonly Operand[]): readonly Figure[] {
  return [...new Set(operands.flatMap((operand) => ('value' in operand ? [operand] : operand.of)))];
}

export function sumOperands(operands: readonly Operand[]): Formula {
  if (operands.length === 0) return { formula: '0', of: [] };
  return joinOperands(operands, ' + ');
}

export function joinOperands(operands: readonly Operand[], operator: string): Formula {
  return { formula: operands.map((operand) => operandText(operand)).join(operator), of: operandFigures(operands) };
}

type Facet = Exclude<keyof Figure, 'name' | 'value'>;

/** Properties of a figure besides its name and value. */
export type Facets = { readonly [Name in Facet]?: Figure[Name] | undefined };

export function amountFigure(name: string, value: Fixed, facets: Facets = {}): Figure {
  return { name, value: fixedText(value), ...presentFacets(facets) };
}

export function countFigure(name: string, value: number | bigint, facets: Facets = {}): Figure {
  return { name, value: String(value), ...presentFacets(facets) };
}

export function dayFigure(name: string, day: Day): Figure {
  return countFigure(name, day, { unit: 'day', day });
}

export function ratioFigure(name: string, value: number, facets: Facets = {}): Figure {
  return { name, value: exactRatioText(value), ...presentFacets(facets) };
}

/** A fixed order, without empty entries. */
const facetOrder: readonly Facet[] = ['unit', 'day', 'formula', 'operation', 'rounding', 'source', 'notes', 'of'];

function presentFacets(facets: Facets): Pick<Figure, Facet> {
  const entries = facetOrder.flatMap((name) => {
    const facet = facets[name];
    return facet === undefined || (Array.isArray(facet) && facet.length === 0) ? [] : [[name, facet]];
  });
  return Object.fromEntries(entries) as Pick<Figure, Facet>;
}

/** The shortest digits that identify the double, without an exponent. */
export function exactRatioText(ratio: number): string {
  const [mantissa = '', exponent = '0'] = String(ratio).split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length - Math.min(0, point - 1), '0');
  const at = Math.max(1, point);
  const padded = digits.padEnd(at, '0');
  const rest = padded.slice(at).replace(/0+$/, '');
  return (ratio < 0 ? '-' : '') + padded.slice(0, at) + (rest && `.${rest}`);
}

/** One of the figures that another was made of. */
export function inputFigure(figure: Figure, index: number): Figure {
  return defined(figure.of?.[index], `the formula of ${figure.name} has more than ${index} figures`);
}
