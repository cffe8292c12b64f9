// Every state of what figures are made of besides the ledger and the series: instruments, their classes, the structure of a client
// and its settings, each row as it was known from one moment until another. Knows no resource.

import type { Id } from '../../kit/id.ts';
import type { AnyRecord, Resource } from '../../kit/resource.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { columnOf, ownerColumn, storedColumns, wallOf, wasKnownAt, within } from './resource-sql.ts';
import { remembered, type Value } from '../postgres/statement.ts';

/** Whose a state is: the client's of its thing, or everybody's. */
export const states: Pick<Resource, 'owner' | 'relations'> = {
  owner: { relation: 'client', shared: true },
  relations: { client: { to: 'client', description: 'The client of the thing.', on: [], writable: 'never' } },
};

/** Which things: these, all of a client, or all that are everybody's. */
export type StatesAsked = { readonly ids: readonly Id[] } | { readonly client: Id } | 'shared';

function askedFor(asked: StatesAsked): { by: string; values: Value[] } {
  if (asked === 'shared') return { by: 'client_id IS NULL', values: [] };
  if ('ids' in asked) return { by: 'id = ANY ($5::text[])', values: [asked.ids] };
  return { by: 'client_id = $5', values: [asked.client] };
}

function known(table: string): string {
  return `v.workspace_id = $1 AND v.environment = $2 AND v.table_name = '${table}' AND v.known_until IS NULL`;
}

/** A state lasts for some time at least, whichever node's clock is ahead. */
const moment = `greatest($3, v.known_from + interval '1 microsecond')`;

export class ThingVersions {
  readonly #resource: Resource;
  readonly #reach: Reach;
  readonly #run: Run;

  constructor(resource: Resource, { reach, run }: { reach: Reach; run: Run }) {
    this.#resource = resource;
    this.#reach = reach;
    this.#run = run;
  }

  /** Keeps the present state of these things, where it is another than the last. Goes with what is sent next. */
  keep(ids: readonly string[], now: number): void {
    const { table, past } = this.#resource;
    const statement = remembered(`thing-versions/${table}/keep`, () => keepText(this.#resource));
    const { workspaceId, environment } = this.#reach;
    const hidden = ['workspace_id', 'environment', ...past!.without.map((field) => columnOf(this.#resource, field))];
    this.#run.later(statement, [workspaceId, environment, new Date(now), ids, hidden]);
  }

  /** The thing goes: its last state ends. To be sent before it goes, while it can be seen. */
  close(id: string, now: number): void {
    const { table } = this.#resource;
    const statement = remembered(
      `thing-versions/${table}/close`,
      () => `UPDATE thing_version v SET known_until = ${moment} WHERE ${known(table)} AND v.id = $4`,
    );
    const { workspaceId, environment } = this.#reach;
    this.#run.later(statement, [workspaceId, environment, new Date(now), id]);
  }

  /** How many states each of these things has had: what was read of one under the same number is as fresh as can be. */
  async listNumbers(ids: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    const { table } = this.#resource;
    const statement = remembered<{ id: Id; version: number }>(
      `thing-versions/${table}/numbers`,
      () => `SELECT v.id, v.version FROM thing_version v WHERE ${known(table)} AND v.id = ANY ($3::text[])`,
    );
    const { workspaceId, environment } = this.#reach;
    const { rows } = await this.#run(statement, [workspaceId, environment, ids]);
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** Things as they were known at a moment, in the order of their ids; what is not kept of them is null. */
  async listKnownAt(asked: StatesAsked, knownAt: number): Promise<AnyRecord[]> {
    const resource = this.#resource;
    const { sight } = this.#reach;
    const { by, values } = askedFor(asked);
    const statement = remembered<AnyRecord>(
      `thing-versions/${resource.table}/${sight.kind}/${by}`,
      () => `SELECT ${storedColumns(resource, null)} FROM (SELECT r.* FROM thing_version t,
          jsonb_populate_record(NULL::${resource.table}, t.state) r
          WHERE ${within(states as Resource, sight.kind)} AND t.table_name = '${resource.table}' AND t.${by}
          AND ${wasKnownAt('$4')}) t ORDER BY t.id`,
    );
    return (await this.#run(statement, [...wallOf(this.#reach), new Date(knownAt), ...values])).rows;
  }
}

function keepText(resource: Resource): string {
  const { table } = resource;
  return `WITH present AS MATERIALIZED (SELECT t.id, ${ownerColumn(resource) ?? 'NULL::text'} AS client_id,
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(t) - $5::text[]) WHERE value <> 'null') AS state
      FROM ${table} t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($4::text[])),
    known AS MATERIALIZED (SELECT v.id FROM thing_version v WHERE ${known(table)} AND v.id = ANY ($4::text[])),
    closed AS (UPDATE thing_version v SET known_until = ${moment} FROM present p
      WHERE ${known(table)} AND v.id = p.id AND v.state <> p.state RETURNING v.id, v.version, v.known_until)
    INSERT INTO thing_version (workspace_id, environment, table_name, id, client_id, version, known_from, state)
    SELECT $1, $2, '${table}', p.id, p.client_id, coalesce(c.version, 0) + 1, coalesce(c.known_until, $3), p.state
    FROM present p LEFT JOIN closed c USING (id) WHERE c.id IS NOT NULL OR p.id NOT IN (SELECT id FROM known)`;
}
