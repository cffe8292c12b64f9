// The figures of one open lot, explained: what it cost, what a unit of it cost, and its part of what its position is worth. Knows no
// wire.

import type { Fixed } from '../../../kit/fixed.ts';
import {
  explainLots,
  explainMarketValue,
  explainUnitCost,
  type Figure,
} from '../../../engine/explanation/explanation.ts';
import { lotSource } from '../../../engine/explanation/cost.ts';
import { amountFigure, formula, halfEven, sum } from '../../../engine/explanation/figure.ts';
import { lotsOf, type Holding } from '../../../engine/history/holdings.ts';
import { lotValues } from '../../../engine/lots/lot-values.ts';
import type { LotSnapshot, OpenLot } from '../../../engine/lots/lot.ts';
import type { FigureOf } from '../../../model/report/explainable-figures.ts';
import { heldIn, type HoldingFigure } from './explain-holding.ts';
import { lotIdOf } from '../lots.ts';
import { UnclearFigure, type Working } from './explanation-draft.ts';

export interface LotFigure extends HoldingFigure {
  readonly lot: string;
}

interface FoundLot {
  readonly holding: Holding;
  readonly snapshot: LotSnapshot;
  readonly lot: OpenLot;
}

export function explainLot(
  figure: Exclude<FigureOf<'holding'>, 'share' | 'accruedInterest' | 'valuation'>,
  asked: LotFigure,
): Working {
  const found = getLot(asked);
  return { explanation: explainFound(figure, asked, found), of: found.holding };
}

function getLot(asked: LotFigure): FoundLot {
  const { scope, day } = asked;
  const open = heldIn(asked).flatMap((holding) => {
    const snapshot = lotsOf(scope.history, holding, day);
    return snapshot.lots.map((lot) => ({ holding, snapshot, lot }));
  });
  const ids = scope.idsOf(open.map(({ lot }) => lot.row));
  const [found, ...others] = open.filter(({ lot }) => lotIdOf(lot, ids) === asked.lot);
  if (found === undefined) throw new UnclearFigure('lot', 'No lot of this id is open on that day.');
  if (others.length > 0) {
    throw new UnclearFigure(
      'lot',
      'Lots of several positions have this id: their instrument or place tells them apart.',
    );
  }
  return found;
}

function explainFound(
  figure: Exclude<FigureOf<'holding'>, 'share' | 'accruedInterest' | 'valuation'>,
  asked: LotFigure,
  found: FoundLot,
): Figure {
  const { scope, day } = asked;
  const { lot, holding } = found;
  switch (figure) {
    case 'quantity':
      return unitsOf(lot);
    case 'unitCost':
      return explainUnitCost(scope.history, { position: holding.position, lot, day, field: 'referenceCost' });
    case 'costBasis':
      return costOf(asked, found);
    case 'marketValue':
      return valueOf(asked, found);
    case 'unrealisedPnl': {
      const [value, cost] = [valueOf(asked, found), costOf(asked, found)];
      const gained = partOf(found) - lot.referenceCost;
      return amountFigure('unrealised', gained, { unit: scope.currency, day, ...formula`${value} − ${cost}` });
    }
  }
}

/** Under AVERAGE its units cost what those of the whole position do on the average. */
function costOf({ scope, day }: LotFigure, { snapshot, lot, holding }: FoundLot): Figure {
  const { history, currency: unit } = scope;
  if (history.facts.settings.method === 'AVERAGE') {
    return explainLots(snapshot, { unit, field: 'referenceCost' }).of![snapshot.lots.indexOf(lot)]!;
  }
  const { position } = holding;
  return explainUnitCost(history, { position, lot, day, field: 'referenceCost' }).of![0]!;
}

function partOf({ holding, snapshot, lot }: FoundLot): Fixed {
  return lotValues(holding.marketValue, snapshot.lots)[snapshot.lots.indexOf(lot)]!;
}

/** What the running total of the lots' parts rises by with this one, so that all of them add up to the value. */
function valueOf({ scope, day }: LotFigure, found: FoundLot): Figure {
  const { holding, snapshot, lot } = found;
  const facets = { unit: scope.currency, day };
  const value = explainMarketValue(scope.history, holding);
  const index = snapshot.lots.indexOf(lot);
  const all = amountFigure('held-units', snapshot.quantity, { unit: 'units', ...sum(snapshot.lots.map(unitsOf)) });
  const parts = lotValues(holding.marketValue, snapshot.lots);
  const upTo = (count: number): Figure => {
    const some = snapshot.lots.slice(0, count);
    const units = some.reduce((total, { quantity }) => total + quantity, 0n);
    const counted = amountFigure('units-so-far', units, { unit: 'units', ...sum(some.map(unitsOf)) });
    const amount = parts.slice(0, count).reduce((total, part) => total + part, 0n);
    return amountFigure('value-so-far', amount, {
      ...facets,
      ...formula`${value} × ${counted} ÷ ${all}`,
      rounding: halfEven,
    });
  };
  const before = index === 0 ? amountFigure('value-so-far', 0n, facets) : upTo(index);
  return amountFigure('lot-value', partOf(found), { ...facets, ...formula`${upTo(index + 1)} − ${before}` });
}

function unitsOf(lot: OpenLot): Figure {
  return amountFigure('lot-units', lot.quantity, {
    unit: 'units',
    day: lot.acquired,
    source: lotSource(lot, lot.acquired),
  });
}
