// Explains realised gains: on one lot of one sale, or the sum of all that match.

import { inputFigure } from '../../../engine/explanation/figure.ts';
import { defined } from '../../../kit/assert.ts';
import type { Day } from '../../../kit/day.ts';
import type { Fixed } from '../../../kit/fixed.ts';
import type { PositionRealisation } from '../../../engine/lots/lot-book-changes.ts';
import { explainRealisation, type Figure } from '../../../engine/explanation/explanation.ts';
import type { HoldingTerm } from '../../../engine/lots/lot.ts';
import { realisedGains } from '../../../engine/history/realised-gains.ts';
import type { FigureInGroup } from '../../../model/report/explainable-figures.ts';
import { matchesPlaces, type PlaceFilter } from './place-filter.ts';
import { reportedLotId } from '../lots.ts';
import type { ReportBasis } from '../report-basis.ts';
import { summedFigure, AmbiguousFigure, type ExplanationDraft } from './explanation-draft.ts';

interface GainFigureInput {
  readonly basis: ReportBasis;
  readonly places: PlaceFilter;
  readonly from: Day;
  readonly to: Day;
  readonly transaction: string | undefined;
  readonly lot: string | undefined;
  readonly term: HoldingTerm | undefined;
}

export type GainFigureName = FigureInGroup<'gain'>;

export function explainGains(figure: GainFigureName, input: GainFigureInput): ExplanationDraft {
  const { basis, from, to } = input;
  const { history, places, currency: unit } = basis;
  const all = realisedGains(history, { from, to, covers: places.covers });
  const matching = all.filter(matchesInput(input, all));
  if (matching.length === 0 && input.transaction !== undefined) {
    throw new AmbiguousFigure('transaction', 'No transaction with this id realised such a gain.');
  }
  if (figure === 'gainClassification' && matching.length > 1) {
    throw new AmbiguousFigure('lot', 'The transaction closed several lots: name one of them.');
  }
  if (
    figure === 'realisedQuantity' &&
    new Set(matching.map(({ position }) => history.key(position).instrument)).size > 1
  ) {
    throw new AmbiguousFigure('instrument', 'Units of several instruments do not add up: name one of them.');
  }
  const context = { basis, rowRealisations: rowRealisationFinder(all) };
  const figures = matching.map((one) => explainRealisedGain(figure, one, context));
  const [first, ...others] = matching;
  const of = first !== undefined && others.length === 0 ? { of: history.key(first.position) } : {};
  if (figure === 'gainClassification')
    return { explanation: defined(figures[0], 'a classification is asked for one realisation'), ...of };
  const value = matching.reduce((total, one) => total + gainAmount(figure, one), 0n);
  const ofUnits = figure === 'realisedQuantity' ? 'units' : unit;
  return { explanation: summedFigure('total', figures, { value, unit: ofUnits }), ...of };
}

function matchesInput(
  { basis, places, transaction, lot, term }: GainFigureInput,
  all: readonly PositionRealisation[],
): (one: PositionRealisation) => boolean {
  const isMatch = matchesPlaces(basis, places);
  const isNamed = transaction !== undefined || lot !== undefined;
  const ids = basis.findTransactionIds(
    isNamed ? all.flatMap((one) => (one.lot === undefined ? [one.row] : [one.row, one.lot.row])) : [],
  );
  return (one) =>
    isMatch(basis.history.key(one.position)) &&
    (transaction === undefined || ids.get(one.row) === transaction) &&
    (lot === undefined || (one.lot !== undefined && reportedLotId(one.lot, ids) === lot)) &&
    (term === undefined || one.term === term);
}

type RowRealisations = (one: PositionRealisation) => readonly PositionRealisation[];

/** Finds all realisations of the same row and position. */
export function rowRealisationFinder(all: readonly PositionRealisation[]): RowRealisations {
  const byRow = Map.groupBy(all, ({ row }) => row);
  return ({ row, position }) => (byRow.get(row) ?? []).filter((one) => one.position === position);
}

interface RealisationContext {
  readonly basis: ReportBasis;
  readonly rowRealisations: RowRealisations;
}

export function explainRealisedGain(
  figure: GainFigureName,
  realisation: PositionRealisation,
  { basis, rowRealisations: find }: RealisationContext,
): Figure {
  const rowRealisations = find(realisation);
  const request = { realisation, rowRealisations };
  switch (figure) {
    case 'realisedProceeds':
      return inputFigure(explainRealisation(basis.history, request, 'reference-gain'), 0);
    case 'realisedCost':
      return inputFigure(explainRealisation(basis.history, request, 'reference-gain'), 1);
    case 'realisedGain':
      return explainRealisation(basis.history, request, 'reference-gain');
    case 'pricePart':
      return explainRealisation(basis.history, request, 'price-part');
    case 'currencyPart':
      return explainRealisation(basis.history, request, 'currency-part');
    case 'gainClassification':
      return explainRealisation(basis.history, request, 'term');
    case 'realisedQuantity':
      return explainRealisation(basis.history, request, 'units-sold');
  }
}

export function gainAmount(figure: Exclude<GainFigureName, 'gainClassification'>, one: PositionRealisation): Fixed {
  switch (figure) {
    case 'realisedProceeds':
      return one.referenceProceeds;
    case 'realisedCost':
      return one.referenceCost;
    case 'realisedGain':
      return one.referenceGain;
    case 'realisedQuantity':
      return one.quantity;
    default:
      return one[figure];
  }
}
