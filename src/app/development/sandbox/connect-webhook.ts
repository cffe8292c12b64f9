// Registers a webhook of the demo family with a receiver inside the sandbox: its events are delivered for real and never leave this machine.

import { testWebhook } from '../../../actions/events/delivery.ts';
import { createWebhook, webhookRules } from '../../../actions/events/webhook.ts';
import { changeRecord } from '../../../actions/core/resource.ts';
import type { Work } from '../../../actions/core/work.ts';
import { webhook } from '../../../model/event/webhook.ts';
import { client } from '../../../model/structure/client.ts';
import { receiverPath } from './sandbox-server.ts';

/** More than anybody registers in the demo. */
const listMax = 100;

function isReceiver(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === receiverPath;
}

/** Tests a new one, so that there is a delivery to see. Follows the sandbox when it listens elsewhere. */
export async function connectWebhook(work: Work, origin: string): Promise<void> {
  const url = `${origin}${receiverPath}`;
  const known = (await work.store.table(webhook).list({ limit: listMax })).find((one) => isReceiver(one.url));
  if (known?.url === url) return;
  if (known !== undefined) return void (await changeRecord(work, webhookRules, known.id, { url }));
  const [family] = await work.store.table(client).list({ where: { name: 'Lindqvist Family' }, limit: 1 });
  if (family === undefined) return;
  const { webhook: created } = await createWebhook(work, {
    url,
    client: family.id,
    events: ['limit.breached', 'limit.restored', 'account.disconnected', 'authority.expiring'],
  });
  await testWebhook(work, created.id);
}
