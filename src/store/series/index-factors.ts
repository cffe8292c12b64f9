// Reads index factors for days: the latest on or before each day, from the preferred source.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { sourcePrecedenceSql } from '../resources/resource-sql.ts';
import type { Store } from '../store.ts';
import { sql } from '../postgres/statement.ts';

export interface IndexDay {
  readonly instrument: Id;
  readonly date: CalendarDate;
}

const listLatest = sql<{ value: Decimal | null }>(
  'index-factor/latest',
  `SELECT (SELECT p.value FROM series_point p WHERE p.workspace_id = $1 AND p.environment = $2
       AND p.instrument_id = s.instrument AND p.kind = 'index-factor' AND p.known_until IS NULL AND p.date <= s.date
     ORDER BY p.date DESC,
       ${sourcePrecedenceSql('p')} LIMIT 1) AS value
   FROM unnest($3::text[], $4::date[]) WITH ORDINALITY s (instrument, date, place) ORDER BY s.place`,
);

/** Returns one result for each requested day, undefined when no factor is that early. */
export async function listIndexFactors(
  { scope, run }: Store,
  days: readonly IndexDay[],
): Promise<readonly (Decimal | undefined)[]> {
  if (days.length === 0) return [];
  const columns = [days.map(({ instrument }) => instrument), days.map(({ date }) => date)];
  const { rows } = await run(listLatest, [scope.workspaceId, scope.environment, ...columns]);
  return rows.map(({ value }) => value ?? undefined);
}
