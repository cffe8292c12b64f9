// The time series of an instrument on its page: a chart with its table, the newest values, and adding or deleting one by hand.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { instrumentTypes } from '../../../../model/instrument/instrument.ts';
import { lineChart } from '../../charts/line-chart.ts';
import { withParameters } from '../../parts/address.ts';
import { postForm } from '../../parts/forms.ts';
import { emptyState, note } from '../../parts/notes.ts';
import { card, chips } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import type { Page } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable } from '../console-table.ts';
import type { ApiRecord } from '../resource/record-view.ts';
import type { RecordSections } from '../resource/resource-definition.ts';

interface SeriesWords {
  readonly plural: string;
  readonly title: string;
  readonly one: string;
}

/** By the kind of series. */
const seriesWords: Readonly<Record<string, SeriesWords>> = {
  price: { plural: 'prices', title: 'Prices', one: 'price' },
  'net-asset-value': { plural: 'net-asset-values', title: 'Net asset values', one: 'net asset value' },
  'interest-rate': { plural: 'interest-rates', title: 'Interest rates', one: 'rate' },
  'index-factor': { plural: 'index-factors', title: 'Index factors', one: 'factor' },
};

export function findSeries(plural: string): SeriesWords | undefined {
  return Object.values(seriesWords).find((one) => one.plural === plural);
}

/** The series that an instrument of this type may have. */
function seriesOf(type: string): readonly SeriesWords[] {
  const declared = instrumentTypes.find((one) => one.type === type);
  return (declared?.traits.series ?? []).flatMap((kind) => seriesWords[kind] ?? []);
}

const periods = [
  { name: '1y', title: 'One year', days: 366 },
  { name: '5y', title: 'Five years', days: 5 * 366 },
  { name: 'all', title: 'All', days: null },
] as const;

const pointsMax = 4_000;
const newestShown = 15;
const dayMs = 86_400_000;

/** For the same day a value by hand counts before the custodian's, and that before reference data. */
const precedence = ['manual', 'custodian', 'reference'];
export const sourceTitles: Readonly<Record<string, string>> = {
  manual: 'By hand',
  custodian: 'Custodian',
  reference: 'Reference data',
};

interface Refused {
  readonly plural: string;
  readonly problem: ApiProblem;
}

export async function seriesSections(page: Page, record: ApiRecord, refused?: Refused): Promise<RecordSections> {
  const period = periods.find(({ name }) => name === page.query.get('period')) ?? periods[0];
  const start = period.days === null ? null : new Date(page.now - period.days * dayMs).toISOString().slice(0, 10);
  const sections = await Promise.all(
    seriesOf(record['type']).map(async (words) => {
      const path = `/v1/instruments/${encodeURIComponent(record['id'])}/${words.plural}`;
      const { data, isCut } = await page.api.list(path, { start }, pointsMax);
      return seriesSection(page, record, { words, points: data, isCut, refused });
    }),
  );
  const links = periods.map(({ name, title }) => ({
    title,
    href: withParameters(page.address, { period: name, done: null }),
    isCurrent: name === period.name,
  }));
  if (sections.length === 0) return { main: emptyHtml };
  return {
    main: html`${chips(links)}${sections.map(({ main }) => main)}`,
    tables: sections.flatMap(({ tables }) => tables),
  };
}

interface SeriesView {
  readonly words: SeriesWords;
  readonly points: readonly any[];
  readonly isCut: boolean;
  readonly refused: Refused | undefined;
}

function seriesSection(
  page: Page,
  record: ApiRecord,
  { words, points, isCut, refused }: SeriesView,
): { readonly main: Html; readonly tables: readonly Table[] } {
  const { plural, title, one } = words;
  const form = page.api.may('POST', `/v1/instruments/{id}/${plural}`)
    ? pointForm(page, record, { words, problem: refused?.plural === plural ? refused.problem : undefined })
    : emptyHtml;
  if (points.length === 0) {
    const text = `None in this period. Add a ${one}, or import a file with them.`;
    return { main: card(title, html`${emptyState({ title: `No ${title.toLowerCase()}`, text })}${form}`), tables: [] };
  }
  const chart = lineChart({
    id: plural,
    title: `${title} in ${record['currency'] ?? 'its currency'}`,
    description: `${title} of ${record['name']} from ${points[0].date} to ${points.at(-1).date}.`,
    reader: page.reader,
    series: [{ title, points: effectivePoints(points) }],
    unit: plural === 'interest-rates' ? 'percent' : 'money',
    dateTitle: 'Date',
  });
  const newest = newestTable(page, record, { words, points });
  const cut = isCut ? note(`Only the first ${pointsMax} values of the period are shown.`) : emptyHtml;
  return {
    main: card(title, html`${cut}${chart.figure}${consoleTable(page, newest)}${form}`),
    tables: [chart.table, newest],
  };
}

/** One value a day: the one that counts. */
function effectivePoints(points: readonly any[]): readonly { date: string; value: string }[] {
  const byDay = new Map<string, any>();
  for (const point of points) {
    const known = byDay.get(point.date);
    if (known === undefined || precedence.indexOf(point.source) < precedence.indexOf(known.source)) {
      byDay.set(point.date, point);
    }
  }
  return [...byDay.values()].map(({ date, value }) => ({ date, value }));
}

function newestTable(
  page: Page,
  record: ApiRecord,
  { words: { plural, title }, points }: Pick<SeriesView, 'words' | 'points'>,
): Table {
  const mayDelete = page.api.may('DELETE', `/v1/${plural}/{id}`);
  const shown = points.slice(-newestShown).toReversed();
  return {
    id: `${plural}-newest`,
    caption: `The newest of the period (${title.toLowerCase()})`,
    columns: [
      { key: 'date', title: 'Day', kind: 'date' },
      { key: 'value', title: 'Value', kind: 'quantity' },
      { key: 'source', title: 'From', kind: 'text' },
      ...(mayDelete ? ([{ key: 'delete', title: 'Change', kind: 'text' }] as const) : []),
    ],
    rows: shown.map(({ id, date, value, source }) => ({
      cells: [
        { value: date },
        { value },
        { value: sourceTitles[source] ?? source },
        { value: 'Delete…', href: `/console/instruments/${record['id']}/${plural}/${id}/delete` },
      ],
    })),
  };
}

function pointForm(
  page: Page,
  record: ApiRecord,
  { words: { plural, one }, problem }: { readonly words: SeriesWords; readonly problem: ApiProblem | undefined },
): Html {
  const errorAt = (name: string): string | undefined =>
    problem?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail;
  const typed = (name: string): string | undefined =>
    problem === undefined ? undefined : (page.fields.get(name) ?? undefined);
  const isPlaced = problem?.errors.some(({ pointer }) => pointer === '/date' || pointer === '/value') ?? false;
  return postForm({
    id: `${plural}-form`,
    action: `/console/instruments/${encodeURIComponent(record['id'])}/${plural}`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      {
        kind: 'date',
        form: plural,
        name: 'date',
        label: 'Day',
        isRequired: true,
        value: typed('date'),
        error: errorAt('date'),
      },
      {
        kind: 'number',
        form: plural,
        name: 'value',
        label: `Value, with a point before decimals`,
        hint: 'By hand it counts before any other value of the day.',
        isRequired: true,
        value: typed('value'),
        error: errorAt('value'),
      },
    ],
    buttons: [{ title: `Add a ${one}` }],
    ...(problem === undefined || isPlaced ? {} : { messages: [problem.detail] }),
  });
}
