// A page of rows for a caller who sees single clients: as many rows of each client as the page has are read from an index and merged, so
// that a page costs the same however many rows there are, and however many clients there are that the caller does not see.

import { isToMany, type AnyChange, type Resource } from '../../kit/resource.ts';
import type { VisibleClients } from '../../model/access/scope.ts';
import { getResource } from '../../model/resources.ts';
import { arrayOfAnyLength } from '../postgres/statement.ts';
import {
  columnOf,
  isOwnedByClient,
  rowsOfClientSql,
  rowsOfNoClientSql,
  tenantFilterSql,
  type OwnedTable,
} from './resource-sql.ts';

interface MergedColumn {
  readonly column: string;
  readonly values: readonly string[];
}

export interface VisiblePage {
  readonly table: OwnedTable & { readonly table: string };
  readonly visibleClients: VisibleClients['kind'];
  /** The select list, from the table `t`. */
  readonly columns: string;
  /** More conditions on the rows. */
  readonly conditions: string;
  /** The columns of the order as `t` has them, and as the select list names them. */
  readonly order: string;
  /** The parameter with the number of rows, and the size that is written for it. */
  readonly limit: string;
  readonly size: number;
  /** Whether the conditions leave the rows of one client. */
  readonly isOfOneClient: boolean;
  /** A column of the index before those of the order: the rows of each of its values are read and merged. */
  readonly merged?: MergedColumn | undefined;
}

export function visiblePageSql(page: VisiblePage): string {
  const { table, visibleClients, columns, conditions, order, isOfOneClient } = page;
  const select = (filter: string): string =>
    ofEachValue(
      page,
      (isOfValue) =>
        `SELECT ${columns} FROM ${table.table} t WHERE ${filter} ${isOfValue} ${conditions} ORDER BY ${order} LIMIT ${page.size}`,
    );
  const isListed = visibleClients === 'tree' || visibleClients === 'some';
  if (!isListed || isOfOneClient || !isOwnedByClient(table))
    return limitedSql(select(tenantFilterSql(table, visibleClients)), page);
  const ofEach = `SELECT p.* FROM unnest(${arrayOfAnyLength('$3')}) AS seen (id)
    CROSS JOIN LATERAL (${select(rowsOfClientSql(table, visibleClients, 'seen.id'))}) p`;
  const ofNone = rowsOfNoClientSql(table, visibleClients);
  const branches = ofNone === undefined ? [ofEach] : [ofEach, `(${select(ofNone)})`];
  return limitedSql(branches.join(' UNION ALL '), page);
}

/** The rows, or those of each value of a column. */
function ofEachValue({ merged }: VisiblePage, rows: (isOfValue: string) => string): string {
  if (merged === undefined) return rows('');
  return `SELECT m.* FROM unnest(ARRAY['${merged.values.join("', '")}']) AS one (value)
    CROSS JOIN LATERAL (${rows(`AND t.${merged.column} = one.value`)}) m`;
}

/** The column whose values are merged in a list that is not filtered by it. */
export function mergedColumn(resource: Resource, where: AnyChange): MergedColumn | undefined {
  const { mergedLists } = resource;
  if (mergedLists === undefined || mergedLists.by in where) return undefined;
  return { column: columnOf(resource, mergedLists.by), values: mergedLists.values };
}

function limitedSql(rows: string, { order, limit }: VisiblePage): string {
  return `SELECT t.* FROM (${rows}) t ORDER BY ${order} LIMIT ${limit}`;
}

/** Whether a filter leads to a record that belongs to one client, so that its rows do too. */
export function isOfOneClient({ relations }: Resource, where: AnyChange): boolean {
  return Object.keys(where).some((field) => {
    const relation = relations[field];
    if (relation === undefined || where[field] === null) return false;
    const { owner } = getResource(relation.to);
    const isClients = owner === 'self' || (typeof owner === 'object' && owner.shared !== true);
    return isClients && (!isToMany(relation) || relation.to !== 'client');
  });
}
