// The words of the inbox, what a person chose to see, and all findings as a table for files.

import { findingTitles } from '../../portal/data-quality/data-quality-texts.ts';
import type { Page } from '../../signed-in-page.ts';
import type { Row, Table } from '../../tables/table.ts';
import type { SeenClient } from '../seen-records.ts';
import type { InboxEntity, InboxFinding } from './inbox-findings.ts';
import type { Names } from './inbox-names.ts';
import { remediesOf, type RemedyRecords } from './remedies.ts';

export const titles: Readonly<Record<string, string>> = findingTitles.en;

export const severities = {
  error: { title: 'Figures are missing or incomplete', tone: 'down' },
  warning: { title: 'Figures may be wrong', tone: 'warn' },
  notice: { title: 'Figures rest on an assumption', tone: 'soft' },
} as const;

export function severityOf({ severity }: { readonly severity: keyof typeof severities }): {
  readonly title: string;
  readonly tone: 'down' | 'warn' | 'soft';
} {
  return severities[severity];
}

export interface Chosen {
  readonly clients: readonly SeenClient[];
  readonly entities: readonly InboxEntity[];
  readonly client: string;
  readonly entity: string;
  readonly severity: string;
  readonly code: string;
  readonly currency: string;
  /** Reference currencies of the clients, the most frequent first. */
  readonly currencies: readonly string[];
}

export interface InboxView {
  readonly chosen: Chosen;
  readonly names: Names;
  readonly records: RemedyRecords;
}

/** All findings with their words, for files. */
export function findingsTable(rows: Pick<Table, 'rows' | 'fileRows'>, chosen: Chosen): Table {
  return {
    id: 'findings',
    caption: 'Findings by what each could move',
    columns: [
      { key: 'code', title: 'Finding', kind: 'text' },
      { key: 'effect', title: `Could move (${chosen.currency})`, kind: 'money', currency: chosen.currency },
      { key: 'severity', title: 'Weight', kind: 'text' },
      { key: 'instrument', title: 'Instrument', kind: 'text' },
      { key: 'place', title: 'Account or depository', kind: 'text' },
      { key: 'entity', title: 'Reporting entity', kind: 'text' },
      { key: 'date', title: 'Date', kind: 'date' },
      { key: 'remedy', title: 'What to do', kind: 'text', wide: true },
      { key: 'page', title: 'Where', kind: 'text' },
    ],
    ...rows,
  };
}

export function findingRow(page: Page, found: InboxFinding, { names, records }: InboxView): Row {
  const { finding, entity } = found;
  return {
    cells: [
      { value: titles[finding.code] ?? finding.code },
      { value: finding.effect },
      { value: severityOf(finding).title },
      { value: names.nameOf(finding.instrument_id) },
      { value: names.nameOf(finding.account_id ?? finding.depository_id) },
      { value: entity.name },
      { value: finding.date },
      { value: finding.remedy },
      { value: remediesOf(page, found, records)[0]?.href ?? null },
    ],
  };
}
