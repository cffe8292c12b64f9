// Chains the lines of the audit log by hash, in the background, and verifies the chain. A hash covers a line as it is stored, where
// personal data is sealed: erasing a person breaks no link.

import type { Tenant } from '../../model/access/scope.ts';
import type { ChainEnd, LineToChain } from '../../store/access/audit-chain.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';

const purpose = 'audit-chain';
/** The lines of one transaction. */
const batchMax = 500;
/** At most this many batches of a tenant in one run; the next run continues. */
const batchesMax = 100;
const faultsMax = 100;

type Keys = Pick<AppContext, 'keyring'>;

/** What the first link of a chain follows. */
function hashOfNone({ keyring }: Keys, { workspaceId, environment }: Tenant): Buffer {
  return keyring.mac(purpose, JSON.stringify([workspaceId, environment]));
}

/** Keyed, so that write access to the database alone is not enough to make a new chain. */
function linkHash({ keyring }: Keys, previous: Buffer, { entryId, line }: LineToChain): Buffer {
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
  for (const tenant of await context.stores.preAuth.dueTenants.withUnchainedLines()) {
    for (let batch = 0, count = batchMax; count === batchMax && batch < batchesMax; batch++) {
      if (signal?.aborted) return chainedCount;
      count = await chainBatch(context, tenant);
      chainedCount += count;
    }
  }
  return chainedCount;
}

/** A link that was once the end of a chain. */
export interface KnownEnd {
  readonly number: number;
  /** In hexadecimal digits. */
  readonly hash: string;
}

export interface ChainReport {
  readonly tenant: Tenant;
  /** How many lines are chained, and the last hash as far as the chain holds. */
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
  const storedEnd = await auditChain.findEnd();
  let end: ChainEnd = { number: 0, hash: hashOfNone(context, tenant) };
  for (let links = await auditChain.listLinks(0, batchMax); links.length > 0;) {
    for (const link of links) {
      if (link.number !== end.number + 1) report(`Links ${end.number + 1} to ${link.number - 1} are missing.`);
      if (link.line === null) report(`Link ${link.number}: the line ${link.entryId} is missing.`);
      else if (!linkHash(context, end.hash, link).equals(link.hash))
        report(`Link ${link.number}: the line ${link.entryId}, or a link before it, was changed.`);
      const knownHash = known.get(link.number) ?? link.hash.toString('hex');
      if (knownHash !== link.hash.toString('hex')) report(`Link ${link.number} had the hash ${knownHash} before.`);
      end = { number: link.number, hash: link.hash };
    }
    links = await auditChain.listLinks(end.number, batchMax);
  }
  // Links may have been added meanwhile, so the stored end can only be behind.
  const numberBefore = Math.max(0, storedEnd?.number ?? 0, ...known.keys());
  if (numberBefore > end.number)
    report(`The chain has ${end.number} links, but had ${numberBefore}: the last are missing.`);
  for (const id of await auditChain.listStray(faultsMax)) report(`The line ${id} was added beside the chain.`);
  return { tenant, end, unchainedCount: await auditChain.countUnchained(), faults };
}
