// One booking: what it says, every version of it with what changed, and a way to what that changed in the figures.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Formats } from '../../language/formats.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { card, tableCard } from '../../parts/parts.ts';
import { tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { bookingWord } from './activity-rows.ts';
import { activityTexts } from './activity-texts.ts';

export const transactionPage = entityPage({
  id: 'entity-transaction',
  path: '/activity/{transaction}',
  summary: 'A booking of a reporting entity with its versions',
  controls: [],
  title: ({ page }, name) => `${activityTexts[page.reader.language].now} · ${name}`,
  async read(view) {
    const { api, params, reader } = view.page;
    const text = activityTexts[reader.language];
    const id = encodeURIComponent(params['transaction'] ?? '');
    const { data: versions } = await api.get(`/v1/transactions/${id}/versions`, {
      reporting_entity_id: view.entityId,
    });
    const last = versions.at(-1);
    const table = versionsTable(view, versions);
    return {
      main: html`<p><a href="${view.href('/activity')}">${text.back}</a></p>
        ${last.ended_at === null ? emptyHtml : note(last.cancelled_by === null ? text.isDeleted : text.isCancelled, { tone: 'warn' })}
        ${card(bookingWord(last, reader.language), definitionList(factsOf(view, last)))}
        ${tableCard(html`${tableHtml(table, { reader })}${effectLinks(view, versions)}`)}`,
      tables: [table],
    };
  },
});

/** The fields that are shown and compared, with the words for their values. */
const fields = [
  'date',
  'settlementDate',
  'what',
  'instrument',
  'account',
  'counterAccount',
  'quantity',
  'price',
  'amount',
  'counterAmount',
  'fees',
  'taxes',
  'comment',
] as const;
type FieldName = (typeof fields)[number];

function fieldText(view: EntityView, booking: any, field: FieldName): string | null {
  const { formats, reader } = view.page;
  switch (field) {
    case 'date':
      return formats.dateLong(booking.date);
    case 'settlementDate':
      return booking.settlement_date === null ? null : formats.dateLong(booking.settlement_date);
    case 'what':
      return bookingWord(booking, reader.language);
    case 'instrument':
      return booking.instrument_name;
    case 'account':
      return booking.account_name;
    case 'counterAccount':
      return booking.counter_account_name;
    case 'amount':
      return moneyText(formats, booking.amount, booking.currency);
    case 'counterAmount':
      if (booking.counter_currency === booking.currency) return null;
      return moneyText(formats, booking.counter_amount, booking.counter_currency);
    case 'comment':
      return booking.comment;
    default:
      return booking[field] === null ? null : formats.quantity(booking[field]);
  }
}

function moneyText(formats: Formats, amount: string | null, currency: string | null): string | null {
  if (amount === null) return null;
  return currency === null ? formats.quantity(amount) : formats.moneyWithCode(amount, currency);
}

function factsOf(view: EntityView, booking: any): { title: string; value: string; href?: string }[] {
  const text = activityTexts[view.page.reader.language];
  const { instrument_id: instrument, account_id: account } = booking;
  const hrefs: Partial<Record<FieldName, string>> = {
    ...(instrument === null ? {} : { instrument: view.href('/activity', { instrument }) }),
    ...(account === null ? {} : { account: view.href('/activity', { account }) }),
  };
  const shown = fields.filter((field) => field !== 'what');
  return shown.flatMap((field) => {
    const value = fieldText(view, booking, field);
    const href = hrefs[field];
    return value === null ? [] : [{ title: text[field], value, ...(href === undefined ? {} : { href }) }];
  });
}

/** One row for each field that a version changed; the first and the end have a row without fields. */
function versionsTable(view: EntityView, versions: readonly any[]): Table {
  const text = activityTexts[view.page.reader.language];
  const { formats, timeZone } = view.page;
  const row = (what: string, changed: readonly (string | null)[] = [null, null, null]): Table['rows'][number] => ({
    cells: [{ value: what }, ...changed.map((value) => ({ value }))],
  });
  const rows = versions.flatMap((version, index) => {
    const before = versions[index - 1];
    const moment = formats.datetime(version.recorded_at, timeZone);
    if (before === undefined) return [row(text.booked(moment))];
    const changes = fields.flatMap((field) => {
      const [from, to] = [fieldText(view, before, field), fieldText(view, version, field)];
      return from === to ? [] : [row(text.amended(moment), [text[field], from ?? '–', to ?? '–'])];
    });
    return changes.length === 0 ? [row(text.amended(moment), [text.noChange, null, null])] : changes;
  });
  const { ended_at: ended, cancelled_by: by } = versions.at(-1);
  const end = (moment: string): string =>
    by === null ? text.deleted(moment) : text.endedByRow(moment, by.row, by.file_name ?? text.aStatement);
  return {
    id: 'versions',
    caption: versions.length === 1 && ended === null ? text.onlyOne : text.versions,
    columns: [
      { key: 'when', title: text.date, kind: 'text' },
      { key: 'field', title: text.changed, kind: 'text' },
      { key: 'before', title: text.before, kind: 'text', wide: true },
      { key: 'after', title: text.after, kind: 'text', wide: true },
    ],
    rows: ended === null ? rows : [...rows, row(end(formats.datetime(ended, timeZone)))],
  };
}

/** The difference between what was known just before each correction and today. */
function effectLinks(view: EntityView, versions: readonly any[]): Html {
  const { page } = view;
  const text = activityTexts[page.reader.language];
  const { ended_at: ended } = versions.at(-1);
  const moments: string[] = [...versions.slice(1).map((one) => one.recorded_at), ...(ended === null ? [] : [ended])];
  if (moments.length === 0) return emptyHtml;
  return html`<ul>
    ${moments.map((moment) => {
      const before = new Date(Date.parse(moment) - 1).toISOString();
      return html`<li>
        <a href="${view.href('/known', { known_at: before })}">${text.effect}</a>
        (${page.formats.datetime(moment, page.timeZone)})
      </li>`;
    })}
  </ul>`;
}
