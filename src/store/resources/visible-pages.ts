// A page of rows for a caller who sees single clients: as many rows of each client as the page has are read from an index and merged, so
// that a page costs the same however many rows there are, and however many clients there are that the caller does not see.

import { isToMany, type AnyChange, type Resource } from '../../kit/resource.ts';
import type { VisibleClients } from '../../model/access/scope.ts';
import { getResource } from '../../model/resources.ts';
import { arrayOfAnyLength } from '../postgres/statement.ts';
import {
  isOwnedByClient,
  rowsOfClientSql,
  rowsOfNoClientSql,
  tenantFilterSql,
  type OwnedTable,
} from './resource-sql.ts';

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
}

export function visiblePageSql(page: VisiblePage): string {
  const { table, visibleClients, columns, conditions, order, isOfOneClient } = page;
  const select = (filter: string): string =>
    `SELECT ${columns} FROM ${table.table} t WHERE ${filter} ${conditions} ORDER BY ${order} LIMIT ${page.size}`;
  const isListed = visibleClients === 'tree' || visibleClients === 'some';
  if (!isListed || isOfOneClient || !isOwnedByClient(table))
    return limitedSql(select(tenantFilterSql(table, visibleClients)), page);
  const ofEach = `SELECT p.* FROM unnest(${arrayOfAnyLength('$3')}) AS seen (id)
    CROSS JOIN LATERAL (${select(rowsOfClientSql(table, visibleClients, 'seen.id'))}) p`;
  const ofNone = rowsOfNoClientSql(table, visibleClients);
  const branches = ofNone === undefined ? [ofEach] : [ofEach, `(${select(ofNone)})`];
  return limitedSql(branches.join(' UNION ALL '), page);
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
