// The statement that finds transactions by the external references of their sources.

import { arrayOfAnyLength } from '../postgres/statement.ts';

/**
 * On a table that has grown since its last ANALYZE the planner cannot tell the indexes apart and may scan all rows of an account
 * for each reference. A range in the sort order of one index makes it use that index.
 */
const referenceColumns = 't.external_reference, t.account_id, t.source';

/**
 * Sources mostly count their references up, so that none of very many new ones is within the range of those that are there. Asking once
 * whether any is saves looking for each.
 */
const rangeCheckedMin = 100;

/** Takes references, their accounts and their sources in $4, $5 and $6. */
export function byReferenceSql(
  { columns, filter }: { readonly columns: string; readonly filter: string },
  count: number,
): string {
  const present = `FROM transaction t WHERE ${filter} AND t.external_reference IS NOT NULL`;
  const references = arrayOfAnyLength('$4');
  const first = `(SELECT min(r COLLATE "C") FROM unnest(${references}) r)`;
  const last = `(SELECT max(r COLLATE "C") FROM unnest(${references}) r)`;
  const isAnyInRange = `(SELECT true ${present} AND t.external_reference >= ${first} AND t.external_reference <= ${last}
    ORDER BY ${referenceColumns} LIMIT 1)`;
  return `SELECT r.* FROM (SELECT * FROM unnest(${references}, ${arrayOfAnyLength('$5')}, ${arrayOfAnyLength('$6')}) s (reference, account, source)
      ${count < rangeCheckedMin ? '' : `WHERE ${isAnyInRange}`}) s
    CROSS JOIN LATERAL (SELECT ${columns} ${present}
      AND (${referenceColumns}) >= (s.reference, s.account, s.source)
      AND (${referenceColumns}) <= (s.reference, s.account, s.source)
      ORDER BY ${referenceColumns} LIMIT 1) r`;
}
