// Holdings and their lots at the end of a day, as tables. Knows no return.

import { conversionRate } from '../../../../src/engine/currencies/exchange-rates.ts';
import { holdings, lotsOf, type Holding } from '../../../../src/engine/history/holdings.ts';
import type { Valuation } from '../../../../src/engine/valuation/valuation.ts';
import type { ReportText } from '../reports.ts';
import { dayText, type Table } from '../table-text.ts';
import { findingText } from './finding-text.ts';
import { coverageOf, lotText, type ReportSource } from './report-context.ts';

const holdingColumns = [
  'instrument',
  'place',
  'units',
  'value',
  'accrued',
  'cost',
  'own cost',
  'gain',
  'source',
  'findings',
  'rate',
];

export function holdingsTable(source: ReportSource, report: ReportText): Table {
  const rows = listHoldings(source, report).map((held) => ({
    instrument: held.instrument,
    place: source.structure.placeText(held),
    units: held.quantity,
    value: held.marketValue,
    accrued: held.valuation.accrued,
    cost: held.referenceCost,
    'own cost': held.cost,
    gain: held.unrealised,
    source: sourceText(held.valuation),
    findings: findingsText(held),
    rate: conversionRate(held.conversion),
  }));
  return { columns: holdingColumns, rows };
}

function listHoldings(source: ReportSource, report: ReportText): readonly Holding[] {
  return holdings(source.history, { day: report.to, covers: coverageOf(source, report) });
}

/** `price 2024-01-02 stale`; of money the balance is of the day itself. */
function sourceText({ source, day, isStale, isEstimated }: Valuation): string {
  const date = source === 'balance' ? null : dayText(day);
  return [source, date, isStale ? 'stale' : null, isEstimated ? 'estimated' : null].filter(Boolean).join(' ');
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

export function lotsTable(source: ReportSource, report: ReportText): Table {
  const rows = listHoldings(source, report).flatMap((held) =>
    lotsOf(source.history, held, report.to).lots.map((lot) => ({
      instrument: held.instrument,
      place: source.structure.placeText(held),
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
