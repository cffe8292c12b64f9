// The stored states of records that reports are computed from, besides the ledger and the series: instruments, their classes, the
// structure of a client and its settings. Each state was known from one moment until another.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyRecord, Resource } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, wasKnownAt } from './known-at-sql.ts';
import {
  endingMomentSql,
  columnOf,
  ownerColumn,
  storedColumns,
  tenantFilterValues,
  tenantFilterSql,
  type OwnedTable,
} from './resource-sql.ts';
import { arrayOfAnyLength, memoized, type Value } from '../postgres/statement.ts';

/** A state belongs to the client of its record, or is shared by all clients. */
export const versionRowResource: OwnedTable = {
  owner: { relation: 'client', shared: true },
  relations: { client: { to: 'client' } },
};

/** Which records: these, all of a client, or all shared ones. */
export type RecordSelection = { readonly ids: readonly Id[] } | { readonly client: Id } | 'shared';

function selectionCondition(selection: RecordSelection): { condition: string; values: Value[] } {
  if (selection === 'shared') return { condition: 'client_id IS NULL', values: [] };
  if ('ids' in selection) return { condition: `id = ANY (${arrayOfAnyLength('$5')})`, values: [selection.ids] };
  return { condition: 'client_id = $5', values: [selection.client] };
}

function isCurrentVersion(table: string): string {
  return `v.workspace_id = $1 AND v.environment = $2 AND v.table_name = '${table}' AND v.known_until IS NULL`;
}

const closingMoment = endingMomentSql('$3', 'v.known_from');

export class RecordVersions {
  readonly #resource: Resource;
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(resource: Resource, { scope, run }: { scope: Scope; run: Run }) {
    this.#resource = resource;
    this.#scope = scope;
    this.#run = run;
  }

  /** Stores the present state of these records if it differs from the last one. Enqueued. */
  putStates(ids: readonly string[], now: number): void {
    const { table, history } = this.#resource;
    const statement = memoized(`thing-versions/${table}/keep`, () => putStatesSql(this.#resource));
    const { workspaceId, environment } = this.#scope;
    const excludedColumns = [
      'workspace_id',
      'environment',
      ...defined(history, 'only records with a history have versions').ignoredFields.map((field) =>
        columnOf(this.#resource, field),
      ),
    ];
    this.#run.enqueue(statement, [workspaceId, environment, new Date(now), ids, excludedColumns]);
  }

  /** Ends the last state of a record. Enqueue it before the deletion, while the record is still visible. */
  close(id: string, now: number): void {
    const { table } = this.#resource;
    const statement = memoized(
      `thing-versions/${table}/close`,
      () => `UPDATE record_version v SET known_until = ${closingMoment} WHERE ${isCurrentVersion(table)} AND v.id = $4`,
    );
    const { workspaceId, environment } = this.#scope;
    this.#run.enqueue(statement, [workspaceId, environment, new Date(now), id]);
  }

  /** The number of each record's current state: what was read under the same number is still current. */
  async listVersionNumbers(ids: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    const { table } = this.#resource;
    const statement = memoized<{ id: Id; version: number }>(
      `thing-versions/${table}/numbers`,
      () =>
        `SELECT v.id, v.version FROM record_version v WHERE ${isCurrentVersion(table)} AND v.id = ANY (${arrayOfAnyLength('$3')})`,
    );
    const { workspaceId, environment } = this.#scope;
    const { rows } = await this.#run(statement, [workspaceId, environment, ids]);
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** The records that were known at a moment, ordered by id; fields that are not stored in states are null. */
  async listKnownAt(selection: RecordSelection, knownAt: number): Promise<AnyRecord[]> {
    const resource = this.#resource;
    const { visibleClients } = this.#scope;
    const { condition, values } = selectionCondition(selection);
    const statement = memoized<AnyRecord>(
      `thing-versions/${resource.table}/${visibleClients.kind}/${condition}`,
      () => `SELECT ${storedColumns(resource)} FROM (SELECT r.* FROM record_version t,
          jsonb_populate_record(NULL::${resource.table}, t.state) r
          WHERE ${tenantFilterSql(versionRowResource, visibleClients.kind)} AND t.table_name = '${resource.table}' AND t.${condition}
          AND ${wasKnownAt('$4')}) t ORDER BY t.id`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), endOfMillisecond(knownAt), ...values]))
      .rows;
  }
}

function putStatesSql(resource: Resource): string {
  const { table } = resource;
  return `WITH present AS MATERIALIZED (SELECT t.id, ${ownerColumn(resource) ?? 'NULL::text'} AS client_id,
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(t) - $5::text[]) WHERE value <> 'null') AS state
      FROM ${table} t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY (${arrayOfAnyLength('$4')})),
    known AS MATERIALIZED (SELECT v.id FROM record_version v WHERE ${isCurrentVersion(table)} AND v.id = ANY (${arrayOfAnyLength('$4')})),
    closed AS (UPDATE record_version v SET known_until = ${closingMoment} FROM present p
      WHERE ${isCurrentVersion(table)} AND v.id = p.id AND v.state <> p.state RETURNING v.id, v.version, v.known_until)
    INSERT INTO record_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
    SELECT $1, $2, '${table}', p.id, p.client_id, coalesce(c.version, 0) + 1, coalesce(c.known_until, $3), p.state
    FROM present p LEFT JOIN closed c USING (id) WHERE c.id IS NOT NULL OR p.id NOT IN (SELECT id FROM known) RETURNING 1`;
}
