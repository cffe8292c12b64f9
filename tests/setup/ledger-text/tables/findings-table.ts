// The table of findings to review before relying on a day's figures.

import { findings, type Finding } from '../../../../src/engine/history/findings.ts';
import type { ReportText } from '../reports.ts';
import { dayText, type ReportTable } from '../table-text.ts';
import { findingText } from './finding-text.ts';
import { coverageOf, instrumentText, lotText, rowText, type ReportSource } from './report-context.ts';

const columns = [
  'date',
  'instrument',
  'place',
  'row',
  'finding',
  'lot',
  'units',
  'change',
  'settlement',
  'stated',
  'expected',
  'accrued to',
];

export function findingsTable(source: ReportSource, report: ReportText): ReportTable {
  const { history, structure } = source;
  const found = findings(history, { day: report.to, covers: coverageOf(source, report) });
  const rows = found.map((finding) => ({
    date: 'day' in finding ? dayText(finding.day) : null,
    instrument: instrumentText(history.key(finding.position).instrument),
    place: structure.placeText(history.key(finding.position)),
    row: 'row' in finding && finding.row !== undefined ? rowText(source, finding.row) : null,
    finding: findingWords(finding),
    lot: 'lot' in finding ? lotText(source, finding.lot) : null,
    units: 'quantity' in finding ? finding.quantity : null,
    change: 'change' in finding ? finding.change : null,
    stated: 'stated' in finding ? finding.stated : null,
    expected: 'expected' in finding ? finding.expected.amount : null,
    'accrued to': 'accruedTo' in finding ? dayText(finding.accruedTo) : null,
    settlement: 'settlement' in finding ? dayText(finding.settlement) : null,
  }));
  return { columns, rows };
}

function findingWords(finding: Finding): string {
  return finding.kind === 'about-value' ? findingText(finding.finding) : finding.kind;
}
