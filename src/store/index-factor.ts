// The factor of an index on a day: the latest on or before it, of the source that counts most. Knows no bond.

import type { Decimal } from '../kit/decimal.ts';
import type { Id } from '../kit/id.ts';
import { sourcesByPrecedence } from '../model/dated-value.ts';
import type { Store } from './store.ts';
import { sql } from './statement.ts';

const findLatest = sql<{ value: Decimal }>(
  'index-factor/latest',
  `SELECT value FROM series_point WHERE workspace_id = $1 AND environment = $2 AND instrument_id = $3
     AND kind = 'index-factor' AND known_until IS NULL AND date <= $4::date
   ORDER BY date DESC, array_position(ARRAY[${sourcesByPrecedence.map((source) => `'${source}'`).join(', ')}], source) LIMIT 1`,
);

export async function findIndexFactor(
  { reach, run }: Store,
  { instrument, date }: { instrument: Id; date: string },
): Promise<Decimal | undefined> {
  const { rows } = await run(findLatest, [reach.workspaceId, reach.environment, instrument, date]);
  return rows[0]?.value;
}
