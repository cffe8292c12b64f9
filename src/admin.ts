// The entry of the operator's commands: `npm run admin -- <command>`, for operators who can reach the database and have the key.

import { withAdminContext } from './app/admin/admin-context.ts';
import { administratorLink, administratorLinkUsage } from './app/admin/administrator-link.ts';
import { newSecret, newSecretUsage } from './app/admin/new-secret.ts';
import { verifyAudit, verifyAuditUsage } from './app/admin/verify-audit.ts';
import type { AppContext } from './actions/core/context.ts';
import { readConfig } from './app/config.ts';
import { describeStartError } from './app/start-error.ts';

/** Returns whether it has succeeded; prints what it has found or done. */
type Command = (context: AppContext, args: readonly string[], print: (line: string) => void) => Promise<boolean>;

const commands: Readonly<Record<string, { readonly usage: string; readonly run: Command }>> = {
  'new-secret': { usage: newSecretUsage, run: newSecret },
  'verify-audit': { usage: verifyAuditUsage, run: verifyAudit },
  'administrator-link': { usage: administratorLinkUsage, run: administratorLink },
};

function printUsage(): void {
  const lines = Object.values(commands).map(({ usage }) => `  ${usage}\n`);
  process.stderr.write(`Usage: npm run admin -- <command>\n\n${lines.join('')}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the exit code. */
async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    printUsage();
    return 2;
  }
  const config = readConfig(process.env);
  return (await withAdminContext(config, (context) => command.run(context, args, print))) ? 0 : 1;
}

function describeError(error: unknown): string {
  // PostgreSQL's code for a table that does not exist.
  if (error instanceof Error && 'code' in error && error.code === '42P01')
    return 'The database is empty or from another release. Start the service of this release on it first.';
  return describeStartError(error);
}

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${describeError(error)}\n`);
    process.exit(1);
  },
);
