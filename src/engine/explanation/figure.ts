// A figure with its formula and inputs, as data that a surface can show and anybody can recompute.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { fixedText, type Fixed } from '../../kit/fixed.ts';
import { exactRatioText, onePlus } from '../amounts/ratio-text.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { PositionKey } from '../ledger/position-key.ts';

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
  /** Of the cost of a lot: how many units are left of how many. */
  readonly units?: { readonly left: Fixed; readonly opened: Fixed };
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
  /** Explained in full as a figure of its own, of the same segments. */
  | { readonly kind: 'figure'; readonly figure: 'market-value' | 'daily-twr'; readonly day: Day }
  | {
      readonly kind: 'position';
      readonly account: string | null;
      readonly depository: string | null;
      readonly instrument: string;
    };

export function positionSource({ account, depository, instrument }: PositionKey): FigureSource {
  return { kind: 'position', account, depository, instrument };
}

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

/**
 * A figure whose formula and parts are computed when they are first read: a tree can be much larger than what is shown of it.
 * They are not computed by copies of other members, but by a spread. Getters in a literal, since reports have millions of them.
 */
export function lazyFigure(name: string, value: Fixed, known: Facets, derive: () => Facets): Figure {
  return withLazyFacets(amountFigure(name, value, known), known, derive);
}

/** The same for a ratio. */
export function lazyRatio(name: string, value: number, known: Facets, derive: () => Facets): Figure {
  return withLazyFacets(ratioFigure(name, value, known), known, derive);
}

function withLazyFacets(figure: Figure, known: Facets, derive: () => Facets): Figure {
  let derived: Pick<Figure, Facet> | undefined;
  const get = (): Pick<Figure, Facet> => (derived ??= presentFacets({ ...known, ...derive() }));
  return {
    ...figure,
    get formula() {
      return get().formula;
    },
    get operation() {
      return get().operation;
    },
    get rounding() {
      return get().rounding;
    },
    get notes() {
      return get().notes;
    },
    get of() {
      return get().of;
    },
  } as Figure;
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

/** One plus a ratio, with all digits: as a double it would lose those of a small ratio. */
export function growthFigure(name: string, ratio: Figure, facets: Facets = {}): Figure {
  return { name, value: onePlus(ratio.value), ...presentFacets({ ...facets, ...formula`1 + ${ratio}` }) };
}

/** The same without its sign. */
export function magnitudeFigure(figure: Figure): Figure {
  const { name, value, unit, day } = figure;
  if (!value.startsWith('-')) return figure;
  return { name, value: value.slice(1), ...presentFacets({ unit, day, ...formula`0 − ${figure}` }) };
}

/** A fixed order, without empty entries. */
const facetOrder: readonly Facet[] = [
  'unit',
  'day',
  'formula',
  'operation',
  'rounding',
  'source',
  'units',
  'notes',
  'of',
];

function presentFacets(facets: Facets): Pick<Figure, Facet> {
  const present: { [Name in Facet]?: unknown } = {};
  for (const name of facetOrder) {
    const facet = facets[name];
    if (facet !== undefined && !(Array.isArray(facet) && facet.length === 0)) present[name] = facet;
  }
  return present as Pick<Figure, Facet>;
}

/** One of the figures that another was made of. */
export function inputFigure(figure: Figure, index: number): Figure {
  return defined(figure.of?.[index], `the formula of ${figure.name} has more than ${index} figures`);
}
