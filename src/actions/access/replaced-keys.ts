// What an environment keeps of encryption keys that were replaced, and teaching it to a node that starts with the present key alone.

import type { Tenant } from '../../model/access/scope.ts';
import { keptPurposes, type ReplacedKey } from '../../signing/keyring.ts';
import type { ChainEnd } from '../../store/access/audit-chain.ts';
import type { StoredReplacedKey, TenantReplacedKey } from '../../store/access/replaced-keys.ts';
import type { AppContext } from '../core/context.ts';
import { sealContext } from '../core/seal-context.ts';
import type { Work } from '../core/work.ts';

export const replacedKeyPurpose = 'replaced-key';

/** A replaced key of one environment. */
export interface KeptKey extends ReplacedKey {
  /** The end of the environment's chain of the audit log when the key stopped making it: it made no link after this one. */
  readonly chainEnd: ChainEnd;
}

type Keys = Pick<AppContext, 'keyring'>;

export function sealKept(
  { keyring }: Keys,
  tenant: Tenant,
  { fingerprint, replacedBy, subkeys, chainEnd }: KeptKey,
): Buffer {
  const text = JSON.stringify({
    replaced_by: replacedBy,
    subkeys: Object.fromEntries(
      [...subkeys].map(([purpose, subkey]) => [purpose, Buffer.from(subkey).toString('base64')]),
    ),
    chain_number: chainEnd.number,
    chain_hash: chainEnd.hash.toString('base64'),
  });
  return keyring.seal(replacedKeyPurpose, text, sealContext(tenant, fingerprint));
}

/** Throws `SealBroken` where no key of the settings has sealed it, or it is of another environment or key. */
export function openKept({ keyring }: Keys, tenant: Tenant, { fingerprint, keptSealed }: StoredReplacedKey): KeptKey {
  const text = keyring.open(replacedKeyPurpose, keptSealed, sealContext(tenant, fingerprint)).toString('utf8');
  const { replaced_by: replacedBy, subkeys, chain_number: number, chain_hash: hash } = JSON.parse(text) as KeptText;
  const known = keptPurposes.filter((purpose) => subkeys[purpose] !== undefined);
  return {
    fingerprint,
    replacedBy,
    subkeys: new Map(known.map((purpose) => [purpose, Buffer.from(subkeys[purpose] ?? '', 'base64')])),
    chainEnd: { number, hash: Buffer.from(hash, 'base64') },
  };
}

interface KeptText {
  readonly replaced_by: string;
  readonly subkeys: Readonly<Record<string, string | undefined>>;
  readonly chain_number: number;
  readonly chain_hash: string;
}

/** Reads what the database keeps of keys that were replaced. Throws `SealBroken` or `KeyOrderFault` where the keys of the settings do not fit it. */
export async function learnReplacedKeys(context: AppContext): Promise<void> {
  const stored = await context.stores.preAuth.findReplacedKeys().catch(noneBeforeMigration);
  context.keyring.learn(stored.map((key) => openKept(context, key, key)));
}

/** Commands also work on a database that the next start migrates: it has had one key. */
function noneBeforeMigration(error: unknown): readonly TenantReplacedKey[] {
  if (error instanceof Error && 'code' in error && error.code === '42P01') return [];
  throw error;
}

/** Makes the environment unless it is there. A new one keeps what it needs of older keys itself: its digests go through all of them. */
export async function ensureEnvironment(work: Work): Promise<void> {
  const { context, store, now } = work;
  if (!(await store.workspaces.ensureEnvironment(now))) return;
  const chainEnd = { number: 0, hash: Buffer.alloc(0) };
  for (const key of context.keyring.replaced)
    store.replacedKeys.put({
      fingerprint: key.fingerprint,
      keptSealed: sealKept(context, store.scope, { ...key, chainEnd }),
    });
}
