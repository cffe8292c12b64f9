// Explains one open lot: its cost, its cost per unit, and its part of the position's value.

import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import {
  explainLotUnits,
  explainMarketValue,
  explainOpenLotCost,
  explainUnitCost,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import { lotSource } from '../../../engine/explanation/lots/cost.ts';
import { amountFigure, formula, halfEven, lazyFigure, sumOperands } from '../../../engine/explanation/figure.ts';
import { explainCostAtRate } from '../../../engine/explanation/holding.ts';
import { lotCostsAtDayRate } from '../../../engine/returns/unrealised-parts.ts';
import { lotSnapshotOf, type Holding } from '../../../engine/history/holdings.ts';
import { lotValues } from '../../../engine/lots/lot-values.ts';
import type { LotSnapshot, OpenLot } from '../../../engine/lots/lot.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import type { ReportBasis } from '../report-basis.ts';
import { listMatchingHoldings, type DayInput, type HoldingFigureInput } from './explain-holding.ts';
import { reportedLotId } from '../lots.ts';
import { AmbiguousFigure, type ExplanationDraft } from './explanation-draft.ts';

interface LotFigureInput extends HoldingFigureInput {
  readonly lot: string;
}

/** A lot that is open at the end of a day. */
export interface FoundLot {
  readonly holding: Holding;
  readonly snapshot: LotSnapshot;
  readonly lot: OpenLot;
}

/** The figures that lots have too. */
const lotFigures = [
  'marketValue',
  'costBasis',
  'unrealisedPnl',
  'quantity',
  'unitCost',
  'unrealisedPricePart',
  'unrealisedCurrencyPart',
] as const;
type LotFigure = (typeof lotFigures)[number];

export function isLotFigure(figure: FigureInGroup<'holding'>): figure is LotFigure {
  return (lotFigures as readonly string[]).includes(figure);
}

export function explainLot(figure: LotFigure, input: LotFigureInput): ExplanationDraft {
  return explainKnownLot(figure, input, getLot(input));
}

/** The same of a lot that is already known. */
export function explainKnownLot(figure: LotFigure, input: DayInput, found: FoundLot): ExplanationDraft {
  return { explanation: explainLotFigure(figure, input, found), of: found.holding };
}

export function listOpenLots({ history }: ReportBasis, holding: Holding, day: Day): readonly FoundLot[] {
  const snapshot = lotSnapshotOf(history, holding, day);
  return snapshot.lots.map((lot) => ({ holding, snapshot, lot }));
}

function getLot(input: LotFigureInput): FoundLot {
  const { basis, day } = input;
  const open = listMatchingHoldings(input).flatMap((holding) => listOpenLots(basis, holding, day));
  const ids = basis.findTransactionIds(open.map(({ lot }) => lot.row));
  const [found, ...others] = open.filter(({ lot }) => reportedLotId(lot, ids) === input.lot);
  if (found === undefined) throw new AmbiguousFigure('lot', 'No lot with this id is open on that day.');
  if (others.length > 0) {
    throw new AmbiguousFigure(
      'lot',
      'Lots of several positions have this id: also name the instrument, account or depository.',
    );
  }
  return found;
}

function explainLotFigure(figure: LotFigure, input: DayInput, found: FoundLot): Figure {
  const { basis, day } = input;
  const { lot, holding } = found;
  switch (figure) {
    case 'quantity':
      return explainLotUnits(basis.history, { position: holding.position, lot, day });
    case 'unitCost':
      return explainUnitCost(basis.history, { position: holding.position, lot, day, field: 'referenceCost' });
    case 'costBasis':
      return explainLotCost(input, found);
    case 'marketValue':
      return explainLotValue(input, found);
    case 'unrealisedPnl':
      return explainLotGain(input, found);
    case 'unrealisedCurrencyPart':
      return explainLotCurrencyPart(input, found);
    case 'unrealisedPricePart': {
      const [gain, currency] = [explainLotGain(input, found), explainLotCurrencyPart(input, found)];
      const price = lotMarketValue(found) - costAtDayRate(input, found);
      return amountFigure('price-part', price, { unit: basis.currency, day, ...formula`${gain} − ${currency}` });
    }
  }
}

function explainLotGain(input: DayInput, found: FoundLot): Figure {
  const [value, cost] = [explainLotValue(input, found), explainLotCost(input, found)];
  const unrealised = lotMarketValue(found) - found.lot.referenceCost;
  const facets = { unit: input.basis.currency, day: input.day };
  return amountFigure('unrealised', unrealised, { ...facets, ...formula`${value} − ${cost}` });
}

function costAtDayRate({ basis }: DayInput, { holding, snapshot: { lots }, lot }: FoundLot): Fixed {
  return defined(lotCostsAtDayRate(basis.history, holding, lots)[lots.indexOf(lot)], 'every lot has a cost');
}

/** The cost at the rate of the day, as the increase of the running total of the lots, less the cost at the rate of the acquisition. */
function explainLotCurrencyPart(input: DayInput, found: FoundLot): Figure {
  const { basis, day } = input;
  const { holding, snapshot, lot } = found;
  const { position } = holding;
  const unit = basis.currency;
  const steps = lotCostsAtDayRate(basis.history, holding, snapshot.lots);
  const upTo = (count: number): Figure => {
    const some = snapshot.lots.slice(0, count);
    const amount = some.reduce((sum, one) => sum + one.cost, 0n);
    const currency = basis.history.instrument(position).currency;
    const cost = lazyFigure('cost-so-far', amount, { unit: currency }, () =>
      sumOperands(some.map((one) => explainOpenLotCost(basis.history, { position, lot: one, day, field: 'cost' }))),
    );
    const value = steps.slice(0, count).reduce((sum, one) => sum + one, 0n);
    return explainCostAtRate(basis.history, holding, { cost, amount, value });
  };
  const index = snapshot.lots.indexOf(lot);
  const total = costAtDayRate(input, found);
  const atRate =
    index === 0
      ? upTo(1)
      : amountFigure('cost-at-rate', total, { unit, ...formula`${upTo(index + 1)} − ${upTo(index)}` });
  const whole = formula`${atRate} − ${explainLotCost(input, found)}`;
  return amountFigure('currency-part', total - lot.referenceCost, { unit, day, ...whole });
}

function explainLotCost({ basis, day }: DayInput, { lot, holding }: FoundLot): Figure {
  return explainOpenLotCost(basis.history, { position: holding.position, lot, day, field: 'referenceCost' });
}

function lotMarketValue({ holding, snapshot, lot }: FoundLot): Fixed {
  return defined(lotValues(holding.marketValue, snapshot.lots)[snapshot.lots.indexOf(lot)], 'every lot has a value');
}

/** The increase of the running total of the lots' parts, so that all of them add up to the value. */
function explainLotValue({ basis, day }: DayInput, found: FoundLot): Figure {
  const { holding, snapshot, lot } = found;
  const facets = { unit: basis.currency, day };
  const value = explainMarketValue(basis.history, holding);
  const index = snapshot.lots.indexOf(lot);
  const unitsOf = (name: string, lots: readonly OpenLot[]): Figure => {
    const units = lots.reduce((total, { quantity }) => total + quantity, 0n);
    return lazyFigure(name, units, { unit: 'units' }, () => sumOperands(lots.map(lotUnits)));
  };
  const all = unitsOf('held-units', snapshot.lots);
  const parts = lotValues(holding.marketValue, snapshot.lots);
  const valueUpTo = (count: number): Figure => {
    const unitsSoFar = unitsOf('units-so-far', snapshot.lots.slice(0, count));
    const amount = parts.slice(0, count).reduce((total, part) => total + part, 0n);
    return amountFigure('value-so-far', amount, {
      ...facets,
      ...formula`${value} × ${unitsSoFar} ÷ ${all}`,
      rounding: halfEven,
    });
  };
  const before = index === 0 ? amountFigure('value-so-far', 0n, facets) : valueUpTo(index);
  return amountFigure('lot-value', lotMarketValue(found), {
    ...facets,
    ...formula`${valueUpTo(index + 1)} − ${before}`,
  });
}

function lotUnits(lot: OpenLot): Figure {
  return amountFigure('lot-units', lot.quantity, {
    unit: 'units',
    day: lot.acquired,
    source: lotSource(lot, lot.acquired),
  });
}
