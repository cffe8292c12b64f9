// The entry of the operator's commands: `npm run admin -- <command>`, for whoever can reach the database and has the key.

import { withAdminContext } from './app/admin/admin-context.ts';
import { verifyAudit, verifyAuditUsage } from './app/admin/verify-audit.ts';
import { readConfig } from './app/config.ts';
import { SettingFault } from './app/setting-reader.ts';
import { DataDirInUse } from './store/postgres/embedded/embedded-postgres.ts';

const usage = `Usage: npm run admin -- <command>\n\n  ${verifyAuditUsage}\n`;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the exit code. */
async function run([command, ...rest]: readonly string[]): Promise<number> {
  if (command === 'verify-audit') {
    const config = readConfig(process.env);
    return (await withAdminContext(config, (context) => verifyAudit(context, rest, print))) ? 0 : 1;
  }
  process.stderr.write(usage);
  return 2;
}

function describeError(error: unknown): string {
  if (error instanceof DataDirInUse || error instanceof SettingFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeError(error)}\n`);
    process.exit(1);
  },
);
