// The invites within a scope, each with its state at the moment of the work; and the lookup of an invite by the secret of its link, before
// the tenant is known.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { invite, type Invite } from '../../model/people/invite.ts';
import { inviteStateDefinitions, inviteStateAt, type InviteState } from '../../model/people/invite-state.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { fieldConditions } from '../resources/field-conditions.ts';
import { NewRecords } from '../resources/new-records.ts';
import { returningSql, storedColumns, tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { countIn, memoizedText, sql, type Value } from '../postgres/statement.ts';
import { workspaceOfSecret, type SecretLocator } from './located-secret.ts';
import { Table, type ListQuery } from '../resources/table.ts';

const bySecret = sql<InviteLookup>(
  'invites/by-secret',
  `SELECT i.workspace_id AS "workspaceId", i.environment, i.id, i.person_id AS "personId", c.name AS "clientName"
   FROM invite i JOIN client c ON c.workspace_id = $1 AND c.environment = i.environment AND c.id = i.client_id
   WHERE i.workspace_id = $1 AND i.secret_hash = $2`,
);
const cancelPending = `UPDATE invite t SET cancelled_at = $5 WHERE t.workspace_id = $1 AND t.environment = $2 AND t.person_id = $3
   AND t.client_id = ANY ($4::text[]) AND ${inviteStateDefinitions.pending.sql.replaceAll('$now', '$5')}`;
const cancel = sql(
  'invites/cancel',
  `UPDATE invite SET cancelled_at = $4 WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::text[])`,
);
/** The mail of a cancelled invite is due at once, and is then given up: its text is forgotten. */
const hastenMail = sql(
  'invites/hasten-mail',
  `UPDATE mail SET next_attempt_at = $4 WHERE workspace_id = $1 AND environment = $2 AND invite_id = ANY ($3::text[])
   AND next_attempt_at > $4`,
);
const accept = sql(
  'invites/accept',
  `UPDATE invite t SET accepted_at = $4 WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = $3
   AND ${inviteStateDefinitions.pending.sql.replaceAll('$now', '$4')}`,
);

/** An invite's tenant, and what its page shows before sign-in. */
export interface InviteLookup {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly id: Id;
  readonly personId: Id;
  readonly clientName: string;
}

export async function findInviteBySecret(read: PreAuthRead, secret: SecretLocator): Promise<InviteLookup | undefined> {
  const workspaceId = await workspaceOfSecret(read, 'invite', secret);
  return workspaceId && (await read(bySecret, [workspaceId, secret.secretHash], workspaceId)).rows[0];
}

export class Invites extends Table<Invite> {
  readonly #now: number;

  constructor(store: { scope: Scope; run: Run; fields: FieldSelection }, now: number) {
    super(invite, store);
    this.#now = now;
  }

  #withState(record: Invite): Invite {
    return { ...record, state: inviteStateAt(record, this.#now) };
  }

  override async find(id: string): Promise<Invite | undefined> {
    const record = await super.find(id);
    return record && this.#withState(record);
  }

  /** Enqueues a new invite, and returns it as it will be read. */
  put(id: Id, fields: AnyChange): Invite {
    this.append(id, fields);
    const { scope, run, fields: selection } = this;
    return this.#withState(new NewRecords<Invite>(invite, { scope, run, fields: selection }).asRead(id, fields));
  }

  override async update(id: string, fields: AnyChange): Promise<Invite> {
    return this.#withState(await super.update(id, fields));
  }

  #conditionsOf(where: AnyChange, first: number): { conditions: string; values: Value[] } {
    const { state, email, ...fields } = where;
    const { conditions, values } = fieldConditions(invite, fields, first);
    const parts: string[] = [conditions];
    if (state !== undefined) {
      const moment = `$${first + values.push(new Date(this.#now)) - 1}::timestamptz`;
      const { sql: stateSql } = inviteStateDefinitions[state as InviteState];
      parts.push(`AND ${stateSql.replaceAll('$now', moment)} AND ${moment} IS NOT NULL`);
    }
    if (email !== undefined) {
      const exact = `$${first + values.push(email as string) - 1}`;
      const key = `$${first + values.push(addressKey(email as string)) - 1}`;
      parts.push(`AND (t.email = ${exact} OR lower(t.email) = ${key})`);
    }
    return { conditions: parts.join(' '), values };
  }

  override async list({ where = {}, after, limit, order = 'oldest-first' }: ListQuery): Promise<Invite[]> {
    const { conditions, values } = this.#conditionsOf(where, 5);
    const [comparison, direction] = order === 'oldest-first' ? ['>', 'ASC'] : ['<', 'DESC'];
    const continued = after === undefined ? '' : `AND t.id ${comparison} $${5 + values.length}`;
    const text = `SELECT ${storedColumns(invite, this.fields)} FROM invite t
      WHERE ${tenantFilterSql(invite, this.scope.visibleClients.kind)} ${conditions} ${continued} ORDER BY t.id ${direction} LIMIT $4`;
    const filterValues = tenantFilterValues(this.scope);
    const all = [...filterValues, limit, ...values, ...(after === undefined ? [] : [after])];
    return (await this.run(memoizedText<Invite>('invites/list', text), all)).rows.map((one) => this.#withState(one));
  }

  override async count(where: AnyChange = {}): Promise<number> {
    const { conditions, values } = this.#conditionsOf(where, 4);
    const text = `SELECT count(*) AS count FROM invite t WHERE ${tenantFilterSql(invite, this.scope.visibleClients.kind)} ${conditions}`;
    const statement = memoizedText<{ count: number }>('invites/count', text);
    return countIn(await this.run(statement, [...tenantFilterValues(this.scope), ...values]));
  }

  /** Cancels a person's pending invites to these clients and returns them. */
  async cancelPending(personId: Id, clientIds: readonly Id[]): Promise<Invite[]> {
    const { workspaceId, environment } = this.scope;
    const now = new Date(this.#now);
    const text = returningSql(cancelPending, storedColumns(invite, this.fields));
    const statement = memoizedText<Invite>('invites/cancel-pending', text);
    const { rows } = await this.run(statement, [workspaceId, environment, personId, clientIds, now]);
    this.#hastenMail(rows);
    return rows.map((one) => this.#withState(one));
  }

  #hastenMail(cancelled: readonly Invite[]): void {
    const { workspaceId, environment } = this.scope;
    const ids = cancelled.map(({ id }) => id);
    if (ids.length > 0) this.run.enqueue(hastenMail, [workspaceId, environment, ids, new Date(this.#now)]);
  }

  /** A person's pending invites, to one client if it is given, locked until the transaction ends. */
  async lockPending(personId: Id, clientId: Id | null): Promise<Invite[]> {
    const text = `SELECT ${storedColumns(invite, this.fields)} FROM invite t
      WHERE ${tenantFilterSql(invite, this.scope.visibleClients.kind)} AND t.person_id = $4 AND ($5::text IS NULL OR t.client_id = $5)
        AND ${inviteStateDefinitions.pending.sql.replaceAll('$now', '$6')} ORDER BY t.id FOR NO KEY UPDATE OF t`;
    const values = [...tenantFilterValues(this.scope), personId, clientId, new Date(this.#now)];
    const { rows } = await this.run(memoizedText<Invite>('invites/lock-pending', text), values);
    return rows.map((one) => this.#withState(one));
  }

  /** Cancels locked invites and returns them. Enqueued. */
  cancel(pending: readonly Invite[]): Invite[] {
    if (pending.length === 0) return [];
    const { workspaceId, environment } = this.scope;
    this.run.enqueue(cancel, [workspaceId, environment, pending.map(({ id }) => id), new Date(this.#now)]);
    this.#hastenMail(pending);
    return pending.map((one) => this.#withState({ ...one, cancelledAt: this.#now }));
  }

  /** Returns whether the invite was still pending. */
  async accept(id: Id): Promise<boolean> {
    const { workspaceId, environment } = this.scope;
    return (await this.run(accept, [workspaceId, environment, id, new Date(this.#now)])).count === 1;
  }
}
