// The chain over the audit log of a tenant: which lines are not part of it yet, its links, its end, and where it begins after its oldest
// links were deleted. Hashes are made elsewhere.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { allowDrops } from './retention.ts';
import { countIn, arrayOfAnyLength, sql, withoutOutcome } from '../postgres/statement.ts';

/** What is stored of an audit line. Snapshots are the text of the stored JSON. */
export interface AuditLine {
  readonly at: number;
  readonly act: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly clientId: string | null;
  readonly credentialId: string | null;
  readonly subject: string | null;
  readonly requestId: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** A line by its id, or that it is missing. */
export interface LineToChain {
  readonly entryId: Id;
  readonly line: AuditLine | null;
}

export interface ChainLink extends LineToChain {
  readonly number: number;
  readonly hash: Buffer;
}

export interface ChainEnd {
  /** How many links there are. */
  readonly number: number;
  readonly hash: Buffer;
}

/** The last link that was deleted, and the seal that only whoever has the key can make. */
export interface ChainAnchor extends ChainEnd {
  readonly seal: Buffer;
}

interface LineRow extends AuditLine {
  readonly entryId: Id;
  readonly isThere: boolean;
}

const lineColumns = `e.id IS NOT NULL AS "isThere", e.at, e.act, e.subject_type AS "subjectType", e.subject_id AS "subjectId",
  e.client_id AS "clientId", e.credential_id AS "credentialId", e.subject, e.request_id AS "requestId",
  e.before::text AS before, e.after::text AS after`;
/** Looks up each line by its whole id: a server that has no statistics yet would join by reading the lines of the tenant again for each. */
const entryOf = (alias: string): string =>
  `LEFT JOIN LATERAL (SELECT line.* FROM audit_entry line WHERE line.workspace_id = $1 AND line.environment = $2
     AND line.id = ${alias}.entry_id LIMIT 1) e ON true`;
const ofTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;

/** One statement, since every write makes it: the line, and its place in the queue. */
const addLine = sql(
  'audit-chain/add-line',
  `WITH queued AS (INSERT INTO unchained_audit_entry (workspace_id, environment, entry_id) VALUES ($1, $2, $3))
   INSERT INTO audit_entry (workspace_id, environment, id, at, act, subject_type, subject_id, client_id, credential_id, subject,
     request_id, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13::jsonb)`,
);
const begin = sql(
  'audit-chain/begin',
  'INSERT INTO audit_chain (workspace_id, environment, number, hash) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING',
);
const lockEnd = sql<ChainEnd>(
  'audit-chain/lock-end',
  `SELECT c.number, c.hash FROM audit_chain c WHERE ${ofTenant('c')} FOR UPDATE SKIP LOCKED`,
);
const readEnd = sql<ChainEnd>('audit-chain/end', `SELECT c.number, c.hash FROM audit_chain c WHERE ${ofTenant('c')}`);
const listUnchained = sql<LineRow>(
  'audit-chain/unchained',
  `SELECT u.entry_id AS "entryId", ${lineColumns} FROM unchained_audit_entry u ${entryOf('u')}
   WHERE ${ofTenant('u')} ORDER BY u.entry_id LIMIT $3`,
);
const insertLinks = sql(
  'audit-chain/insert-links',
  withoutOutcome(`INSERT INTO audit_link (workspace_id, environment, number, entry_id, hash)
   SELECT $1, $2, $3::bigint + l.place, l.entry_id, decode(l.hash, 'hex')
   FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS l (entry_id, hash, place)`),
);
const moveEnd = sql(
  'audit-chain/move-end',
  'UPDATE audit_chain SET number = $3, hash = $4 WHERE workspace_id = $1 AND environment = $2',
);
const unqueue = sql(
  'audit-chain/unqueue',
  `DELETE FROM unchained_audit_entry u WHERE ${ofTenant('u')} AND u.entry_id = ANY (${arrayOfAnyLength('$3')})`,
);
const listLinks = sql<LineRow & { readonly number: number; readonly hash: Buffer }>(
  'audit-chain/links',
  `SELECT l.number, l.hash, l.entry_id AS "entryId", ${lineColumns} FROM audit_link l ${entryOf('l')}
   WHERE ${ofTenant('l')} AND l.number > $3 ORDER BY l.number LIMIT $4`,
);
const readAnchor = sql<ChainAnchor>(
  'audit-chain/anchor',
  `SELECT c.anchor_number AS number, coalesce(c.anchor_hash, '') AS hash, coalesce(c.anchor_seal, '') AS seal FROM audit_chain c
   WHERE ${ofTenant('c')} AND c.anchor_number > 0`,
);
const dropEntries = sql(
  'audit-chain/drop-entries',
  `DELETE FROM audit_entry e WHERE ${ofTenant('e')} AND e.id = ANY (ARRAY(
     SELECT l.entry_id FROM audit_link l WHERE ${ofTenant('l')} AND l.number <= $3))`,
);
const dropLinks = sql('audit-chain/drop-links', `DELETE FROM audit_link l WHERE ${ofTenant('l')} AND l.number <= $3`);
const moveAnchor = sql(
  'audit-chain/move-anchor',
  `UPDATE audit_chain SET anchor_number = $3, anchor_hash = $4, anchor_seal = $5 WHERE workspace_id = $1 AND environment = $2`,
);
const sealAnchor = sql(
  'audit-chain/seal-anchor',
  `UPDATE audit_chain SET anchor_seal = $4 WHERE workspace_id = $1 AND environment = $2 AND anchor_seal = $3`,
);
const countUnchained = sql<{ count: number }>(
  'audit-chain/count-unchained',
  `SELECT count(*) AS count FROM unchained_audit_entry u WHERE ${ofTenant('u')}`,
);
// No index leads from a line to its link, so whole sets are joined: line by line it would read all links for each.
const listStray = sql<{ id: Id }>(
  'audit-chain/stray',
  `SELECT e.id FROM audit_entry e WHERE ${ofTenant('e')}
   AND NOT EXISTS (SELECT FROM audit_link l WHERE ${ofTenant('l')} AND l.entry_id = e.id)
   AND NOT EXISTS (SELECT FROM unchained_audit_entry u WHERE ${ofTenant('u')} AND u.entry_id = e.id)
   ORDER BY e.id LIMIT $3`,
);

function toLine({ entryId, isThere, ...line }: LineRow): LineToChain {
  const { at, act, subjectType, subjectId, clientId, credentialId, subject, requestId, before, after } = line;
  if (!isThere) return { entryId, line: null };
  const stored = { at, act, subjectType, subjectId, clientId, credentialId, subject, requestId, before, after };
  return { entryId, line: stored };
}

export class AuditChain {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Adds a line to the audit log, to be chained soon. Enqueued: it is sent with the next statement or with the commit. */
  addLine(entryId: Id, line: AuditLine): void {
    const { at, act, subjectType, subjectId, clientId, credentialId, subject, requestId, before, after } = line;
    const author = [clientId, credentialId, subject, requestId];
    const values = [entryId, new Date(at), act, subjectType, subjectId, ...author, before, after];
    this.#run.enqueue(addLine, [...this.#tenant, ...values]);
  }

  /** Locks the end of the chain until the transaction ends; undefined where another node has it. */
  async lockEnd(hashOfNone: Buffer): Promise<ChainEnd | undefined> {
    this.#run.enqueue(begin, [...this.#tenant, hashOfNone]);
    return (await this.#run(lockEnd, this.#tenant)).rows[0];
  }

  async findEnd(): Promise<ChainEnd | undefined> {
    return (await this.#run(readEnd, this.#tenant)).rows[0];
  }

  async listUnchained(limit: number): Promise<LineToChain[]> {
    return (await this.#run(listUnchained, [...this.#tenant, limit])).rows.map(toLine);
  }

  /** Adds links after the end, which the transaction has locked. Enqueued. */
  append(end: ChainEnd, links: readonly { readonly entryId: Id; readonly hash: Buffer }[]): void {
    const last = links.at(-1);
    if (last === undefined) return;
    const entryIds = links.map(({ entryId }) => entryId);
    const hashes = links.map(({ hash }) => hash.toString('hex'));
    this.#run.enqueue(insertLinks, [...this.#tenant, end.number, entryIds, hashes]);
    this.#run.enqueue(moveEnd, [...this.#tenant, end.number + links.length, last.hash]);
    this.#run.enqueue(unqueue, [...this.#tenant, entryIds]);
  }

  /** The links after a number, in order. */
  async listLinks(after: number, limit: number): Promise<ChainLink[]> {
    const { rows } = await this.#run(listLinks, [...this.#tenant, after, limit]);
    return rows.map(({ number, hash, ...row }) => ({ number, hash, ...toLine(row) }));
  }

  /** Undefined while no link was deleted. */
  async findAnchor(): Promise<ChainAnchor | undefined> {
    return (await this.#run(readAnchor, this.#tenant)).rows[0];
  }

  /** Gives the anchor another seal. The transaction has locked the end. */
  async sealAnchor({ seal: former }: ChainAnchor, seal: Buffer): Promise<void> {
    await this.#run(sealAnchor, [...this.#tenant, former, seal]);
  }

  /** Deletes the links up to the anchor with their lines, all made before a moment. The transaction has locked the end. Enqueued. */
  dropUpTo({ number, hash, seal }: ChainAnchor, before: number): void {
    allowDrops(this.#run, before);
    this.#run.enqueue(dropEntries, [...this.#tenant, number]);
    this.#run.enqueue(dropLinks, [...this.#tenant, number]);
    this.#run.enqueue(moveAnchor, [...this.#tenant, number, hash, seal]);
  }

  async countUnchained(): Promise<number> {
    return countIn(await this.#run(countUnchained, this.#tenant));
  }

  /** Lines that are neither chained nor queued, which no writer of the service leaves behind. */
  async listStray(limit: number): Promise<Id[]> {
    return (await this.#run({ ...listStray, plan: 'set-wise' }, [...this.#tenant, limit])).rows.map(({ id }) => id);
  }
}
