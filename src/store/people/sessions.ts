// Sessions of people: found by the hash of their secret before the tenant is known, opened, kept alive and ended.

import type { Id } from '../../kit/id.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { personAccessColumns, toPersonAccess, type PersonAccessRow } from './person-access.ts';
import { sql } from '../postgres/statement.ts';
import { workspaceOfSecret, type SecretLocator } from './located-secret.ts';

export interface StoredSession {
  readonly id: Id;
  readonly seenAt: number;
  readonly access: PersonAccess;
}

/** A session that has not ended. */
export interface OpenSession {
  readonly id: Id;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly userAgent: string | null;
}

const bySecret = sql<PersonAccessRow & { readonly sessionId: Id; readonly seenAt: number }>(
  'session/by-secret',
  `SELECT s.id AS "sessionId", s.seen_at AS "seenAt", ${personAccessColumns}
   FROM session s JOIN person p ON p.workspace_id = $1 AND p.environment = s.environment AND p.id = s.person_id
   WHERE s.workspace_id = $1 AND s.secret_hash = $2 AND s.ended_at IS NULL AND s.expires_at > $3 AND s.seen_at > $4`,
);
const insert = sql(
  'session/insert',
  `INSERT INTO session (workspace_id, environment, id, person_id, secret_hash, created_at, seen_at, expires_at, user_agent)
   VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
);
/** More than anybody reads: the newest. */
const openMax = 100;
const listOpen = sql<OpenSession>(
  'session/list-open',
  `SELECT id, created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt", user_agent AS "userAgent" FROM session
   WHERE workspace_id = $1 AND environment = $2 AND person_id = $3 AND ended_at IS NULL AND expires_at > $4 AND seen_at > $5
   ORDER BY id DESC LIMIT ${openMax}`,
);
const markSeen = sql(
  'session/mark-seen',
  `UPDATE session SET seen_at = $4 WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND seen_at < $4
   AND ended_at IS NULL`,
);
const end = sql(
  'session/end',
  `UPDATE session SET ended_at = $4 WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND ended_at IS NULL`,
);
const endAll = sql(
  'session/end-all',
  `UPDATE session SET ended_at = $4 WHERE workspace_id = $1 AND environment = $2 AND person_id = $3 AND ended_at IS NULL`,
);

export interface SessionQuery extends SecretLocator {
  readonly now: number;
  /** A session that was not used since then has ended. */
  readonly idleSince: number;
}

/** Undefined if the session has ended, or if the person has no access left. */
export async function findSessionBySecret(read: PreAuthRead, query: SessionQuery): Promise<StoredSession | undefined> {
  const workspaceId = await workspaceOfSecret(read, 'session', query);
  if (workspaceId === undefined) return undefined;
  const moments = [new Date(query.now), new Date(query.idleSince)];
  const [row] = (await read(bySecret, [workspaceId, query.secretHash, ...moments], workspaceId)).rows;
  const access = toPersonAccess(row);
  return row && access && { id: row.sessionId, seenAt: row.seenAt, access };
}

interface NewSession {
  readonly id: Id;
  readonly personId: string;
  readonly secretHash: Buffer;
  readonly userAgent: string | null;
  readonly now: number;
  readonly expiresAt: number;
}

export class Sessions {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async insert({ id, personId, secretHash, userAgent, now, expiresAt }: NewSession): Promise<void> {
    const moments = [new Date(now), new Date(expiresAt)];
    await this.#run(insert, [...this.#tenant, id, personId, secretHash, ...moments, userAgent]);
  }

  async listOpen(query: { personId: string; now: number; idleSince: number }): Promise<OpenSession[]> {
    const { personId, now, idleSince } = query;
    return (await this.#run(listOpen, [...this.#tenant, personId, new Date(now), new Date(idleSince)])).rows;
  }

  /** Enqueued, like the two below. */
  markSeen({ id, at }: { id: Id; at: number }): void {
    this.#run.enqueue(markSeen, [...this.#tenant, id, new Date(at)]);
  }

  end({ id, at }: { id: Id; at: number }): void {
    this.#run.enqueue(end, [...this.#tenant, id, new Date(at)]);
  }

  endAll({ personId, at }: { personId: string; at: number }): void {
    this.#run.enqueue(endAll, [...this.#tenant, personId, new Date(at)]);
  }
}
