// Invites as far as one reach goes, each with the state that it is in at the moment of the work; and as the gate finds one by the
// secret of its link.

import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { addressKey } from '../../model/people/email-address.ts';
import { invite, type Invite } from '../../model/people/invite.ts';
import { inviteStateTable, stateOfInvite, type InviteState } from '../../model/people/invite-state.ts';
import type { Environment, Reach } from '../../model/access/scope.ts';
import type { Database, Run } from '../postgres/database.ts';
import { foundByFields, storedColumns, wallOf, within, type View } from '../resources/resource-sql.ts';
import { rememberedText, sql, type Value } from '../postgres/statement.ts';
import { Table, type ListQuery } from '../resources/table.ts';

const bySecret = sql<FoundInvite>(
  'invites/by-secret',
  `SELECT i.workspace_id AS "workspaceId", i.environment, i.id, i.person_id AS "personId", c.name AS "clientName"
   FROM invite i JOIN client c ON c.workspace_id = i.workspace_id AND c.environment = i.environment AND c.id = i.client_id
   WHERE i.secret_hash = $1`,
);
const cancelPending = sql<{ id: Id }>(
  'invites/cancel-pending',
  `UPDATE invite t SET cancelled_at = $5 WHERE t.workspace_id = $1 AND t.environment = $2 AND t.person_id = $3
   AND t.client_id = ANY ($4::text[]) AND ${inviteStateTable.pending.sql.replaceAll('$now', '$5')} RETURNING t.id`,
);
const accept = sql(
  'invites/accept',
  `UPDATE invite t SET accepted_at = $4 WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = $3
   AND ${inviteStateTable.pending.sql.replaceAll('$now', '$4')}`,
);

/** Where an invite is. */
export interface FoundInvite {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly id: Id;
  readonly personId: Id;
  readonly clientName: string;
}

export async function findInviteAtGate(database: Database, secretHash: Buffer): Promise<FoundInvite | undefined> {
  return (await database.readAtGate(bySecret, [secretHash])).rows[0];
}

export class Invites extends Table<Invite> {
  readonly #reach: Reach;
  readonly #run: Run;
  readonly #view: View;
  readonly #now: number;

  constructor(store: { reach: Reach; run: Run; view: View }, now: number) {
    super(invite, store);
    this.#reach = store.reach;
    this.#run = store.run;
    this.#view = store.view;
    this.#now = now;
  }

  #told(record: Invite): Invite {
    return { ...record, state: stateOfInvite(record, this.#now) };
  }

  override async find(id: string): Promise<Invite | undefined> {
    const record = await super.find(id);
    return record && this.#told(record);
  }

  override async insert(id: Id, fields: AnyChange): Promise<Invite> {
    return this.#told(await super.insert(id, fields));
  }

  override async update(id: string, fields: AnyChange): Promise<Invite> {
    return this.#told(await super.update(id, fields));
  }

  #asked(where: AnyChange, first: number): { conditions: string; values: Value[] } {
    const { state, email, ...fields } = where;
    const { conditions, values } = foundByFields(invite, fields, first);
    const more: string[] = [conditions];
    if (state !== undefined) {
      const moment = `$${first + values.push(new Date(this.#now)) - 1}::timestamptz`;
      const { sql: told } = inviteStateTable[state as InviteState];
      more.push(`AND ${told.replaceAll('$now', moment)} AND ${moment} IS NOT NULL`);
    }
    if (email !== undefined) {
      const exact = `$${first + values.push(email as string) - 1}`;
      const key = `$${first + values.push(addressKey(email as string)) - 1}`;
      more.push(`AND (t.email = ${exact} OR lower(t.email) = ${key})`);
    }
    return { conditions: more.join(' '), values };
  }

  override async list({ where = {}, after, limit, order = 'oldest-first' }: ListQuery): Promise<Invite[]> {
    const { conditions, values } = this.#asked(where, 5);
    const [comparison, direction] = order === 'oldest-first' ? ['>', 'ASC'] : ['<', 'DESC'];
    const continued = after === undefined ? '' : `AND t.id ${comparison} $${5 + values.length}`;
    const text = `SELECT ${storedColumns(invite, this.#view)} FROM invite t
      WHERE ${within(invite, this.#reach.sight.kind)} ${conditions} ${continued} ORDER BY t.id ${direction} LIMIT $4`;
    const wall = wallOf(this.#reach);
    const all = [...wall, limit, ...values, ...(after === undefined ? [] : [after])];
    return (await this.#run(rememberedText<Invite>('invites/list', text), all)).rows.map((one) => this.#told(one));
  }

  override async count(where: AnyChange = {}): Promise<number> {
    const { conditions, values } = this.#asked(where, 4);
    const text = `SELECT count(*) AS count FROM invite t WHERE ${within(invite, this.#reach.sight.kind)} ${conditions}`;
    const statement = rememberedText<{ count: number }>('invites/count', text);
    return (await this.#run(statement, [...wallOf(this.#reach), ...values])).rows[0]?.count ?? 0;
  }

  /** Takes back what is pending of a person's invites to these clients, and tells which those were. */
  async cancelPending(personId: Id, clientIds: readonly Id[]): Promise<Id[]> {
    const { workspaceId, environment } = this.#reach;
    const values = [workspaceId, environment, personId, clientIds, new Date(this.#now)];
    return (await this.#run(cancelPending, values)).rows.map(({ id }) => id);
  }

  /** Whether it was pending until now. */
  async accept(id: Id): Promise<boolean> {
    const { workspaceId, environment } = this.#reach;
    return (await this.#run(accept, [workspaceId, environment, id, new Date(this.#now)])).count === 1;
  }
}
