// Bookings by hand: the list, a new one with its amount checked before it is booked, amending and deleting, and the versions of each.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { writeJson } from '../../../../kit/json.ts';
import { note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable } from '../console-table.ts';
import { callerNames } from '../developers/frame.ts';
import type { ApiRecord } from '../resource/record-view.ts';
import { resourceParts, type RecordSections, type ResourceDefinition } from '../resource/resource-definition.ts';
import { placeFaults } from '../resource/resource-form.ts';
import { resourcePages } from '../resource/resource-pages.ts';
import { creationPage, noFaults, readCreation } from '../resource/resource-write.ts';
import { fieldTitle, valueTitle } from '../resource/words.ts';
import { bookingList } from './booking-list.ts';

const path = '/console/bookings';
const checkPath = `${path}/check`;
const versionsMax = 50;

const bookings: ResourceDefinition = {
  type: 'transaction',
  lede: 'What happened, day by day.',
  columns: ['date', 'type', 'account_id', 'instrument_id', 'quantity', 'amount', 'currency'],
  changeNote: 'The values before are kept as a version: reports as known before do not change.',
  notInForms: ['executed_at'],
  creationExtras: (page) => ({ main: checkPart(page), islands: ['booking-check'] }),
  sections: versionsSection,
};

/** Without scripts its button asks; with them the island asks while somebody types. */
function checkPart(page: Page): Html {
  const address = `${checkPath}${page.address.replace(/^[^?]*/, '')}`;
  return html`<div class="check-result" data-booking-check="${address}" role="status"></div>
    <p><button class="quiet" formaction="${address}" formnovalidate>Check without booking</button></p>`;
}

/** Checks the form as booking would, and books nothing. */
async function checkBooking(page: Page): Promise<PageAnswer> {
  const parts = resourceParts(bookings);
  const { fields, values, body, errors } = readCreation(page, parts);
  if (errors.size > 0) return creationPage(page, parts, { fields, values, faults: { errors, messages: [] } });
  const mediaType = 'application/x-ndjson';
  const chunks = oneChunk(Buffer.from(`${writeJson(body)}\n`));
  const sent = await page.api.upload('/v1/transactions/bulk', { mode: 'dry-run' }, { chunks, mediaType });
  if (!sent.ok) return creationPage(page, parts, { fields, values, faults: placeFaults(sent.problem, fields) });
  if (sent.body.refused === 0) {
    const text = sent.body.amended > 0 ? 'It would amend the booking with this reference.' : 'All figures agree.';
    const notice = html`<div data-check-outcome="good">
      ${note(`${text} Nothing is booked yet.`, { tone: 'good' })}
    </div>`;
    return creationPage(page, parts, { fields, values, faults: noFaults, notice });
  }
  const found: readonly any[] = sent.body.errors;
  const problem = {
    status: 422,
    code: String(found[0]?.code),
    title: 'Not booked',
    detail: String(found[0]?.detail),
    errors: found.map(({ code, detail, pointer }) => ({
      code,
      detail,
      pointer: String(pointer ?? '').replace(/^\/data\/0/, ''),
    })),
  };
  return creationPage(page, parts, { fields, values, faults: placeFaults(problem, fields) });
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/** Who booked and amended it, when, and what changed. */
async function versionsSection(page: Page, record: ApiRecord): Promise<RecordSections> {
  const [entries, names] = await Promise.all([
    page.api.get('/v1/audit-log', {
      subject_type: 'transaction',
      subject_id: record['id'],
      limit: String(versionsMax),
    }),
    callerNames(page),
  ]);
  if (entries.data.length === 0) return { main: emptyHtml };
  const table = versionsTable(page, entries.data, names);
  return { main: card('Versions', consoleTable(page, table)), tables: [table] };
}

function versionsTable(page: Page, entries: readonly any[], names: ReadonlyMap<string, string>): Table {
  const nameOf = (id: string | null): string => (id === null ? 'The service' : (names.get(id) ?? id));
  return {
    id: 'versions',
    caption: 'What was done to it, the newest first',
    columns: [
      { key: 'at', title: 'When', kind: 'text' },
      { key: 'act', title: 'What', kind: 'text' },
      { key: 'by', title: 'Who', kind: 'text' },
      { key: 'changes', title: 'Changes', kind: 'text', wide: true },
    ],
    rows: entries.map((entry) => ({
      cells: [
        { value: entry.at, text: page.formats.datetime(entry.at, page.timeZone) },
        { value: entry.act, text: valueTitle(entry.act) },
        { value: nameOf(entry.subject ?? entry.credential_id) },
        { value: changesText(entry) },
      ],
    })),
  };
}

/** Each field that differs, with its value before and after. */
function changesText({ before, after }: any): string | null {
  if (before === null || after === null) return null;
  const changed = Object.keys(after).filter((name) => textOf(before[name]) !== textOf(after[name]));
  return (
    changed.map((name) => `${fieldTitle(name)}: ${textOf(before[name])} → ${textOf(after[name])}`).join('; ') || null
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const bookingPages = [
  signedInPage({ id: 'bookings', path, summary: 'Bookings', area: 'console', handle: bookingList }),
  signedInForm({
    id: 'booking.check',
    path: checkPath,
    summary: 'Check a booking without booking it',
    area: 'console',
    handle: checkBooking,
  }),
  ...resourcePages(bookings, { without: ['list'] }),
];
