// Chains the lines of the audit log by hash, in the background, deletes its oldest links after their time, and verifies the chain. A hash
// covers a line as it is stored, where personal data is sealed: erasing a person breaks no link.

import { greatestOf } from '../../kit/memory/long-list.ts';
import { firstIdAt } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { ReplacedKey } from '../../signing/keyring.ts';
import type { AuditChain, ChainAnchor, ChainEnd, ChainLink, LineToChain } from '../../store/access/audit-chain.ts';
import type { DropResult } from '../../store/access/retention.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { forEachTenant } from '../core/each-tenant.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';
import { countUnshipped, destinationsOf, heldBackMs } from './held-lines.ts';
import { openKept, sealKept, type KeptKey } from './replaced-keys.ts';

const purpose = 'audit-chain';
const anchorPurpose = 'audit-anchor';
/** The lines of one transaction. */
const batchMax = 500;
/** At most this many batches of a tenant in one run; the next run continues. */
const batchesMax = 100;
/** How many faults of the chain are listed. */
const faultsMax = 100;

export type Keys = Pick<AppContext, 'keyring'>;

/** What the first link of a chain follows. */
function hashOfNone({ keyring }: Keys, tenant: Tenant): Buffer {
  return keyring.mac(purpose, nameOf(tenant));
}

const nameOf = ({ workspaceId, environment }: Tenant): string => JSON.stringify([workspaceId, environment]);

/** The same of every key that may have begun the chain. */
function hashesOfNone({ keyring }: Keys, tenant: Tenant): readonly Buffer[] {
  return keyring.history.map((key) => key.mac(purpose, nameOf(tenant)));
}

/** Keyed, so that write access to the database alone is not enough to make a new chain. */
function linkHash({ keyring }: Keys, previous: Buffer, line: LineToChain): Buffer {
  return keyring.mac(purpose, linkMessage(previous, line));
}

/** Whether one of the keys has made a link of a line. */
export function isLink(
  { keyring }: Keys,
  line: LineToChain,
  { previous, hash }: Record<'previous' | 'hash', Buffer>,
): boolean {
  const message = linkMessage(previous, line);
  return keyring.history.some((key) => key.mac(purpose, message).equals(hash));
}

/** What the first link of a chain follows: that of the key which has begun it. */
export function hashBeforeFirst(keys: Keys, tenant: Tenant, { hash, ...line }: ChainLink): Buffer {
  const all = hashesOfNone(keys, tenant);
  return all.find((previous) => isLink(keys, line, { previous, hash })) ?? hashOfNone(keys, tenant);
}

function linkMessage(previous: Buffer, { entryId, line }: LineToChain): Buffer {
  const content =
    line === null
      ? null
      : [
          line.at,
          line.act,
          line.subjectType,
          line.subjectId,
          line.clientId,
          line.credentialId,
          line.subject,
          line.requestId,
          line.before,
          line.after,
        ];
  return Buffer.concat([previous, Buffer.from(JSON.stringify([entryId, content]))]);
}

/** Returns how many lines were chained; 0 where another node has the chain. */
async function chainBatch(context: AppContext, tenant: Tenant): Promise<number> {
  return context.stores.forWriting(serviceAuthor(tenant), async ({ auditChain }) => {
    const end = await auditChain.lockEnd(hashOfNone(context, tenant));
    if (end === undefined) return 0;
    const lines = await auditChain.listUnchained(batchMax);
    let previous = end.hash;
    const links = lines.map((one) => {
      previous = linkHash(context, previous, one);
      return { entryId: one.entryId, hash: previous };
    });
    auditChain.append(end, links);
    return links.length;
  });
}

/**
 * Chains what was written since. Each tenant has its own chain, to which one node at a time adds. Begins no further batch once the signal
 * is aborted. Returns how many lines were chained.
 */
export async function chainAuditLines(context: AppContext, signal?: AbortSignal): Promise<number> {
  let chainedCount = 0;
  const chainFor = async (tenant: Tenant): Promise<void> => {
    for (let batch = 0, count = batchMax; count === batchMax && batch < batchesMax; batch++) {
      if (signal?.aborted) return;
      count = await chainBatch(context, tenant);
      chainedCount += count;
    }
  };
  const tenants = await context.stores.preAuth.dueTenants.withUnchainedLines();
  const describe = (count: number): string => `The audit log of ${count} environments could not be chained.`;
  await forEachTenant(tenants, chainFor, { signal, describe });
  return chainedCount;
}

/** Keyed, so that write access to the database alone is not enough to delete more and say so. */
function sealAnchor({ keyring }: Keys, tenant: Tenant, anchor: ChainEnd): Buffer {
  return keyring.mac(anchorPurpose, anchorMessage(tenant, anchor));
}

function anchorMessage({ workspaceId, environment }: Tenant, { number, hash }: ChainEnd): string {
  return JSON.stringify([workspaceId, environment, number, hash.toString('hex')]);
}

function isSealedAnchor({ keyring }: Keys, tenant: Tenant, anchor: ChainAnchor): boolean {
  return keyring.macs(anchorPurpose, anchorMessage(tenant, anchor)).some((seal) => seal.equals(anchor.seal));
}

/** An encryption key that has made links. */
interface ChainKey {
  readonly mac: (message: Buffer | string) => Buffer;
  /** The number of the last link that it can have made. */
  readonly until: number;
}

/** The keys that have made a chain, and where those that were replaced stopped making it. */
class ChainKeys {
  #keys: readonly ChainKey[];
  readonly #ends: ReadonlyMap<number, Buffer>;
  readonly #hashesOfNone: readonly Buffer[];

  constructor({ keyring }: Keys, tenant: Tenant, kept: readonly KeptKey[]) {
    const isOfSettings = (fingerprint: string): boolean =>
      !['replaced', 'unknown'].includes(keyring.useOf(fingerprint));
    const ends = new Map(kept.map(({ fingerprint, chainEnd }) => [fingerprint, chainEnd]));
    this.#keys = keyring.history.map((key) => ({
      mac: (message) => key.mac(purpose, message),
      until: isOfSettings(key.fingerprint) ? Infinity : (ends.get(key.fingerprint)?.number ?? 0),
    }));
    const closed = [...ends].filter(([fingerprint]) => !isOfSettings(fingerprint));
    this.#ends = new Map(closed.map(([, { number, hash }]) => [number, hash]));
    this.#hashesOfNone = hashesOfNone({ keyring }, tenant);
  }

  /** Whether a hash is what the first link of a chain follows. */
  isOfNone(hash: Buffer): boolean {
    return this.#hashesOfNone.some((one) => one.equals(hash));
  }

  /** Whether a link follows another one, and neither was changed. */
  fits(previous: ChainEnd, link: ChainLink): boolean {
    const end = this.#ends.get(link.number);
    if (end !== undefined && !end.equals(link.hash)) return false;
    const before = previous.number === 0 ? this.#hashesOfNone : [previous.hash];
    const isBy = ({ mac, until }: ChainKey): boolean =>
      link.number <= until && before.some((hash) => mac(linkMessage(hash, link)).equals(link.hash));
    const index = this.#keys.findIndex(isBy);
    // The next link is most likely of the same key.
    const found = this.#keys[index];
    if (found !== undefined && index > 0) this.#keys = [found, ...this.#keys.filter((one) => one !== found)];
    return found !== undefined;
  }
}

async function openChainKeys(
  context: AppContext,
  tenant: Tenant,
  { replacedKeys }: Pick<Store, 'replacedKeys'>,
): Promise<ChainKeys> {
  const stored = await replacedKeys.list();
  return new ChainKeys(
    context,
    tenant,
    stored.map((key) => openKept(context, tenant, key)),
  );
}

interface ChainStart {
  /** What the first link follows. */
  readonly start: ChainEnd;
  /** What is wrong with it. */
  readonly fault: string | undefined;
}

async function findStart(context: Keys, tenant: Tenant, auditChain: AuditChain): Promise<ChainStart> {
  const anchor = await auditChain.findAnchor();
  if (anchor === undefined) return { start: { number: 0, hash: hashOfNone(context, tenant) }, fault: undefined };
  const { number, hash } = anchor;
  const isSealed = isSealedAnchor(context, tenant, anchor);
  return {
    start: { number, hash },
    fault: isSealed ? undefined : `Links 1 to ${number} were not removed by the service.`,
  };
}

/** Says what is wrong with a link that should follow another one. */
function findFault(keys: ChainKeys, previous: ChainEnd, link: ChainLink): string | undefined {
  if (link.line === null) return `Link ${link.number}: the line ${link.entryId} is missing.`;
  if (keys.fits(previous, link)) return undefined;
  return `Link ${link.number}: the line ${link.entryId}, or a link before it, was changed.`;
}

const gapBefore = ({ number }: ChainLink, previous: ChainEnd): string | undefined =>
  number === previous.number + 1 ? undefined : `Links ${previous.number + 1} to ${number - 1} are missing.`;

/**
 * Deletes some of the oldest lines of a chain, if they are from before a moment. Verifies them first and deletes nothing where they do not
 * hold, so that no trace of a change is lost. Lines that are still to be shipped are held back for a time; what is deleted unshipped is counted.
 */
export async function dropOldAuditLines(
  context: AppContext,
  tenant: Tenant,
  readBefore: (store: Store) => Promise<number>,
): Promise<DropResult> {
  const { unshippedCount, ...result } = await dropAuditLines(context, tenant, readBefore);
  countUnshipped(context, 'audit', unshippedCount);
  return result;
}

async function dropAuditLines(
  context: AppContext,
  tenant: Tenant,
  readBefore: (store: Store) => Promise<number>,
): Promise<DropResult & { readonly unshippedCount: number }> {
  return context.stores.forWriting(serviceAuthor(tenant), async (store) => {
    const { auditChain, logShipments } = store;
    const before = await readBefore(store);
    const [firstKeptId, firstHeldId] = [firstIdAt(before), firstIdAt(before - heldBackMs)];
    if ((await auditChain.lockEnd(hashOfNone(context, tenant))) === undefined)
      return { count: 0, hasMore: false, unshippedCount: 0 };
    const shippedTo = (await logShipments.auditShippedTo(destinationsOf(context, 'audit'))) ?? Infinity;
    const keys = await openChainKeys(context, tenant, store);
    const { start, fault: startFault } = await findStart(context, tenant, auditChain);
    let [last, fault] = [start, startFault];
    for (const link of await auditChain.listLinks(start.number, batchMax)) {
      if (link.entryId >= (link.number > shippedTo ? firstHeldId : firstKeptId)) break;
      fault ??= gapBefore(link, last) ?? findFault(keys, last, link);
      last = { number: link.number, hash: link.hash };
    }
    const count = last.number - start.number;
    const unshippedCount = Math.max(0, last.number - Math.max(start.number, shippedTo));
    if (count === 0) return { count, hasMore: false, unshippedCount };
    if (fault !== undefined)
      throw new Error(`Old lines of the audit log are not deleted, because the chain does not hold. ${fault}`);
    const anchor: ChainAnchor = { ...last, seal: sealAnchor(context, tenant, last) };
    auditChain.dropUpTo(anchor, before);
    return { count, hasMore: count === batchMax, unshippedCount };
  });
}

/** A link that was once the end of a chain. */
export interface KnownEnd {
  readonly number: number;
  /** In hexadecimal digits. */
  readonly hash: string;
}

export interface ChainReport {
  readonly tenant: Tenant;
  /** How many of the oldest lines were deleted after their time: the rest was verified. */
  readonly deletedCount: number;
  /** How many lines were chained, and the last hash as far as the chain holds. */
  readonly end: ChainEnd;
  readonly unchainedCount: number;
  /** What does not hold, in the order of the chain; at most a hundred. */
  readonly faults: readonly string[];
}

/**
 * Computes every hash of a tenant's chain again, and looks for lines that were removed from it or added beside it. `knownEnds` are what
 * earlier verifications reported: their links must still be there.
 */
export async function verifyAuditChain(
  context: AppContext,
  tenant: Tenant,
  knownEnds: readonly KnownEnd[] = [],
): Promise<ChainReport> {
  const { store } = openReadWork(context, serviceAuthor(tenant));
  const { auditChain } = store;
  const keys = await openChainKeys(context, tenant, store);
  const faults: string[] = [];
  const report = (fault: string): void => void (faults.length < faultsMax && faults.push(fault));
  const known = new Map(knownEnds.map(({ number, hash }) => [number, hash]));
  const compare = ({ number, hash }: ChainEnd): void => {
    const [knownHash, found] = [known.get(number), hash.toString('hex')];
    if (number === 0 && knownHash !== undefined && keys.isOfNone(Buffer.from(knownHash, 'hex'))) return;
    if ((knownHash ?? found) !== found) report(`Link ${number} had the hash ${knownHash} before.`);
  };
  const storedEnd = await auditChain.findEnd();
  let { start, fault } = await findStart(context, tenant, auditChain);
  if (fault !== undefined) report(fault);
  let end = start;
  compare(end);
  for (let links = await auditChain.listLinks(end.number, batchMax); links.length > 0;) {
    for (const link of links) {
      // The oldest links may have been deleted meanwhile.
      if (link.number !== end.number + 1) ({ start, fault } = await findStart(context, tenant, auditChain));
      if (fault === undefined && start.number === link.number - 1) end = start;
      const faultsOfLink = [gapBefore(link, end), findFault(keys, end, link)];
      for (const one of faultsOfLink) if (one !== undefined) report(one);
      end = { number: link.number, hash: link.hash };
      compare(end);
    }
    links = await auditChain.listLinks(end.number, batchMax);
  }
  // Links may have been added meanwhile, so the stored end can only be behind.
  const numberBefore = Math.max(0, storedEnd?.number ?? 0, greatestOf(known.keys()));
  if (numberBefore > end.number)
    report(`The chain has ${end.number} links, but had ${numberBefore}: the last are missing.`);
  for (const id of await auditChain.listStray(faultsMax)) report(`The line ${id} was added beside the chain.`);
  const unchainedCount = await auditChain.countUnchained();
  return { tenant, deletedCount: start.number, end, unchainedCount, faults };
}

/** What is left to do before a chain does not need the previous key any more. */
export interface ChainHandover {
  /** Links that the previous key has made since it was closed. */
  readonly lateLinks: number;
  /** Whether it is not closed at all. */
  readonly isOpen: boolean;
  /** Whether another key than the present one has sealed the anchor. */
  readonly isAnchorLeft: boolean;
}

/** Looks whether the chain depends on a key that is being replaced. */
export async function inspectHandover(context: AppContext, tenant: Tenant, previous: string): Promise<ChainHandover> {
  const { store } = openReadWork(context, serviceAuthor(tenant));
  const anchor = await store.auditChain.findAnchor();
  const stored = (await store.replacedKeys.list()).find(({ fingerprint }) => fingerprint === previous);
  const isAnchorLeft = anchor !== undefined && !sealAnchor(context, tenant, anchor).equals(anchor.seal);
  if (stored === undefined) return { lateLinks: 0, isOpen: true, isAnchorLeft };
  const { chainEnd } = openKept(context, tenant, stored);
  let end: ChainEnd = anchor !== undefined && anchor.number > chainEnd.number ? anchor : chainEnd;
  let lateLinks = 0;
  for (let links = await store.auditChain.listLinks(end.number, batchMax); links.length > 0;) {
    for (const link of links) {
      // The first link of a chain follows what the key made that began it.
      const before = end.number === 0 ? hashesOfNone(context, tenant) : [end.hash];
      const isOwn = before.some((hash) => linkHash(context, hash, link).equals(link.hash));
      if (!isOwn) lateLinks++;
      end = { number: link.number, hash: link.hash };
    }
    links = await store.auditChain.listLinks(end.number, batchMax);
  }
  return { lateLinks, isOpen: false, isAnchorLeft };
}

/**
 * Closes the chain for the key that is being replaced: what it has made so far is kept, fixed by the present key, and it can make no more.
 * Also what was deleted is sealed with the present key. Returns false where another node has the chain, to be tried again.
 */
export async function handChainOver(context: AppContext, tenant: Tenant, previous: ReplacedKey): Promise<boolean> {
  return context.stores.forWriting(serviceAuthor(tenant), async (store) => {
    const end = await store.auditChain.lockEnd(hashOfNone(context, tenant));
    if (end === undefined) return false;
    const anchor = await store.auditChain.findAnchor();
    if (anchor !== undefined && isSealedAnchor(context, tenant, anchor))
      await store.auditChain.sealAnchor(anchor, sealAnchor(context, tenant, anchor));
    const keptSealed = sealKept(context, tenant, { ...previous, chainEnd: { number: end.number, hash: end.hash } });
    const { fingerprint } = previous;
    const stored = (await store.replacedKeys.list()).find((one) => one.fingerprint === fingerprint);
    if (stored === undefined) store.replacedKeys.put({ fingerprint, keptSealed });
    else await store.replacedKeys.replace(stored, keptSealed);
    return true;
  });
}
