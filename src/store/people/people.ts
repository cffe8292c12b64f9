// People and their memberships, as far as one reach goes: found, listed, added to clients, changed and taken away. A person is seen
// through memberships in reach, and goes with the last one, wherever that is.

import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { everything, type Reach } from '../../model/access/scope.ts';
import { userThrough, type Membership, type User } from '../../model/people/user.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { outOfSight, type Database, type Run } from '../postgres/database.ts';
import { askedFor, grants, memberships } from './people-query.ts';
import { wallOf, within, type Wall } from '../resources/resource-sql.ts';
import { remembered, rememberedText, sql, type Value } from '../postgres/statement.ts';
import type { ListQuery } from '../resources/table.ts';

const insertPerson = sql(
  'people/insert-person',
  `INSERT INTO person (workspace_id, environment, id, contact_email, address_key, created_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment, id) DO NOTHING`,
);
const insertMembership = sql(
  'people/insert-membership',
  `INSERT INTO membership (workspace_id, environment, client_id, person_id, first_name, last_name, role, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const insertGrants = sql(
  'people/insert-grants',
  `INSERT INTO read_grant (workspace_id, environment, client_id, person_id, reporting_entity_id)
   SELECT $1, $2, r.client_id, $3, r.id FROM reporting_entity r
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id = ANY ($4::text[]) ORDER BY r.id ON CONFLICT DO NOTHING`,
);
const changeAddress = sql(
  'people/change-address',
  'UPDATE person SET contact_email = $4, address_key = $5 WHERE workspace_id = $1 AND environment = $2 AND id = $3',
);
const byAddress = sql<{ id: Id | null; environmentAt: number }>(
  'people/by-address',
  `SELECT p.id, e.created_at AS "environmentAt" FROM environment e
   LEFT JOIN person p ON p.workspace_id = $1 AND p.environment = $2 AND p.address_key = $3
   WHERE e.workspace_id = $1 AND e.environment = $2`,
);
const dropPerson = sql(
  'people/drop-person',
  `DELETE FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id = $3
   AND NOT EXISTS (SELECT FROM membership m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.person_id = $3)`,
);
const lockMembers = sql<{ id: Id }>(
  'people/lock-members',
  `SELECT p.id FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id IN (SELECT m.person_id FROM membership m
     WHERE m.workspace_id = $1 AND m.environment = $2 AND m.client_id = $3) ORDER BY p.id FOR UPDATE OF p`,
);
const removeMembership = sql(
  'people/remove-membership',
  'DELETE FROM membership WHERE workspace_id = $1 AND environment = $2 AND client_id = $3 AND person_id = $4',
);
const join = sql(
  'people/join',
  `UPDATE membership SET joined_at = coalesce(joined_at, $5), role = $6
   WHERE workspace_id = $1 AND environment = $2 AND client_id = $3 AND person_id = $4`,
);

interface MembershipRow extends Membership {
  readonly id: Id;
  readonly contactEmail: string;
}

function usersOf(rows: readonly MembershipRow[]): User[] {
  const byPerson = Map.groupBy(rows, ({ id }) => id);
  return [...byPerson.values()].map((own) =>
    userThrough(
      own[0]!,
      own.map(({ id: _id, contactEmail: _email, ...membership }) => membership),
    ),
  );
}

export interface NewUser {
  readonly contactEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string;
  readonly client: Id;
  readonly readAccessToReportingEntities: readonly Id[];
  readonly createdAt: Date;
}

export class People {
  readonly #reach: Reach;
  readonly #run: Run;
  readonly #database: Database;
  readonly #wall: Wall;

  constructor({ reach, run }: { reach: Reach; run: Run }, database: Database) {
    this.#reach = reach;
    this.#run = run;
    this.#database = database;
    this.#wall = wallOf(reach);
  }

  get #place(): [string, string] {
    return [this.#wall[0], this.#wall[1]];
  }

  /** Every membership in reach of the people that a subquery lists, in its order. */
  #through(listed: string): string {
    const { kind } = this.#reach.sight;
    return `SELECT p.id, p.contact_email AS "contactEmail", m.client_id AS "clientId", m.first_name AS "firstName",
        m.last_name AS "lastName", m.role, m.created_at AS "createdAt", m.joined_at AS "joinedAt",
        m.disabled_at AS "disabledAt",
        ARRAY(SELECT t.reporting_entity_id FROM read_grant t WHERE ${within(grants, kind)}
          AND t.client_id = m.client_id AND t.person_id = m.person_id ORDER BY 1) AS "reportingEntityIds"
      FROM (${listed}) listed
      JOIN (SELECT t.* FROM membership t WHERE ${within(memberships, kind)}) m ON m.person_id = listed.person_id
      JOIN person p ON p.workspace_id = $1 AND p.environment = $2 AND p.id = m.person_id
      ORDER BY listed.since, p.id, m.created_at, m.client_id`;
  }

  async find(id: string): Promise<User | undefined> {
    const statement = remembered<MembershipRow>(`people/${this.#reach.sight.kind}/find`, () =>
      this.#through('SELECT $4::text AS person_id, NULL AS since'),
    );
    return usersOf((await this.#run(statement, [...this.#wall, id])).rows)[0];
  }

  /** Read once it is held: nobody else changes the person or, where it is to go, adds to them, until the transaction ends. */
  async lock(id: string, purpose: 'to-change' | 'to-delete'): Promise<User | undefined> {
    const { kind } = this.#reach.sight;
    const statement = remembered(
      `people/${kind}/${purpose}`,
      () => `SELECT FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id = $4
        AND EXISTS (SELECT FROM membership t WHERE ${within(memberships, kind)} AND t.person_id = p.id)
        FOR ${purpose === 'to-change' ? 'NO KEY UPDATE' : 'UPDATE'} OF p`,
    );
    this.#run.later(statement, [...this.#wall, id]);
    return this.find(id);
  }

  #listed(where: AnyChange, { first, after }: { first: number; after: string | undefined }) {
    const { conditions, groups, values } = askedFor(where, { first, sight: this.#reach.sight.kind });
    const [since, id] = after?.split(' ') ?? [];
    const position = first + values.length;
    const continued =
      after === undefined ? [] : [`(min(t.created_at), t.person_id) > ($${position}::timestamptz, $${position + 1})`];
    const all = [...groups, ...continued];
    const text = `SELECT t.person_id, min(t.created_at) AS since FROM membership t
      JOIN person p ON p.workspace_id = t.workspace_id AND p.environment = t.environment AND p.id = t.person_id
      WHERE ${within(memberships, this.#reach.sight.kind)} ${conditions}
      GROUP BY t.person_id ${all.length === 0 ? '' : `HAVING ${all.join(' AND ')}`}`;
    return { text, values: after === undefined ? values : [...values, new Date(Number(since)), id!] };
  }

  /** Those who were added first stand first. */
  async list({ where = {}, after, limit }: ListQuery): Promise<User[]> {
    const { text, values } = this.#listed(where, { first: 5, after });
    const page = this.#through(`${text} ORDER BY 2, 1 LIMIT $4`);
    const statement = rememberedText<MembershipRow>('people/list', page);
    return usersOf((await this.#run(statement, [...this.#wall, limit, ...values])).rows);
  }

  async count(where: AnyChange = {}): Promise<number> {
    const { text, values } = this.#listed(where, { first: 4, after: undefined });
    const statement = rememberedText<{ count: number }>(
      'people/count',
      `SELECT count(*) AS count FROM (${text}) listed`,
    );
    return (await this.#run(statement, [...this.#wall, ...values])).rows[0]?.count ?? 0;
  }

  /** Whoever has an address, seen or not, and since when the environment is there. */
  async findByAddress(address: string): Promise<{ id: Id | null; environmentAt: number }> {
    const values = [...this.#place, addressKey(address)];
    return (await this.#database.readAtGateWithin(this.#run, byAddress, values)).rows[0]!;
  }

  /** What is asked for in one breath, as who sees the whole environment. */
  async #seeingAll<T>(ask: () => Promise<T>): Promise<T> {
    const { sight: _sight, ...own } = this.#reach;
    const [, answer] = await Promise.all([
      this.#database.switchTenant(this.#run, { ...own, sight: everything }),
      ask(),
      this.#database.switchTenant(this.#run, this.#reach),
    ]);
    return answer;
  }

  async insert(id: Id, fields: AnyChange): Promise<User> {
    const { client, createdAt, readAccessToReportingEntities: granted, ...own } = fields as unknown as NewUser;
    const { contactEmail, firstName, lastName, role } = own;
    const [workspaceId, environment] = this.#place;
    const person = [workspaceId, environment, id, contactEmail, addressKey(contactEmail), createdAt];
    // Whether somebody else has added the person before is not for this reach to see.
    await this.#seeingAll(() => this.#run(insertPerson, person));
    const names = [firstName, lastName, role, createdAt];
    this.#run.later(insertMembership, [workspaceId, environment, client, id, ...names]);
    this.#run.later(insertGrants, [workspaceId, environment, id, granted]);
    return { ...((await this.find(id)) ?? outOfSight()), addedTo: client };
  }

  /** What is changed holds for every membership in reach. */
  async update(id: string, fields: AnyChange): Promise<User> {
    const { contactEmail, readAccessToReportingEntities: granted, ...others } = fields;
    const address = contactEmail as string | undefined;
    if (address !== undefined) this.#run.later(changeAddress, [...this.#place, id, address, addressKey(address)]);
    if (granted !== undefined) this.#replaceGrants(id, granted as readonly Id[]);
    this.#changeMemberships(id, others);
    return (await this.find(id)) ?? outOfSight();
  }

  #changeMemberships(id: string, fields: AnyChange): void {
    const columns = { firstName: 'first_name', lastName: 'last_name', role: 'role', disabledAt: 'disabled_at' };
    const names = (Object.keys(columns) as (keyof typeof columns)[]).filter((name) => name in fields);
    if (names.length === 0) return;
    const { kind } = this.#reach.sight;
    const changes = names.map((name, index) => {
      const value = `$${5 + index}`;
      if (name !== 'disabledAt') return `${columns[name]} = ${value}`;
      // Since when somebody is disabled stays.
      return `disabled_at = CASE WHEN ${value}::timestamptz IS NULL THEN NULL ELSE coalesce(disabled_at, ${value}) END`;
    });
    const statement = rememberedText(
      'people/change',
      `UPDATE membership t SET ${changes.join(', ')} WHERE ${within(memberships, kind, 'to-change')} AND t.person_id = $4`,
    );
    this.#run.later(statement, [...this.#wall, id, ...names.map((name) => fields[name] as Value)]);
  }

  #replaceGrants(id: string, granted: readonly Id[]): void {
    const { kind } = this.#reach.sight;
    const drop = remembered(
      `people/${kind}/drop-grants`,
      () => `DELETE FROM read_grant t WHERE ${within(grants, kind, 'to-change')} AND t.person_id = $4
        AND t.reporting_entity_id <> ALL ($5::text[])`,
    );
    this.#run.later(drop, [...this.#wall, id, granted]);
    this.#run.later(insertGrants, [...this.#place, id, granted]);
  }

  /** An invite to a client was accepted. */
  join(id: string, { client, role, at }: { client: Id; role: string; at: number }): void {
    this.#run.later(join, [...this.#place, client, id, new Date(at), role]);
  }

  /** Takes the memberships in reach away, and the person with the last one. */
  async delete(id: string): Promise<void> {
    const { kind } = this.#reach.sight;
    const statement = remembered(
      `people/${kind}/delete`,
      () => `DELETE FROM membership t WHERE ${within(memberships, kind, 'to-change')} AND t.person_id = $4`,
    );
    if ((await this.#run(statement, [...this.#wall, id])).count === 0) outOfSight();
    await this.#seeingAll(() => this.#run(dropPerson, [...this.#place, id]));
  }

  /** Everybody at a client, held until the transaction ends. */
  async lockMembers(client: Id): Promise<User[]> {
    const { rows } = await this.#run(lockMembers, [...this.#place, client]);
    return rows.length === 0 ? [] : this.list({ where: { client }, limit: rows.length });
  }

  /** Takes one membership away, and the person with the last one. */
  async removeFrom(client: Id, id: Id): Promise<void> {
    this.#run.later(removeMembership, [...this.#place, client, id]);
    await this.#seeingAll(() => this.#run(dropPerson, [...this.#place, id]));
  }

  /** Nothing keeps a person. */
  async listRemaining(): Promise<[]> {
    return [];
  }
}
