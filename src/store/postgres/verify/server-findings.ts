// What an operator is told about a database server, from what it says about itself: version, rights, row-level security, clock, connections,
// time limits and how it keeps data.

import type { Archiving } from '../archiving.ts';

export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export interface ServerRow {
  readonly version: number;
  readonly version_name: string;
  readonly encoding: string;
  readonly now_ms: number;
  readonly max_connections: number;
  readonly can_create: boolean;
  readonly foreign_tables: number;
  readonly unforced: readonly string[];
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
  readonly checksums: string;
  readonly is_open: boolean;
  /** In milliseconds, as they are for the connections of the service. */
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  /** Zero for none; null where the server does not know it. */
  readonly transaction_timeout: number | null;
  readonly idle_session_timeout: number;
}

const versionMin = 150_000;
const lagSecondsMax = 60;
const clockMs = { warn: 1_000, fail: 30_000 };

export function versionFinding({
  version,
  version_name: name,
  encoding,
}: Pick<ServerRow, 'version' | 'version_name' | 'encoding'>): Finding {
  if (version < versionMin)
    return {
      level: 'fail',
      what: `PostgreSQL ${name}`,
      remedy: 'Use PostgreSQL 15 or later: `holdfast move` brings the data there.',
    };
  if (encoding !== 'UTF8')
    return {
      level: 'fail',
      what: `PostgreSQL ${name} with the encoding ${encoding}`,
      remedy: 'Create the database with ENCODING UTF8.',
    };
  return { level: 'ok', what: `PostgreSQL ${name}; no extension is needed` };
}

export function rightsFindings({ can_create: canCreate, foreign_tables: foreignTables }: ServerRow): Finding[] {
  const grant =
    'Let the role of DATABASE_URL own the database: ALTER DATABASE … OWNER TO …, and the tables: REASSIGN OWNED BY … TO ….';
  if (!canCreate) return [{ level: 'fail', what: 'the database role may not create tables', remedy: grant }];
  if (foreignTables > 0)
    return [{ level: 'fail', what: `${foreignTables} tables belong to another role`, remedy: grant }];
  return [{ level: 'ok', what: 'the database role owns the tables and may migrate them' }];
}

export function securityFinding({ unforced }: ServerRow): Finding {
  if (unforced.length === 0) return { level: 'ok', what: 'row-level security is forced on every table' };
  return {
    level: 'fail',
    what: `row-level security is not forced on ${unforced.join(', ')}`,
    remedy: 'Run ALTER TABLE … ENABLE ROW LEVEL SECURITY and ALTER TABLE … FORCE ROW LEVEL SECURITY on each.',
  };
}

/** A difference below half of the round trip cannot be told from its duration. */
export function clockFinding(differenceMs: number, halfTripMs: number): Finding {
  const difference = Math.max(0, Math.abs(differenceMs) - halfTripMs);
  const what = `the clock of the database differs by ${Math.round(difference)} ms`;
  if (difference < clockMs.warn) return { level: 'ok', what };
  return {
    level: difference < clockMs.fail ? 'warn' : 'fail',
    what,
    remedy: 'Let NTP set the clocks of all machines.',
  };
}

export function connectionsFinding(
  { max_connections: available }: Pick<ServerRow, 'max_connections'>,
  needed: number,
): Finding {
  const what = `a node opens up to ${needed} connections, of ${available} that the server has`;
  const remedy = 'Lower DATABASE_POOL or WORK_THREADS, or raise max_connections.';
  if (needed > available) return { level: 'fail', what, remedy };
  if (needed * 2 > available) return { level: 'warn', what: `${what}: a second node may find none`, remedy };
  return { level: 'ok', what };
}

/** `missing` is how many bytes of the log a replica lacks, `seconds` how old its last commit is. */
export function lagFinding({ missing, seconds }: { readonly missing: number; readonly seconds: number }): Finding {
  if (missing === 0) return { level: 'ok', what: 'the replica has all that the primary has' };
  const what = `the replica lacks ${Math.ceil(missing / 1024)} KiB of the log; its last commit is ${Math.round(seconds)} s old`;
  if (seconds < lagSecondsMax) return { level: 'ok', what };
  return {
    level: 'warn',
    what,
    remedy:
      'See whether it is paused, too slow, or cut off: pg_stat_replication on the primary lists those that follow.',
  };
}

export function durabilityFindings(server: ServerRow): Finding[] {
  const { fsync, full_page_writes: fullPages, synchronous_commit: commit, checksums, is_open: isOpen } = server;
  const findings: Finding[] = [];
  if (fsync !== 'on' || fullPages !== 'on')
    findings.push({
      level: 'fail',
      what: `fsync is ${fsync}, full_page_writes is ${fullPages}: a power cut can destroy the database`,
      remedy: 'Set both to on.',
    });
  if (commit === 'off')
    findings.push({
      level: 'warn',
      what: 'synchronous_commit is off: a crash can lose what was acknowledged',
      remedy: 'Set it to on.',
    });
  if (checksums !== 'on')
    findings.push({
      level: 'warn',
      what: 'data checksums are off: damage on the disk is not noticed',
      remedy: 'Stop the server and run pg_checksums --enable.',
    });
  if (isOpen)
    findings.push({
      level: 'warn',
      what: 'the connection to the database is not encrypted',
      remedy: 'Add ?sslmode=verify-full to DATABASE_URL.',
    });
  return findings.length === 0 ? [{ level: 'ok', what: 'what is acknowledged is on the disk' }] : findings;
}

const gibibyte = 2 ** 30;
/** Beyond this, what a slot holds back endangers the disk. */
const heldBytesMax = 10 * gibibyte;
const archiveAgeMax = 3_600;

/** `isOwn`: the database that comes with the service, whose log nobody archives. */
export function archivingFindings(archiving: Archiving, { isOwn }: { readonly isOwn: boolean }): Finding[] {
  const { mode, isFailing, ageSeconds, lastArchived, lastFailed, timeoutSeconds, slot, slotIsUsed, heldBytes } =
    archiving;
  const findings: Finding[] = [];
  if (mode === 'off') {
    if (!isOwn)
      findings.push({
        level: 'warn',
        what: 'the write-ahead log is not archived: what was written since the last backup can be lost',
        remedy:
          'Set archive_mode and archive_command, or the point-in-time recovery of a managed database: docs/backups.md.',
      });
  } else if (isFailing) {
    findings.push({
      level: 'fail',
      what: `archiving the write-ahead log fails: ${lastFailed ?? 'a segment'} was not archived, the last that was is ${lastArchived ?? 'none'}`,
      remedy: 'The log of PostgreSQL has what archive_command says. Until it works, the log fills the disk.',
    });
  } else if (ageSeconds === null) {
    findings.push({
      level: 'warn',
      what: 'no segment of the write-ahead log was archived yet',
      remedy: 'Run SELECT pg_switch_wal() and see whether the archive gets a file.',
    });
  } else {
    const what = `the last segment of the write-ahead log (${lastArchived}) was archived ${Math.round(ageSeconds)} s ago`;
    const isOld = ageSeconds > archiveAgeMax;
    findings.push(
      isOld || timeoutSeconds === 0
        ? {
            level: 'warn',
            what: `${what}${timeoutSeconds === 0 ? ', and archive_timeout is 0' : ''}`,
            remedy:
              timeoutSeconds === 0
                ? 'A segment is archived when it is full, after 16 MB. Set archive_timeout = 1min to lose a minute at most.'
                : 'Nothing was written since, or archive_command hangs: run SELECT pg_switch_wal() and see.',
          }
        : { level: 'ok', what },
    );
  }
  if (heldBytes > heldBytesMax)
    findings.push({
      level: 'warn',
      what: `the replication slot ${slot} holds back ${Math.floor(heldBytes / gibibyte)} GiB of the write-ahead log${slotIsUsed === true ? '' : ', and nobody uses it'}`,
      remedy: 'Start what follows it, or drop it: SELECT pg_drop_replication_slot(…).',
    });
  return findings;
}

/** What the service asks for when it connects. */
export interface RequestedTimeouts {
  readonly statementMs: number;
  readonly lockMs: number;
}

/** `requested`: undefined where each transaction sets its own. The service turns jit off for itself. */
export function timeoutFindings(server: TimeoutRow, requested: RequestedTimeouts | undefined): Finding[] {
  const { statement_timeout: statementMs, lock_timeout: lockMs } = server;
  const { transaction_timeout: transactionMs, idle_session_timeout: idleMs } = server;
  const findings: Finding[] = [];
  if (requested !== undefined && (statementMs !== requested.statementMs || lockMs !== requested.lockMs))
    findings.push({
      level: 'warn',
      what: `statement_timeout is ${statementMs} ms and lock_timeout ${lockMs} ms, where the service asked for ${requested.statementMs} and ${requested.lockMs}`,
      remedy: 'A pooler ignores them. Set DATABASE_STATEMENTS=unnamed: then each transaction sets its own.',
    });
  if ((transactionMs ?? 0) > 0)
    findings.push({
      level: 'warn',
      what: `transaction_timeout is ${transactionMs} ms: bulk bodies and imports that take longer are rolled back`,
      remedy: 'Run ALTER ROLE … SET transaction_timeout = 0 for the role of DATABASE_URL.',
    });
  if (idleMs > 0)
    findings.push({
      level: 'warn',
      what: `idle_session_timeout is ${idleMs} ms: the server ends connections that the service keeps for later`,
      remedy: 'Run ALTER ROLE … SET idle_session_timeout = 0 for the role of DATABASE_URL.',
    });
  return findings.length === 0 ? [{ level: 'ok', what: 'time limits are those that the service sets' }] : findings;
}

type TimeoutRow = Pick<
  ServerRow,
  'statement_timeout' | 'lock_timeout' | 'transaction_timeout' | 'idle_session_timeout'
>;
