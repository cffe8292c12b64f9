// Creating and changing a record by a form that is made from the schema of the API's body. A change carries the entity tag of what the
// person saw: a change of somebody else in between is told, not overwritten.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { postForm } from '../../parts/forms.ts';
import { chips } from '../../parts/parts.ts';
import { definitionList, note } from '../../parts/notes.ts';
import type { ApiProblem } from '../../page-api.ts';
import type { Page, PageAnswer } from '../../signed-in-page.ts';
import { changeBody, creationBody, recordValues, sentValues, type FormValues } from './form-body.ts';
import { nameOf } from './record-kinds.ts';
import { valueText, type ApiRecord } from './record-view.ts';
import type { ResourceParts } from './resource-definition.ts';
import { formFields, placeFaults, type PlacedFaults } from './resource-form.ts';
import { bodyFields, bodyVariants, type SchemaField } from './schema-fields.ts';
import { capitalise, fieldTitle, valueTitle } from './words.ts';

export const noFaults: PlacedFaults = { errors: new Map(), messages: [] };

/** The field of a form that carries the entity tag. */
const tagField = 'entity_tag';

export async function showCreation(page: Page, parts: ResourceParts): Promise<PageAnswer> {
  const { kind } = parts;
  page.api.require('POST', kind.apiPath);
  const variants = bodyVariants(parts.operation(page, 'POST', 'list'));
  if (variants !== undefined && page.query.get(variants.field) === null) return chooseVariant(parts, variants);
  const fields = writableFields(page, parts, 'POST');
  return creationPage(page, parts, { fields, values: sentValues(fields, page.query), faults: noFaults });
}

function chooseVariant({ kind }: ResourceParts, variants: NonNullable<ReturnType<typeof bodyVariants>>): PageAnswer {
  const links = variants.values.map((value) => ({
    title: valueTitle(value),
    href: `${kind.pagePath}/new?${new URLSearchParams({ [variants.field]: value }).toString()}`,
  }));
  const main = html`<section class="card">
    <h2>${fieldTitle(variants.field)}</h2>
    ${chips(links)}
  </section>`;
  return { title: `New ${kind.one}`, main };
}

/** The fields of the form; of a kind with types, those of the record's type. */
function writableFields(
  page: Page,
  parts: ResourceParts,
  method: 'POST' | 'PATCH',
  record?: ApiRecord,
): readonly SchemaField[] {
  const creation = parts.operation(page, 'POST', 'list');
  const variants = bodyVariants(creation);
  const variant = variants && (record?.[variants.field] ?? page.query.get(variants.field) ?? undefined);
  const fields = bodyFields(creation, variant);
  const without = new Set(parts.definition.notInForms);
  if (method === 'POST') return fields.filter(({ name }) => !without.has(name));
  for (const name of parts.definition.notInChanges ?? []) without.add(name);
  const changeable = bodyFields(parts.operation(page, 'PATCH', 'record'));
  const ofType = variants === undefined ? undefined : new Set(fields.map(({ name }) => name));
  return changeable
    .filter(({ name }) => !without.has(name) && (ofType === undefined || ofType.has(name)) && name !== variants?.field)
    .map((field) => ({
      ...field,
      isRequired: fields.some(({ name, isRequired }) => name === field.name && isRequired),
    }));
}

interface WriteForm {
  readonly fields: readonly SchemaField[];
  readonly values: FormValues;
  readonly faults: PlacedFaults;
  /** What is said above the form. */
  readonly notice?: Html;
}

/** The form for a new record as it was sent, and the body that it means. */
export function readCreation(
  page: Page,
  parts: ResourceParts,
): Pick<WriteForm, 'fields' | 'values'> & ReturnType<typeof creationBody> {
  page.api.require('POST', parts.kind.apiPath);
  const fields = writableFields(page, parts, 'POST');
  const values = sentValues(fields, page.fields);
  return { fields, values, ...creationBody(fields, values) };
}

export async function creationPage(page: Page, parts: ResourceParts, form: WriteForm): Promise<PageAnswer> {
  const { kind } = parts;
  const narrowing = { client_id: form.values.get('client_id')?.[0] ?? page.query.get('client_id') ?? undefined };
  const shown = await formFields(page, form.fields, { values: form.values, errors: form.faults.errors, narrowing });
  if (form.faults === noFaults) {
    page.api.announce({ method: 'POST', url: kind.apiPath, body: creationBody(form.fields, form.values).body });
  }
  const extras = parts.definition.creationExtras?.(page);
  const main = html`${form.notice ?? emptyHtml}
    <section class="card">
      ${postForm({
        action: `${kind.pagePath}/new${page.address.replace(/^[^?]*/, '')}`,
        formToken: page.formToken,
        reader: page.reader,
        fields: shown,
        messages: form.faults.messages,
        ...(extras === undefined ? {} : { more: extras.main }),
        buttons: [{ title: `Create ${kind.one}` }, { title: 'Cancel', href: kind.pagePath }],
      })}
    </section>`;
  return {
    title: `New ${kind.one}`,
    main,
    ...(extras?.islands === undefined ? {} : { islands: extras.islands }),
    ...(form.faults === noFaults ? {} : { status: 422 }),
  };
}

export async function create(page: Page, parts: ResourceParts): Promise<PageAnswer> {
  const { kind } = parts;
  const { fields, values, body, errors } = readCreation(page, parts);
  if (errors.size > 0) return creationPage(page, parts, { fields, values, faults: { errors, messages: [] } });
  const sent = await page.api.send('POST', kind.apiPath, body);
  if (!sent.ok) return creationPage(page, parts, { fields, values, faults: placeFaults(sent.problem, fields) });
  return { redirectUrl: `${kind.pagePath}/${encodeURIComponent(sent.body.id)}?done=created` };
}

interface ChangeForm extends WriteForm {
  readonly record: ApiRecord;
  readonly etag: string;
}

export async function showChange(page: Page, parts: ResourceParts): Promise<PageAnswer> {
  page.api.require('PATCH', `${parts.kind.apiPath}/{id}`);
  const { body: record, etag } = await page.api.read(parts.recordPath(page.params['id'] ?? ''));
  const fields = writableFields(page, parts, 'PATCH', record);
  return changePage(page, parts, { record, etag, fields, values: recordValues(fields, record), faults: noFaults });
}

async function changePage(page: Page, parts: ResourceParts, form: ChangeForm): Promise<PageAnswer> {
  const { kind, definition } = parts;
  const { record, fields, values, faults, etag, notice } = form;
  const address = `${kind.pagePath}/${encodeURIComponent(record['id'])}`;
  const shown = await formFields(page, fields, {
    values,
    errors: faults.errors,
    narrowing: definition.spansClients === true ? {} : { client_id: record['client_id'] },
  });
  if (faults === noFaults) page.api.announce({ method: 'PATCH', url: parts.recordPath(record['id']), body: {} });
  const main = html`${notice ?? emptyHtml}${definition.changeNote === undefined ? emptyHtml : note(definition.changeNote)}
    <section class="card">
      ${postForm({
        action: `${address}/edit`,
        formToken: page.formToken,
        reader: page.reader,
        fields: shown,
        messages: faults.messages,
        hidden: { [tagField]: etag },
        buttons: [{ title: 'Save' }, { title: 'Cancel', href: address }],
      })}
    </section>`;
  const isRefused = faults !== noFaults || notice !== undefined;
  return { title: `Edit ${nameOf(record)}`, main, ...(isRefused ? { status: notice ? 409 : 422 } : {}) };
}

export async function change(page: Page, parts: ResourceParts): Promise<PageAnswer> {
  const { kind } = parts;
  page.api.require('PATCH', `${kind.apiPath}/{id}`);
  const path = parts.recordPath(page.params['id'] ?? '');
  const { body: record, etag } = await page.api.read(path);
  const fields = writableFields(page, parts, 'PATCH', record);
  const values = sentValues(fields, page.fields);
  const { body, errors } = changeBody(fields, values, recordValues(fields, record));
  const form = { record, etag, fields, values };
  if (errors.size > 0) return changePage(page, parts, { ...form, faults: { errors, messages: [] } });
  const address = `${kind.pagePath}/${encodeURIComponent(record.id)}`;
  if (Object.keys(body).length === 0) return { redirectUrl: `${address}?done=unchanged` };
  const sent = await page.api.send('PATCH', path, body, { 'if-match': page.fields.get(tagField) ?? etag });
  if (sent.ok) return { redirectUrl: `${address}?done=changed` };
  if (isChangedMeanwhile(sent.problem)) {
    const notice = meanwhileNotice(page, { ...form, faults: noFaults }, Object.keys(body));
    return changePage(page, parts, { ...form, faults: noFaults, notice });
  }
  return changePage(page, parts, { ...form, faults: placeFaults(sent.problem, fields) });
}

function isChangedMeanwhile({ code }: ApiProblem): boolean {
  return code === 'precondition-failed';
}

/** Shows how the record is now where it differs from what the person typed; sending the form again saves theirs. */
function meanwhileNotice(page: Page, { record, fields }: ChangeForm, changed: readonly string[]): Html {
  const differing = fields.filter(({ name }) => changed.includes(name.split('.')[0] ?? name));
  const now = differing.map(({ name, title }) => ({
    title: capitalise(title),
    value: valueText(
      page,
      name.split('.').reduce<any>((value, member) => value?.[member], record),
    ),
  }));
  return note(
    html`<p>
        Somebody changed this while you were editing it. Nothing was overwritten. Below is what you typed; this is what
        it says now:
      </p>
      ${definitionList(now)}
      <p>Save again to keep yours, or cancel.</p>`,
    { tone: 'warn', isLive: true },
  );
}
