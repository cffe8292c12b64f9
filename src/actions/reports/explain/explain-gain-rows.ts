// Explains the figures of rows of realised gains.

import type { ReportedGain } from '../../../model/report/realised-gain.ts';
import type { Work } from '../../core/work.ts';
import { reportedLotId } from '../lots.ts';
import type { GainsReport } from '../realised-gains.ts';
import { explainRealisedGain, type GainFigureName } from './explain-gain.ts';
import { RowExplainer, type RowExplanations } from './explain-rows.ts';

export const explainedGainFigures = [
  'proceeds',
  'cost',
  'gain',
  'pricePart',
  'currencyPart',
  'gainClassification',
] as const;
type GainRowFigure = (typeof explainedGainFigures)[number];

type ExplainedGain = ReportedGain & { readonly explanations: RowExplanations<GainRowFigure> };

export async function explainGainRows(
  work: Work,
  report: GainsReport,
  rows: readonly ReportedGain[],
): Promise<readonly ExplainedGain[]> {
  const { basis, realised: all } = report;
  const find = realisationFinder(report);
  const explainer = await RowExplainer.open(work, basis, rows.length * explainedGainFigures.length);
  const explained: ExplainedGain[] = [];
  for (const row of rows) {
    const realisation = find(row);
    const of = basis.history.key(realisation.position);
    const explanationOf = (figure: GainFigureName) => () => ({
      explanation: explainRealisedGain(figure, realisation, { basis, all }),
      of,
    });
    const explanations = await explainer.explain({
      proceeds: explanationOf('realisedProceeds'),
      cost: explanationOf('realisedCost'),
      gain: explanationOf('realisedGain'),
      pricePart: explanationOf('pricePart'),
      currencyPart: explanationOf('currencyPart'),
      gainClassification: explanationOf('gainClassification'),
    });
    explained.push({ ...row, explanations });
  }
  return explained;
}

/** Finds what a row reports. Of a lot that one transaction took from several times, the row with the same figures. */
function realisationFinder({ basis, realised }: GainsReport) {
  const ids = basis.findTransactionIds(
    realised.flatMap(({ row, lot }) => (lot === undefined ? [row] : [row, lot.row])),
  );
  const byTransaction = Map.groupBy(realised, ({ row }) => ids.get(row) ?? null);
  return (row: ReportedGain) => {
    const candidates = byTransaction.get(row.transactionId as never) ?? [];
    const found = candidates.find(
      (one) =>
        one.account === row.accountId &&
        one.depository === row.depositoryId &&
        one.instrument === row.instrumentId &&
        (one.lot === undefined ? null : reportedLotId(one.lot, ids)) === row.lotId &&
        one.quantity === row.quantity &&
        one.referenceGain === row.gain,
    );
    if (found === undefined) throw new RangeError('A row of the report is a realisation of the report.');
    return found;
  };
}
