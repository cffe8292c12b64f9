// Whether the server archives its write-ahead log, from which a point in time can be recovered, and what holds the log back.

import { defined } from '../../kit/assert.ts';
import type { PreAuthRead } from './statement-runner.ts';
import { sql } from './statement.ts';

export interface Archiving {
  readonly mode: string;
  /** How long ago the last segment was archived; null where none was. */
  readonly ageSeconds: number | null;
  readonly lastArchived: string | null;
  readonly lastFailed: string | null;
  readonly failureCount: number;
  /** Whether the last attempt failed. */
  readonly isFailing: boolean;
  /** PostgreSQL archives a segment that is not full after this time; 0 for never. */
  readonly timeoutSeconds: number;
  /** The replication slot that holds back most of the log. */
  readonly slot: string | null;
  readonly slotIsUsed: boolean | null;
  readonly heldBytes: number;
}

/** Every role may read these views. */
export const archivingText = `
SELECT current_setting('archive_mode') AS mode,
  extract(epoch FROM clock_timestamp() - a.last_archived_time)::float8 AS "ageSeconds",
  a.last_archived_wal AS "lastArchived", a.last_failed_wal AS "lastFailed", a.failed_count::float8 AS "failureCount",
  a.last_failed_time IS NOT NULL AND a.last_failed_time > coalesce(a.last_archived_time, '-infinity') AS "isFailing",
  (SELECT s.setting::int FROM pg_settings s WHERE s.name = 'archive_timeout') AS "timeoutSeconds",
  h.slot, h.is_used AS "slotIsUsed", coalesce(h.held, 0)::float8 AS "heldBytes"
FROM pg_stat_archiver a LEFT JOIN LATERAL (
  SELECT r.slot_name::text AS slot, r.active AS is_used,
    pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, r.restart_lsn) AS held
  FROM pg_replication_slots r WHERE r.restart_lsn IS NOT NULL ORDER BY 3 DESC, 1 LIMIT 1) h ON true`;

const readState = sql<Archiving>('archiving/read', archivingText);

export async function readArchiving(read: PreAuthRead): Promise<Archiving> {
  const { rows } = await read(readState, []);
  return defined(rows[0], 'the server has one archiver');
}
