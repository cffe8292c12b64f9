// What holdings are worth, what they cost and how many units there are, explained: of one position, or of all that lie in the segments
// that are asked about. Knows no lot by itself.

import type { Day } from '../../../kit/day.ts';
import { divide, toRatio, type Fixed } from '../../../kit/fixed.ts';
import {
  explainAccruedInterest,
  explainBalance,
  explainCost,
  explainMarketValue,
  explainUnrealised,
  explainValuation,
  type Explanation,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import { lotSource } from '../../../engine/explanation/cost.ts';
import { amountFigure, formula, ratioFigure, sum } from '../../../engine/explanation/figure.ts';
import { positionSource, valueSources } from '../../../engine/explanation/position-sources.ts';
import { holdings, type Holding } from '../../../engine/history/holdings.ts';
import { findSynthetic } from '../../../engine/ledger/position-key.ts';
import type { FigureOf } from '../../../model/report/explainable-figures.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
import { coveredIn, type AskedPlaces } from './place-filter.ts';
import type { ReportScope } from '../report-basis.ts';
import { tellFigure } from './render-figure.ts';
import { summedFigure, UnclearFigure, type Working } from './explanation-draft.ts';

export interface HoldingFigure {
  readonly scope: ReportScope;
  readonly day: Day;
  readonly places: AskedPlaces;
}

export function heldIn({ scope, day, places }: HoldingFigure): readonly Holding[] {
  return holdings(scope.history, { day, covers: coveredIn(scope, places) });
}

export function explainHolding(figure: Exclude<FigureOf<'holding'>, 'unitCost'>, asked: HoldingFigure): Working {
  const held = heldIn(asked);
  const explanation = explainHeld(figure, asked, held);
  return held.length === 1 ? { explanation, of: held[0]! } : { explanation };
}

/** What all that lies in a place is worth, told. */
export function explainSegment(asked: HoldingFigure): ReportedFigure {
  return tellFigure(explainHolding('marketValue', asked), asked.scope, Infinity).figure;
}

function explainHeld(
  figure: Exclude<FigureOf<'holding'>, 'unitCost'>,
  asked: HoldingFigure,
  held: readonly Holding[],
): Explanation {
  const { history } = asked.scope;
  switch (figure) {
    case 'marketValue':
      return marketValueOf(asked, held);
    case 'costBasis':
      return inReference(
        'reference-cost',
        asked,
        held.map((one) => [one.referenceCost, explainCost(history, one)]),
      );
    case 'unrealisedPnl':
      return inReference(
        'unrealised',
        asked,
        held.map((one) => [one.unrealised, explainUnrealised(history, one)]),
      );
    case 'quantity':
      return quantityOf(asked, held);
    case 'share':
      return shareOf(asked, held);
    case 'accruedInterest':
      return explainAccruedInterest(history, onlyOne(held));
    case 'valuation': {
      const { position, valuation } = onlyOne(held);
      return explainValuation(valuation, valueSources(history, position, asked.day));
    }
  }
}

function marketValueOf(asked: HoldingFigure, held: readonly Holding[]): Figure {
  const { history } = asked.scope;
  return inReference(
    'market-value',
    asked,
    held.map((one) => [one.marketValue, explainMarketValue(history, one)]),
  );
}

/** Amounts in the reference currency, added up. */
function inReference(
  name: string,
  { scope, day }: HoldingFigure,
  parts: readonly (readonly [amount: Fixed, figure: Figure])[],
): Figure {
  const value = parts.reduce((total, [amount]) => total + amount, 0n);
  const figures = parts.map(([, figure]) => figure);
  return summedFigure(name, figures, { value, unit: scope.currency, day });
}

function quantityOf({ scope, day }: HoldingFigure, held: readonly Holding[]): Figure {
  if (new Set(held.map(({ instrument }) => instrument)).size > 1) {
    throw new UnclearFigure('instrument', 'Units of several instruments do not add up: one has to be named.');
  }
  const figures = held.map((one) => unitsOf(one, scope, day));
  const value = held.reduce((total, { quantity }) => total + quantity, 0n);
  return summedFigure('units', figures, { value, unit: figures[0]?.unit ?? 'units', day });
}

/** Of money what moved it last; of units the lots. */
function unitsOf(holding: Holding, { history }: ReportScope, day: Day): Figure {
  const { position, instrument, quantity } = holding;
  if (findSynthetic(instrument) !== undefined) return explainBalance(history, position, day);
  const { lots, quantity: inLots } = history.lots(position, day);
  const parts = lots.map((lot) =>
    amountFigure('lot-units', lot.quantity, { unit: 'units', day: lot.acquired, source: lotSource(lot, lot.acquired) }),
  );
  const facets = { unit: 'units', day, source: positionSource(holding) };
  return amountFigure('units', quantity, { ...facets, ...(inLots === quantity ? sum(parts) : {}) });
}

/** Of everything that the reporting entity holds. */
function shareOf(asked: HoldingFigure, held: readonly Holding[]): Explanation {
  const all = heldIn({ ...asked, places: {} });
  const total = all.reduce((sumSoFar, { marketValue }) => sumSoFar + marketValue, 0n);
  if (total === 0n) return { name: 'share', value: null, notes: ['nothing-held'] };
  const value = held.reduce((sumSoFar, { marketValue }) => sumSoFar + marketValue, 0n);
  const whole = amountFigure('total-value', total, {
    unit: asked.scope.currency,
    day: asked.day,
    ...sum(all.map((one) => bareValue(one, asked.scope.currency))),
  });
  return ratioFigure('share', toRatio(divide(value, total)), {
    day: asked.day,
    ...formula`${marketValueOf(asked, held)} ÷ ${whole}`,
    rounding: 'double',
  });
}

function bareValue(holding: Holding, unit: string): Figure {
  return amountFigure('market-value', holding.marketValue, { unit, source: positionSource(holding) });
}

function onlyOne(held: readonly Holding[]): Holding {
  const [first, ...others] = held;
  if (first !== undefined && others.length === 0) return first;
  const found = first === undefined ? 'Nothing of what is named is held' : `${held.length} positions are named`;
  throw new UnclearFigure(
    'instrument',
    `${found} on that day; the figure is of one position: name its instrument and, where several places hold it, its account or depository.`,
  );
}
