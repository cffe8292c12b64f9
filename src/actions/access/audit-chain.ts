// Chains the lines of the audit log by hash, in the background, deletes its oldest links after their time, and verifies the chain. A hash
// covers a line as it is stored, where personal data is sealed: erasing a person breaks no link.

import { greatestOf } from '../../kit/memory/long-list.ts';
import { firstIdAt } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { AuditChain, ChainAnchor, ChainEnd, ChainLink, LineToChain } from '../../store/access/audit-chain.ts';
import type { Store } from '../../store/store.ts';
import type { DropResult } from '../../store/access/retention.ts';
import type { AppContext } from '../core/context.ts';
import { forEachTenant } from '../core/each-tenant.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';
import { countUnshipped, destinationsOf, heldBackMs } from './held-lines.ts';

const purpose = 'audit-chain';
/** The lines of one transaction. */
const batchMax = 500;
/** At most this many batches of a tenant in one run; the next run continues. */
const batchesMax = 100;
/** How many faults of the chain are listed. */
const faultsMax = 100;

export type Keys = Pick<AppContext, 'keyring'>;

/** What the first link of a chain follows. */
export function hashOfNone({ keyring }: Keys, { workspaceId, environment }: Tenant): Buffer {
  return keyring.mac(purpose, JSON.stringify([workspaceId, environment]));
}

/** Keyed, so that write access to the database alone is not enough to make a new chain. */
export function linkHash({ keyring }: Keys, previous: Buffer, { entryId, line }: LineToChain): Buffer {
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
  return keyring.mac(purpose, Buffer.concat([previous, Buffer.from(JSON.stringify([entryId, content]))]));
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
function sealAnchor({ keyring }: Keys, { workspaceId, environment }: Tenant, { number, hash }: ChainEnd): Buffer {
  return keyring.mac('audit-anchor', JSON.stringify([workspaceId, environment, number, hash.toString('hex')]));
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
  const isSealed = sealAnchor(context, tenant, anchor).equals(anchor.seal);
  return {
    start: { number, hash },
    fault: isSealed ? undefined : `Links 1 to ${number} were not removed by the service.`,
  };
}

/** Says what is wrong with a link that should follow another one. */
function findFault(context: Keys, previous: ChainEnd, link: ChainLink): string | undefined {
  if (link.line === null) return `Link ${link.number}: the line ${link.entryId} is missing.`;
  if (linkHash(context, previous.hash, link).equals(link.hash)) return undefined;
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
    const { start, fault: startFault } = await findStart(context, tenant, auditChain);
    let [last, fault] = [start, startFault];
    for (const link of await auditChain.listLinks(start.number, batchMax)) {
      if (link.entryId >= (link.number > shippedTo ? firstHeldId : firstKeptId)) break;
      fault ??= gapBefore(link, last) ?? findFault(context, last, link);
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
  const { auditChain } = openReadWork(context, serviceAuthor(tenant)).store;
  const faults: string[] = [];
  const report = (fault: string): void => void (faults.length < faultsMax && faults.push(fault));
  const known = new Map(knownEnds.map(({ number, hash }) => [number, hash]));
  const compare = ({ number, hash }: ChainEnd): void => {
    const [knownHash, found] = [known.get(number), hash.toString('hex')];
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
      const faultsOfLink = [gapBefore(link, end), findFault(context, end, link)];
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
