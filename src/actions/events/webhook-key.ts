// The keys of the standard track of webhooks: made when they are first needed, followed by another after a while or when an admin
// says so, trusted until the one after the next. Knows no delivery and no wire.

import type { KeyObject } from 'node:crypto';
import { dayMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { RecentMap } from '../../kit/lru-map.ts';
import type { Reach } from '../../model/access/scope.ts';
import { publishedJwk, type WebhookKey } from '../../model/event/webhook-key.ts';
import { importWebhookKey } from '../../signing/webhook-signature.ts';
import {
  activateWebhookKey,
  listTrustedWebhookKeys,
  lockActiveWebhookKey,
  type StoredWebhookKey,
} from '../../store/events/webhook-keys.ts';
import type { House } from '../core/context.ts';
import { makeSealedKey, openSealedKey } from '../access/sealed-key.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import { audit, ownDoing, readingWork, writingWork, type Work } from '../core/work.ts';

type Tenant = Pick<Reach, 'workspaceId' | 'environment'>;

/** A key is followed by another when it has been active for so long. */
export const webhookKeyServiceMs = 90 * dayMs;
/** For so long a retired key signs beside the active one: receivers that have not asked for the keys again verify with it. */
export const webhookKeyOverlapMs = 7 * dayMs;

export interface WebhookSigner {
  readonly kid: Id;
  readonly key: KeyObject;
}

/** Every key that is trusted now, the active one first. There is always one. */
export async function listWebhookKeys({ house, store }: Work): Promise<readonly WebhookKey[]> {
  const present = await listTrustedWebhookKeys(store.run, store.reach);
  return isDue(house, present[0]) ? renewed(house, store.reach) : present;
}

/** What a delivery is to be signed with now: the active key, and the one before it while they overlap. */
export async function signingKeysFor(house: House, tenant: Tenant): Promise<readonly WebhookSigner[]> {
  const { store } = readingWork(house, ownDoing(tenant));
  const present = await listTrustedWebhookKeys(store.run, tenant);
  const trusted = isDue(house, present[0]) ? await renewed(house, tenant) : present;
  return trusted.filter((key) => isSigning(house, key)).map((key) => signerOf(house, tenant, key));
}

/** An admin's word: from now on another key signs. Said twice, nothing that was signed before is trusted. */
export async function rotateWebhookKey(work: Work): Promise<WebhookKey> {
  refuseUnlessAllSeen(work);
  return rotate(work, await lockActiveWebhookKey(work.store.run, work.store.reach));
}

function isDue({ clock }: House, active: StoredWebhookKey | undefined): boolean {
  return active === undefined || active.retiredAt !== null || clock.now() - active.createdAt >= webhookKeyServiceMs;
}

/** Until when a key signs; null for the active one, of which nobody knows. */
export function signsUntil({ retiredAt }: WebhookKey): number | null {
  return retiredAt === null ? null : retiredAt + webhookKeyOverlapMs;
}

function isSigning({ clock }: House, key: StoredWebhookKey): boolean {
  const until = signsUntil(key);
  return key.privateSealed !== null && (until === null || clock.now() < until);
}

/** Makes the key that is due, unless somebody else has done so meanwhile. */
function renewed(house: House, tenant: Tenant): Promise<readonly StoredWebhookKey[]> {
  return writingWork(house, ownDoing(tenant), async (work) => {
    const active = await lockActiveWebhookKey(work.store.run, tenant);
    if (isDue(house, active)) await rotate(work, active);
    return listTrustedWebhookKeys(work.store.run, tenant);
  });
}

async function rotate(work: Work, active: StoredWebhookKey | undefined): Promise<WebhookKey> {
  const { reach, run } = work.store;
  const next = await makeSealedKey(work.house, 'webhook-key', reach);
  await activateWebhookKey(run, reach, { next, active });
  const made: WebhookKey = { id: next.id, publicJwk: next.publicJwk, createdAt: next.createdAt, retiredAt: null };
  const common = { type: 'webhook-key', clientId: null } as const;
  if (active !== undefined) {
    const retired = { ...active, retiredAt: next.createdAt };
    audit(work, { ...common, act: 'change', id: active.id, before: auditedOf(active), after: auditedOf(retired) });
  }
  audit(work, { ...common, act: 'create', id: made.id, before: null, after: auditedOf(made) });
  return made;
}

function auditedOf(key: WebhookKey): Record<string, unknown> {
  const retiredAt = key.retiredAt === null ? null : new Date(key.retiredAt);
  return { publicJwk: publishedJwk(key), createdAt: new Date(key.createdAt), retiredAt };
}

/** To open and import a key takes longer than to sign with it. */
const opened = new RecentMap<KeyObject>({ sizeMax: 1_000 });

function signerOf(house: House, place: Tenant, { id, privateSealed }: StoredWebhookKey): WebhookSigner {
  const name = `${place.workspaceId}/${place.environment}/${id}`;
  let key = opened.find(name);
  if (key === undefined) {
    key = importWebhookKey(openSealedKey(house, 'webhook-key', { place, id, privateSealed: privateSealed! }));
    opened.put(name, key);
  }
  return { kid: id, key };
}
