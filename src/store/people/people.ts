// People and their memberships within a scope: found, listed, added to clients, changed and removed. A person is visible through their
// visible memberships, and is deleted with the last membership of all unless they administer the workspace.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { keysOf } from '../../kit/keys.ts';
import type { AnyChange } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { client } from '../../model/structure/client.ts';
import type { Role } from '../../model/people/role.ts';
import { userFromMemberships, type Membership, type User } from '../../model/people/user.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { userConditions, grantResource, membershipResource } from './people-query.ts';
import { tenantFilterValues, tenantFilterSql, type TenantFilterValues } from '../resources/resource-sql.ts';
import { countIn, memoized, memoizedText, type Value } from '../postgres/statement.ts';
import {
  insertPerson,
  insertMembership,
  insertGrants,
  changeAddress,
  changeWrittenAddress,
  disableLike,
  inheritDisabled,
  findPersonByAddress,
  dropPerson,
  lockMembers,
  removeMembership,
  join,
} from './people-statements.ts';
import type { ListQuery } from '../resources/table.ts';

interface MembershipRow extends Membership {
  readonly id: Id;
}

function toUsers(rows: readonly MembershipRow[]): User[] {
  const byPerson = Map.groupBy(rows, ({ id }) => id);
  return [...byPerson].map(([personId, own]) =>
    userFromMemberships(
      personId,
      own.map(({ id: _id, ...membership }) => membership),
    ),
  );
}

interface NewPersonFields {
  readonly contactEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly client: Id;
  readonly readAccessToReportingEntities: readonly Id[];
  readonly createdAt: Date;
  /** Since when they are disabled at the client, where they were before they were removed from it. */
  readonly disabledAt: number | null;
}

/** The order in which memberships are read. */
function byAge(a: Membership, b: Membership): number {
  return a.createdAt - b.createdAt || (a.clientId < b.clientId ? -1 : 1);
}

export class People {
  readonly #scope: Scope;
  readonly #run: Run;
  readonly #filterValues: TenantFilterValues;

  constructor({ scope, run }: { scope: Scope; run: Run }) {
    this.#scope = scope;
    this.#run = run;
    this.#filterValues = tenantFilterValues(scope);
  }

  get #tenant(): [string, string] {
    return [this.#filterValues[0], this.#filterValues[1]];
  }

  /** Selects all visible memberships of the people that a subquery lists, in its order. */
  #membershipsSql(listed: string): string {
    const { kind } = this.#scope.visibleClients;
    return `SELECT m.person_id AS id, m.contact_email AS "contactEmail", m.client_id AS "clientId", m.first_name AS "firstName",
        m.last_name AS "lastName", m.role, m.created_at AS "createdAt", m.joined_at AS "joinedAt",
        m.disabled_at AS "disabledAt",
        ARRAY(SELECT t.reporting_entity_id FROM read_grant t WHERE ${tenantFilterSql(grantResource, kind)}
          AND t.client_id = m.client_id AND t.person_id = m.person_id ORDER BY 1) AS "reportingEntityIds"
      FROM (${listed}) listed
      JOIN (SELECT t.* FROM membership t WHERE ${tenantFilterSql(membershipResource, kind)}) m ON m.person_id = listed.person_id
      ORDER BY listed.since, m.person_id, m.created_at, m.client_id`;
  }

  async find(id: string): Promise<User | undefined> {
    const statement = memoized<MembershipRow>(`people/${this.#scope.visibleClients.kind}/find`, () =>
      this.#membershipsSql('SELECT $4::text AS person_id, NULL AS since'),
    );
    return toUsers((await this.#run(statement, [...this.#filterValues, id])).rows)[0];
  }

  /** The names of the visible clients that a person is a member of. */
  async listClientNames(id: string): Promise<ReadonlyMap<Id, string>> {
    const { kind } = this.#scope.visibleClients;
    const statement = memoized<{ id: Id; name: string }>(
      `people/${kind}/client-names`,
      () => `SELECT t.id, t.name FROM client t WHERE ${tenantFilterSql(client, kind)} AND t.id IN (
        SELECT m.client_id FROM membership m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.person_id = $4)`,
    );
    const { rows } = await this.#run(statement, [...this.#filterValues, id]);
    return new Map(rows.map(({ id: clientId, name }) => [clientId, name]));
  }

  /** Like `find`, for the person with an address. */
  async findWithAddress(address: string): Promise<User | undefined> {
    const { kind } = this.#scope.visibleClients;
    const statement = memoized<MembershipRow>(`people/${kind}/find-with-address`, () =>
      this.#membershipsSql(`SELECT DISTINCT t.person_id, NULL AS since FROM membership t
        WHERE ${tenantFilterSql(membershipResource, kind)} AND t.address_key = $4`),
    );
    return toUsers((await this.#run(statement, [...this.#filterValues, addressKey(address)])).rows)[0];
  }

  /** Locks a person until the transaction ends, and reads them after that: no other transaction changes or, if they are to be deleted, adds to them. */
  async lock(id: string, purpose: 'to-change' | 'to-delete'): Promise<User | undefined> {
    const { kind } = this.#scope.visibleClients;
    const statement = memoized(
      `people/${kind}/${purpose}`,
      () => `SELECT FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id = $4
        AND EXISTS (SELECT FROM membership t WHERE ${tenantFilterSql(membershipResource, kind)} AND t.person_id = p.id)
        FOR ${purpose === 'to-change' ? 'NO KEY UPDATE' : 'UPDATE'} OF p`,
    );
    const [, found] = await Promise.all([
      this.#run.withAllVisible(() => this.#run(statement, [...this.#filterValues, id])),
      this.find(id),
    ]);
    return found;
  }

  #listedSql(where: AnyChange, { first, after }: { first: number; after: string | undefined }) {
    const { conditions, groups, values } = userConditions(where, {
      first,
      visibleClients: this.#scope.visibleClients.kind,
    });
    const position = first + values.length;
    const continued =
      after === undefined ? [] : [`(min(t.created_at), t.person_id) > ($${position}::timestamptz, $${position + 1})`];
    const all = [...groups, ...continued];
    const text = `SELECT t.person_id, min(t.created_at) AS since FROM membership t
      WHERE ${tenantFilterSql(membershipResource, this.#scope.visibleClients.kind)} ${conditions}
      GROUP BY t.person_id ${all.length === 0 ? '' : `HAVING ${all.join(' AND ')}`}`;
    if (after === undefined) return { text, values };
    const [since, id = ''] = after.split(' ');
    return { text, values: [...values, new Date(Number(since)), id] };
  }

  /** Ordered by when people were added, the first first. */
  async list({ where = {}, after, limit }: ListQuery): Promise<User[]> {
    const { text, values } = this.#listedSql(where, { first: 5, after });
    const page = this.#membershipsSql(`${text} ORDER BY 2, 1 LIMIT $4`);
    const statement = memoizedText<MembershipRow>('people/list', page);
    return toUsers((await this.#run(statement, [...this.#filterValues, limit, ...values])).rows);
  }

  async count(where: AnyChange = {}): Promise<number> {
    const { text, values } = this.#listedSql(where, { first: 4, after: undefined });
    const statement = memoizedText<{ count: number }>('people/count', `SELECT count(*) AS count FROM (${text}) listed`);
    return countIn(await this.#run(statement, [...this.#filterValues, ...values]));
  }

  /** The person with an address, visible or not, and when the environment was created. */
  async findByAddress(address: string): Promise<{ id: Id | null; environmentAt: number }> {
    const values = [...this.#tenant, addressKey(address)];
    const { rows } = await this.#run.withAllVisible(() => this.#run(findPersonByAddress, values));
    return defined(rows[0], 'the environment of a scope exists');
  }

  /** Adds a person to a client, and returns them as they will be read. `present` is what is visible of them so far. Enqueued. */
  insert(id: Id, fields: NewPersonFields, present: User | undefined): User {
    const { client: clientId, createdAt, disabledAt, readAccessToReportingEntities: granted, ...own } = fields;
    const { contactEmail, firstName, lastName, role } = own;
    const [workspaceId, environment] = this.#tenant;
    const person = [workspaceId, environment, id, contactEmail, addressKey(contactEmail), createdAt];
    // Another client may have added the person before, which this scope does not see.
    this.#run.enqueueWithAllVisible(insertPerson, person);
    const membership = [firstName, lastName, role, createdAt, contactEmail, addressKey(contactEmail)];
    this.#run.enqueue(insertMembership, [workspaceId, environment, clientId, id, ...membership]);
    this.#run.enqueue(insertGrants, [workspaceId, environment, id, granted]);
    const reportingEntityIds = [...new Set(granted)].toSorted();
    const added = { ...own, clientId, reportingEntityIds, createdAt: createdAt.getTime(), joinedAt: null, disabledAt };
    const memberships = [...(present?.visibleMemberships ?? []), added].toSorted(byAge);
    return { ...userFromMemberships(id, memberships), addedToClientId: clientId };
  }

  /** Changes all visible memberships. */
  async update(id: string, fields: AnyChange): Promise<User> {
    const { contactEmail, readAccessToReportingEntities: granted, ...others } = fields;
    const address = contactEmail as string | undefined;
    if (address !== undefined) {
      this.#run.enqueue(changeAddress, [...this.#tenant, id, address, addressKey(address)]);
      this.#run.enqueue(changeWrittenAddress, [...this.#tenant, id, address, addressKey(address)]);
    }
    if (granted !== undefined) this.#replaceGrants(id, granted as readonly Id[]);
    this.#changeMemberships(id, others);
    return (await this.find(id)) ?? throwMovedAway();
  }

  #changeMemberships(id: string, fields: AnyChange): void {
    const columns = { firstName: 'first_name', lastName: 'last_name', role: 'role', disabledAt: 'disabled_at' };
    const names = keysOf(columns).filter((name) => name in fields);
    if (names.length === 0) return;
    const { kind } = this.#scope.visibleClients;
    const changes = names.map((name, index) => {
      const value = `$${5 + index}`;
      if (name !== 'disabledAt') return `${columns[name]} = ${value}`;
      // Disabling again keeps the first moment.
      return `disabled_at = CASE WHEN ${value}::timestamptz IS NULL THEN NULL ELSE coalesce(disabled_at, ${value}) END`;
    });
    const statement = memoizedText(
      'people/change',
      `UPDATE membership t SET ${changes.join(', ')} WHERE ${tenantFilterSql(membershipResource, kind, 'to-change')} AND t.person_id = $4`,
    );
    this.#run.enqueue(statement, [...this.#filterValues, id, ...names.map((name) => fields[name] as Value)]);
  }

  #replaceGrants(id: string, granted: readonly Id[]): void {
    const { kind } = this.#scope.visibleClients;
    const drop = memoized(
      `people/${kind}/drop-grants`,
      () => `DELETE FROM read_grant t WHERE ${tenantFilterSql(grantResource, kind, 'to-change')} AND t.person_id = $4
        AND t.reporting_entity_id <> ALL ($5::text[])`,
    );
    this.#run.enqueue(drop, [...this.#filterValues, id, granted]);
    this.#run.enqueue(insertGrants, [...this.#tenant, id, granted]);
  }

  /** Takes over where a deleted person, whose address this one now has, was disabled. Enqueued. */
  inheritDisabled(id: string, formerId: Id): void {
    this.#run.enqueue(disableLike, [...this.#tenant, id, formerId]);
    this.#run.enqueue(inheritDisabled, [...this.#tenant, id, formerId]);
  }

  /** Records that an invite to a client was accepted. Enqueued. */
  join(id: string, { client, role, at }: { client: Id; role: string; at: number }): void {
    this.#run.enqueue(join, [...this.#tenant, client, id, new Date(at), role]);
  }

  /** Removes the visible memberships, and the person with the last one. Keeps where they were disabled, in case they are added again. */
  async delete(id: string): Promise<void> {
    const { kind } = this.#scope.visibleClients;
    const keepDisabled = memoized(
      `people/${kind}/keep-disabled`,
      () => `INSERT INTO disabled_former_member (workspace_id, environment, client_id, person_id, disabled_at)
        SELECT $1, $2, t.client_id, t.person_id, t.disabled_at FROM membership t
        WHERE ${tenantFilterSql(membershipResource, kind, 'to-change')} AND t.person_id = $4 AND t.disabled_at IS NOT NULL
        ON CONFLICT DO NOTHING`,
    );
    this.#run.enqueue(keepDisabled, [...this.#filterValues, id]);
    const statement = memoized(
      `people/${kind}/delete`,
      () =>
        `DELETE FROM membership t WHERE ${tenantFilterSql(membershipResource, kind, 'to-change')} AND t.person_id = $4`,
    );
    if ((await this.#run(statement, [...this.#filterValues, id])).count === 0) throwMovedAway();
    await this.#run.withAllVisible(() => this.#run(dropPerson, [...this.#tenant, id]));
  }

  /** The members of a client, locked until the transaction ends. */
  async lockMembers(client: Id): Promise<User[]> {
    const { rows } = await this.#run.withAllVisible(() => this.#run(lockMembers, [...this.#tenant, client]));
    return rows.length === 0 ? [] : this.list({ where: { client }, limit: rows.length });
  }

  /** Removes one membership, and the person with the last one. */
  async removeFrom(client: Id, id: Id): Promise<void> {
    this.#run.enqueue(removeMembership, [...this.#tenant, client, id]);
    await this.#run.withAllVisible(() => this.#run(dropPerson, [...this.#tenant, id]));
  }
}
