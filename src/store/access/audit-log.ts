// The audit log within a scope, with the filter for lines whose result is still in effect: access that was given and is still there.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id } from '../../kit/id.ts';
import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import type { Scope } from '../../model/access/scope.ts';
import { inviteStateDefinitions } from '../../model/people/invite-state.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoizedText } from '../postgres/statement.ts';
import { fieldConditions } from '../resources/field-conditions.ts';
import { storedColumns, tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';
import { Table, type ListQuery } from '../resources/table.ts';

const sameTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;

const pendingInvite = inviteStateDefinitions.pending.sql.replaceAll('t.', 'i.').replaceAll('$now', '$5::timestamptz');

/** The reporting entities that a line added to what a member may read. */
const isAddedGrant = `coalesce(t.after -> 'reporting_entity_ids' ? g.reporting_entity_id, false)
  AND NOT coalesce(t.before -> 'reporting_entity_ids' ? g.reporting_entity_id, false)`;

/** Whether what a line created, or the access that it gave, is still there; `$5` is the current time. */
const isInEffect = `CASE
  WHEN t.act NOT IN ('create', 'change') THEN false
  WHEN t.subject_type = 'user' THEN EXISTS (SELECT FROM membership m WHERE ${sameTenant('m')} AND m.client_id = t.client_id
    AND m.person_id = t.subject_id AND (t.act = 'create' AND m.created_at = t.at
      OR t.act = 'change' AND t.after ->> 'role' <> t.before ->> 'role' AND m.role = t.after ->> 'role'
      OR EXISTS (SELECT FROM read_grant g WHERE ${sameTenant('g')} AND g.client_id = m.client_id
        AND g.person_id = m.person_id AND ${isAddedGrant})))
  WHEN t.act <> 'create' THEN false
  WHEN t.subject_type = 'invite' THEN EXISTS (SELECT FROM invite i WHERE ${sameTenant('i')} AND i.id = t.subject_id
    AND ${pendingInvite})
  WHEN t.subject_type IN ('application', 'key') THEN EXISTS (SELECT FROM credential c WHERE ${sameTenant('c')}
    AND c.id = t.subject_id)
  WHEN t.subject_type = 'webhook' THEN EXISTS (SELECT FROM webhook w WHERE ${sameTenant('w')} AND w.id = t.subject_id)
  WHEN t.subject_type = 'administrator' THEN EXISTS (SELECT FROM workspace_administrator a WHERE ${sameTenant('a')}
    AND a.person_id = t.subject_id AND a.created_at = t.at)
  ELSE false END`;

const isAccessLine = `t.subject_type IN ('user', 'invite', 'application', 'key', 'webhook', 'administrator')`;

export class AuditLog extends Table<AuditEntry> {
  readonly #now: Date;

  constructor(store: { scope: Scope; run: Run; fields: FieldSelection }, now: number) {
    super(auditEntry, store);
    this.#now = new Date(now);
  }

  override async list(query: ListQuery): Promise<AuditEntry[]> {
    const { inEffect, ...where } = query.where ?? {};
    if (inEffect === undefined) return super.list(query);
    const { after, limit, order } = query;
    const { conditions, values } = fieldConditions(auditEntry, where, 6);
    const [comparison, direction] = order === 'newest-first' ? ['<', 'DESC'] : ['>', 'ASC'];
    const continued = after === undefined ? '' : `AND t.id ${comparison} $${6 + values.length}`;
    const wanted = inEffect === true ? `AND ${isAccessLine} AND ${isInEffect}` : `AND NOT (${isInEffect})`;
    const text = `SELECT ${storedColumns(auditEntry, this.fields)} FROM audit_entry t
      WHERE ${tenantFilterSql(auditEntry, this.scope.visibleClients.kind)} ${conditions} ${continued} ${wanted}
      ORDER BY t.id ${direction} LIMIT $4`;
    const continuedAfter = after === undefined ? [] : [after];
    const all = [...tenantFilterValues(this.scope), limit, this.#now, ...values, ...continuedAfter];
    return (await this.run(memoizedText<AuditEntry>('audit-log/list', text), all)).rows;
  }

  /** How many users, invites, credentials and webhooks of a credential's making are still in effect, by type. */
  async countInEffect(credentialId: Id): Promise<Readonly<Record<string, number>>> {
    const text = `SELECT t.subject_type AS type, count(DISTINCT t.subject_id) AS count FROM audit_entry t
      WHERE ${tenantFilterSql(auditEntry, this.scope.visibleClients.kind)} AND t.credential_id = $4 AND ${isAccessLine} AND ${isInEffect}
      GROUP BY 1 ORDER BY 1`;
    const statement = memoizedText<{ type: string; count: number }>('audit-log/in-effect', text);
    const { rows } = await this.run(statement, [...tenantFilterValues(this.scope), credentialId, this.#now]);
    return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
  }
}
