// What if: trades, cash moves and other bounds, and every limit before and after them. All of it is in the address; nothing is booked.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { Refusal } from '../../../../kit/refusal.ts';
import { attributesHtml } from '../../parts/attributes.ts';
import { fieldHtml, type Field } from '../../parts/field.ts';
import { buttonsRow, errorSummary } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { card, chips } from '../../parts/parts.ts';
import type { Page, PageAnswer } from '../../signed-in-page.ts';
import { nameFinder, readOptions, type Option } from '../console-table.ts';
import { readHeld, readSeenClients, type SeenClient } from '../seen-records.ts';
import { referenceOptions } from '../resource/references.ts';
import { boundFields, boundMembers, sentBound, typedBound, type LimitKind } from './bounds-fields.ts';
import { limitsPath } from './limit-names.ts';
import {
  isTrade,
  lineActs,
  linesMax,
  placeProposalErrors,
  proposedLines,
  readLines,
  type WhatIfLine,
} from './what-if-lines.ts';
import { whatIfResult, type WhatIfResult } from './what-if-result.ts';

const path = `${limitsPath}/what-if`;

interface WhatIf {
  readonly client: SeenClient;
  /** The limit whose bounds can be tried. */
  readonly limit: any;
  readonly entities: readonly Option[];
  readonly accounts: readonly Option[];
  /** Undefined if there are too many to choose from. */
  readonly instruments: readonly Option[] | undefined;
  /** A reporting entity, or empty for all of the client. */
  readonly scope: string;
  readonly lines: readonly WhatIfLine[];
  readonly bounds: Readonly<Record<'min' | 'max', string>>;
}

export async function showWhatIf(page: Page): Promise<PageAnswer> {
  page.api.require('POST', '/v1/limits/check');
  const limitId = page.query.get('limit_id') ?? '';
  const limit = limitId === '' ? undefined : await page.api.get(`/v1/limits/${encodeURIComponent(limitId)}`);
  const clientId: string = limit?.client_id ?? page.query.get('client_id') ?? '';
  if (clientId === '') return chooseClient(page);
  const whatIf = await readWhatIf(page, clientId, limit);
  const isChecked = page.query.has('show') && !page.query.has('act');
  const outcome = isChecked ? await check(page, whatIf) : noOutcome;
  const { errors, messages, result } = outcome;
  if (!isChecked) page.api.announce({ method: 'POST', url: '/v1/limits/check', body: bodyOf(whatIf).body });
  const main = html`${card('What would be done', formHtml(page, whatIf, { errors, messages }))}${result?.main ?? emptyHtml}`;
  return {
    title: 'What if',
    lede: html`What trades, payments or other bounds would do to the limits of ${clientHtml(whatIf.client)}, as of
    today. Nothing is booked.`,
    main,
    tables: result?.tables ?? [],
    ...(messages.length > 0 || errors.size > 0 ? { status: 422 } : {}),
  };
}

function clientHtml({ id, name }: SeenClient): Html {
  return name === null ? html`the client` : html`<a href="/console/clients/${id}">${name}</a>`;
}

/** Who may not list clients chooses a reporting entity. */
async function chooseClient(page: Page): Promise<PageAnswer> {
  if (!page.api.may('GET', '/v1/clients')) return chooseEntity(page);
  const clients = await readOptions(page, '/v1/clients');
  const field: Field = { kind: 'select', name: 'client_id', label: 'Client', options: clients, isRequired: true };
  const form = html`<form class="form" method="get" action="${path}">
    ${fieldHtml(field, { reader: page.reader })}
    ${buttonsRow([{ title: 'Go on' }, { title: 'Cancel', href: limitsPath }])}
  </form>`;
  const nothing = emptyState({ title: 'No clients yet', text: 'Limits are set for clients.' });
  return { title: 'What if', main: clients.length === 0 ? nothing : card('Whose limits', form) };
}

async function chooseEntity(page: Page): Promise<PageAnswer> {
  const { data } = await page.api.list('/v1/reporting-entities', {}, 500);
  const links = data.map(({ id, name, client_id: client }) => ({
    title: String(name),
    href: `${path}?${new URLSearchParams({ client_id: client, reporting_entity_id: id }).toString()}`,
  }));
  return { title: 'What if', main: card('Whose limits', chips(links)) };
}

async function readWhatIf(page: Page, clientId: string, limit: any): Promise<WhatIf> {
  const entities = await page.api.list('/v1/reporting-entities', { client_id: clientId }, 500);
  const options = entities.data.map(({ id, name }) => ({ value: String(id), title: String(name) }));
  const scope: string =
    page.query.get('reporting_entity_id') ?? limit?.reporting_entity_id ?? defaultScope(page, options);
  const [clients, accounts, instruments] = await Promise.all([
    readSeenClients(page, entities.data),
    page.api.may('GET', '/v1/accounts')
      ? readOptions(page, '/v1/accounts', { client_id: clientId })
      : readHeld(page, scope, 'account'),
    page.api.may('GET', '/v1/instruments')
      ? referenceOptions(page, 'instrument', {})
      : readHeld(page, scope, 'instrument'),
  ]);
  const client = clients.find(({ id }) => id === clientId);
  if (client === undefined) throw new Refusal('client-not-found', 'There is no such client.');
  const kind: LimitKind = limit?.kind ?? 'absolute';
  const { min, max } = boundMembers[kind];
  const given = (name: 'min' | 'max', bound: string): string =>
    page.query.get(name) ?? (limit === undefined ? '' : typedBound(kind, limit[bound]));
  return {
    client,
    limit,
    entities: options,
    accounts,
    instruments,
    scope,
    lines: readLines(page.query),
    bounds: { min: given('min', min), max: given('max', max) },
  };
}

/** Only administrators of the workspace see everything of a client, and can check it as a whole. */
function defaultScope(page: Page, entities: readonly Option[]): string {
  return page.access.isWorkspaceAdministrator && entities.length > 1 ? '' : (entities[0]?.value ?? '');
}

/** The body of the check, and which line each of its rows is. */
function bodyOf({ client, limit, scope, lines, bounds }: WhatIf): {
  readonly body: object;
  readonly proposed: ReturnType<typeof proposedLines>;
} {
  const proposed = proposedLines(lines);
  const subject = scope === '' ? { client_id: client.id } : { reporting_entity_id: scope };
  const changed = limit === undefined ? {} : changedBounds(limit, bounds);
  const { trades, cash_moves } = proposed;
  const body = {
    ...subject,
    ...(trades.length === 0 ? {} : { trades }),
    ...(cash_moves.length === 0 ? {} : { cash_moves }),
    ...(Object.keys(changed).length === 0 ? {} : { bounds: [{ limit_id: limit.id, ...changed }] }),
  };
  return { body, proposed };
}

function changedBounds(limit: any, bounds: WhatIf['bounds']): object {
  const kind: LimitKind = limit.kind;
  const changed = (['min', 'max'] as const).flatMap((bound) => {
    const member = boundMembers[kind][bound];
    return bounds[bound].trim() === typedBound(kind, limit[member])
      ? []
      : [[member, sentBound(kind, bounds[bound])] as const];
  });
  return Object.fromEntries(changed);
}

interface Outcome {
  readonly errors: ReadonlyMap<string, string>;
  readonly messages: readonly string[];
  readonly result?: WhatIfResult;
}

const noOutcome: Outcome = { errors: new Map(), messages: [] };

async function check(page: Page, whatIf: WhatIf): Promise<Outcome> {
  const { client, entities } = whatIf;
  const { body, proposed } = bodyOf(whatIf);
  const [sent, limits] = await Promise.all([
    page.api.send('POST', '/v1/limits/check', body),
    page.api.list('/v1/limits', { client_id: client.id }),
  ]);
  if (!sent.ok) return placeProposalErrors(sent.problem, proposed);
  const view = { limits: limits.data, currency: client.currency, entityName: nameFinder(entities) };
  return { ...noOutcome, result: whatIfResult(page, sent.body, view) };
}

function formHtml(page: Page, whatIf: WhatIf, { errors, messages }: Pick<Outcome, 'errors' | 'messages'>): Html {
  const { limit, client, lines } = whatIf;
  const { reader } = page;
  const draw = (field: Field): Html => fieldHtml(field, { reader, saysOptional: false });
  const bounds = limit === undefined ? [] : tryBounds(whatIf, errors);
  const drawnLines = lines.map((line, index) => lineFields(whatIf, line, { index, errors }));
  const hidden = limit === undefined ? { client_id: client.id } : { limit_id: limit.id };
  const boundsPart =
    limit === undefined
      ? emptyHtml
      : html`<fieldset class="filter-group">
          <legend>Other bounds of ${limit.name}</legend>
          <div class="filter-row">${bounds.map(draw)}</div>
        </fieldset>`;
  return html`<form class="form wide" method="get" action="${path}">
    <button class="visually-hidden" tabindex="-1" aria-hidden="true" name="show" value="1">
      Show what would happen
    </button>
    ${errorSummary([...bounds, ...drawnLines.flat()], { reader, messages })}
    ${Object.entries(hidden).map(([name, value]) => html`<input${attributesHtml({ type: 'hidden', name, value })} />`)}
    ${draw(scopeField(page, whatIf))} ${boundsPart}
    ${drawnLines.map(
      (fields, index) =>
        html`<fieldset class="filter-condition">
        <legend>Line ${index + 1}</legend>
        <div class="filter-row">${fields.map(draw)}</div>
        <div class="buttons">
          <button${attributesHtml({ class: 'quiet', name: 'act', value: `remove:${index}`, formnovalidate: true, 'aria-label': `Remove line ${index + 1}` })}>Remove</button>
        </div>
      </fieldset>`,
    )}
    ${
      lines.length >= linesMax
        ? emptyHtml
        : html`<div class="buttons">
            <button class="quiet" name="act" value="add" formnovalidate>Add a line</button>
          </div>`
    }
    ${buttonsRow([
      { title: 'Show what would happen', name: 'show', value: '1' },
      { title: 'Cancel', href: limit === undefined ? limitsPath : `${limitsPath}/${limit.id}` },
    ])}
  </form>`;
}

function scopeField(page: Page, { entities, scope }: WhatIf): Field {
  const all = { value: '', title: 'Every reporting entity of the client' };
  return {
    kind: 'select',
    name: 'reporting_entity_id',
    label: 'Whose limits',
    options: page.access.isWorkspaceAdministrator ? [all, ...entities] : entities,
    value: scope,
  };
}

function tryBounds({ limit, client, bounds }: WhatIf, errors: ReadonlyMap<string, string>): readonly Field[] {
  return boundFields({
    kind: limit.kind,
    currency: client.currency,
    values: bounds,
    errors: { min: errors.get('min'), max: errors.get('max') },
  });
}

interface LineView {
  readonly index: number;
  readonly errors: ReadonlyMap<string, string>;
}

function lineFields(
  { accounts, instruments }: WhatIf,
  line: WhatIfLine,
  { index, errors }: LineView,
): readonly Field[] {
  const at = (name: string): { name: string; error: string | undefined } => ({
    name: `line.${index}.${name}`,
    error: errors.get(`line.${index}.${name}`),
  });
  const options = (titles: Readonly<Record<string, string>>): readonly Option[] =>
    Object.entries(titles).map(([value, title]) => ({ value, title }));
  const hint = isTrade(line) ? undefined : 'Not for payments.';
  const instrument: Field =
    instruments === undefined
      ? {
          ...at('instrument'),
          kind: 'text',
          label: 'Instrument',
          hint: 'Its id: the last part of the address of its page.',
          value: line.instrument,
          autocomplete: 'off',
        }
      : {
          ...at('instrument'),
          kind: 'select',
          label: 'Instrument',
          hint,
          options: [{ value: '', title: 'None' }, ...instruments],
          value: line.instrument,
        };
  return [
    { ...at('do'), kind: 'select', label: 'Do', options: options(lineActs), value: line.does, isRequired: true },
    { ...at('amount'), kind: 'number', label: 'How much', value: line.amount },
    {
      ...at('unit'),
      kind: 'select',
      label: 'Of what',
      options: options({ units: 'Units, for bonds nominal', money: 'Money' }),
      value: line.unit,
      isRequired: true,
    },
    instrument,
    { ...at('account'), kind: 'select', label: 'Account', options: accounts, value: line.account },
  ];
}
