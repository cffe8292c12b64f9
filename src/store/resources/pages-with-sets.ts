// Pages of records with the ids that their to-many relations lead to.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Resource } from '../../kit/resource.ts';
import { linkedIds, selectedSets } from './resource-sql.ts';

/** Adds the ids of to-many relations to a page of rows, looked up row by row. */
export function withSetsPerRow(page: string, resource: Resource, selection: FieldSelection, direction: string): string {
  const sets = selectedSets(resource, selection).map(([name, relation]) => `, ${linkedIds(relation)} AS "${name}"`);
  return `SELECT t.*${sets.join('')} FROM (${page}) t ORDER BY t.id ${direction}`;
}

/**
 * Adds the ids of to-many relations to very many rows, with one join for all of them. If there are few rows after all, the bounds of
 * their ids keep the rest of the tenant's links from being read.
 */
export function withSetsJoined(page: string, resource: Resource, selection: FieldSelection, direction: string): string {
  const sets = selectedSets(resource, selection);
  const arrays = sets.map(([name], index) => `coalesce(r${index}.ids, '{}') AS "${name}"`);
  const joins = sets.map(
    (
      [, { many }],
      index,
    ) => `LEFT JOIN (SELECT r.${many.column} AS one, array_agg(r.${many.otherColumn} ORDER BY r.${many.otherColumn}) AS ids
      FROM ${many.table} r WHERE r.workspace_id = $1 AND r.environment = $2
      AND r.${many.column} >= (SELECT min(id) FROM page) AND r.${many.column} <= (SELECT max(id) FROM page)
      AND r.${many.column} IN (SELECT id FROM page) GROUP BY 1) r${index} ON r${index}.one = page.id`,
  );
  return `WITH page AS MATERIALIZED (${page}) SELECT page.*, ${arrays.join(', ')} FROM page ${joins.join(' ')}
    ORDER BY page.id ${direction}`;
}
