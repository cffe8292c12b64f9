// What a line of the audit log changed, field by field, before and after.

import type { Page } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Row, Table } from '../../tables/table.ts';
import { recordAddress } from '../resource/record-kinds.ts';
import { home, momentText, type ReadList } from './frame.ts';

export interface Difference {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The fields that differ; of a record that was created or deleted, those that it had. */
export function differences({ before, after }: { readonly before: any; readonly after: any }): readonly Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({ field, before: valueText(before?.[field]), after: valueText(after?.[field]) }))
    .filter((one) => one.before !== one.after);
}

const differenceColumns = [
  { key: 'field', title: 'Field', kind: 'text' },
  { key: 'before', title: 'Before', kind: 'text', wide: true },
  { key: 'after', title: 'After', kind: 'text', wide: true },
] as const;

function differenceCells({ field, before, after }: Difference): Row['cells'] {
  return [{ value: field }, { value: before }, { value: after }];
}

export function differenceTable(page: Page, line: any): Table {
  return {
    id: `changes-${line.id}`,
    caption: `Before and after ${line.act} ${momentText(page, line.at)}, ${line.id.slice(-6)}`,
    columns: differenceColumns,
    rows: differences(line).map((one) => ({ cells: differenceCells(one) })),
  };
}

/** All lines as one table, for files: a row for each changed field. */
export function auditTable(page: Page, { list, data }: ReadList, whoOf: (line: any) => string): Table {
  const rowsOf = (line: any): readonly Row[] => {
    const common = [
      { value: line.at, text: () => momentText(page, line.at) },
      { value: whoOf(line) },
      { value: line.act },
      { value: line.subject_type },
      { value: line.subject_id },
    ];
    const changed = differences(line);
    const listed = changed.length === 0 ? [{ field: '', before: null, after: null }] : changed;
    return listed.map((one) => ({ cells: [...common, ...differenceCells(one)] }));
  };
  return {
    id: 'audit-log',
    caption: 'Audit log',
    columns: [
      { key: 'at', title: 'When', kind: 'text' },
      { key: 'who', title: 'Who', kind: 'text' },
      { key: 'act', title: 'What', kind: 'text' },
      { key: 'type', title: 'Record', kind: 'text' },
      { key: 'id', title: 'Id', kind: 'text' },
      ...differenceColumns,
    ],
    ...listRows(page, { list, shown: data, rowsOf }),
  };
}

const ownPages: Readonly<Record<string, string>> = {
  application: `${home}/applications`,
  key: `${home}/keys`,
  webhook: `${home}/webhooks`,
};

/** The page of a record that is still there, as far as the console has one. */
export function recordHref({ act, subject_type: type, subject_id: id }: any): string | undefined {
  if (act === 'delete') return undefined;
  const list = ownPages[type];
  return list === undefined ? recordAddress(type, id) : `${list}/${encodeURIComponent(id)}`;
}
