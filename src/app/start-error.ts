// Describes why a start failed: in a sentence what the operator can fix, with its stack what nobody expected.

import { AgeFault } from '../kit/files/age.ts';
import { Refusal } from '../kit/refusal.ts';
import { BackupFault } from '../store/postgres/backup/backup-fault.ts';
import { CountFault } from '../store/postgres/counting.ts';
import { isDatabaseUnavailable } from '../store/postgres/database-errors.ts';
import { DataDirFault } from '../store/postgres/embedded/embedded-postgres.ts';
import { DatabaseUnfit } from '../store/postgres/roles.ts';
import { SettingFault } from './setting-reader.ts';

const explained = [SettingFault, DataDirFault, DatabaseUnfit, BackupFault, CountFault, AgeFault];

/** A certificate that cannot be trusted, or no TLS where `sslmode` asks for it. */
const tlsCodes = /CERT|^UNABLE_TO_|^ERR_(SSL|TLS)_/;
const tlsMessage = /does not support SSL connections/;

/** Whether the server has no connection left, which is PostgreSQL's code for too many of a server, a database or a role. */
export function isWithoutConnections(error: unknown): boolean {
  if (error instanceof Refusal) return isWithoutConnections(error.cause);
  return error instanceof Error && 'code' in error && error.code === '53300';
}

/** What the operator can fix about the database; undefined for any other error. */
function describeDatabaseFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/unsupported startup parameter/.test(message))
    return `${message}: behind PgBouncer set DATABASE_STATEMENTS=unnamed.`;
  if (isWithoutConnections(error))
    return `The database has no connection left (${message}). A node uses DATABASE_POOL of them, and 4 more for each of WORK_THREADS.`;
  const isWithoutTls = tlsCodes.test(code) || tlsMessage.test(message);
  const isUnusable = isWithoutTls || /^(28|3D)/.test(code) || isDatabaseUnavailable(error);
  return isUnusable ? `The database cannot be used: ${message || code}.` : undefined;
}

export function describeStartError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (explained.some((kind) => error instanceof kind)) return error.message;
  // Its sentence is for callers, who are not told why the database cannot be used.
  if (error instanceof Refusal) return describeDatabaseFault(error.cause) ?? error.message;
  return describeDatabaseFault(error) ?? error.stack ?? error.message;
}
