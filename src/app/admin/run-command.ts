// Runs one of the operator's commands by its name, and says what to do if it cannot.

import type { AppContext } from '../../actions/core/context.ts';
import { readConfig } from '../config.ts';
import { describeStartError } from '../start-error.ts';
import { withAdminContext } from './admin-context.ts';
import { administratorLink, administratorLinkUsage } from './administrator-link.ts';
import { newSecret, newSecretUsage } from './new-secret.ts';
import { verifyAudit, verifyAuditUsage } from './verify-audit.ts';

/** Returns whether it has succeeded; prints what it has found or done. */
type Command = (context: AppContext, args: readonly string[], print: (line: string) => void) => Promise<boolean>;

const commands: Readonly<Record<string, { readonly usage: string; readonly run: Command }>> = {
  'new-secret': { usage: newSecretUsage, run: newSecret },
  'verify-audit': { usage: verifyAuditUsage, run: verifyAudit },
  'administrator-link': { usage: administratorLinkUsage, run: administratorLink },
};

/** Where a command prints: what it has found or done, and why it could not. */
interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Returns the exit code. */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
  { stdout, stderr }: Output,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const lines = Object.values(commands).map(({ usage }) => `  ${usage}\n`);
    stderr.write(`Usage: npm run admin -- <command>\n\n${lines.join('')}`);
    return 2;
  }
  const print = (line: string): void => void stdout.write(`${line}\n`);
  try {
    const config = readConfig(environment);
    return (await withAdminContext(config, (context) => command.run(context, args, print))) ? 0 : 1;
  } catch (error) {
    stderr.write(`${describeError(error)}\n`);
    return 1;
  }
}

function describeError(error: unknown): string {
  // PostgreSQL's code for a table that does not exist.
  if (error instanceof Error && 'code' in error && error.code === '42P01')
    return 'The database is empty or from another release. Start the service of this release on it first.';
  return describeStartError(error);
}
