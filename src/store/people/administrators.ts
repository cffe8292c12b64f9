// The administrators of a workspace in one environment, and the links with which people become one. Needs a scope that sees all clients.

import type { Id } from '../../kit/id.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import type { Administrator } from '../../model/people/administrator.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import { countIn, sql } from '../postgres/statement.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { dropPerson, insertPerson } from './people-statements.ts';
import { workspaceOfSecret, type SecretLocator } from './located-secret.ts';

export type StoredAdministrator = Omit<Administrator, 'status' | 'mail'>;

/** A link's tenant, and the person it was mailed to; null for one that the operator printed. */
export interface AdministratorLinkLookup {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly id: Id;
  readonly personId: Id | null;
}

export interface AdministratorLink {
  readonly id: Id;
  readonly personId: Id | null;
  readonly expiresAt: number;
  readonly acceptedAt: number | null;
  readonly cancelledAt: number | null;
}

const linkBySecret = sql<AdministratorLinkLookup>(
  'administrators/link-by-secret',
  `SELECT workspace_id AS "workspaceId", environment, id, person_id AS "personId" FROM administrator_link
   WHERE workspace_id = $1 AND secret_hash = $2`,
);
const ofTenant = 'a.workspace_id = $1 AND a.environment = $2';
const selected = `SELECT a.person_id AS id, p.contact_email AS "contactEmail", a.first_name AS "firstName", a.last_name AS "lastName",
    a.created_at AS "createdAt", a.joined_at AS "joinedAt"
  FROM workspace_administrator a JOIN person p ON p.workspace_id = $1 AND p.environment = $2 AND p.id = a.person_id
  WHERE ${ofTenant}`;
const find = sql<StoredAdministrator>('administrators/find', `${selected} AND a.person_id = $3`);
const list = sql<StoredAdministrator>(
  'administrators/list',
  `${selected} AND (a.created_at, a.person_id) > ($3::timestamptz, $4) ORDER BY a.created_at, a.person_id LIMIT $5`,
);
const count = sql<{ count: number }>(
  'administrators/count',
  `SELECT count(*) AS count FROM workspace_administrator a WHERE ${ofTenant}`,
);
const lockAll = sql<{ id: Id; joinedAt: number | null }>(
  'administrators/lock-all',
  `SELECT a.person_id AS id, a.joined_at AS "joinedAt" FROM workspace_administrator a WHERE ${ofTenant} ORDER BY a.person_id FOR UPDATE`,
);
const insert = sql(
  'administrators/insert',
  `INSERT INTO workspace_administrator (workspace_id, environment, person_id, first_name, last_name, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment, person_id) DO UPDATE SET first_name = $4, last_name = $5`,
);
const join = sql(
  'administrators/join',
  `UPDATE workspace_administrator a SET joined_at = coalesce(a.joined_at, $4) WHERE ${ofTenant} AND a.person_id = $3`,
);
const remove = sql(
  'administrators/remove',
  `DELETE FROM workspace_administrator a WHERE ${ofTenant} AND a.person_id = $3`,
);
const insertLink = sql(
  'administrators/insert-link',
  `INSERT INTO administrator_link (workspace_id, environment, id, person_id, secret_hash, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const cancelLinks = sql(
  'administrators/cancel-links',
  `UPDATE administrator_link a SET cancelled_at = $4 WHERE ${ofTenant} AND a.person_id IS NOT DISTINCT FROM $3::text
   AND a.accepted_at IS NULL AND a.cancelled_at IS NULL`,
);
const selectedLink = `SELECT a.id, a.person_id AS "personId", a.expires_at AS "expiresAt", a.accepted_at AS "acceptedAt",
  a.cancelled_at AS "cancelledAt" FROM administrator_link a WHERE ${ofTenant} AND a.id = $3`;
const findLink = sql<AdministratorLink>('administrators/find-link', selectedLink);
const lockLink = sql<AdministratorLink>('administrators/lock-link', `${selectedLink} FOR UPDATE`);
const acceptLink = sql(
  'administrators/accept-link',
  `UPDATE administrator_link a SET accepted_at = $4 WHERE ${ofTenant} AND a.id = $3 AND a.accepted_at IS NULL
   AND a.cancelled_at IS NULL AND a.expires_at > $4`,
);
const newestLinks = sql<{ personId: Id; id: Id }>(
  'administrators/newest-links',
  `SELECT a.person_id AS "personId", max(a.id) AS id FROM administrator_link a
   WHERE ${ofTenant} AND a.person_id = ANY ($3::text[]) GROUP BY 1`,
);

export async function findAdministratorLink(
  read: PreAuthRead,
  secret: SecretLocator,
): Promise<AdministratorLinkLookup | undefined> {
  const workspaceId = await workspaceOfSecret(read, 'administrator_link', secret);
  return workspaceId && (await read(linkBySecret, [workspaceId, secret.secretHash], workspaceId)).rows[0];
}

/** The position in the list of administrators: when they were added, and their id. */
export function administratorPosition({ id, createdAt }: Pick<Administrator, 'id' | 'createdAt'>): string {
  return `${createdAt} ${id}`;
}

interface NewAdministrator {
  readonly contactEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly at: number;
}

interface NewLink {
  readonly id: Id;
  readonly personId: Id | null;
  readonly secretHash: Buffer;
  readonly at: number;
  readonly expiresAt: number;
}

export class Administrators {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async find(id: string): Promise<StoredAdministrator | undefined> {
    return (await this.#run(find, [...this.#tenant, id])).rows[0];
  }

  /** Ordered by when they were added, the first first. */
  async list({ after, limit }: { after?: string | undefined; limit: number }): Promise<StoredAdministrator[]> {
    const [since = '0', id = ''] = after?.split(' ') ?? [];
    return (await this.#run(list, [...this.#tenant, new Date(Number(since)), id, limit])).rows;
  }

  async count(): Promise<number> {
    return countIn(await this.#run(count, this.#tenant));
  }

  /** Locks all administrators until the transaction ends, so that of two who remove each other one stays. */
  async lockAll(): Promise<readonly { readonly id: Id; readonly joinedAt: number | null }[]> {
    return (await this.#run(lockAll, this.#tenant)).rows;
  }

  /** Adds an administrator who has not joined yet, or renames one. */
  async put(id: Id, { contactEmail, firstName, lastName, at }: NewAdministrator): Promise<StoredAdministrator> {
    const person = [...this.#tenant, id, contactEmail, addressKey(contactEmail), new Date(at)];
    this.#run.enqueue(insertPerson, person);
    this.#run.enqueue(insert, [...this.#tenant, id, firstName, lastName, new Date(at)]);
    return (await this.find(id)) ?? throwMovedAway();
  }

  /** Enqueued. */
  join(id: Id, at: number): void {
    this.#run.enqueue(join, [...this.#tenant, id, new Date(at)]);
  }

  /** Removes the administrator with their links, and the person unless they are a member of a client. */
  async remove(id: Id): Promise<void> {
    this.#run.enqueue(remove, [...this.#tenant, id]);
    await this.#run(dropPerson, [...this.#tenant, id]);
  }

  /** Only the newest link of a person works, and of those that were printed. Enqueued. */
  replaceLinks({ id, personId, secretHash, at, expiresAt }: NewLink): void {
    this.#run.enqueue(cancelLinks, [...this.#tenant, personId, new Date(at)]);
    const moments = [new Date(at), new Date(expiresAt)];
    this.#run.enqueue(insertLink, [...this.#tenant, id, personId, secretHash, ...moments]);
  }

  async findLink(id: Id): Promise<AdministratorLink | undefined> {
    return (await this.#run(findLink, [...this.#tenant, id])).rows[0];
  }

  async lockLink(id: Id): Promise<AdministratorLink | undefined> {
    return (await this.#run(lockLink, [...this.#tenant, id])).rows[0];
  }

  /** Returns whether the link was still pending. */
  async acceptLink(id: Id, at: number): Promise<boolean> {
    return (await this.#run(acceptLink, [...this.#tenant, id, new Date(at)])).count === 1;
  }

  /** The newest link of each person that has one. */
  async newestLinks(personIds: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
    const { rows } = await this.#run(newestLinks, [...this.#tenant, personIds]);
    return new Map(rows.map(({ personId, id }) => [personId, id]));
  }
}
