// The audit log: who changed what and when, each line with what was before and after. Its filters are in the address.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { linkableAddress } from '../../parts/address.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { breakable } from '../../parts/breakable.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import { pagerHtml, tableHtml } from '../../tables/table-html.ts';
import type { WebPath } from '../../web-path.ts';
import { auditTable, differences, differenceTable, recordHref } from './audit-differences.ts';
import { AuditNames, subjectKind } from './audit-names.ts';
import { callerNames, dayStart, developerPage, home, isFiltered, listQuery, momentText, readList } from './frame.ts';
import { withParameters } from '../../parts/address.ts';

const address = `${home}/audit`;
const actWords: Readonly<Record<string, string>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
  'sign-in': 'signed in',
  'sign-out': 'signed out',
  export: 'exported',
};
const direct = ['credential_id', 'act', 'subject_type', 'subject_id', 'in_effect', 'client_id'];
const filterNames = [...direct, 'from', 'to'];
/** Each line brings a table of its own. */
const linesPerPage = '25';

function auditFilters(page: Page, names: ReadonlyMap<string, string>): Html {
  const value = (name: string): string => page.query.get(name) ?? '';
  const chosen = value('credential_id');
  const callers = [...names].filter(([id]) => !id.includes('-'));
  const known =
    callers.some(([id]) => id === chosen) || chosen === '' ? callers : [...callers, [chosen, chosen] as const];
  const fields: Field[] = [
    {
      kind: 'select',
      name: 'credential_id',
      label: 'Who',
      value: chosen,
      options: [{ value: '', title: 'Anyone' }, ...known.map(([id, title]) => ({ value: id, title }))],
    },
    {
      kind: 'select',
      name: 'act',
      label: 'What',
      value: value('act'),
      options: [
        { value: '', title: 'Anything' },
        ...Object.entries(actWords).map(([act, title]) => ({ value: act, title })),
      ],
    },
    { kind: 'text', name: 'subject_type', label: 'Type of record', value: value('subject_type') },
    { kind: 'text', name: 'subject_id', label: 'Id of the record', value: value('subject_id') },
    { kind: 'date', name: 'from', label: 'From', value: value('from') },
    { kind: 'date', name: 'to', label: 'To', value: value('to') },
    {
      kind: 'checkbox',
      name: 'in_effect',
      label: 'Access that is still there',
      isChecked: value('in_effect') === 'true',
    },
  ];
  return filterForm({ path: address, reader: page.reader, fields, isFiltered: isFiltered(page, filterNames) });
}

interface LineView {
  readonly who: string;
  readonly name: string | undefined;
  readonly isOpen: boolean;
}

function lineHtml(page: Page, line: any, { who, name, isOpen }: LineView): Html {
  const changedCount = differences(line).length;
  const href = linkableAddress(recordHref(line));
  const record = href === undefined ? emptyHtml : html`<li><a href="${href}">The record</a></li>`;
  const request =
    line.request_id === null
      ? emptyHtml
      : html`<li><a href="${home}/requests?request_id=${encodeURIComponent(line.request_id)}">Its request</a></li>`;
  const content = changedCount === 0 ? emptyHtml : tableHtml(differenceTable(page, line), { reader: page.reader });
  return html`<details class="line" ${isOpen ? html`open` : emptyHtml}>
    <summary>
      <span class="when">${momentText(page, line.at)}</span> ${breakable(who)} ${actWords[line.act] ?? line.act}
      ${subjectHtml(line, name)}
    </summary>
    <ul class="chips">
      ${record}
      <li><a href="${address}?subject_id=${encodeURIComponent(line.subject_id)}">All its changes</a></li>
      ${request}
    </ul>
    ${content}
  </details>`;
}

/** A sign-in is about whoever signed in, who was named before. */
function subjectHtml({ act, subject_type: type, subject_id: id }: any, name: string | undefined): Html {
  if (act === 'sign-in' || act === 'sign-out') return emptyHtml;
  return html`${subjectKind(type)} <strong>${breakable(name ?? id)}</strong>`;
}

async function showLog(page: Page): Promise<PageContent> {
  const query = listQuery(page, direct);
  const period = {
    since: dayStart(page.query.get('from')),
    until: dayStart(page.query.get('to'), { plusDays: 1 }),
  };
  const [audited, names] = await Promise.all([
    readList(page, '/v1/audit-log', { ...query, ...period, limit: linesPerPage }),
    callerNames(page),
  ]);
  const whoOf = ({ credential_id: credential, subject }: any): string =>
    names.get(credential ?? subject) ?? credential ?? subject ?? 'The service';
  const isOpen = page.query.get('subject_id') !== null;
  const { data, nextCursor } = audited;
  const subjects = await AuditNames.read(page, data);
  const lines = data.map((line) => lineHtml(page, line, { who: whoOf(line), name: subjects.nameOf(line), isOpen }));
  const table = auditTable(page, audited, whoOf);
  const file = (format: string): string => withParameters(page.address, { table: table.id, format, cursor: null });
  const cursor = page.query.get('cursor') ?? undefined;
  const list =
    data.length === 0
      ? emptyState({ title: 'Nothing was found', text: 'No change matches. Choose other filters or a longer time.' })
      : html`<section class="card log" aria-label="Audit log">${lines}</section>
          <p class="files"><a href="${file('csv')}">CSV</a> <a href="${file('xlsx')}">XLSX</a></p>
          ${pagerHtml({ reader: page.reader, address: page.address, cursor, nextCursor })}`;
  return developerPage({
    tab: '/audit',
    title: 'Audit log',
    lede: html`Every change, sign-in and export, with who made it. Lines are chained by hash and are never changed.`,
    main: html`${auditFilters(page, names)}${list}`,
    tables: [table],
  });
}

export const auditPages: readonly WebPath[] = [
  signedInPage({ id: 'developers-audit', path: address, area: 'console', summary: 'The audit log', handle: showLog }),
];
