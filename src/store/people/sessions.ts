// Sessions as the gate finds them by their secret's hash, and as they begin, go on and end. Knows no cookie.

import type { Id } from '../../kit/id.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Database, Run } from '../postgres/database.ts';
import { personAccessColumns, toPersonAccess, type PersonAccessRow } from './person-access.ts';
import { sql, type Call } from '../postgres/statement.ts';

type Tenant = Pick<Scope, 'workspaceId' | 'environment'>;

export interface StoredSession {
  readonly id: Id;
  readonly seenAt: number;
  readonly access: PersonAccess;
}

const bySecret = sql<PersonAccessRow & { readonly sessionId: Id; readonly seenAt: number }>(
  'session/by-secret',
  `SELECT s.id AS "sessionId", s.seen_at AS "seenAt", ${personAccessColumns}
   FROM session s JOIN person p ON p.workspace_id = s.workspace_id AND p.environment = s.environment AND p.id = s.person_id
   WHERE s.secret_hash = $1 AND s.ended_at IS NULL AND s.expires_at > $2 AND s.seen_at > $3`,
);
const insert = sql(
  'session/insert',
  `INSERT INTO session (workspace_id, environment, id, person_id, secret_hash, created_at, seen_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $6, $7)`,
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

/** Undefined where it is over, and where no client lets the person in any more. Who was not seen since `idleSince` has gone away. */
export async function findSessionBySecret(
  database: Database,
  { secretHash, now, idleSince }: { secretHash: Buffer; now: number; idleSince: number },
): Promise<StoredSession | undefined> {
  const [row] = (await database.readPreAuth(bySecret, [secretHash, new Date(now), new Date(idleSince)])).rows;
  const access = toPersonAccess(row);
  return row && access && { id: row.sessionId, seenAt: row.seenAt, access };
}

export interface NewSession {
  readonly id: Id;
  readonly personId: string;
  readonly secretHash: Buffer;
  readonly now: number;
  readonly expiresAt: number;
}

export async function insertSession(run: Run, tenant: Tenant, session: NewSession): Promise<void> {
  const { id, personId, secretHash, now, expiresAt } = session;
  const moments = [new Date(now), new Date(expiresAt)];
  await run(insert, [tenant.workspaceId, tenant.environment, id, personId, secretHash, ...moments]);
}

export function markSessionSeenCall(tenant: Tenant, { id, at }: { id: Id; at: number }): Call {
  return { statement: markSeen, values: [tenant.workspaceId, tenant.environment, id, new Date(at)] };
}

export function endSessionCall(tenant: Tenant, { id, at }: { id: Id; at: number }): Call {
  return { statement: end, values: [tenant.workspaceId, tenant.environment, id, new Date(at)] };
}

export function endAllSessionsCall(tenant: Tenant, { personId, at }: { personId: string; at: number }): Call {
  return { statement: endAll, values: [tenant.workspaceId, tenant.environment, personId, new Date(at)] };
}
