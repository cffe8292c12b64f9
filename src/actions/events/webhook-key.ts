// The signing keys of webhooks of the standard scheme: made when first needed, rotated after a while or by an admin, and trusted until the
// key after the next.

import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { defined } from '../../kit/assert.ts';
import { dayMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { publishedJwk, type WebhookKey } from '../../model/event/webhook-key.ts';
import { importWebhookKey } from '../../signing/webhook-signature.ts';
import type { StoredWebhookKey } from '../../store/events/webhook-keys.ts';
import type { AppContext } from '../core/context.ts';
import { makeSealedKey, openSealedKey, webhookKeyPurpose } from '../access/sealed-key.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { audit, serviceAuthor, openReadWork, runInTransaction, type Work } from '../core/work.ts';

/** How long a key is active before it is rotated. */
export const webhookKeyServiceMs = 90 * dayMs;
/** How long a retired key signs beside the active one, for receivers that have not fetched the keys again. */
export const webhookKeyOverlapMs = 7 * dayMs;

interface WebhookSigner {
  readonly kid: Id;
  readonly key: KeyObject;
}

/** Lists every key that is trusted now, the active one first. There is always one. */
export async function listWebhookKeys({ context, store }: Work): Promise<readonly WebhookKey[]> {
  const present = await store.webhookKeys.listTrusted();
  return isRotationDue(context, present[0]) ? renewKeys(context, store.scope) : present;
}

/** Lists the keys that sign deliveries now: the active one, and the one before it while they overlap. */
export async function listSigningKeys(context: AppContext, tenant: Tenant): Promise<readonly WebhookSigner[]> {
  const { store } = openReadWork(context, serviceAuthor(tenant));
  const present = await store.webhookKeys.listTrusted();
  const trusted = isRotationDue(context, present[0]) ? await renewKeys(context, tenant) : present;
  return trusted.filter((key) => isSigning(context, key)).map((key) => openSigner(context, tenant, key));
}

/** Rotates the key for an admin. After a second rotation nothing that was signed before the first is trusted. */
export async function rotateWebhookKey(work: Work): Promise<WebhookKey> {
  requireAllClients(work);
  return rotate(work, await work.store.webhookKeys.lockActive());
}

function isRotationDue({ clock }: AppContext, active: StoredWebhookKey | undefined): boolean {
  return active === undefined || active.retiredAt !== null || clock.now() - active.createdAt >= webhookKeyServiceMs;
}

/** Returns until when a key signs; null for the active one, whose end is not known. */
export function signsUntil({ retiredAt }: WebhookKey): number | null {
  return retiredAt === null ? null : retiredAt + webhookKeyOverlapMs;
}

function isSigning({ clock }: AppContext, key: StoredWebhookKey): boolean {
  const until = signsUntil(key);
  return key.privateSealed !== null && (until === null || clock.now() < until);
}

/** Makes the key that is due, unless another node has made it meanwhile. */
function renewKeys(context: AppContext, tenant: Tenant): Promise<readonly StoredWebhookKey[]> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const active = await work.store.webhookKeys.lockActive();
    if (isRotationDue(context, active)) await rotate(work, active);
    return work.store.webhookKeys.listTrusted();
  });
}

async function rotate(work: Work, active: StoredWebhookKey | undefined): Promise<WebhookKey> {
  const { scope, webhookKeys } = work.store;
  const next = await makeSealedKey(work.context, webhookKeyPurpose, scope);
  await webhookKeys.activate({ next, active });
  const created: WebhookKey = { id: next.id, publicJwk: next.publicJwk, createdAt: next.createdAt, retiredAt: null };
  const common = { type: 'webhook-key', clientId: null } as const;
  if (active !== undefined) {
    const retired = { ...active, retiredAt: next.createdAt };
    audit(work, {
      ...common,
      act: 'change',
      id: active.id,
      before: auditSnapshot(active),
      after: auditSnapshot(retired),
    });
  }
  audit(work, { ...common, act: 'create', id: created.id, before: null, after: auditSnapshot(created) });
  return created;
}

function auditSnapshot(key: WebhookKey): Record<string, unknown> {
  const retiredAt = key.retiredAt === null ? null : new Date(key.retiredAt);
  return { publicJwk: publishedJwk(key), createdAt: new Date(key.createdAt), retiredAt };
}

/** How many keys a node keeps opened: opening and importing one takes longer than signing with it. */
const openedKeysMax = 1_000;

const openedKeys = new LRUCache<string, KeyObject>({ max: openedKeysMax });

function openSigner(context: AppContext, tenant: Tenant, { id, privateSealed }: StoredWebhookKey): WebhookSigner {
  const name = `${tenant.workspaceId}/${tenant.environment}/${id}`;
  let key = openedKeys.get(name);
  if (key === undefined) {
    const sealed = defined(privateSealed, 'a key that signs has its private half');
    key = importWebhookKey(openSealedKey(context, webhookKeyPurpose, { tenant, id, privateSealed: sealed }));
    openedKeys.set(name, key);
  }
  return { kid: id, key };
}
