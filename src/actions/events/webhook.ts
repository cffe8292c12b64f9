// What can happen to a webhook: it is created for a URL and a client, changed, disabled and enabled, and its secret is rotated.

import { defined } from '../../kit/assert.ts';
import { hourMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { defaultWebhookScheme, webhook, type Webhook } from '../../model/event/webhook.ts';
import { checkTarget, TargetFault } from '../../gateways/webhook-target.ts';
import { makeWebhookSecret } from '../../signing/webhook-secret.ts';
import type { DeliveryTarget } from '../../store/queues/delivery-queue-types.ts';
import { requireWithinScope } from '../access/credential.ts';
import type { AppContext } from '../core/context.ts';
import { auditRecord, createRecord, getRecord, notFound, type ChangeRules, type WriteRules } from '../core/resource.ts';
import { sealContext } from '../core/seal-context.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { lacksRight, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';

/** How long the previous secret still signs after a rotation. */
export const secretOverlapMs = 24 * hourMs;
export const webhookSecretPurpose = 'webhook-secret';

export function sealSecret({ context, store }: Work, id: Id, secret: string): Buffer {
  return context.keyring.seal(webhookSecretPurpose, secret, sealContext(store.scope, id));
}

/** What signs deliveries to a webhook of the scheme `hmac`. */
export interface WebhookSecrets {
  readonly present: string;
  /** The secret before the last rotation, which signs as well until a moment. */
  readonly previous: { readonly secret: string; readonly until: number } | null;
}

/** Opens the secrets that sign deliveries to a webhook. */
export function openSecrets({ keyring }: AppContext, tenant: Tenant, id: Id, target: DeliveryTarget): WebhookSecrets {
  const open = (sealed: Buffer): string =>
    keyring.open(webhookSecretPurpose, sealed, sealContext(tenant, id)).toString();
  const { previousSecretSealed: sealed, previousSecretUntil: until } = target;
  return {
    present: open(defined(target.secretSealed, 'a webhook of the scheme hmac has a secret')),
    previous: sealed && { secret: open(sealed), until: defined(until, 'a previous secret has an end') },
  };
}

function checkUrl({ context }: Work, url: string): void {
  try {
    checkTarget(url, { allowPrivate: context.allowsPrivateWebhooks });
  } catch (error) {
    if (!(error instanceof TargetFault)) throw error;
    throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail: error.message, field: 'url' }]);
  }
}

type DeliveryCounts = Awaited<ReturnType<Work['store']['deliveries']['count']>>;

async function withCounts(work: Work, records: readonly Webhook[]): Promise<readonly Webhook[]> {
  return showCounts(work, records, await work.store.deliveries.count(records.map(({ id }) => id)));
}

function showCounts(work: Work, records: readonly Webhook[], counts: DeliveryCounts): readonly Webhook[] {
  return records.map((record) => {
    const { pending = 0, dead = 0 } = counts.find((one) => one.webhook === record.id) ?? {};
    const { previousSecretUntil: until } = record;
    const previousSecretUntil = until !== null && until > work.now ? until : null;
    return { ...record, pendingCount: pending, deadLetterCount: dead, previousSecretUntil };
  });
}

/** Events tell what happened: without the right to read, nobody may have them sent to an address, nor ask for more of them. */
function requireRightToReceive(work: Work, act: string): void {
  if (!lacksRight(work, 'read')) return;
  throw new Refusal('right-missing', `${act} requires the right \`read\`, which the application or key does not have.`);
}

/** Whether a change sends events elsewhere, or more of them. */
function isSentElsewhere(present: Webhook, { url, events }: ChangeOf<typeof webhook>): boolean {
  const { events: presentEvents } = present;
  return (url !== undefined && url !== present.url) || (events ?? []).some((name) => !presentEvents.includes(name));
}

/** The fields that change with the state. */
function stateFields(state: Webhook['state'] | undefined, now: number): AnyChange {
  if (state === undefined) return {};
  const isDisabled = state === 'disabled';
  return { state, disabledReason: isDisabled ? 'asked' : null, disabledAt: isDisabled ? new Date(now) : null };
}

export const webhookRules: ChangeRules<typeof webhook> = {
  resource: webhook,
  refusals: ['outside-reach'],
  show: withCounts,
  async change(work, present, input) {
    if (isSentElsewhere(present, input)) requireRightToReceive(work, 'Changing where or which events are sent');
    if (input.url !== undefined) checkUrl(work, input.url);
    return { ...input, ...stateFields(input.state, work.now) };
  },
};

interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** In clear, this once; null where the keys of the workspace sign. */
  readonly secret: string | null;
}

export async function createWebhook(work: Work, input: ChangeOf<typeof webhook>): Promise<WebhookWithSecret> {
  requireRightToReceive(work, 'Registering a webhook');
  const scheme = input.scheme ?? defaultWebhookScheme(defined(input.events, 'a new webhook has events'));
  const secret = scheme === 'hmac' ? makeWebhookSecret() : null;
  const rules: WriteRules<typeof webhook> = {
    ...webhookRules,
    show: async (inner, records) => showCounts(inner, records, []), // a new one has no deliveries
    async create(inner, fields, id) {
      checkUrl(inner, defined(fields.url, 'a new webhook has a URL'));
      await requireWithinScope(inner, fields.client, 'client');
      return {
        ...fields,
        client: fields.client ?? null,
        scheme,
        ...stateFields(fields.state ?? 'enabled', inner.now),
        secret_sealed: secret === null ? null : sealSecret(inner, id, secret),
        createdAt: new Date(inner.now),
      };
    },
  };
  return { webhook: await createRecord(work, rules, input), secret };
}

/** Replaces the secret by a new one, which is shown this once. For a day both sign. */
export async function rotateWebhookSecret(work: Work, id: string): Promise<WebhookWithSecret> {
  const present = await work.store.table(webhook).lock(id, 'to-change');
  if (present === undefined) throw notFound(webhook);
  if (present.scheme !== 'hmac') {
    const detail = 'This webhook has no secret to rotate: the keys of the workspace sign its deliveries.';
    throw new Refusal('webhook-without-secret', detail);
  }
  const secret = makeWebhookSecret();
  const until = work.now + secretOverlapMs;
  await work.store.webhookSecrets.rotate(present.id, { sealed: sealSecret(work, present.id, secret), until });
  const after = { ...present, previousSecretUntil: until };
  auditRecord(work, webhookRules, 'change', { before: present, after });
  return { webhook: await getRecord(work, webhookRules, id), secret };
}

/** Disables a webhook whose receiver has answered 410: it is gone for good. */
export function disableGoneWebhook(context: AppContext, tenant: Tenant, id: Id): Promise<void> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const table = work.store.table(webhook);
    const before = await table.lock(id, 'to-change');
    if (before === undefined || before.state === 'disabled') return;
    const change = { state: 'disabled', disabledReason: 'gone', disabledAt: new Date(work.now) };
    const after = await table.update(id, change);
    auditRecord(work, webhookRules, 'change', { before, after });
  });
}
