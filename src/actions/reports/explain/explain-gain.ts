// What was gained when units were sold, explained: on one lot of one sale, or the sum of all that are asked about. Knows no wire.

import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import type { PositionRealisation } from '../../../engine/lots/lot-books.ts';
import { explainRealisation, type Figure } from '../../../engine/explanation/explanation.ts';
import type { Term } from '../../../engine/lots/lot.ts';
import { realisedGains } from '../../../engine/history/realised-gains.ts';
import type { FigureOf } from '../../../model/report/explainable-figures.ts';
import { liesIn, type AskedPlaces } from './place-filter.ts';
import { lotIdOf } from '../lots.ts';
import type { ReportScope } from '../report-basis.ts';
import { summedFigure, UnclearFigure, type Working } from './explanation-draft.ts';

export interface GainFigure {
  readonly scope: ReportScope;
  readonly places: AskedPlaces;
  readonly from: Day;
  readonly to: Day;
  readonly transaction: string | undefined;
  readonly lot: string | undefined;
  readonly term: Term | undefined;
}

type Word = FigureOf<'gain'>;

export function explainGains(figure: Word, asked: GainFigure): Working {
  const { scope, from, to } = asked;
  const { history, places, currency: unit } = scope;
  const all = realisedGains(history, { from, to, covers: places.covers });
  const some = all.filter(askedAmong(asked, all));
  if (some.length === 0 && asked.transaction !== undefined) {
    throw new UnclearFigure('transaction', 'Nothing of the kind was gained by a transaction of this id.');
  }
  if (figure === 'gainClassification' && some.length > 1) {
    throw new UnclearFigure('lot', 'Several lots were given up: one has to be named.');
  }
  const figures = some.map((one) => explainOne(figure, one, { scope, all }));
  const [first, ...others] = some;
  const of = first !== undefined && others.length === 0 ? { of: history.key(first.position) } : {};
  if (figure === 'gainClassification') return { explanation: figures[0]!, ...of };
  const value = some.reduce((total, one) => total + amountOf(figure, one), 0n);
  return { explanation: summedFigure('total', figures, { value, unit }), ...of };
}

function askedAmong(
  { scope, places, transaction, lot, term }: GainFigure,
  all: readonly PositionRealisation[],
): (one: PositionRealisation) => boolean {
  const isThere = liesIn(scope, places);
  const isNamed = transaction !== undefined || lot !== undefined;
  const ids = scope.idsOf(
    isNamed ? all.flatMap((one) => (one.lot === undefined ? [one.row] : [one.row, one.lot.row])) : [],
  );
  return (one) =>
    isThere(scope.history.key(one.position)) &&
    (transaction === undefined || ids.get(one.row) === transaction) &&
    (lot === undefined || (one.lot !== undefined && lotIdOf(one.lot, ids) === lot)) &&
    (term === undefined || one.term === term);
}

interface GainContext {
  readonly scope: ReportScope;
  readonly all: readonly PositionRealisation[];
}

function explainOne(figure: Word, realisation: PositionRealisation, { scope, all }: GainContext): Figure {
  const { row, position } = realisation;
  const ofRow = all.filter((one) => one.row === row && one.position === position);
  const request = { realisation, ofRow };
  switch (figure) {
    case 'realisedProceeds':
      return explainRealisation(scope.history, request, 'reference-gain').of![0]!;
    case 'realisedCost':
      return explainRealisation(scope.history, request, 'reference-gain').of![1]!;
    case 'realisedGain':
      return explainRealisation(scope.history, request, 'reference-gain');
    case 'pricePart':
      return explainRealisation(scope.history, request, 'price-part');
    case 'currencyPart':
      return explainRealisation(scope.history, request, 'currency-part');
    case 'gainClassification':
      return explainRealisation(scope.history, request, 'term');
  }
}

function amountOf(figure: Exclude<Word, 'gainClassification'>, one: PositionRealisation): Fixed {
  switch (figure) {
    case 'realisedProceeds':
      return one.referenceProceeds;
    case 'realisedCost':
      return one.referenceCost;
    case 'realisedGain':
      return one.referenceGain;
    default:
      return one[figure];
  }
}
