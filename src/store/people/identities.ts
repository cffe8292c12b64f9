// The identities a person signs in with: looked up before the tenant is known, linked to a person, and marked as used.

import type { Id } from '../../kit/id.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import type { Scope } from '../../model/access/scope.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import { foundOrAll, type PreAuthRead, type Run } from '../postgres/statement-runner.ts';
import { findPersonAccess, type PersonLocator } from './person-access.ts';
import { askingAll, sql } from '../postgres/statement.ts';

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** All servers are asked: an identity does not say where it is known. */
const bySubject = askingAll<PersonLocator>(
  'places/identity',
  `SELECT i.workspace_id AS "workspaceId", i.environment, i.person_id AS "personId" FROM person_identity i
   WHERE {i} AND i.issuer = $1 AND i.subject = $2 ORDER BY i.workspace_id, i.environment`,
);
const markUsed = sql(
  'identity/mark-used',
  `UPDATE person_identity SET last_signed_in_at = $5
   WHERE workspace_id = $1 AND environment = $2 AND issuer = $3 AND subject = $4`,
);
const owner = sql<{ personId: Id }>(
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

/** The people with this identity who have access to something: at most one in each environment. */
export async function listAccessByIdentity(
  read: PreAuthRead,
  { issuer, subject }: IdentityKey,
): Promise<readonly PersonAccess[]> {
  const { rows } = foundOrAll(await read(bySubject, [issuer, subject]));
  const found: PersonAccess[] = [];
  for (const person of rows) {
    const access = await findPersonAccess(read, person);
    if (access !== undefined) found.push(access);
  }
  return found;
}

interface IdentityLink extends IdentityKey {
  readonly personId: string;
  readonly email: string;
  readonly at: number;
}

export class Identities {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async markUsed({ issuer, subject, at }: IdentityKey & { at: number }): Promise<void> {
    await this.#run(markUsed, [...this.#tenant, issuer, subject, new Date(at)]);
  }

  /** The id of the person with this identity. */
  async findOwner({ issuer, subject }: IdentityKey): Promise<Id | undefined> {
    return (await this.#run(owner, [...this.#tenant, issuer, subject])).rows[0]?.personId;
  }

  /** Links an identity to a person. Starts the transaction again if it has just been linked to someone else. */
  async link({ issuer, subject, personId, email, at }: IdentityLink): Promise<void> {
    const { count } = await this.#run(link, [...this.#tenant, issuer, subject, personId, email, new Date(at)]);
    if (count === 0) throwMovedAway();
  }
}
