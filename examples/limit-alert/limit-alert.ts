// Receives webhooks, and posts a message to Slack when a limit is broken.
//
//   WEBHOOK_SECRET=… SLACK_WEBHOOK_URL=… node examples/limit-alert/limit-alert.ts

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decimal, NotFound } from '@holdfast/sdk';
import { receiveServiceEvent, WebhookRefused, type ServiceEvents } from '@holdfast/sdk/webhooks';
import { connect, readSetting } from '../connect.ts';

type Breach = ServiceEvents['limit.breached']['data']['object'];

const bodyBytesMax = 1024 * 1024;
const seenMax = 10_000;
/** An answer is due within ten seconds: the service is asked first, then Slack. */
const timeoutMs = 4_000;

const holdfast = connect('limit-alert', 'read');
const secret = readSetting('WEBHOOK_SECRET');
const slackUrl = readSetting('SLACK_WEBHOOK_URL');
const consoleUrl = process.env['HOLDFAST_CONSOLE_URL'] ?? holdfast.url;
/** Ids of events that were posted. After a restart, an event may be posted twice, but never lost. */
const seen = new Set<string>();

async function receive(request: IncomingMessage): Promise<void> {
  const body = await readBody(request);
  const event = await receiveServiceEvent({ headers: request.headers, body, secret });
  if (event.type !== 'limit.breached' || seen.has(event.id)) return;
  await postToSlack(await messageOf(event.data.object));
  seen.add(event.id);
  for (const oldest of seen) if (seen.size > seenMax) seen.delete(oldest);
}

async function messageOf(breach: Breach): Promise<string> {
  const options = { timeoutMs, retries: 0 };
  const [limit, entity, client] = await Promise.all([
    orNameless(holdfast.limits.get(breach.limit_id, options)),
    orNameless(holdfast.reportingEntities.get(breach.reporting_entity_id, options)),
    holdfast.clients.get(breach.client_id, options),
  ]);
  const { current_value: value, bound_value: bound } = breach;
  // Only while a limit is not broken.
  if (value === null || bound === null) throw new Error(`${breach.limit_id} is said to be broken, without figures.`);
  const unit = breach.kind === 'proportional' ? { percent: true } : { currency: client.reference_currency };
  const show = (amount: string, rounding = {}): string =>
    decimal.format(amount, { locale: 'en', ...unit, ...rounding });
  const places = 2;
  // A breach by less than what is rounded away is shown with all digits.
  const shown = show(value, { places }) === show(bound, { places }) ? show(value) : show(value, { places });
  const rule = `${breach.bound === 'max' ? 'at most' : 'at least'} ${show(bound)}`;
  const link = `<${consoleUrl}/console/limits/${breach.limit_id}|Open the limit>`;
  return `:rotating_light: *${escape(limit.name)}* is broken at ${escape(entity.name)}: ${shown}, ${rule}. ${link}`;
}

/** A record that was deleted since must not hold back the events after it. */
async function orNameless(record: Promise<{ readonly name: string }>): Promise<{ readonly name: string }> {
  try {
    return await record;
  } catch (error) {
    if (error instanceof NotFound) return { name: '(deleted)' };
    throw error;
  }
}

/** Names are other people's text: they must not become links or mentions. */
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('*', '∗');

async function postToSlack(text: string): Promise<void> {
  const answer = await fetch(slackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) throw new Error(`Slack answered ${answer.status}.`);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > bodyBytesMax) throw new Error('The body is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const server = createServer((request, response) => {
  receive(request).then(
    () => response.writeHead(204).end(),
    (error: unknown) => {
      console.error(String(error));
      // 401: not from the service. 500: not posted, so the service sends it again, for a day.
      response.writeHead(error instanceof WebhookRefused ? 401 : 500).end();
    },
  );
});
server.listen(Number(process.env['PORT'] ?? 3000), () =>
  console.log(`Listening at http://localhost:${(server.address() as AddressInfo).port}/`),
);
