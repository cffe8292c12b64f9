// Locks the instruments whose series are written, many at once.

import type { Id } from '../../kit/id.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { memoized } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';
import type { Store } from '../store.ts';

/** Locks the visible ones until the transaction ends, in the order of their ids, so that writers of one series follow each other. */
export async function lockSeriesOwners({ scope, run }: Store, ids: readonly Id[]): Promise<void> {
  const { kind } = scope.visibleClients;
  const statement = memoized(
    `series-owners/lock/${kind}`,
    () => `SELECT FROM instrument t WHERE ${tenantFilterSql(instrument, kind)} AND t.id = ANY ($4::text[])
      ORDER BY t.id FOR NO KEY UPDATE OF t`,
  );
  await run(statement, [...tenantFilterValues(scope), ids]);
}
