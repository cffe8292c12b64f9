// Explains the figures of rows of open lots.

import { append } from '../../../kit/memory/long-list.ts';
import { defined } from '../../../kit/assert.ts';
import type { Pieces } from '../../../kit/turns/pieces.ts';
import type { LotWithPosition } from '../../../model/report/lot.ts';
import type { Work } from '../../core/work.ts';
import type { DayReport } from '../day-report.ts';
import { positionIds, reportedLotId } from '../lots.ts';
import { explainKnownLot, listOpenLots, type FoundLot } from './explain-lot.ts';
import { draftsOf, RowExplainer, type RowExplanations } from './explain-rows.ts';

export const explainedLotFigures = [
  'quantity',
  'unitCost',
  'costBasis',
  'marketValue',
  'unrealisedPnl',
  'unrealisedPricePart',
  'unrealisedCurrencyPart',
] as const;
type LotFigureName = (typeof explainedLotFigures)[number];

type ExplainedLot = LotWithPosition & { readonly explanations: RowExplanations<LotFigureName> };

export async function explainLotRows(
  work: Work,
  report: DayReport,
  rows: readonly LotWithPosition[],
): Promise<readonly ExplainedLot[]> {
  const { basis } = report;
  const explainer = await RowExplainer.open(work, basis, rows.length * explainedLotFigures.length);
  const find = await explainer.run(lotFinder(report, rows));
  return explainer.explainAll(rows, (row) => {
    const found = find(row);
    return draftsOf(explainedLotFigures, (figure) => explainKnownLot(figure, report, found));
  });
}

/** Finds the lots of all rows at once: their transactions are looked up in the whole ledger. */
function* lotFinder(
  { basis, day, holdings }: DayReport,
  rows: readonly LotWithPosition[],
): Pieces<(row: LotWithPosition) => FoundLot> {
  const placeOf = (ids: Pick<LotWithPosition, 'instrumentId' | 'accountId' | 'depositoryId'>): string =>
    [ids.instrumentId, ids.accountId, ids.depositoryId].join(' ');
  const places = new Set(rows.map(placeOf));
  const open: FoundLot[] = [];
  for (const holding of holdings) {
    if (!places.has(placeOf(positionIds(holding)))) continue;
    append(open, listOpenLots(basis, holding, day));
    yield;
  }
  const ids = basis.findTransactionIds(open.map(({ lot }) => lot.row));
  const found = new Map(
    open.map((one) => [`${placeOf(positionIds(one.holding))} ${reportedLotId(one.lot, ids)}`, one]),
  );
  return (row) => defined(found.get(`${placeOf(row)} ${row.id}`), 'a row of the report is an open lot');
}
