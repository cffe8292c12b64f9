// Instruments: search, classes, their series with charts, and values by hand.

import { html } from '../../../../kit/html.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { postForm } from '../../parts/forms.ts';
import { card } from '../../parts/parts.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer } from '../../signed-in-page.ts';
import { resourceParts, type ResourceDefinition } from '../resource/resource-definition.ts';
import { resourcePages } from '../resource/resource-pages.ts';
import { showRecord } from '../resource/resource-record.ts';
import { findSeries, seriesSections, sourceTitles } from './series-section.ts';

const instruments: ResourceDefinition = {
  type: 'instrument',
  lede: 'What can be held: shares, bonds, funds, loans, private vehicles and more. Those without a client are shared by all.',
  columns: ['name', 'type', 'currency', 'isin', 'instrument_class_id', 'client_id'],
  filters: ['q', 'type', 'currency', 'isin', 'instrument_class_id'],
  sections: (page, record) => seriesSections(page, record),
  actions: (_page, record) => [{ title: 'Bookings', href: `/console/bookings?instrument_id=${record['id']}` }],
};

const classes: ResourceDefinition = {
  type: 'instrument-class',
  lede: 'How instruments are grouped in reports: each has one class, and classes have a parent.',
  columns: ['name', 'parent_id', 'asset_class', 'liquidity'],
  filters: ['name', 'parent_id'],
};

const rates: ResourceDefinition = {
  type: 'fx-rate',
  lede: 'What one unit of a currency is worth in another, day by day. All clients share them.',
  columns: ['base', 'date', 'rate', 'source'],
  filters: ['base', 'quote'],
};

const path = '/console/instruments/{id}/{series}';

function seriesWords(page: Page): NonNullable<ReturnType<typeof findSeries>> {
  const found = findSeries(page.params['series'] ?? '');
  if (found === undefined) throw new Refusal('path-not-found', 'There is no such series.');
  return found;
}

const addressOf = (page: Page): string => `/console/instruments/${encodeURIComponent(page.params['id'] ?? '')}`;

async function addPoint(page: Page): Promise<PageAnswer> {
  const { plural } = seriesWords(page);
  const id = encodeURIComponent(page.params['id'] ?? '');
  const body = { date: page.fields.get('date') ?? '', value: (page.fields.get('value') ?? '').trim() };
  const sent = await page.api.send('POST', `/v1/instruments/${id}/${plural}`, body);
  if (sent.ok) return { redirectUrl: `${addressOf(page)}?done=created` };
  const refused = { plural, problem: sent.problem };
  const shown = await showRecord(
    page,
    resourceParts({ ...instruments, sections: (at, record) => seriesSections(at, record, refused) }),
  );
  return { ...shown, status: sent.problem.status };
}

async function showPointDeletion(page: Page, problem?: string): Promise<PageAnswer> {
  const { plural, one } = seriesWords(page);
  const point = await page.api.get(`/v1/${plural}/${encodeURIComponent(page.params['point'] ?? '')}`);
  const facts = definitionList([
    { title: 'Day', value: page.formats.dateLong(point.date) },
    { title: 'Value', value: page.formats.quantity(point.value) },
    { title: 'From', value: sourceTitles[point.source] ?? point.source },
  ]);
  const form = postForm({
    action: page.address,
    formToken: page.formToken,
    reader: page.reader,
    fields: [],
    buttons: [
      { title: `Delete the ${one}`, kind: 'danger' },
      { title: 'Cancel', href: addressOf(page) },
    ],
    ...(problem === undefined ? {} : { messages: [problem] }),
  });
  const consequence = note('Figures that use it are calculated again without it. What was known before stays known.');
  return { title: `Delete a ${one}`, main: card('This value', html`${facts}${consequence}${form}`) };
}

async function deletePoint(page: Page): Promise<PageAnswer> {
  const { plural } = seriesWords(page);
  const sent = await page.api.send('DELETE', `/v1/${plural}/${encodeURIComponent(page.params['point'] ?? '')}`);
  return sent.ok ? { redirectUrl: `${addressOf(page)}?done=deleted` } : showPointDeletion(page, sent.problem.detail);
}

const area = 'console';

export const instrumentPages = [
  ...resourcePages(instruments),
  ...resourcePages(classes),
  ...resourcePages(rates, { without: ['change'] }),
  signedInForm({ id: 'instrument.point', path, summary: 'Add a value by hand', area, handle: addPoint }),
  signedInPage({
    id: 'instrument.point-delete',
    path: `${path}/{point}/delete`,
    summary: 'Delete a value',
    area,
    handle: (page) => showPointDeletion(page),
  }),
  signedInForm({
    id: 'instrument.point-delete-send',
    path: `${path}/{point}/delete`,
    summary: 'Delete a value',
    area,
    handle: deletePoint,
  }),
];
