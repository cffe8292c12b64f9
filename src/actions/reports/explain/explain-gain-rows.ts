// Explains the figures of rows of realised gains, and of their totals.

import { amountFigure, lazyFigure, sumOperands, type Figure } from '../../../engine/explanation/figure.ts';
import type { PositionRealisation } from '../../../engine/lots/lot-book-changes.ts';
import {
  explainedGainSumFigures,
  type GainSum,
  type GainTotals,
  type ReportedGain,
  type SegmentGains,
} from '../../../model/report/realised-gain.ts';
import type { Work } from '../../core/work.ts';
import { reportedLotId } from '../lots.ts';
import type { GainsReport, SegmentRealisations } from '../realised-gains.ts';
import { explainRealisedGain, gainAmount, rowRealisationFinder, type GainFigureName } from './explain-gain.ts';
import { draftsOf, RowExplainer, type RowExplanations } from './explain-rows.ts';

export const explainedGainFigures = [
  'quantity',
  'proceeds',
  'cost',
  'gain',
  'pricePart',
  'currencyPart',
  'gainClassification',
] as const;
type GainRowFigure = (typeof explainedGainFigures)[number];

type ExplainedGain = ReportedGain & { readonly explanations: RowExplanations<GainRowFigure> };

interface GainRows {
  readonly rows: readonly ReportedGain[];
  readonly totals: GainTotals;
  /** What the subtotals are the sums of. */
  readonly segments: readonly SegmentRealisations[] | undefined;
}

interface ExplainedGains {
  readonly data: readonly ExplainedGain[];
  readonly totals: GainTotals;
  readonly subtotals: readonly SegmentGains[] | undefined;
}

const sumsOfTotals = 3;

export async function explainGainRows(
  work: Work,
  report: GainsReport,
  { rows, totals, segments }: GainRows,
): Promise<ExplainedGains> {
  const { basis, realised: all } = report;
  const sums = sumsOfTotals * (1 + (segments?.length ?? 0));
  const count = rows.length * explainedGainFigures.length + sums * explainedGainSumFigures.length;
  const explainer = await RowExplainer.open(work, basis, count);
  const context = { basis, rowRealisations: rowRealisationFinder(all) };
  const data = await explainRows(report, rows, { explainer, context });
  const explainTotals = async (own: GainTotals, realised: readonly PositionRealisation[]): Promise<GainTotals> => {
    const ofTerm = (term: PositionRealisation['term']) => realised.filter((one) => one.term === term);
    const sum = (one: GainSum, parts: SumParts) => explainSum({ explainer, context }, one, parts);
    return {
      shortTerm: await sum(own.shortTerm, { realised: ofTerm('short_term') }),
      longTerm: await sum(own.longTerm, { realised: ofTerm('long_term') }),
      total: await sum(own.total, { terms: own }),
    };
  };
  const explainedTotals = await explainTotals(totals, all);
  const subtotals: SegmentGains[] = [];
  for (const { names, realised, totals: own } of segments ?? [])
    subtotals.push({ ...names, ...(await explainTotals(own, realised)) });
  return { data, totals: explainedTotals, subtotals: segments && subtotals };
}

interface GainExplainer {
  readonly explainer: RowExplainer;
  readonly context: Parameters<typeof explainRealisedGain>[2];
}

async function explainRows(
  report: GainsReport,
  rows: readonly ReportedGain[],
  { explainer, context }: GainExplainer,
): Promise<readonly ExplainedGain[]> {
  const find = realisationFinder(report);
  return explainer.explainAll(rows, (row) => {
    const realisation = find(row);
    const of = report.basis.history.key(realisation.position);
    return draftsOf(explainedGainFigures, (name) => ({
      explanation: explainRealisedGain(rowFigures[name], realisation, context),
      of,
    }));
  });
}

const sumFigures = {
  proceeds: 'realisedProceeds',
  cost: 'realisedCost',
  gain: 'realisedGain',
  pricePart: 'pricePart',
  currencyPart: 'currencyPart',
} as const satisfies Readonly<Record<(typeof explainedGainSumFigures)[number], GainFigureName>>;

const rowFigures = {
  ...sumFigures,
  quantity: 'realisedQuantity',
  gainClassification: 'gainClassification',
} as const satisfies Readonly<Record<GainRowFigure, GainFigureName>>;

/** A sum of realisations; that of everything is the sum of the two terms. */
type SumParts = { readonly realised: readonly PositionRealisation[] } | { readonly terms: GainTotals };

async function explainSum({ explainer, context }: GainExplainer, sum: GainSum, parts: SumParts): Promise<GainSum> {
  const { currency: unit } = context.basis;
  const partsOf = (name: keyof typeof sumFigures): readonly Figure[] =>
    'terms' in parts
      ? [
          amountFigure('short-term', parts.terms.shortTerm[name], { unit }),
          amountFigure('long-term', parts.terms.longTerm[name], { unit }),
        ]
      : parts.realised.map((one) => lazyGain(sumFigures[name], one, context));
  const drafts = draftsOf(explainedGainSumFigures, (name) => ({
    explanation: amountFigure('total', sum[name], { unit, ...sumOperands(partsOf(name)) }),
  }));
  return { ...sum, explanations: await explainer.explain(drafts) };
}

/** A total may have many parts, of which few are shown. */
function lazyGain(
  figure: (typeof sumFigures)[keyof typeof sumFigures],
  one: PositionRealisation,
  context: GainExplainer['context'],
): Figure {
  const { basis } = context;
  const known = { unit: basis.currency, day: one.day, source: { kind: 'row', row: one.row } } as const;
  return lazyFigure(lazyNames[figure], gainAmount(figure, one), known, () => explainRealisedGain(figure, one, context));
}

const lazyNames = {
  realisedProceeds: 'reference-proceeds',
  realisedCost: 'reference-cost',
  realisedGain: 'reference-gain',
  pricePart: 'price-part',
  currencyPart: 'currency-part',
} as const;

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
