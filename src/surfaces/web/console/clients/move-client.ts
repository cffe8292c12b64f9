// Moving a client to another place in the tree, with what that means for what hangs on it and for those who see it.

import { html } from '../../../../kit/html.ts';
import { postForm } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer } from '../../signed-in-page.ts';
import type { Area } from '../../menu.ts';
import { formFields, placeFaults, type PlacedFaults } from '../resource/resource-form.ts';
import type { ApiRecord } from '../resource/record-view.ts';
import { bodyFields } from '../resource/schema-fields.ts';

const place: { readonly path: string; readonly area: Area } = { path: '/console/clients/{id}/move', area: 'console' };

const meaning = html`<p>
    The client moves with everything below it: child clients, entities, accounts, bookings and limits.
  </p>
  <ul>
    <li>Its settings stay as they are. Only new clients take theirs from the parent.</li>
    <li>
      Applications and keys that are bound to a client above the old place no longer see it; those above the new place
      do.
    </li>
    <li>People keep their roles: a membership is of one client and not of those below it.</li>
  </ul>`;

async function movePage(
  page: Page,
  client: ApiRecord,
  { etag, parent, faults }: { readonly etag: string; readonly parent: string; readonly faults?: PlacedFaults },
): Promise<PageAnswer> {
  const [field] = bodyFields(page.api.operation('PATCH', '/v1/clients/{id}')).filter(
    ({ name }) => name === 'parent_id',
  );
  const fields = await formFields(page, field === undefined ? [] : [{ ...field, hint: 'None: a client at the top.' }], {
    values: new Map([['parent_id', [parent]]]),
    errors: faults?.errors,
  });
  const own = fields.map((one) =>
    one.kind === 'select' ? { ...one, options: one.options.filter(({ value }) => value !== client['id']) } : one,
  );
  const address = `/console/clients/${encodeURIComponent(client['id'])}`;
  const form = postForm({
    action: `${address}/move`,
    formToken: page.formToken,
    reader: page.reader,
    fields: own,
    messages: faults?.messages ?? [],
    hidden: { entity_tag: etag },
    buttons: [{ title: 'Move' }, { title: 'Cancel', href: address }],
  });
  return {
    title: `Move ${client['name']}`,
    main: html`${note(meaning)}
      <section class="card">${form}</section>`,
    ...(faults === undefined ? {} : { status: 422 }),
  };
}

export const moveClientPages = [
  signedInPage({
    ...place,
    id: 'client-move',
    summary: 'Move a client',
    async handle(page) {
      page.api.require('PATCH', '/v1/clients/{id}');
      const path = `/v1/clients/${encodeURIComponent(page.params['id'] ?? '')}`;
      const { body: client, etag } = await page.api.read(path);
      page.api.announce({ method: 'PATCH', url: path, body: { parent_id: client.parent_id } });
      return movePage(page, client, { etag, parent: client.parent_id ?? '' });
    },
  }),
  signedInForm({
    ...place,
    id: 'client-move-send',
    summary: 'Send the move of a client',
    async handle(page) {
      const path = `/v1/clients/${encodeURIComponent(page.params['id'] ?? '')}`;
      page.api.require('PATCH', '/v1/clients/{id}');
      const { body: client, etag } = await page.api.read(path);
      const parent = page.fields.get('parent_id') ?? '';
      const body = { parent_id: parent === '' ? null : parent };
      const sent = await page.api.send('PATCH', path, body, { 'if-match': page.fields.get('entity_tag') ?? etag });
      if (sent.ok) return { redirectUrl: `/console/clients/${encodeURIComponent(client.id)}?done=changed` };
      const fields = bodyFields(page.api.operation('PATCH', '/v1/clients/{id}'));
      return movePage(page, client, { etag, parent, faults: placeFaults(sent.problem, fields) });
    },
  }),
];
