// Brings what a previous encryption key has sealed and digested under the present one, so that the previous key can be thrown away. It may be
// killed at any moment and run again, and nodes may write meanwhile: a value is replaced only while it is as it was read.

import { defined } from '../../kit/assert.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { SealBroken, type DigestPurpose, type KeyUse } from '../../signing/keyring.ts';
import {
  keyedColumns,
  nameOfColumn,
  type DigestColumnName,
  type KeyedColumn,
  type KeyedColumnName,
  type KeyedValue,
  type SealedColumnName,
} from '../../store/access/sealed-rows.ts';
import type { AppContext } from '../core/context.ts';
import { idempotentAnswerPurpose } from '../core/idempotent-answer.ts';
import { sealContext } from '../core/seal-context.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';
import { consentFilePurpose } from '../custody/auth-flow-file.ts';
import { credentialsPurpose } from '../custody/connector-access.ts';
import { pendingPurpose } from '../custody/consent.ts';
import { custodianSecretPurpose } from '../custody/custodian-settings.ts';
import { webhookSecretPurpose } from '../events/webhook.ts';
import { mailPurpose } from '../people/mail.ts';
import { personKeyPurpose } from '../people/personal-data-sealing.ts';
import { handChainOver, inspectHandover } from './audit-chain.ts';
import { replacedKeyPurpose } from './replaced-keys.ts';
import { signingKeyPurpose, webhookKeyPurpose } from './sealed-key.ts';

/** What each sealed value is sealed for. */
export const sealPurposes: Readonly<Record<SealedColumnName, string>> = {
  'replaced_key.kept_sealed': replacedKeyPurpose,
  'signing_key.private_sealed': signingKeyPurpose,
  'webhook_key.private_sealed': webhookKeyPurpose,
  'webhook.secret_sealed': webhookSecretPurpose,
  'webhook.previous_secret_sealed': webhookSecretPurpose,
  'custodian.oauth_client_secret_sealed': custodianSecretPurpose,
  'authority.credentials_sealed': credentialsPurpose,
  'auth_flow.pending_sealed': pendingPurpose,
  'auth_flow_file.content_sealed': consentFilePurpose,
  'person_key.key_sealed': personKeyPurpose,
  'mail.message_sealed': mailPurpose,
  'idempotent_answer.answer_sealed': idempotentAnswerPurpose,
};

const digestPurposes: Readonly<Record<DigestColumnName, DigestPurpose>> = {
  'credential.secret_hash': 'client-secret',
  'person_key.address_digest': 'person-address',
  'mail.address_digest': 'mail-address',
};

const isDigest = (name: KeyedColumnName): name is DigestColumnName => Object.hasOwn(digestPurposes, name);

/** A node does not start without a key that has sealed any of these: they come last, so that it is not left out too early. */
const isLast = ({ table }: KeyedColumn): boolean => table === 'signing_key';
const lastColumns = keyedColumns.filter(isLast);
const firstColumns = keyedColumns.filter((one) => !isLast(one));

/** What an encryption key has made in a column, or of the chain of the audit log. */
export interface KeyedCount {
  readonly what: KeyedColumnName;
  /** Of the key. */
  readonly fingerprint: string;
  readonly use: KeyUse;
  readonly count: number;
}

/** Counts what each key has made in an environment, in one round trip. */
async function countIn(
  context: AppContext,
  tenant: Tenant,
  columns: readonly KeyedColumn[],
): Promise<readonly KeyedCount[]> {
  const { store } = openReadWork(context, serviceAuthor(tenant));
  const counts = await store.sealedRows.count(columns);
  return counts.map(({ what, fingerprint, count }) => ({
    what,
    fingerprint: context.keyring.fullName(fingerprint),
    use: context.keyring.useOf(fingerprint),
    count,
  }));
}

/** Counts what each key has made in all environments, by asking the database which key each value names. */
export async function countKeyed(
  context: AppContext,
  columns: readonly KeyedColumn[] = keyedColumns,
): Promise<readonly KeyedCount[]> {
  const sums = new Map<string, KeyedCount>();
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    for (const one of await countIn(context, tenant, columns)) {
      const key = `${one.what} ${one.fingerprint}`;
      sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
    }
  }
  return [...sums.values()].toSorted((a, b) => (a.what + a.fingerprint < b.what + b.fingerprint ? -1 : 1));
}

/** A value that no key of the settings opens. */
export interface UnreadableValue {
  readonly tenant: Tenant;
  readonly what: KeyedColumnName;
  readonly id: string;
}

/** How many values that cannot be opened are named. */
const unreadableMax = 100;
/** How often everything is gone through: what a node that still had the previous key has written meanwhile is met in the next pass. */
const passesMax = 5;
/** How often a chain is tried to be taken that a node has. */
const chainTriesMax = 100;

export interface ResealReport {
  /** How many values were brought under the present key, by column. */
  readonly resealed: ReadonlyMap<KeyedColumnName, number>;
  /** What each key has made, counted at the end. */
  readonly counts: readonly KeyedCount[];
  /** How many environments still need the previous key for their audit log. */
  readonly openChains: number;
  /** At most a hundred of them. */
  readonly unreadable: readonly UnreadableValue[];
  readonly unreadableCount: number;
  /** Whether nothing is left that the present key does not open. */
  readonly isDone: boolean;
}

interface ResealOptions {
  /** Once it is aborted, no further values are replaced. */
  readonly signal?: AbortSignal;
  /** Told after each environment. */
  onProgress?(tenant: Tenant, resealedCount: number): void;
}

class Reseal {
  readonly #context: AppContext;
  readonly #options: ResealOptions;
  readonly resealed = new Map<KeyedColumnName, number>();
  unreadable: UnreadableValue[] = [];
  unreadableCount = 0;

  constructor(context: AppContext, options: ResealOptions) {
    this.#context = context;
    this.#options = options;
  }

  async run(columns: readonly KeyedColumn[], chains: boolean): Promise<void> {
    for (const tenant of await this.#context.stores.preAuth.listEnvironments()) {
      let count = 0;
      // What is kept of the previous key comes first: from then on it is not lost, whatever stops the rest.
      if (chains) await this.#handChainOver(tenant);
      for (const of of columns) count += await this.#resealColumn(tenant, of);
      if (count > 0) this.#options.onProgress?.(tenant, count);
    }
  }

  /** For another pass, which meets them again. */
  forgetUnreadable(): void {
    [this.unreadable, this.unreadableCount] = [[], 0];
  }

  async #handChainOver(tenant: Tenant): Promise<void> {
    const previous = defined(this.#context.keyring.replaced.at(-1), 'values are resealed from a previous key');
    for (let tries = 0; tries < chainTriesMax && !this.#isStopped; tries++) {
      const { isOpen, lateLinks, isAnchorLeft } = await inspectHandover(this.#context, tenant, previous.fingerprint);
      if (!isOpen && lateLinks === 0 && !isAnchorLeft) return;
      if (await handChainOver(this.#context, tenant, previous)) return;
    }
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true;
  }

  async #resealColumn(tenant: Tenant, of: KeyedColumn): Promise<number> {
    const { stores, keyring } = this.#context;
    let [resealedCount, after] = [0, ''];
    while (!this.#isStopped) {
      const from = after;
      const { lastId, count, broken } = await stores.forWriting(serviceAuthor(tenant), async ({ sealedRows }) => {
        const values = await sealedRows.listOthers(of, { fingerprint: keyring.ownName, after: from });
        const renewals = values.map((value) => ({ value, renewed: this.#renew(tenant, of, value) }));
        const replaced = await Promise.all(
          renewals.map(async ({ value, renewed }) => renewed !== undefined && sealedRows.replace(of, value, renewed)),
        );
        return {
          lastId: values.at(-1)?.id,
          count: replaced.filter(Boolean).length,
          broken: renewals.filter(({ renewed }) => renewed === undefined).map(({ value }) => value.id),
        };
      });
      this.unreadableCount += broken.length;
      for (const id of broken)
        if (this.unreadable.length < unreadableMax) this.unreadable.push({ tenant, what: nameOfColumn(of), id });
      resealedCount += count;
      this.resealed.set(nameOfColumn(of), (this.resealed.get(nameOfColumn(of)) ?? 0) + count);
      if (lastId === undefined) break;
      after = lastId;
    }
    return resealedCount;
  }

  /** The same value under the present key; undefined where no key of the settings opens it. */
  #renew(tenant: Tenant, of: KeyedColumn, { id, value }: KeyedValue): Buffer | undefined {
    const { keyring } = this.#context;
    const name = nameOfColumn(of);
    if (isDigest(name)) return keyring.carryOver(digestPurposes[name], value);
    const [purpose, bound] = [sealPurposes[name], sealContext(tenant, id)];
    try {
      return keyring.seal(purpose, keyring.open(purpose, value, bound), bound);
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }

  async count(): Promise<Pick<ResealReport, 'counts' | 'openChains'> & { readonly left: number }> {
    const counts = await countKeyed(this.#context);
    const openChains = await countOpenChains(this.#context);
    const left = counts.filter(({ use }) => use !== 'present').reduce((sum, { count }) => sum + count, openChains);
    return { counts, openChains, left };
  }
}

/** How many environments still need the previous key for their audit log. */
export async function countOpenChains(context: AppContext): Promise<number> {
  const { previous } = context.keyring.fingerprints();
  if (previous === undefined) return 0;
  let count = 0;
  for (const tenant of await context.stores.preAuth.listEnvironments()) {
    const { isOpen, lateLinks, isAnchorLeft } = await inspectHandover(context, tenant, previous);
    if (isOpen || lateLinks > 0 || isAnchorLeft) count++;
  }
  return count;
}

/** The keyring must have a previous key. */
export async function reseal(context: AppContext, options: ResealOptions = {}): Promise<ResealReport> {
  const task = new Reseal(context, options);
  let counted = await task.count();
  for (let pass = 0; pass < passesMax && counted.left > 0 && options.signal?.aborted !== true; pass++) {
    const before = counted.left;
    task.forgetUnreadable();
    await task.run(firstColumns, true);
    const rest = (await countKeyed(context, firstColumns)).filter(({ use }) => use !== 'present');
    const restCount = rest.reduce((sum, { count }) => sum + count, await countOpenChains(context));
    if (restCount <= task.unreadableCount) await task.run(lastColumns, false);
    counted = await task.count();
    if (counted.left === before || counted.left <= task.unreadableCount) break;
  }
  const { counts, openChains, left } = counted;
  const { resealed, unreadable, unreadableCount } = task;
  return { resealed, counts, openChains, unreadable, unreadableCount, isDone: left === 0 };
}
