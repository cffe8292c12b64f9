// Dead rows go soon: an amendment leaves one, and a share of a large table as a threshold would never come.

import { onTestFinished, expect, test } from 'vitest';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { makeDatabase } from '../../../tests/setup/node/test-service.ts';

/** After how many dead rows a table of this many is vacuumed, by its own settings or PostgreSQL's. */
const vacuumedAfter = `
SELECT c.relname AS name, (coalesce(t.own, current_setting('autovacuum_vacuum_threshold'))::float8
    + coalesce(s.own, current_setting('autovacuum_vacuum_scale_factor'))::float8 * $2)::float8 AS "deadRows"
FROM pg_class c
LEFT JOIN LATERAL (SELECT option_value AS own FROM pg_options_to_table(c.reloptions) WHERE option_name = 'autovacuum_vacuum_threshold') t ON true
LEFT JOIN LATERAL (SELECT option_value AS own FROM pg_options_to_table(c.reloptions) WHERE option_name = 'autovacuum_vacuum_scale_factor') s ON true
WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace ORDER BY 1`;

test.each([
  ['versions', 100_000, 10_000_000, ['transaction', 'series_point', 'fx_rate', 'historical_holding', 'record_version']],
  ['what is kept for a time', 25_000, 1_000_000, ['event', 'delivery', 'idempotent_answer', 'request_log']],
  [
    'what each booking, round or delivery changes',
    1_000,
    100_000,
    ['environment', 'account_ledger', 'booking_count', 'event_order', 'outbox', 'delivery_queue', 'round_mark'],
  ],
])('%s: at most %d dead rows among %d are left', async (_what, deadMax, rowCount, tables) => {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  const found = await runSql<{ name: string; deadRows: number }>(database, vacuumedAfter, [tables, rowCount]);
  expect(found.map(({ name }) => name)).toEqual(tables.toSorted());
  expect(found.filter(({ deadRows }) => deadRows > deadMax)).toEqual([]);
});
