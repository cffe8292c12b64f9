// Creating and changing a limit: name, reporting entity, bounds, and the editor of its filter.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { ApiProblem } from '../../page-api.ts';
import { buttonsRow, errorSummary } from '../../parts/forms.ts';
import { fieldHtml, type Field } from '../../parts/field.ts';
import { attributesHtml } from '../../parts/attributes.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { tokenField } from '../../layout.ts';
import type { Page, PageAnswer } from '../../signed-in-page.ts';
import { readOptions } from '../console-table.ts';
import { filterText } from '../../portal/limits/limit-words.ts';
import { boundFields, boundMembers, type LimitKind } from './bounds-fields.ts';
import { emptyDraft, filterErrors } from './filter-draft.ts';
import { filterEditor } from './filter-editor.ts';
import { readChoices } from './filter-values.ts';
import { limitsPath, readFilterNames } from './limit-names.ts';
import { changedMembers, creationBody, recordValues, sentValues, type LimitValues } from './limit-values.ts';

interface LimitForm {
  readonly kind: LimitKind;
  readonly client: any;
  readonly values: LimitValues;
  /** Where the form is sent. */
  readonly action: string;
  readonly cancelHref: string;
  readonly button: string;
  readonly title: string;
  readonly etag?: string;
  readonly problem?: ApiProblem;
  readonly notice?: Html;
}

const tagField = 'entity_tag';

/** Without a client or a kind a page asks for both: what can be chosen in the form depends on them. */
export async function showLimitCreation(page: Page): Promise<PageAnswer> {
  page.api.require('POST', '/v1/limits');
  const [client, kind] = [page.query.get('client_id') ?? '', page.query.get('kind') ?? ''];
  if (client === '' || !isKind(kind)) return chooseKind(page, client);
  const values = { name: '', reportingEntity: page.query.get('reporting_entity_id') ?? '', min: '', max: '' };
  return creationForm(page, kind, { ...values, draft: emptyDraft });
}

function isKind(text: string): text is LimitKind {
  return text in boundMembers;
}

async function chooseKind(page: Page, client: string): Promise<PageAnswer> {
  const clients = await readOptions(page, '/v1/clients');
  const fields: readonly Field[] = [
    { kind: 'select', name: 'client_id', label: 'Client', options: clients, value: client, isRequired: true },
    {
      kind: 'radios',
      name: 'kind',
      label: 'What is bounded',
      options: [
        { value: 'proportional', title: 'A share of everything that a reporting entity holds, in percent' },
        { value: 'absolute', title: 'An amount of money' },
      ],
      value: page.query.get('kind') ?? 'proportional',
      isRequired: true,
    },
  ];
  const entity = page.query.get('reporting_entity_id');
  const main = html`<section class="card">
    <form class="form" method="get" action="${limitsPath}/new">
      ${entity === null ? emptyHtml : html`<input${attributesHtml({ type: 'hidden', name: 'reporting_entity_id', value: entity })} />`}
      ${fields.map((field) => fieldHtml(field, { reader: page.reader }))}
      ${buttonsRow([{ title: 'Go on' }, { title: 'Cancel', href: limitsPath }])}
    </form>
  </section>`;
  return { title: 'New limit', main };
}

async function creationForm(
  page: Page,
  kind: LimitKind,
  values: LimitValues,
  problem?: ApiProblem,
): Promise<PageAnswer> {
  const client = await page.api.get(`/v1/clients/${encodeURIComponent(page.query.get('client_id') ?? '')}`);
  if (problem === undefined)
    page.api.announce({ method: 'POST', url: '/v1/limits', body: creationBody(client, kind, values) });
  return formPage(page, {
    kind,
    client,
    values,
    action: `${limitsPath}/new?${new URLSearchParams({ client_id: client.id, kind }).toString()}`,
    cancelHref: `${limitsPath}?client_id=${client.id}`,
    button: 'Create limit',
    title: 'New limit',
    ...(problem === undefined ? {} : { problem }),
  });
}

export async function createLimit(page: Page): Promise<PageAnswer> {
  page.api.require('POST', '/v1/limits');
  const kind = page.query.get('kind') ?? '';
  const id = page.query.get('client_id') ?? '';
  if (!isKind(kind) || id === '') return chooseKind(page, id);
  const values = sentValues(page);
  if (page.fields.has('act')) return creationForm(page, kind, values);
  const sent = await page.api.send('POST', '/v1/limits', creationBody({ id }, kind, values));
  if (sent.ok) return { redirectUrl: `${limitsPath}/${encodeURIComponent(sent.body.id)}?done=created` };
  return creationForm(page, kind, values, sent.problem);
}

interface ChangeView extends Pick<LimitForm, 'problem' | 'notice'> {
  readonly limit: any;
  readonly etag: string;
  readonly values: LimitValues;
}

async function changeForm(page: Page, { limit, values, ...rest }: ChangeView): Promise<PageAnswer> {
  const address = `${limitsPath}/${encodeURIComponent(limit.id)}`;
  const client = await page.api.get(`/v1/clients/${encodeURIComponent(limit.client_id)}`);
  if (rest.problem === undefined) {
    const body = changedMembers(limit, values);
    page.api.announce({ method: 'PATCH', url: `/v1/limits/${limit.id}`, body });
  }
  return formPage(page, {
    kind: limit.kind,
    client,
    values,
    action: `${address}/edit`,
    cancelHref: address,
    button: 'Save',
    title: `Edit ${limit.name}`,
    ...rest,
  });
}

export async function showLimitChange(page: Page): Promise<PageAnswer> {
  page.api.require('PATCH', '/v1/limits/{id}');
  const { body: limit, etag } = await page.api.read(`/v1/limits/${encodeURIComponent(page.params['id'] ?? '')}`);
  return changeForm(page, { limit, etag, values: recordValues(limit) });
}

export async function changeLimit(page: Page): Promise<PageAnswer> {
  page.api.require('PATCH', '/v1/limits/{id}');
  const path = `/v1/limits/${encodeURIComponent(page.params['id'] ?? '')}`;
  const { body: limit, etag } = await page.api.read(path);
  const values = sentValues(page);
  const tag = page.fields.get(tagField) ?? etag;
  if (page.fields.has('act')) return changeForm(page, { limit, etag: tag, values });
  const body = changedMembers(limit, values);
  const address = `${limitsPath}/${encodeURIComponent(limit.id)}`;
  if (Object.keys(body).length === 0) return { redirectUrl: `${address}?done=unchanged` };
  const sent = await page.api.send('PATCH', path, body, { 'if-match': tag });
  if (sent.ok) return { redirectUrl: `${address}?done=changed` };
  if (sent.problem.code !== 'precondition-failed')
    return changeForm(page, { limit, etag: tag, values, problem: sent.problem });
  return changeForm(page, { limit, etag, values, notice: await meanwhileNotice(page, limit) });
}

async function meanwhileNotice(page: Page, limit: any): Promise<Html> {
  const nameOf = await readFilterNames(page, [limit.filter]);
  const now = recordValues(limit);
  const facts = definitionList([
    { title: 'Name', value: now.name },
    { title: 'At least', value: now.min === '' ? '–' : now.min },
    { title: 'At most', value: now.max === '' ? '–' : now.max },
    { title: 'Counts', value: filterText(limit.filter, 'en', nameOf) },
  ]);
  return note(
    html`<p>
        Somebody changed this while you were editing it. Nothing was overwritten. Below is what you typed; this is what
        it says now:
      </p>
      ${facts}
      <p>Save again to keep yours, or cancel.</p>`,
    { tone: 'warn', isLive: true },
  );
}

async function formPage(page: Page, form: LimitForm): Promise<PageAnswer> {
  const { kind, client, values, problem, notice } = form;
  const [entities, choices] = await Promise.all([
    readOptions(page, '/v1/reporting-entities', { client_id: client.id }),
    readChoices(page, values.draft, client.id),
  ]);
  const errors = problem?.errors ?? [];
  const editor = filterEditor(values.draft, {
    reader: page.reader,
    choices,
    errors: filterErrors(values.draft, errors),
  });
  const plain = plainFields(form, entities);
  const fields = [...plain, ...editor.fields];
  const shown = errors.length === 0 || fields.some(({ error }) => error !== undefined);
  const messages = problem === undefined || shown ? unplaced(form, errors) : [problem.detail];
  const main = html`${notice ?? emptyHtml}
    <section class="card">
      <form class="form wide" method="post" action="${form.action}">
        <button class="visually-hidden" tabindex="-1" aria-hidden="true">${form.button}</button>
        ${errorSummary(fields, { reader: page.reader, messages })}${tokenField(page.formToken)}
        ${form.etag === undefined ? emptyHtml : html`<input${attributesHtml({ type: 'hidden', name: tagField, value: form.etag })} />`}
        ${plain.map((field) => fieldHtml(field, { reader: page.reader, saysOptional: field.kind !== 'select' }))}
        ${editor.main} ${buttonsRow([{ title: form.button }, { title: 'Cancel', href: form.cancelHref }])}
      </form>
    </section>`;
  const status = notice !== undefined ? 409 : 422;
  return {
    title: form.title,
    lede: html`${kind === 'proportional' ? 'A share of everything that a reporting entity holds' : 'An amount of money'},
      for <a href="/console/clients/${client.id}">${client.name}</a>.`,
    main,
    islands: ['filter-editor'],
    ...(problem === undefined && notice === undefined ? {} : { status }),
  };
}

function errorAt(errors: ApiProblem['errors'], ...names: readonly string[]): string | undefined {
  const own = errors.filter(({ pointer }) =>
    names.some((name) => pointer === `/${name}` || pointer === `/bounds/${name}`),
  );
  return own.length === 0 ? undefined : own.map(({ detail }) => detail).join(' ');
}

function plainFields(
  { kind, client, values, problem }: LimitForm,
  entities: readonly { value: string; title: string }[],
): readonly Field[] {
  const errors = problem?.errors ?? [];
  const members = boundMembers[kind];
  return [
    {
      kind: 'text',
      name: 'name',
      label: 'Name',
      value: values.name,
      autocomplete: 'off',
      error: errorAt(errors, 'name'),
    },
    {
      kind: 'select',
      name: 'reporting_entity_id',
      label: 'Applies to',
      options: [{ value: '', title: 'Every reporting entity of the client' }, ...entities],
      value: values.reportingEntity,
      error: errorAt(errors, 'reporting_entity_id'),
    },
    ...boundFields({
      kind,
      currency: client.reference_currency,
      values,
      errors: { min: errorAt(errors, members.min), max: errorAt(errors, members.max) },
    }),
  ];
}

/** Those that belong to no field of the form. */
function unplaced({ kind }: LimitForm, errors: ApiProblem['errors']): readonly string[] {
  const { min, max } = boundMembers[kind];
  const known = new RegExp(`^/(?:name|reporting_entity_id|(?:bounds/)?(?:${min}|${max})|filter(?:/.*)?)$`);
  return errors.filter(({ pointer = '' }) => !known.test(pointer)).map(({ detail }) => detail);
}
