// Counts the rows that block the deletion of a record.

import type { DeleteBlocker } from '../../kit/resource.ts';

export interface DeleteBlockerCount {
  readonly one: string;
  readonly several: string;
  readonly count: number;
}

function countSql({ one, several, table, column, currentBy, states }: DeleteBlocker): string {
  const inStates = states === undefined ? '' : `AND state IN (${states.map((state) => `'${state}'`).join(', ')})`;
  const environment = currentBy === 'current_environment' ? currentBy : 'environment';
  const isCurrent = currentBy === 'known_until' ? 'AND known_until IS NULL' : '';
  return `SELECT '${one}' AS one, '${several}' AS several, count(*) AS count FROM ${table} WHERE workspace_id = $1
    AND ${environment} = $2 ${isCurrent} AND ${column} = $3 ${inStates} HAVING count(*) > 0`;
}

/** Counts the blockers of the record $3 of the tenant $1, $2, one row for each kind that there is. */
export function deleteBlockersSql(deleteBlockers: readonly DeleteBlocker[]): string {
  return deleteBlockers.map(countSql).join(' UNION ALL ');
}
