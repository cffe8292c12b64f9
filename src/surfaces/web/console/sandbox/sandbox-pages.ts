// The sandbox in the console: families by persona, and the clocks of those that were made. In the sandbox environment only, as the API.

import { html, type Html } from '../../../../kit/html.ts';
import { sandboxCurrencies } from '../../../../model/sandbox/persona.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import type { Field } from '../../parts/field.ts';
import { postForm } from '../../parts/forms.ts';
import { definitionList, emptyState } from '../../parts/notes.ts';
import { card, tableCard } from '../../parts/parts.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable } from '../console-table.ts';
import { doneNote } from '../resource/done-note.ts';
import { placeFaults, type PlacedFaults } from '../resource/resource-form.ts';
import { bodyFields } from '../resource/schema-fields.ts';
import { sandboxTexts as text } from './sandbox-texts.ts';
import { perform, sandboxPath, workPage } from './sandbox-work.ts';

const apiPath = '/v1/sandbox/clients';
const onePath = `${sandboxPath}/{id}`;
const addressOf = (id: string): string => `${sandboxPath}/${encodeURIComponent(id)}`;

/** What was sent, and what is wrong with it. */
interface Refused {
  readonly fields: URLSearchParams;
  readonly faults: PlacedFaults;
}

async function nameOf(page: Page, id: string): Promise<string> {
  return (await page.api.find(`/v1/clients/${encodeURIComponent(id)}`))?.name ?? id;
}

async function listContent(page: Page, refused?: Refused): Promise<PageContent> {
  const [{ data: families }, { data: personas }] = await Promise.all([
    page.api.list(apiPath),
    page.api.get('/v1/sandbox/personas'),
  ]);
  const under = refused === undefined ? workPage(page) : undefined;
  if (under !== undefined) return under;
  page.api.announce({ method: 'POST', url: apiPath, body: { persona: personas[0]?.key, years: 3 } });
  const named = await Promise.all(families.map(async (one) => ({ ...one, name: await nameOf(page, one.id) })));
  const table = familiesTable(named, personas);
  const list =
    families.length === 0
      ? card(text.made, emptyState({ title: text.none, text: text.noneText }))
      : tableCard(consoleTable(page, table));
  const done = { created: text.doneCreated, advanced: text.doneAdvanced, removed: text.doneRemoved };
  return {
    title: text.title,
    lede: html`${text.lede}`,
    main: html`${doneNote(page, done)}${list}${card(text.make, makeForm(page, personas, refused))}`,
    tables: [table],
    ...(refused === undefined ? {} : { status: 422 }),
  };
}

function familiesTable(families: readonly any[], personas: readonly any[]): Table {
  const kinds = new Map<string, string>(personas.map(({ key, name }) => [key, name]));
  return {
    id: 'sandbox-families',
    caption: text.made,
    columns: [
      { key: 'name', title: text.name, kind: 'text' },
      { key: 'persona', title: text.persona, kind: 'text' },
      { key: 'start', title: text.start, kind: 'date' },
      { key: 'clock', title: text.clock, kind: 'date' },
    ],
    rows: families.map(({ id, name, persona, start_date: start, end_date: end }) => ({
      cells: [
        { value: name, href: addressOf(id) },
        { value: kinds.get(persona) ?? persona },
        { value: start },
        { value: end },
      ],
    })),
  };
}

function makeForm(page: Page, personas: readonly any[], refused: Refused | undefined): Html {
  const currencies = sandboxCurrencies.map((value) => ({ value, title: value }));
  const fields: readonly Field[] = [
    {
      kind: 'radios',
      name: 'persona',
      label: text.persona,
      isRequired: true,
      options: personas.map(({ key, name, description }) => ({ value: key, title: name, text: description })),
    },
    { kind: 'text', name: 'name', label: text.name, hint: text.nameHint, maxLength: 200 },
    {
      kind: 'select',
      name: 'reporting_currency',
      label: text.currency,
      options: [{ value: '', title: text.personasOwn }, ...currencies],
    },
    { kind: 'number', name: 'years', label: text.years, hint: text.yearsHint },
    { kind: 'date', name: 'end_date', label: text.endDate, hint: text.endDateHint },
    { kind: 'number', name: 'seed', label: text.seed, hint: text.seedHint },
  ];
  return sandboxForm(page, { action: sandboxPath, fields, button: text.make, refused });
}

interface SandboxForm {
  readonly action: string;
  readonly fields: readonly Field[];
  readonly button: string;
  readonly refused: Refused | undefined;
}

/** With what was typed and what the API says about it. */
function sandboxForm({ formToken, reader }: Page, { action, fields, button, refused }: SandboxForm): Html {
  const filled = fields.map((field) => ({
    ...field,
    value: refused?.fields.get(field.name) ?? undefined,
    error: refused?.faults.errors.get(field.name),
  }));
  const messages = refused?.faults.messages ?? [];
  return postForm({ action, formToken, reader, fields: filled, messages, buttons: [{ title: button }] });
}

/** The fields that were filled in; whole numbers as numbers, and what is none as it was typed, which the API refuses. */
function bodyOf({ fields }: Page, names: readonly string[], numbers: readonly string[]): Record<string, unknown> {
  const given = [...names, ...numbers].flatMap((name) => {
    const value = (fields.get(name) ?? '').trim();
    if (value === '') return [];
    return [[name, numbers.includes(name) && /^\d{1,10}$/.test(value) ? Number(value) : value] as const];
  });
  return Object.fromEntries(given);
}

function faultsOf(page: Page, problem: Parameters<typeof placeFaults>[0], path: string): Refused {
  return { fields: page.fields, faults: placeFaults(problem, bodyFields(page.api.operation('POST', path))) };
}

function makeFamily(page: Page): Promise<PageAnswer> {
  const body = bodyOf(page, ['persona', 'name', 'reporting_currency', 'end_date'], ['years', 'seed']);
  return perform(page, () => page.api.send('POST', apiPath, body), {
    done: 'created',
    refused: ({ problem }) => listContent(page, faultsOf(page, problem, apiPath)),
  });
}

async function familyContent(page: Page, refused?: Refused): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const url = `${apiPath}/${encodeURIComponent(id)}`;
  const [family, name] = await Promise.all([page.api.get(url), nameOf(page, id)]);
  page.api.announce({ method: 'POST', url: `${url}/advance`, body: { days: 30 } });
  const { formats } = page;
  const fields: readonly Field[] = [
    { kind: 'number', name: 'days', label: text.days, hint: text.daysHint },
    { kind: 'date', name: 'to', label: text.to, min: family.end_date },
  ];
  const facts = definitionList([
    { title: text.toClient, value: name, href: `/console/clients/${encodeURIComponent(id)}` },
    { title: text.start, value: formats.dateLong(family.start_date) },
    { title: text.clock, value: formats.dateLong(family.end_date) },
    { title: text.currency, value: family.reporting_currency },
    { title: text.seed, value: String(family.seed) },
  ]);
  const form = sandboxForm(page, { action: `${addressOf(id)}/advance`, fields, button: text.advance, refused });
  return {
    title: name,
    main: html`${card(text.clock, facts)}
      ${card(
        text.let,
        html`<p>${text.advanceText}</p>
          ${form}`,
      )}
      <p><a class="button danger" href="${addressOf(id)}/delete">${text.remove}</a></p>
      <p><a href="${sandboxPath}">${text.all}</a></p>`,
    ...(refused === undefined ? {} : { status: 422 }),
  };
}

function advanceFamily(page: Page): Promise<PageAnswer> {
  const url = `${apiPath}/${encodeURIComponent(page.params['id'] ?? '')}/advance`;
  return perform(page, () => page.api.send('POST', url, bodyOf(page, ['to'], ['days'])), {
    done: 'advanced',
    refused: ({ problem }) => familyContent(page, faultsOf(page, problem, `${apiPath}/{id}/advance`)),
  });
}

async function removalContent(page: Page, more: { typed?: string; message?: string } = {}): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const url = `${apiPath}/${encodeURIComponent(id)}`;
  await page.api.get(url);
  page.api.announce({ method: 'DELETE', url });
  const name = await nameOf(page, id);
  const { typed, message } = more;
  const main = dangerConfirmation({
    name,
    action: `${addressOf(id)}/delete`,
    formToken: page.formToken,
    cancelHref: addressOf(id),
    reader: page.reader,
    together: [{ title: text.removed }],
    ...(message === undefined ? {} : { blockers: [{ title: message }] }),
    typed,
    buttonTitle: text.removeButton,
  });
  const isRefused = typed !== undefined || message !== undefined;
  return { title: text.removeTitle(name), main, ...(isRefused ? { status: 422 } : {}) };
}

async function removeFamily(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const typed = page.fields.get(confirmationField) ?? '';
  if (!isNameTyped(await nameOf(page, id), typed)) return removalContent(page, { typed });
  return perform(page, () => page.api.send('DELETE', `${apiPath}/${encodeURIComponent(id)}`), {
    done: 'removed',
    refused: ({ problem }) => removalContent(page, { message: problem.detail }),
  });
}

const area = 'console';

export const sandboxPages = [
  signedInPage({
    id: 'sandbox',
    path: sandboxPath,
    summary: 'Families of the sandbox',
    area,
    handle: (page) => listContent(page),
  }),
  signedInForm({ id: 'sandbox.make', path: sandboxPath, summary: 'Make a family', area, handle: makeFamily }),
  signedInPage({
    id: 'sandbox.family',
    path: onePath,
    summary: 'A family of the sandbox and its clock',
    area,
    handle: (page) => familyContent(page),
  }),
  signedInForm({
    id: 'sandbox.advance',
    path: `${onePath}/advance`,
    summary: 'Let days pass for a family',
    area,
    handle: advanceFamily,
  }),
  signedInPage({
    id: 'sandbox.removal',
    path: `${onePath}/delete`,
    summary: 'Delete a family: what goes with it',
    area,
    handle: (page) => removalContent(page),
  }),
  signedInForm({
    id: 'sandbox.remove',
    path: `${onePath}/delete`,
    summary: 'Delete a family',
    area,
    handle: removeFamily,
  }),
];
