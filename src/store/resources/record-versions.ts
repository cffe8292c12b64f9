// Every state of what figures are made of besides the ledger and the series: instruments, their classes, the structure of a client
// and its settings, each row as it was known from one moment until another. Knows no resource.

import type { Id } from '../../kit/id.ts';
import type { AnyRecord, Resource } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import {
  columnOf,
  ownerColumn,
  storedColumns,
  tenantFilterValues,
  wasKnownAt,
  tenantFilterSql,
} from './resource-sql.ts';
import { memoized, type Value } from '../postgres/statement.ts';

/** Whose a state is: the client's of its thing, or everybody's. */
export const versionRowResource: Pick<Resource, 'owner' | 'relations'> = {
  owner: { relation: 'client', shared: true },
  relations: { client: { to: 'client', description: 'The client of the thing.', writable: 'never' } },
};

/** Which things: these, all of a client, or all that are everybody's. */
export type RecordSelection = { readonly ids: readonly Id[] } | { readonly client: Id } | 'shared';

function selectionCondition(selection: RecordSelection): { condition: string; values: Value[] } {
  if (selection === 'shared') return { condition: 'client_id IS NULL', values: [] };
  if ('ids' in selection) return { condition: 'id = ANY ($5::text[])', values: [selection.ids] };
  return { condition: 'client_id = $5', values: [selection.client] };
}

function isCurrentVersion(table: string): string {
  return `v.workspace_id = $1 AND v.environment = $2 AND v.table_name = '${table}' AND v.known_until IS NULL`;
}

/** A state lasts for some time at least, whichever node's clock is ahead. */
const closingMoment = `greatest($3, v.known_from + interval '1 microsecond')`;

export class RecordVersions {
  readonly #resource: Resource;
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(resource: Resource, { scope, run }: { scope: Scope; run: Run }) {
    this.#resource = resource;
    this.#scope = scope;
    this.#run = run;
  }

  /** Keeps the present state of these things, where it is another than the last. Goes with what is sent next. */
  putStates(ids: readonly string[], now: number): void {
    const { table, history } = this.#resource;
    const statement = memoized(`thing-versions/${table}/keep`, () => putStatesSql(this.#resource));
    const { workspaceId, environment } = this.#scope;
    const excludedColumns = [
      'workspace_id',
      'environment',
      ...history!.ignoredFields.map((field) => columnOf(this.#resource, field)),
    ];
    this.#run.enqueue(statement, [workspaceId, environment, new Date(now), ids, excludedColumns]);
  }

  /** The thing goes: its last state ends. To be sent before it goes, while it can be seen. */
  close(id: string, now: number): void {
    const { table } = this.#resource;
    const statement = memoized(
      `thing-versions/${table}/close`,
      () => `UPDATE thing_version v SET known_until = ${closingMoment} WHERE ${isCurrentVersion(table)} AND v.id = $4`,
    );
    const { workspaceId, environment } = this.#scope;
    this.#run.enqueue(statement, [workspaceId, environment, new Date(now), id]);
  }

  /** How many states each of these things has had: what was read of one under the same number is as fresh as can be. */
  async listVersionNumbers(ids: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    const { table } = this.#resource;
    const statement = memoized<{ id: Id; version: number }>(
      `thing-versions/${table}/numbers`,
      () => `SELECT v.id, v.version FROM thing_version v WHERE ${isCurrentVersion(table)} AND v.id = ANY ($3::text[])`,
    );
    const { workspaceId, environment } = this.#scope;
    const { rows } = await this.#run(statement, [workspaceId, environment, ids]);
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** Things as they were known at a moment, in the order of their ids; what is not kept of them is null. */
  async listKnownAt(selection: RecordSelection, knownAt: number): Promise<AnyRecord[]> {
    const resource = this.#resource;
    const { visibleClients } = this.#scope;
    const { condition, values } = selectionCondition(selection);
    const statement = memoized<AnyRecord>(
      `thing-versions/${resource.table}/${visibleClients.kind}/${condition}`,
      () => `SELECT ${storedColumns(resource)} FROM (SELECT r.* FROM thing_version t,
          jsonb_populate_record(NULL::${resource.table}, t.state) r
          WHERE ${tenantFilterSql(versionRowResource as Resource, visibleClients.kind)} AND t.table_name = '${resource.table}' AND t.${condition}
          AND ${wasKnownAt('$4')}) t ORDER BY t.id`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), new Date(knownAt), ...values])).rows;
  }
}

function putStatesSql(resource: Resource): string {
  const { table } = resource;
  return `WITH present AS MATERIALIZED (SELECT t.id, ${ownerColumn(resource) ?? 'NULL::text'} AS client_id,
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(t) - $5::text[]) WHERE value <> 'null') AS state
      FROM ${table} t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($4::text[])),
    known AS MATERIALIZED (SELECT v.id FROM thing_version v WHERE ${isCurrentVersion(table)} AND v.id = ANY ($4::text[])),
    closed AS (UPDATE thing_version v SET known_until = ${closingMoment} FROM present p
      WHERE ${isCurrentVersion(table)} AND v.id = p.id AND v.state <> p.state RETURNING v.id, v.version, v.known_until)
    INSERT INTO thing_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
    SELECT $1, $2, '${table}', p.id, p.client_id, coalesce(c.version, 0) + 1, coalesce(c.known_until, $3), p.state
    FROM present p LEFT JOIN closed c USING (id) WHERE c.id IS NOT NULL OR p.id NOT IN (SELECT id FROM known)`;
}
