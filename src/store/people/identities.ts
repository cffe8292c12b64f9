// By which identities a person is known, as the gate finds them, and when each was last used. Knows no provider.

import type { PersonAccess } from '../../model/access/person-access.ts';
import type { Scope } from '../../model/access/scope.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Database, Run } from '../postgres/database.ts';
import { personAccessColumns, toPersonAccess, type PersonAccessRow } from './person-access.ts';
import { sql } from '../postgres/statement.ts';

type Tenant = Pick<Scope, 'workspaceId' | 'environment'>;

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

const bySubject = sql<PersonAccessRow>(
  'identity/by-subject',
  `SELECT ${personAccessColumns}
   FROM person_identity i JOIN person p ON p.workspace_id = i.workspace_id AND p.environment = i.environment
     AND p.id = i.person_id
   WHERE i.issuer = $1 AND i.subject = $2 ORDER BY i.workspace_id, i.environment`,
);
const markUsed = sql(
  'identity/mark-used',
  `UPDATE person_identity SET last_signed_in_at = $5
   WHERE workspace_id = $1 AND environment = $2 AND issuer = $3 AND subject = $4`,
);
const owner = sql<{ personId: string }>(
  'identity/owner',
  `SELECT person_id AS "personId" FROM person_identity
   WHERE workspace_id = $1 AND environment = $2 AND issuer = $3 AND subject = $4`,
);
const link = sql(
  'identity/link',
  `INSERT INTO person_identity (workspace_id, environment, issuer, subject, person_id, email, created_at, last_signed_in_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
   ON CONFLICT (workspace_id, environment, issuer, subject) DO UPDATE SET email = $6, last_signed_in_at = $7
   WHERE person_identity.person_id = $5`,
);

/** Everybody whom an identity stands for and some client lets in: at most one in each environment. */
export async function listAccessByIdentity(
  database: Database,
  { issuer, subject }: IdentityKey,
): Promise<readonly PersonAccess[]> {
  const { rows } = await database.readPreAuth(bySubject, [issuer, subject]);
  return rows.map(toPersonAccess).filter((access) => access !== undefined);
}

export async function markIdentityUsed(
  run: Run,
  { workspaceId, environment }: Tenant,
  { issuer, subject, at }: IdentityKey & { at: number },
): Promise<void> {
  await run(markUsed, [workspaceId, environment, issuer, subject, new Date(at)]);
}

/** Whom an identity stands for in an environment. */
export async function findIdentityOwner(
  run: Run,
  { workspaceId, environment }: Tenant,
  { issuer, subject }: IdentityKey,
): Promise<string | undefined> {
  return (await run(owner, [workspaceId, environment, issuer, subject])).rows[0]?.personId;
}

/** From now on a person is known by an identity. Where somebody else has just become so, the transaction begins anew. */
export async function linkIdentity(
  run: Run,
  { workspaceId, environment }: Tenant,
  { issuer, subject, personId, email, at }: IdentityKey & { personId: string; email: string; at: number },
): Promise<void> {
  const values = [workspaceId, environment, issuer, subject, personId, email, new Date(at)];
  if ((await run(link, values)).count === 0) throwMovedAway();
}
