// Webhooks: the list with state and backlog, one with its deliveries and what can be done about them, and its deletion.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import { buttonsRow, postForm } from '../../parts/forms.ts';
import { emptyState, note, stateDot } from '../../parts/notes.ts';
import { card, chips, figuresList } from '../../parts/parts.ts';
import { withParameters } from '../../parts/address.ts';
import type { Sent } from '../../page-api.ts';
import { breakable } from '../../parts/breakable.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import type { WebPath } from '../../web-path.ts';
import { deliveryTable, isFailing, medianDuration } from './delivery-table.ts';
import {
  actionForm,
  callHint,
  clientName,
  count,
  dayStart,
  developerPage,
  doneNote,
  duration,
  home,
  listQuery,
  momentText,
  readList,
  tableCard,
} from './frame.ts';
import { webhookTable } from './webhook-table.ts';

const tab = '/webhooks';
const listAddress = `${home}${tab}`;

async function listPage(page: Page): Promise<PageContent> {
  const query = listQuery(page, ['state']);
  const webhooks = await readList(page, '/v1/webhooks', query);
  const table = webhookTable(page, webhooks);
  const first = webhooks.data.length === 0 && Object.keys(query).length === 0;
  const main = first
    ? emptyState({
        title: 'No webhooks yet',
        text: 'Register an address, and events are posted to it as they happen.',
        action: { title: 'New webhook', href: `${listAddress}/new` },
      })
    : html`${buttonsRow([{ title: 'New webhook', href: `${listAddress}/new` }])}${tableCard(page, table, webhooks)}`;
  return developerPage({
    tab,
    title: 'Webhooks',
    lede: html`Addresses that events are posted to, signed, in order for each client and at least once.`,
    main: html`${doneNote(page)}${main}`,
    tables: [table],
  });
}

function stateHtml(webhook: any, deliveries: readonly any[]): Html {
  if (webhook.state === 'disabled') {
    return stateDot(
      webhook.disabled_reason === 'gone' ? 'Disabled: its receiver answered 410 Gone' : 'Disabled',
      'warn',
    );
  }
  const failing = deliveries.filter(isFailing).at(-1);
  return failing === undefined ? stateDot('Working', 'up') : stateDot('Failing', 'down');
}

async function showOne(page: Page): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const path = `/v1/webhooks/${encodeURIComponent(id)}`;
  const [webhook, deliveries] = await Promise.all([
    page.api.get(path),
    readList(page, `${path}/deliveries`, listQuery(page, ['state'])),
  ]);
  const median = medianDuration(deliveries.data);
  const figures = figuresList([
    { title: 'Waiting', value: count(page, webhook.pending_count) },
    { title: 'Dead letters', value: count(page, webhook.dead_letter_count) },
    {
      title: 'Answers in',
      value: duration(page, median),
      ...(median === null ? {} : { small: 'median of the deliveries below' }),
    },
  ]);
  const table = deliveryTable(page, deliveries);
  const scheme = webhook.scheme === 'hmac' ? 'Service-Signature' : 'Standard Webhooks';
  const whose = await clientName(page, webhook.client_id);
  return developerPage({
    tab,
    title: `Webhook at ${new URL(webhook.url).host}`,
    lede: html`${breakable(webhook.url)} · ${stateHtml(webhook, deliveries.data)} · ${scheme} · ${whose} ·
    ${webhook.events.join(', ')}`,
    main: html`${doneNote(page)}${figures}${actionsHtml(page, webhook)}${stateChips(page)}
    ${tableCard(page, table, deliveries)}${replayCard(page, webhook)}${verificationCard(page, webhook)}`,
    tables: [table],
  });
}

function stateChips({ address, query }: Page): Html {
  const current = query.get('state') ?? '';
  const states = [
    ['All', ''],
    ['Waiting', 'pending'],
    ['Delivered', 'delivered'],
    ['Dead letters', 'dead'],
  ] as const;
  return chips(
    states.map(([title, state]) => ({
      title,
      href: withParameters(address, { state: state === '' ? null : state, cursor: null, done: null }),
      isCurrent: state === current,
    })),
  );
}

function actionsHtml(page: Page, { id, state, scheme }: any): Html {
  const at = (action: string): string => `${listAddress}/${id}/${action}`;
  const links = buttonsRow([
    { title: 'Change…', href: at('edit'), kind: 'quiet' },
    { title: 'Delete…', href: at('delete'), kind: 'danger' },
  ]);
  return html`<div class="buttons">
    ${state === 'enabled' ? actionForm(page, at('test'), 'Send a test', 'primary') : emptyHtml}
    ${scheme === 'hmac' ? actionForm(page, at('rotate'), 'Rotate the secret') : emptyHtml}
    ${actionForm(page, at('state'), state === 'enabled' ? 'Disable' : 'Enable')}${links}
  </div>`;
}

function replayCard(page: Page, { id, dead_letter_count: dead }: any): Html {
  if (dead === 0) return emptyHtml;
  const { formToken, reader } = page;
  const form = postForm({
    action: `${listAddress}/${id}/replay`,
    formToken,
    reader,
    fields: [
      {
        kind: 'date',
        name: 'since',
        label: 'Dead letters since',
        isRequired: true,
        hint: 'Midnight of that day, in UTC.',
      },
    ],
    buttons: [{ title: 'Send dead letters again' }],
  });
  return card('Dead letters', html`${form}${callHint(`POST /v1/webhooks/${id}/replay-dead-letters`)}`);
}

function verificationCard(page: Page, { scheme, previous_secret_until: until }: any): Html {
  const rotation =
    until === null
      ? emptyHtml
      : html`<p>
          Until ${momentText(page, until)}, <code>Service-Signature-Previous</code> is made with the previous secret.
        </p>`;
  const hint =
    scheme === 'hmac'
      ? html`<p>
            <code>Service-Signature</code> is a time in unix seconds, a comma and a signature: HMAC-SHA256 over the
            time, a dot and the body as it arrived, in hexadecimal. The key is the secret. Compare in constant time, and
            refuse times that are more than 300 seconds off.
          </p>
          ${rotation}`
      : html`<p>
          <code>webhook-signature</code> holds an ECDSA signature over id, time and body for each key of
          <code>GET /v1/webhook-keys</code>. One that verifies is enough.
        </p>`;
  return card(
    'How a receiver verifies it',
    html`${hint}
      <p><a href="/docs">API reference</a></p>`,
  );
}

/** Performs a step and shows the webhook again, or why it was refused. */
function afterStep(sent: Sent, address: string): PageAnswer {
  if (sent.ok) return { redirectUrl: address };
  const { status, title, detail } = sent.problem;
  const back = buttonsRow([{ title: 'Back', href: address.replace(/\?.*/, ''), kind: 'quiet' }]);
  return developerPage({ tab, title, status, main: html`${note(detail, { tone: 'danger' })}${back}` });
}

async function sendTest(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('POST', `/v1/webhooks/${encodeURIComponent(id)}/test`);
  const target = sent.ok ? `${home}/deliveries/${sent.body.id}` : `${listAddress}/${id}`;
  return afterStep(sent, `${target}?done=tested`);
}

async function changeState(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const path = `/v1/webhooks/${encodeURIComponent(id)}`;
  const { state } = await page.api.get(path);
  const sent = await page.api.send('PATCH', path, { state: state === 'enabled' ? 'disabled' : 'enabled' });
  return afterStep(sent, `${listAddress}/${id}?done=changed`);
}

async function replayDead(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const since = dayStart(page.fields.get('since'));
  const sent = await page.api.send('POST', `/v1/webhooks/${encodeURIComponent(id)}/replay-dead-letters`, { since });
  const replayed = sent.ok ? sent.body.replayed_count : 0;
  return afterStep(sent, `${listAddress}/${id}?done=${replayed === 0 ? 'none' : `replayed-${replayed}`}`);
}

function waitingText(page: Page, deliveries: number): string {
  return deliveries === 1 ? 'one delivery that waits' : `${count(page, deliveries)} deliveries that wait`;
}

async function deletion(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const path = `/v1/webhooks/${encodeURIComponent(id)}`;
  const { url, pending_count: pending } = await page.api.get(path);
  const typed = page.fields.get(confirmationField);
  if (typed !== null && isNameTyped(url, typed))
    return afterStep(await page.api.send('DELETE', path), `${listAddress}?done=deleted`);
  const confirmation = dangerConfirmation({
    name: url,
    action: `${listAddress}/${id}/delete`,
    formToken: page.formToken,
    cancelHref: `${listAddress}/${id}`,
    reader: page.reader,
    together: pending === 0 ? [] : [{ title: waitingText(page, pending) }],
    ...(typed === null ? {} : { typed }),
  });
  const main = html`${confirmation}${callHint(`DELETE ${path}`)}`;
  return developerPage({
    tab,
    title: 'Delete the webhook',
    lede: breakable(url),
    main,
    ...(typed === null ? {} : { status: 422 }),
  });
}

const base = { area: 'console' } as const;
const at = (path: string): string => `${listAddress}/{id}${path}`;

export const webhookPages: readonly WebPath[] = [
  signedInPage({ ...base, id: 'developers-webhooks', path: listAddress, summary: 'Webhooks', handle: listPage }),
  signedInPage({ ...base, id: 'developers-webhook', path: at(''), summary: 'One webhook', handle: showOne }),
  signedInForm({
    ...base,
    id: 'developers-webhook-test',
    path: at('/test'),
    summary: 'Sends a test',
    handle: sendTest,
  }),
  signedInForm({
    ...base,
    id: 'developers-webhook-state',
    path: at('/state'),
    summary: 'Disables or enables',
    handle: changeState,
  }),
  signedInForm({
    ...base,
    id: 'developers-webhook-replay',
    path: at('/replay'),
    summary: 'Sends dead letters again',
    handle: replayDead,
  }),
  signedInPage({
    ...base,
    id: 'developers-webhook-deletion',
    path: at('/delete'),
    summary: 'Asks before deleting',
    handle: deletion,
  }),
  signedInForm({
    ...base,
    id: 'developers-webhook-delete',
    path: at('/delete'),
    summary: 'Deletes the webhook',
    handle: deletion,
  }),
];
