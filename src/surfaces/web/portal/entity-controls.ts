// The tabs, chips and form above the content of every page of a reporting entity. They are links and a GET form, so that the address
// says what is shown and nothing needs scripts.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { withParameters } from '../parts/address.ts';
import type { Field } from '../parts/field.ts';
import { filterForm } from '../parts/forms.ts';
import { chips, tabs } from '../parts/parts.ts';
import type { Table } from '../tables/table.ts';
import { entityTexts } from './entity-texts.ts';
import { periodNames, type EntityView, type PeriodName, type RequiredRole } from './entity-view.ts';

/** Where each tab is, and which role lets the API answer what it shows. */
const entityTabs = {
  overview: { path: '', role: 'viewer' },
  holdings: { path: '/holdings', role: 'viewer' },
  performance: { path: '/performance', role: 'viewer' },
  activity: { path: '/activity', role: 'advisor' },
  'private-markets': { path: '/private-markets', role: 'viewer' },
  income: { path: '/income', role: 'viewer' },
  'realised-gains': { path: '/realised-gains', role: 'advisor' },
  limits: { path: '/limits', role: 'advisor' },
  'data-quality': { path: '/data-quality', role: 'advisor' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly role: RequiredRole }>>;

export type EntityTab = keyof typeof entityTabs;
const tabNames = Object.keys(entityTabs) as readonly EntityTab[];

export function tabPath(tab: EntityTab): string {
  return entityTabs[tab].path;
}

/** Which choices a page offers besides the moment of knowledge. */
export type Control = 'day' | 'period' | 'currency' | 'text';

export function tabsHtml(view: EntityView, current: EntityTab | undefined): Html {
  const text = entityTexts[view.page.reader.language];
  const links = tabNames
    .filter((tab) => view.hasRole(entityTabs[tab].role))
    .map((tab) => ({ title: text[tab], href: view.href(entityTabs[tab].path), isCurrent: tab === current }));
  return tabs(text.tabs, links);
}

const periodTexts = {
  '1m': 'period1m',
  year: 'periodYear',
  '1y': 'period1y',
  '3y': 'period3y',
  all: 'periodAll',
  own: 'periodOwn',
} as const satisfies Readonly<Record<PeriodName, string>>;

export function periodChips({ page, period }: EntityView): Html {
  const text = entityTexts[page.reader.language];
  const shown = periodNames.filter((name) => name !== 'own' || period.name === 'own');
  return chips(
    shown.map((name) => ({
      title: text[periodTexts[name]],
      href:
        name === 'own'
          ? page.address
          : withParameters(page.address, { period: name === 'year' ? null : name, start: null, cursor: null }),
      isCurrent: name === period.name,
    })),
  );
}

/** The most used; the address takes any. */
const offeredCurrencies = ['CHF', 'EUR', 'GBP', 'USD', 'JPY', 'SEK', 'NOK', 'DKK', 'CAD', 'AUD', 'SGD', 'HKD'];

export function controlsHtml(view: EntityView, path: string, controls: readonly Control[]): Html {
  const { page, period, asOf, currency, knownAt } = view;
  const text = entityTexts[page.reader.language];
  const offers = (control: Control): boolean => controls.includes(control);
  const choices = [
    offers('period') && period.name === 'own' ? period.start : undefined,
    offers('period') || offers('day') ? asOf : undefined,
    offers('currency') ? currency : undefined,
    knownAt,
  ];
  const isChosen = choices.some((choice) => choice !== undefined);
  const form = filterForm({
    path,
    reader: page.reader,
    fields: controlFields(view, controls),
    keep: keptFields(view, controls),
    isFiltered: isChosen,
    label: text.more,
  });
  return html`<div class="controls">
    ${offers('period') ? periodChips(view) : emptyHtml}
    <details ${isChosen ? html`open` : emptyHtml}>
      <summary>${text.more}</summary>
      ${form}
    </details>
  </div>`;
}

function controlFields(view: EntityView, controls: readonly Control[]): readonly Field[] {
  const { page, period, asOf, currency } = view;
  const text = entityTexts[page.reader.language];
  const offers = (control: Control): boolean => controls.includes(control);
  const others = currency === undefined || offeredCurrencies.includes(currency) ? [] : [currency];
  const options = [...offeredCurrencies, ...others].map((code) => ({
    value: code,
    title: `${code} – ${currencyName(view, code)}`,
  }));
  const all: readonly (Field | undefined)[] = [
    offers('text') ? { kind: 'search', name: 'text', label: text.search, value: view.text } : undefined,
    offers('period')
      ? { kind: 'date', name: 'start', label: text.from, value: period.name === 'own' ? period.start : undefined }
      : undefined,
    offers('period') || offers('day')
      ? { kind: 'date', name: 'as_of', label: offers('period') ? text.to : text.asOf, value: asOf }
      : undefined,
    offers('currency')
      ? {
          kind: 'select',
          name: 'currency',
          label: text.currency,
          value: currency ?? '',
          options: [{ value: '', title: text.ownCurrency }, ...options],
        }
      : undefined,
    { kind: 'date', name: 'known_at', label: text.knownAt, value: knownDay(view) },
  ];
  return all.filter((field) => field !== undefined);
}

/** The day of the moment of knowledge in the workspace; undefined for what is no moment, which the API refuses. */
function knownDay({ page, knownAt }: EntityView): string | undefined {
  const moment = Date.parse(knownAt ?? '');
  if (Number.isNaN(moment)) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(page.timeZone).toPlainDate().toString();
}

/** A code that is none has no name, and must not keep the page from saying so. */
function currencyName({ page }: EntityView, code: string): string {
  return /^[A-Z]{3}$/.test(code) ? page.formats.currencyName(code) : code;
}

/** The parameters that the form does not ask for stay as they are. */
function keptFields({ page }: EntityView, controls: readonly Control[]): Readonly<Record<string, string>> {
  const dropped = new Set([
    'cursor',
    'table',
    'format',
    'known_at',
    ...controls.flatMap((control) => namesOf[control]),
  ]);
  return Object.fromEntries([...page.query].filter(([name, value]) => value !== '' && !dropped.has(name)));
}

const namesOf: Readonly<Record<Control, readonly string[]>> = {
  day: ['as_of'],
  period: ['start', 'as_of'],
  currency: ['currency'],
  text: ['text'],
};

/** Links to a table of the page as files, and to the picture of its chart. */
export function fileLinks(
  { page }: Pick<EntityView, 'page'>,
  { id, caption, picture }: Pick<Table, 'id' | 'caption' | 'picture'>,
): Html {
  const text = entityTexts[page.reader.language];
  const href = (format: string): string => withParameters(page.address, { table: id, format, cursor: null });
  return html`<p class="files">
    <span class="visually-hidden">${text.takeAlong(caption)}</span> <a href="${href('csv')}">${text.csv}</a>
    <a href="${href('xlsx')}">${text.xlsx}</a>
    ${picture === undefined ? emptyHtml : html`<a href="${href('svg')}">${text.svg}</a>`}
  </p>`;
}
