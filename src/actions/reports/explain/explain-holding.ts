// Explains value, cost and units of one position, or of all positions in the given segments.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import { ratioOf, type Fixed } from '../../../kit/fixed.ts';
import {
  explainAccruedInterest,
  explainCost,
  explainMarketValue,
  explainUnits,
  explainUnrealised,
  explainUnrealisedCurrency,
  explainUnrealisedPrice,
  explainValuation,
  type Explanation,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import {
  amountFigure,
  formula,
  lazyFigure,
  positionSource,
  ratioFigure,
  sumOperands,
} from '../../../engine/explanation/figure.ts';
import { valueSources } from '../../../engine/explanation/position-sources.ts';
import { accruedInReferenceCurrency, unrealisedParts } from '../../../engine/returns/unrealised-parts.ts';
import { holdings, type Holding } from '../../../engine/history/holdings.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import { isOneInvestment, totalUnits } from '../holdings.ts';
import { groupHoldings } from '../segments/segments.ts';
import { coversPlaces, type PlaceFilter } from './place-filter.ts';
import type { ReportBasis } from '../report-basis.ts';
import { summedFigure, AmbiguousFigure, type ExplanationDraft } from './explanation-draft.ts';

export interface DayInput {
  readonly basis: ReportBasis;
  readonly day: Day;
  /** Computed if absent. */
  readonly whole?: WholeValue;
}

/** The value of everything that the reporting entity holds. */
interface WholeValue {
  readonly amount: Fixed;
  readonly figure: Figure;
}

export function wholeValueOf({ currency: unit }: ReportBasis, day: Day, all: readonly Holding[]): WholeValue {
  const amount = all.reduce((total, { marketValue }) => total + marketValue, 0n);
  const sum = () => sumOperands(all.map((one) => valueFigure(one, unit)));
  return { amount, figure: lazyFigure('total-value', amount, { unit, day }, sum) };
}

export interface HoldingFigureInput extends DayInput {
  readonly places: PlaceFilter;
}

export function listMatchingHoldings({ basis, day, places }: HoldingFigureInput): readonly Holding[] {
  const { currency, ...others } = places;
  const held = holdings(basis.history, { day, covers: coversPlaces(basis, others) });
  if (currency === undefined) return held;
  return groupHoldings('currency', basis, held).find(([segment]) => segment === currency)?.[1] ?? [];
}

export function explainHolding(
  figure: Exclude<FigureInGroup<'holding'>, 'unitCost'>,
  input: HoldingFigureInput,
): ExplanationDraft {
  return explainKnownHoldings(figure, input, listMatchingHoldings(input));
}

/** The same, of holdings that are already known. */
export function explainKnownHoldings(
  figure: Exclude<FigureInGroup<'holding'>, 'unitCost'>,
  input: DayInput,
  held: readonly Holding[],
): ExplanationDraft {
  const explanation = explainHoldings(figure, input, held);
  return held.length === 1 ? { explanation, of: defined(held[0], 'one holding was found') } : { explanation };
}

function explainHoldings(
  figure: Exclude<FigureInGroup<'holding'>, 'unitCost'>,
  input: DayInput,
  held: readonly Holding[],
): Explanation {
  const { history } = input.basis;
  switch (figure) {
    case 'marketValue':
      return explainTotalValue(input, held);
    case 'costBasis':
      return sumParts('reference-cost', input, held, (one) => [one.referenceCost, () => explainCost(history, one)]);
    case 'unrealisedPnl':
      return sumParts('unrealised', input, held, (one) => [one.unrealised, () => explainUnrealised(history, one)]);
    case 'quantity':
      return explainQuantity(input, held);
    case 'share':
      return explainShare(input, held);
    case 'accruedInterest':
      return sumInReferenceCurrency(
        'accrued-interest',
        input,
        held.map((one) => [accruedInReferenceCurrency(one), explainAccruedInterest(history, one)]),
      );
    case 'unrealisedPricePart':
      return sumParts('price-part', input, held, (one) => [
        unrealisedParts(history, one).price,
        () => explainUnrealisedPrice(history, one),
      ]);
    case 'unrealisedCurrencyPart':
      return sumParts('currency-part', input, held, (one) => [
        unrealisedParts(history, one).currency,
        () => explainUnrealisedCurrency(history, one),
      ]);
    case 'valuation': {
      const { position, valuation } = getOnlyHolding(held);
      return explainValuation(valuation, valueSources(history, position, input.day));
    }
  }
}

function explainTotalValue(input: DayInput, held: readonly Holding[]): Figure {
  const { history } = input.basis;
  return sumParts('market-value', input, held, (one) => [one.marketValue, () => explainMarketValue(history, one)]);
}

/** Sums a figure of each holding, in the reference currency. Each is derived when it is first read. */
function sumParts(
  name: string,
  input: DayInput,
  held: readonly Holding[],
  partOf: (one: Holding) => readonly [amount: Fixed, explain: () => Figure],
): Figure {
  const parts = held.map((one) => {
    const [amount, explain] = partOf(one);
    const { to: unit, day } = one.conversion;
    return [amount, lazyFigure(name, amount, { unit, day, source: positionSource(one) }, explain)] as const;
  });
  return sumInReferenceCurrency(name, input, parts);
}

/** Sums amounts in the reference currency. */
function sumInReferenceCurrency(
  name: string,
  { basis, day }: DayInput,
  parts: readonly (readonly [amount: Fixed, figure: Figure])[],
): Figure {
  const value = parts.reduce((total, [amount]) => total + amount, 0n);
  const figures = parts.map(([, figure]) => figure);
  return summedFigure(name, figures, { value, unit: basis.currency, day });
}

function explainQuantity({ basis, day }: DayInput, held: readonly Holding[]): Figure {
  if (new Set(held.map(({ instrument }) => instrument)).size > 1) {
    throw new AmbiguousFigure('instrument', 'Units of several instruments cannot be added up: name one instrument.');
  }
  const figures = held.map(({ position }) => explainUnits(basis.history, position, day));
  const value = held.reduce((total, { quantity }) => total + quantity, 0n);
  const facets = { unit: figures[0]?.unit ?? 'units', day };
  if (!isOneInvestment(basis.history, held)) return summedFigure('units', figures, { value, ...facets });
  const all = amountFigure('held-units', value, { unit: facets.unit });
  const share = formula`(${sumOperands(figures)}) ÷ ${all}`;
  return amountFigure('units', totalUnits(basis.history, held), { ...facets, ...share });
}

/** The share of everything that the reporting entity holds. */
function explainShare(input: DayInput, held: readonly Holding[]): Explanation {
  const { basis, day } = input;
  const whole = input.whole ?? wholeValueOf(basis, day, listMatchingHoldings({ basis, day, places: {} }));
  if (whole.amount === 0n) return { name: 'share', value: null, notes: ['nothing-held'] };
  const value = held.reduce((sumSoFar, { marketValue }) => sumSoFar + marketValue, 0n);
  return ratioFigure('share', ratioOf(value, whole.amount), {
    day,
    ...formula`${explainTotalValue(input, held)} ÷ ${whole.figure}`,
    rounding: 'double',
  });
}

function valueFigure(holding: Holding, unit: string): Figure {
  return amountFigure('market-value', holding.marketValue, { unit, source: positionSource(holding) });
}

function getOnlyHolding(held: readonly Holding[]): Holding {
  const [first, ...others] = held;
  if (first !== undefined && others.length === 0) return first;
  const found = first === undefined ? 'Nothing of what is named is held' : `${held.length} positions are named`;
  throw new AmbiguousFigure(
    'instrument',
    `${found} on that day; this figure is about one position: name its instrument and, if it is held in several places, its account or depository.`,
  );
}
