// The form of a webhook: its address, the events it is sent, and what can be chosen only once.

import { html } from '../../../../kit/html.ts';
import { subscribableEventTypes } from '../../../../model/event/event.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, postForm, secretOnce } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import type { ApiProblem } from '../../page-api.ts';
import { breakable } from '../../parts/breakable.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import type { WebPath } from '../../web-path.ts';
import { callHint, clientField, developerPage, home, requireList, withErrors } from './frame.ts';

const tab = '/webhooks';
const listAddress = `${home}${tab}`;

const schemeOptions = [
  { value: '', title: 'As usual: hmac, or standard for calculated_data.created alone' },
  { value: 'hmac', title: 'hmac: Service-Signature with a secret' },
  { value: 'standard', title: 'standard: Standard Webhooks with public keys' },
];

/** The fields, as they were sent or as the webhook has them. */
function commonFields({ fields }: Page, webhook?: any): readonly Field[] {
  const isSent = fields.get('form_token') !== null;
  const isChosen = (type: string): boolean =>
    isSent ? fields.get(`event_${type}`) === 'true' : webhook?.events.includes(type) === true;
  return [
    {
      kind: 'url',
      name: 'url',
      label: 'Address',
      hint: 'An https address that answers with 2xx within 10 seconds.',
      value: isSent ? (fields.get('url') ?? '') : webhook?.url,
      isRequired: true,
    },
    ...subscribableEventTypes.map((type): Field => ({
      kind: 'checkbox',
      name: `event_${type}`,
      label: type,
      isChecked: isChosen(type),
    })),
  ];
}

function commonBody({ fields }: Page): Record<string, unknown> {
  const events = subscribableEventTypes.filter((type) => fields.get(`event_${type}`) === 'true');
  return { url: fields.get('url') ?? '', events };
}

async function creationFields(page: Page): Promise<readonly Field[]> {
  const { fields } = page;
  const scheme: Field = {
    kind: 'select',
    name: 'scheme',
    label: 'Signed with',
    options: schemeOptions,
    value: fields.get('scheme') ?? '',
  };
  const client = await clientField(page, {
    name: 'client_id',
    label: 'Events of',
    hint: 'Those of a client come with those of the clients below it.',
    value: fields.get('client_id') ?? '',
  });
  return [...commonFields(page), client, scheme];
}

function statusOf(problem: ApiProblem | undefined): { status?: number } {
  return problem === undefined ? {} : { status: problem.status };
}

async function newPage(page: Page, problem?: ApiProblem): Promise<PageContent> {
  await requireList(page, '/v1/webhooks');
  const own = withErrors(await creationFields(page), problem);
  const buttons = [{ title: 'Create' }, { title: 'Cancel', href: listAddress }];
  const { formToken, reader } = page;
  return developerPage({
    tab,
    title: 'New webhook',
    lede: html`Events are posted to it as they happen, signed, and in order for each client.`,
    ...statusOf(problem),
    main: html`${postForm({ action: `${listAddress}/new`, formToken, reader, ...own, buttons })}${callHint('POST /v1/webhooks')}`,
  });
}

async function create(page: Page): Promise<PageContent> {
  const chosen = ['client_id', 'scheme'].flatMap((name) => {
    const value = page.fields.get(name) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const sent = await page.api.send('POST', '/v1/webhooks', { ...commonBody(page), ...Object.fromEntries(chosen) });
  if (!sent.ok) return newPage(page, sent.problem);
  return secretPage(page, { ...sent.body, heading: 'The webhook is ready' });
}

/** Shows a new secret; a webhook of the scheme `standard` has none. */
function secretPage({ reader }: Page, { id, url, secret, heading }: any): PageContent {
  const shown =
    secret === null
      ? note('Its deliveries are signed with the keys of GET /v1/webhook-keys; there is no secret to keep.')
      : secretOnce({ id: 'webhook-secret', label: 'Secret', secret, reader });
  const done = buttonsRow([{ title: 'Done', href: `${listAddress}/${id}` }]);
  return developerPage({ tab, title: heading, lede: breakable(url), main: html`${shown}${done}`, islands: ['copy'] });
}

async function editPage(page: Page, problem?: ApiProblem): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const webhook = await page.api.get(`/v1/webhooks/${encodeURIComponent(id)}`);
  const own = withErrors(commonFields(page, webhook), problem);
  const address = `${listAddress}/${id}`;
  const buttons = [{ title: 'Save' }, { title: 'Cancel', href: address }];
  const { formToken, reader } = page;
  return developerPage({
    tab,
    title: 'Change the webhook',
    lede: breakable(webhook.url),
    ...statusOf(problem),
    main: html`${postForm({ action: `${address}/edit`, formToken, reader, ...own, buttons })}${callHint(`PATCH /v1/webhooks/${id}`)}`,
  });
}

async function change(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('PATCH', `/v1/webhooks/${encodeURIComponent(id)}`, commonBody(page));
  return sent.ok ? { redirectUrl: `${listAddress}/${id}?done=changed` } : editPage(page, sent.problem);
}

async function rotate(page: Page): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('POST', `/v1/webhooks/${encodeURIComponent(id)}/rotate-secret`);
  if (sent.ok) return secretPage(page, { ...sent.body, heading: 'The secret is new' });
  const { status, title, detail } = sent.problem;
  return developerPage({ tab, title, status, main: note(detail, { tone: 'danger' }) });
}

const base = { area: 'console' } as const;

export const webhookFormPages: readonly WebPath[] = [
  signedInPage({
    ...base,
    id: 'developers-webhook-new',
    path: `${listAddress}/new`,
    summary: 'New webhook',
    handle: (page) => newPage(page),
  }),
  signedInForm({
    ...base,
    id: 'developers-webhook-create',
    path: `${listAddress}/new`,
    summary: 'Creates the webhook',
    showsSecret: true,
    handle: create,
  }),
  signedInPage({
    ...base,
    id: 'developers-webhook-edit',
    path: `${listAddress}/{id}/edit`,
    summary: 'Change a webhook',
    handle: (page) => editPage(page),
  }),
  signedInForm({
    ...base,
    id: 'developers-webhook-change',
    path: `${listAddress}/{id}/edit`,
    summary: 'Changes the webhook',
    handle: change,
  }),
  signedInForm({
    ...base,
    id: 'developers-webhook-rotate',
    path: `${listAddress}/{id}/rotate`,
    summary: 'Rotates the secret of a webhook',
    showsSecret: true,
    handle: rotate,
  }),
];
