// The accounts of a consent on the page of an authority: each that is not connected with what can be done about it, one by one or all.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { postForm } from '../../parts/forms.ts';
import { definitionList, note, sentenceHtml } from '../../parts/notes.ts';
import type { Page } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable, readOptions, type Option } from '../console-table.ts';

/** More are not shown: they can be connected at once, after which the next are. */
const shownMax = 100;

/** An account of a consent, as v1 answers it. */
interface Place {
  readonly number: string;
  readonly currency: string | null;
  readonly name: string | null;
  readonly kind: 'cash' | 'securities';
  readonly is_listed: boolean;
  readonly state: 'linked' | 'exists' | 'new';
  readonly account_id: string | null;
  readonly depository_id: string | null;
  readonly candidates: readonly { readonly id: string; readonly name: string }[];
  readonly waiting_rows: number;
  readonly obstacle: string | null;
  readonly detail: string | null;
  readonly proposed: { readonly name: string; readonly currency: string | null };
}

interface PlaceList {
  readonly data: readonly Place[];
  readonly has_more: boolean;
  readonly listed_at: string | null;
}

/** The authority that the page is of, as far as the card needs it. */
export interface CardAuthority {
  readonly id: string;
  readonly client_id: string;
  readonly legal_entity_id: string;
  readonly state: string;
}

export interface ConsentCard {
  readonly main: Html;
  readonly tables: readonly Table[];
}

export const connectApiPath = '/v1/authorities/{id}/accounts';
export const accountsApiPath = (id: string): string => `/v1/authorities/${encodeURIComponent(id)}/accounts`;

const kinds = { cash: 'Account', securities: 'Depository' } as const;
const states = { linked: 'Linked', exists: 'Here, not linked', new: 'Not here yet' } as const;

export async function consentAccountsCard(page: Page, authority: CardAuthority): Promise<ConsentCard> {
  if (!page.api.may('GET', connectApiPath)) return { main: emptyHtml, tables: [] };
  const list: PlaceList = await page.api.get(accountsApiPath(authority.id), { limit: String(shownMax) });
  const places = list.data;
  const open = places.filter(({ state }) => state !== 'linked');
  const linked = places.filter(({ state }) => state === 'linked');
  const mayConnect = authority.state === 'active' && page.api.may('POST', connectApiPath);
  const choices = mayConnect && open.length > 0 ? await readChoices(page, authority) : noChoices;
  const table = linkedTable(linked);
  const view: CardView = { page, authority, choices, mayConnect };
  const content = html`<p>${sourceText(page, places, list.listed_at)}</p>
    ${list.has_more ? note(`Only the first ${shownMax} are shown.`) : emptyHtml}${mayConnect ? allForm(view, open) : emptyHtml}
    ${
      open.length === 0
        ? emptyHtml
        : html`<ul class="places">
            ${open.map((place, index) => placeHtml(view, place, index))}
          </ul>`
    }
    ${linked.length === 0 ? emptyHtml : consoleTable(page, table)}`;
  return {
    main: html`<section class="card" id="accounts">
      <h2>Accounts of this consent</h2>
      ${content}
    </section>`,
    tables: linked.length === 0 ? [] : [table],
  };
}

function sourceText({ formats, timeZone }: Page, places: readonly Place[], listedAt: string | null): string {
  if (listedAt !== null) {
    const moment = formats.datetime(listedAt, timeZone);
    return places.length === 0
      ? `The custodian listed no accounts when it was asked on ${moment}.`
      : `The custodian listed these accounts on ${moment}. Its data is booked on those that are linked.`;
  }
  return places.length === 0
    ? 'The custodian has listed no accounts yet, and no row waits for an account. What it sends shows here which accounts it is about.'
    : 'The custodian lists no accounts. These are the numbers that its rows wait for.';
}

interface Choices {
  readonly accounts: readonly Option[];
  readonly depositories: readonly Option[];
  readonly portfolios: readonly Option[];
}

const noChoices: Choices = { accounts: [], depositories: [], portfolios: [] };

/** The records of the legal entity that a number may turn out to be, and the portfolios of the client. */
async function readChoices(page: Page, { client_id, legal_entity_id }: CardAuthority): Promise<Choices> {
  const [accounts, depositories, portfolios] = await Promise.all([
    readOptions(page, '/v1/accounts', { entity_id: legal_entity_id }),
    readOptions(page, '/v1/depositories', { legal_entity_id }),
    readOptions(page, '/v1/portfolios', { client_id }),
  ]);
  return { accounts, depositories, portfolios };
}

interface CardView {
  readonly page: Page;
  readonly authority: CardAuthority;
  readonly choices: Choices;
  readonly mayConnect: boolean;
}

const count = (amount: number, one: string, several: string): string => `${amount} ${amount === 1 ? one : several}`;

function portfolioField({ portfolios }: Choices, form: string): readonly Field[] {
  if (portfolios.length === 0) return [];
  const options = [{ value: '', title: 'None' }, ...portfolios];
  const hint = 'Reports cover an account only if a portfolio contains it.';
  return [{ kind: 'select', form, name: 'portfolio_id', label: 'Add to the portfolio', hint, options, value: '' }];
}

/** Connects everything that needs no decision. */
function allForm({ page, authority, choices }: CardView, open: readonly Place[]): Html {
  const ready = open.filter(({ obstacle }) => obstacle === null);
  if (ready.length < 2) return emptyHtml;
  const created = ready.filter(({ state }) => state === 'new').length;
  const parts = [
    ...(created === 0 ? [] : [`create ${created}`]),
    ...(created === ready.length ? [] : [`link ${ready.length - created}`]),
  ];
  return postForm({
    id: 'connect-all',
    action: formPath(authority.id),
    formToken: page.formToken,
    reader: page.reader,
    hidden: { act: 'all' },
    fields: portfolioField(choices, 'all'),
    buttons: [{ title: created === 0 ? 'Link all' : created === ready.length ? 'Create all' : 'Create and link all' }],
    more: html`<p>
      This will ${parts.join(' and ')} of them, as proposed below, for the legal entity of the authority, and then book
      the rows that waited for them.
    </p>`,
  });
}

export const formPath = (id: string): string => `/console/custody/authorities/${encodeURIComponent(id)}/accounts`;

function placeHtml(view: CardView, place: Place, index: number): Html {
  const { number, currency, name, kind, state, waiting_rows: waiting, detail } = place;
  const facts = definitionList([
    { title: 'Number', value: number },
    { title: 'Kind', value: kinds[kind] },
    ...(currency === null ? [] : [{ title: 'Currency', value: currency }]),
    { title: 'State', value: states[state] },
    { title: 'Rows that wait', value: view.page.formats.number(String(waiting), 0) },
  ]);
  return html`<li>
    <h3>${name ?? number}</h3>
    ${facts}${detail === null ? emptyHtml : note(sentenceHtml(detail), { tone: 'warn' })}${
      view.mayConnect ? placeForms(view, place, `place-${index}`) : emptyHtml
    }
  </li>`;
}

function placeForms(view: CardView, place: Place, form: string): Html {
  switch (place.obstacle) {
    case null:
      return place.state === 'exists'
        ? actForm(view, place, { form, act: 'connect', title: 'Link', fields: [] })
        : html`${createForm(view, place, form, 'Create')}${chooseForm(view, place, form)}`;
    case 'currency-unknown':
      return html`${createForm(view, place, form, 'Create')}${chooseForm(view, place, form)}`;
    case 'different-custodian':
      return createForm(view, place, form, 'Create another');
    case 'ambiguous':
      return chooseForm(view, place, form);
    default:
      return emptyHtml;
  }
}

interface Act {
  readonly form: string;
  readonly act: 'connect' | 'create' | 'link';
  readonly title: string;
  readonly fields: readonly Field[];
  readonly isQuiet?: true;
}

function actForm({ page, authority }: CardView, place: Place, { form, act, title, fields, isQuiet }: Act): Html {
  const { number, currency, kind } = place;
  return postForm({
    id: `${form}-${act}`,
    action: formPath(authority.id),
    formToken: page.formToken,
    reader: page.reader,
    hidden: { act, number, kind, ...(currency === null ? {} : { currency }) },
    fields,
    buttons: [{ title, kind: isQuiet === true ? 'quiet' : 'primary' }],
  });
}

function createForm(view: CardView, place: Place, form: string, title: string): Html {
  const name: Field = {
    kind: 'text',
    form,
    name: 'name',
    label: 'Name',
    value: place.proposed.name,
    maxLength: 200,
    isRequired: true,
  };
  const currency: Field = {
    kind: 'text',
    form,
    name: 'new_currency',
    label: 'Currency',
    hint: 'Three letters, such as CHF.',
    maxLength: 3,
    isRequired: true,
  };
  const asksCurrency = place.kind === 'cash' && place.proposed.currency === null;
  const fields = [name, ...(asksCurrency ? [currency] : []), ...portfolioField(view.choices, form)];
  return actForm(view, place, { form, act: 'create', title, fields });
}

/** Says which record of the legal entity the number is. */
function chooseForm(view: CardView, place: Place, form: string): Html {
  const { kind, candidates } = place;
  const { choices } = view;
  const all = kind === 'cash' ? choices.accounts : choices.depositories;
  const options = candidates.length > 0 ? candidates.map(({ id, name }) => ({ value: id, title: name })) : all;
  if (options.length === 0) return emptyHtml;
  const label = kind === 'cash' ? 'The account that it is' : 'The depository that it is';
  const fields: readonly Field[] = [
    {
      kind: 'select',
      form,
      name: 'link',
      label,
      options: [{ value: '', title: 'Choose' }, ...options],
      value: '',
      isRequired: true,
    },
  ];
  const linking = actForm(view, place, { form, act: 'link', title: 'Link', fields, isQuiet: true });
  return candidates.length > 0
    ? linking
    : html`<details>
        <summary>It is here already under another number</summary>
        ${linking}
      </details>`;
}

function linkedTable(linked: readonly Place[]): Table {
  return {
    id: 'linked-accounts',
    caption: 'Linked',
    columns: [
      { key: 'number', title: 'Number', kind: 'text' },
      { key: 'kind', title: 'Kind', kind: 'text' },
      { key: 'currency', title: 'Currency', kind: 'text' },
      { key: 'waiting', title: 'Rows that wait', kind: 'number', digits: 0 },
    ],
    rows: linked.map(({ number, name, kind, currency, waiting_rows: waiting, account_id, depository_id }) => ({
      cells: [
        {
          value: number,
          href: kind === 'cash' ? `/console/accounts/${account_id}` : `/console/depositories/${depository_id}`,
          ...(name === null ? {} : { note: name }),
        },
        { value: kinds[kind] },
        { value: currency },
        { value: String(waiting) },
      ],
    })),
  };
}

/** What the form asks the API for. */
export function connectionBody(fields: URLSearchParams): unknown {
  const filled = (name: string): string | null => fields.get(name)?.trim() || null;
  const portfolio = filled('portfolio_id');
  const more = portfolio === null ? {} : { portfolio_id: portfolio };
  const act = fields.get('act');
  if (act === 'all') return { all: true, ...more };
  const currency = filled('currency');
  const named = {
    number: fields.get('number') ?? '',
    kind: filled('kind') ?? 'cash',
    ...(currency === null ? {} : { currency }),
  };
  if (act === 'link') return { data: [{ ...named, link: filled('link') ?? '' }], ...more };
  if (act !== 'create') return { data: [named], ...more };
  const newCurrency = filled('new_currency')?.toUpperCase();
  const create = {
    ...(filled('name') === null ? {} : { name: filled('name') }),
    ...(newCurrency === undefined ? {} : { currency: newCurrency }),
  };
  return { data: [{ ...named, create }], ...more };
}

interface ConnectedAnswer {
  readonly data: readonly { readonly outcome: string }[];
  readonly has_more: boolean;
  readonly rows: { readonly state: string; readonly booked: number; readonly waiting: number };
}

/** What was done, as parameters of the page that the form leads to. */
export function connectedParameters({ data, has_more: hasMore, rows }: ConnectedAnswer): URLSearchParams {
  const of = (outcome: string): string => String(data.filter((one) => one.outcome === outcome).length);
  return new URLSearchParams({
    done: rows.state === 'done' ? 'connected' : 'connected-more',
    created: of('created'),
    linked: of('linked'),
    left: of('left-out'),
    booked: String(rows.booked),
    waiting: String(rows.waiting),
    ...(hasMore ? { more: '1' } : {}),
  });
}

export function connectedNote({ query, formats }: Page): Html {
  const done = query.get('done');
  if (done !== 'connected' && done !== 'connected-more') return emptyHtml;
  const figure = (name: string): number => {
    const text = query.get(name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : 0;
  };
  const rows = (amount: number): string => `${formats.number(String(amount), 0)} ${amount === 1 ? 'row' : 'rows'}`;
  const booked = figure('booked');
  const sentences = [
    `${count(figure('created'), 'record was', 'records were')} created, and ${count(figure('linked'), 'record was', 'records were')} linked.`,
    done === 'connected-more'
      ? `${rows(figure('waiting'))} are being booked now. This page shows how many still wait.`
      : `${rows(booked)} that waited ${booked === 1 ? 'is' : 'are'} booked.`,
    ...(done === 'connected' && figure('waiting') > 0
      ? [
          `${rows(figure('waiting'))} of the same imports still wait for something else: the runs of the feed say what for.`,
        ]
      : []),
    ...(figure('left') > 0 ? [`${count(figure('left'), 'needs', 'need')} a decision, which stands beside it.`] : []),
    ...(query.has('more') ? ['There are more: create and link all once more.'] : []),
  ];
  return note(sentences.join(' '), { tone: 'good', isLive: true });
}
