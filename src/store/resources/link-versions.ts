// The links between records of a client, each known from one moment until another, for reports as of an earlier moment.

import type { Id } from '../../kit/id.ts';
import { isToMany, type Resource, type ToMany } from '../../kit/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, wasKnownAt } from './known-at-sql.ts';
import { endingMomentSql } from './resource-sql.ts';
import { memoized, sql } from '../postgres/statement.ts';

/** A table of links and its two columns, in the order of the table's name. */
interface LinkTable {
  readonly table: string;
  readonly ends: readonly [one: string, other: string];
}

function toManyRelations({ relations }: Resource): readonly ToMany[] {
  return Object.values(relations).filter(isToMany);
}

function linkTableOf({ many: { table, column, otherColumn } }: ToMany): LinkTable {
  return {
    table,
    ends: table === `${column}_${otherColumn}`.replaceAll('_id', '') ? [column, otherColumn] : [otherColumn, column],
  };
}

/** The tables of the to-many relations that callers can write; the others are read from to-one relations. */
const linkTables: ReadonlySet<string> = new Set(
  resources
    .flatMap(toManyRelations)
    .filter(({ writable }) => writable !== 'never')
    .map(({ many }) => many.table),
);

function linkRelationsOf(resource: Resource): readonly ToMany[] {
  return toManyRelations(resource).filter(({ many }) => linkTables.has(many.table));
}

/** Two linked records. */
export interface LinkedPair {
  readonly one: Id;
  readonly other: Id;
}

const listKnownAt = sql<LinkedPair>(
  'link-versions/list',
  `SELECT one_id AS one, other_id AS other FROM link_version WHERE workspace_id = $1 AND environment = $2 AND client_id = $3
     AND link = $4 AND ${wasKnownAt('$5', 'link_version')} ORDER BY one_id, other_id`,
);

export class LinkVersions {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Stores the present links of a record. Enqueued. */
  putLinks(resource: Resource, id: string, now: number): void {
    for (const relation of linkRelationsOf(resource)) {
      const { table, ends } = linkTableOf(relation);
      const { column } = relation.many;
      const statement = memoized(`link-versions/${table}/${column}/keep`, () => putLinksSql({ table, ends }, column));
      this.#run.enqueue(statement, [this.#scope.workspaceId, this.#scope.environment, new Date(now), id]);
    }
  }

  /** Ends the links of a record. Enqueue it before the deletion, while the record is still visible. */
  close(resource: Resource, id: string, now: number): void {
    for (const relation of linkRelationsOf(resource)) {
      const { table, ends } = linkTableOf(relation);
      const own = relation.many.column === ends[0] ? 'one_id' : 'other_id';
      const statement = memoized(
        `link-versions/${table}/${own}/close`,
        () =>
          `UPDATE link_version v SET known_until = ${closingMoment} WHERE ${isCurrentVersion(table)} AND v.${own} = $4`,
      );
      this.#run.enqueue(statement, [this.#scope.workspaceId, this.#scope.environment, new Date(now), id]);
    }
  }

  /** All links of one table between records of a client that were known at a moment. */
  async listKnownAt(table: string, client: Id, knownAt: number): Promise<LinkedPair[]> {
    const { workspaceId, environment } = this.#scope;
    return (await this.#run(listKnownAt, [workspaceId, environment, client, table, endOfMillisecond(knownAt)])).rows;
  }
}

const closingMoment = endingMomentSql('$3', 'v.known_from');

function isCurrentVersion(table: string): string {
  return `v.workspace_id = $1 AND v.environment = $2 AND v.link = '${table}' AND v.known_until IS NULL`;
}

function putLinksSql({ table, ends: [one, other] }: LinkTable, column: string): string {
  const own = column === one ? 'one_id' : 'other_id';
  return `WITH present AS MATERIALIZED (SELECT l.client_id, l.${one} AS one_id, l.${other} AS other_id FROM ${table} l
      WHERE l.workspace_id = $1 AND l.environment = $2 AND l.${column} = $4),
    known AS MATERIALIZED (SELECT v.one_id, v.other_id FROM link_version v WHERE ${isCurrentVersion(table)} AND v.${own} = $4),
    closed AS (UPDATE link_version v SET known_until = ${closingMoment} WHERE ${isCurrentVersion(table)} AND v.${own} = $4
      AND NOT EXISTS (SELECT FROM present p WHERE p.one_id = v.one_id AND p.other_id = v.other_id))
    INSERT INTO link_version (workspace_id, environment, client_id, link, one_id, other_id, known_from)
    SELECT $1, $2, p.client_id, '${table}', p.one_id, p.other_id,
      greatest($3, (SELECT max(v.known_until) FROM link_version v WHERE v.workspace_id = $1 AND v.environment = $2
        AND v.link = '${table}' AND v.one_id = p.one_id AND v.other_id = p.other_id))
    FROM present p WHERE (p.one_id, p.other_id) NOT IN (SELECT one_id, other_id FROM known) RETURNING 1`;
}
