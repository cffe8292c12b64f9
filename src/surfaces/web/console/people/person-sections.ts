// What the page of a person shows below the facts: memberships, invites with the form for another, access, and their personal data.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { tokenField } from '../../layout.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, postForm } from '../../parts/forms.ts';
import type { Page } from '../../signed-in-page.ts';
import { tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import type { FormValues } from '../resource/form-body.ts';
import { ReferenceNames } from '../resource/references.ts';
import { valueText, type ApiRecord } from '../resource/record-view.ts';
import type { RecordSections } from '../resource/resource-definition.ts';
import { formFields, type PlacedFaults } from '../resource/resource-form.ts';
import { bodyFields, type SchemaField } from '../resource/schema-fields.ts';
import { valueTitle } from '../resource/words.ts';

/** What was typed into the form for an invite, and what was wrong with it. */
export interface SentInvite {
  readonly values: FormValues;
  readonly faults: PlacedFaults;
}

export function inviteFields(page: Page): readonly SchemaField[] {
  return bodyFields(page.api.operation('POST', '/v1/invites')).filter(({ name }) => name !== 'user_id');
}

export async function personSections(page: Page, person: ApiRecord, sent?: SentInvite): Promise<RecordSections> {
  const [names, invites] = await Promise.all([
    ReferenceNames.read(
      page,
      person['memberships'].map(({ client_id: id }: any) => ({ to: 'client', id })),
    ),
    page.api.get('/v1/invites', { user_id: person['id'] }),
  ]);
  const memberships = membershipTable(page, person, names);
  const table = inviteTable(page, invites.data, names);
  const main = html`<section class="card">${tableHtml(memberships, { reader: page.reader })}</section>
    <section class="card">
      ${
        invites.data.length === 0
          ? html`<h2>Invites</h2>
              <p>Nobody has invited them yet: without one they cannot sign in.</p>`
          : tableHtml(table, { reader: page.reader })
      }
      ${cancelForms(page, invites.data, names)} ${await inviteForm(page, person, { names, sent })}
    </section>
    ${accessSection(page, person)}${dataSection(page, person)}`;
  return { main, tables: [memberships, table] };
}

function membershipTable(page: Page, person: ApiRecord, names: ReferenceNames): Table {
  return {
    id: 'memberships',
    caption: 'Memberships',
    columns: [
      { key: 'client', title: 'Client', kind: 'text' },
      { key: 'role', title: 'Role', kind: 'text' },
      { key: 'status', title: 'Status', kind: 'text' },
      { key: 'joined', title: 'Joined', kind: 'text' },
    ],
    rows: person['memberships'].map((one: any) => {
      const reference = { to: 'client', id: one.client_id };
      const href = names.addressOf(reference);
      return {
        cells: [
          { value: names.nameOf(reference), ...(href === undefined ? {} : { href }) },
          { value: one.role, text: valueTitle(one.role) },
          { value: one.status, text: valueTitle(one.status) },
          { value: one.joined_at, text: valueText(page, one.joined_at) },
        ],
      };
    }),
  };
}

function inviteTable(page: Page, invites: readonly any[], names: ReferenceNames): Table {
  return {
    id: 'invites',
    caption: 'Invites',
    columns: [
      { key: 'client', title: 'To', kind: 'text' },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'role', title: 'Role', kind: 'text' },
      { key: 'mail', title: 'Mail', kind: 'text' },
      { key: 'created', title: 'Sent', kind: 'text' },
      { key: 'expires', title: 'Valid until', kind: 'text' },
    ],
    rows: invites.map((one) => ({
      cells: [
        { value: names.nameOf({ to: 'client', id: one.client_id }) },
        { value: one.state, text: valueTitle(one.state) },
        { value: one.role, text: valueText(page, one.role) },
        { value: one.mail?.status ?? null, text: valueText(page, one.mail?.status), ...mailNote(one.mail) },
        { value: one.created_at, text: valueText(page, one.created_at) },
        { value: one.expires_at, text: valueText(page, one.expires_at) },
      ],
    })),
  };
}

function mailNote(mail: any): { note?: string } {
  return mail?.failure === undefined || mail.failure === null ? {} : { note: valueTitle(String(mail.failure)) };
}

/** A form with one button. */
function buttonForm(page: Page, action: string, button: Html): Html {
  return html`<form method="post" action="${action}">${tokenField(page.formToken)}${button}</form>`;
}

function cancelForms(page: Page, invites: readonly any[], names: ReferenceNames): readonly Html[] {
  const pending = invites.filter(({ state }) => state === 'pending');
  return pending.map(({ id, user_id: user, client_id: client }) =>
    buttonForm(
      page,
      `/console/people/${encodeURIComponent(user)}/invites/${encodeURIComponent(id)}/cancel`,
      html`<button>Cancel the invite to ${names.nameOf({ to: 'client', id: client })}</button>`,
    ),
  );
}

async function inviteForm(
  page: Page,
  person: ApiRecord,
  { names, sent }: { readonly names: ReferenceNames; readonly sent: SentInvite | undefined },
): Promise<Html> {
  const values = sent?.values ?? new Map([['client_id', [person['client_id']]]]);
  const drawn = await formFields(page, inviteFields(page), { values, errors: sent?.faults.errors });
  const options = person['memberships'].map(({ client_id: id }: any) => ({
    value: id,
    title: names.nameOf({ to: 'client', id }),
  }));
  const fields = drawn.map((field): Field =>
    field.name === 'client_id' ? { ...field, kind: 'select', value: values.get('client_id')?.[0], options } : field,
  );
  return html`<details ${sent === undefined ? '' : 'open'}>
    <summary>Send an invite</summary>
    <p class="soft">
      The mail has a link that works once, for seven days. A newer invite to the same client replaces an older one.
    </p>
    ${postForm({
      action: `/console/people/${encodeURIComponent(person['id'])}/invite`,
      formToken: page.formToken,
      reader: page.reader,
      fields,
      messages: sent?.faults.messages ?? [],
      buttons: [{ title: 'Send the invite' }],
    })}
  </details>`;
}

function accessSection(page: Page, person: ApiRecord): Html {
  const isDisabled = person['status'] === 'disabled';
  const verb = isDisabled ? 'enable' : 'disable';
  const text = isDisabled
    ? 'They cannot sign in to the clients that you see. Enabling gives their access back.'
    : 'Disabling ends their sessions at the clients that you see at once. Roles and grants stay for later.';
  return html`<section class="card">
    <h2>Access</h2>
    <p>${text}</p>
    ${buttonForm(page, `/console/people/${encodeURIComponent(person['id'])}/${verb}`, html`<button>${valueTitle(verb)}</button>`)}
  </section>`;
}

function dataSection(page: Page, person: ApiRecord): Html {
  if (!page.api.may('GET', '/v1/users/{id}/export')) return emptyHtml;
  const address = `/console/people/${encodeURIComponent(person['id'])}`;
  return html`<section class="card">
    <h2>Personal data</h2>
    <p>Everything that is stored about them, as a file; or erased for good, also from the audit log.</p>
    ${buttonsRow([
      { title: 'Export', href: `${address}/export`, kind: 'quiet' },
      { title: 'Erase…', href: `${address}/erase`, kind: 'danger' },
    ])}
  </section>`;
}
