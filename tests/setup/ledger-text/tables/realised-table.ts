// The table of realised gains: lots closed within a date range.

import { realisedGains } from '../../../../src/engine/history/realised-gains.ts';
import type { ReportText } from '../reports.ts';
import { dayText, type ReportTable } from '../table-text.ts';
import { coverageOf, instrumentText, lotText, type ReportSource } from './report-context.ts';

const columns = [
  'date',
  'instrument',
  'place',
  'lot',
  'acquired',
  'units',
  'cost',
  'proceeds',
  'gain',
  'price part',
  'currency part',
  'own cost',
  'own proceeds',
  'own gain',
  'term',
];

export function realisedTable(source: ReportSource, report: ReportText): ReportTable {
  const { from, to } = report;
  const realised = realisedGains(source.history, { from, to, covers: coverageOf(source, report) });
  const rows = realised.map((one) => ({
    date: dayText(one.day),
    instrument: instrumentText(source.history.key(one.position).instrument),
    place: source.structure.placeText(source.history.key(one.position)),
    lot: one.lot === undefined ? null : lotText(source, one.lot),
    acquired: dayText(one.acquired),
    units: one.quantity,
    cost: one.referenceCost,
    proceeds: one.referenceProceeds,
    gain: one.referenceGain,
    'price part': one.pricePart,
    'currency part': one.currencyPart,
    'own cost': one.cost,
    'own proceeds': one.proceeds,
    'own gain': one.gain,
    term: one.term === 'long_term' ? 'long' : 'short',
  }));
  return { columns, rows };
}
