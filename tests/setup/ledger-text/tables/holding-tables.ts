// The tables of holdings and of their lots at the end of a day.

import { conversionRate, type Conversion } from '../../../../src/engine/currencies/exchange-rates.ts';
import { holdings, lotSnapshotOf, type Holding } from '../../../../src/engine/history/holdings.ts';
import { unrealisedParts } from '../../../../src/engine/returns/unrealised-parts.ts';
import type { Valuation } from '../../../../src/engine/valuation/valuation.ts';
import type { ReportText } from '../reports.ts';
import { dayText, type ReportTable } from '../table-text.ts';
import { findingText } from './finding-text.ts';
import { coverageOf, instrumentText, lotText, type ReportSource } from './report-context.ts';

const holdingColumns = [
  'instrument',
  'place',
  'units',
  'value',
  'accrued',
  'cost',
  'own cost',
  'gain',
  'price part',
  'currency part',
  'source',
  'findings',
  'rate',
  'rate source',
];

export function holdingsTable(source: ReportSource, report: ReportText): ReportTable {
  const rows = listHoldings(source, report).map((holding) => ({
    instrument: instrumentText(holding.instrument),
    place: source.structure.placeText(holding),
    units: holding.quantity,
    value: holding.marketValue,
    accrued: holding.valuation.accrued,
    cost: holding.referenceCost,
    'own cost': holding.cost,
    gain: holding.unrealised,
    'price part': unrealisedParts(source.history, holding).price,
    'currency part': unrealisedParts(source.history, holding).currency,
    source: sourceText(holding.valuation),
    findings: findingsText(holding),
    rate: conversionRate(holding.conversion),
    'rate source': rateText(holding.conversion),
  }));
  return { columns: holdingColumns, rows };
}

function listHoldings(source: ReportSource, report: ReportText): readonly Holding[] {
  return holdings(source.history, { day: report.to, covers: coverageOf(source, report) });
}

/** `price 2024-01-02 stale`; for cash, the balance of the day itself. */
function sourceText({ source, day, isStale, isEstimated }: Valuation): string {
  const date = source === 'balance' ? null : dayText(day);
  return [source, date, isStale ? 'stale' : null, isEstimated ? 'estimated' : null].filter(Boolean).join(' ');
}

/** `2024-01-02 stale`: the oldest of the quoted rates. */
function rateText({ quoted }: Conversion): string | null {
  if (quoted.length === 0) return null;
  const isStale = quoted.some((one) => one.isStale);
  return [dayText(Math.min(...quoted.map(({ day }) => day))), isStale ? 'stale' : null].filter(Boolean).join(' ');
}

function findingsText({ valuation, isOverdrawn }: Holding): string | null {
  const found = [...valuation.findings.map(findingText), ...(isOverdrawn ? ['overdrawn'] : [])];
  return found.length === 0 ? null : found.join(', ');
}

const lotColumns = [
  'instrument',
  'place',
  'lot',
  'acquired',
  'units',
  'cost',
  'own cost',
  'unit cost',
  'own unit cost',
  'estimated',
];

export function lotsTable(source: ReportSource, report: ReportText): ReportTable {
  const rows = listHoldings(source, report).flatMap((holding) =>
    lotSnapshotOf(source.history, holding, report.to).lots.map((lot) => ({
      instrument: instrumentText(holding.instrument),
      place: source.structure.placeText(holding),
      lot: lotText(source, lot),
      acquired: dayText(lot.acquired),
      units: lot.quantity,
      cost: lot.referenceCost,
      'own cost': lot.cost,
      'unit cost': lot.referenceUnitCost,
      'own unit cost': lot.unitCost,
      estimated: lot.isEstimated ? 'estimated' : null,
    })),
  );
  return { columns: lotColumns, rows };
}
