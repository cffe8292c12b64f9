// Runs one of the operator's commands by its name, and says what to do if it cannot. To add a command, add it to the list.

import { describeStartError } from '../start-error.ts';
import type { EnvironmentVariables } from '../setting-reader.ts';
import { administratorLinkCommand } from './administrator-link.ts';
import { backupCommand } from './backup.ts';
import { Misuse, type Command } from './command.ts';
import { distributeCommand } from './distribute.ts';
import { doctorCommand } from './doctor.ts';
import { migrateCommand } from './migrate.ts';
import { modeCommand } from './mode.ts';
import { moveCommand } from './move.ts';
import { newSecretCommand } from './new-secret.ts';
import { resealCommand } from './reseal.ts';
import { restoreCommand } from './restore.ts';
import { verifyAuditCommand } from './verify-audit.ts';
import { exportCommand } from './transfer/export.ts';
import { importCommand } from './transfer/import.ts';
import { usageCommand } from './usage.ts';
import { verifyCommand } from './verify.ts';
import { versionCommand } from './version.ts';
import { workspaceCommand } from './workspace/workspace-command.ts';

const commands: readonly Command[] = [
  backupCommand,
  restoreCommand,
  moveCommand,
  workspaceCommand,
  usageCommand,
  verifyCommand,
  exportCommand,
  importCommand,
  verifyAuditCommand,
  modeCommand,
  doctorCommand,
  resealCommand,
  migrateCommand,
  newSecretCommand,
  administratorLinkCommand,
  distributeCommand,
  versionCommand,
];

const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

/** Where a command prints: what it has found or done, and why it could not. */
interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** In the repository both programs are called `holdfast`, and npx finds this one. */
const commandsOfApi: readonly string[] =
  'login logout whoami get list create holdings performance explain events logs webhooks open completion'.split(' ');

function hintAt(name: string): string {
  const isOfApi = commandsOfApi.includes(name);
  return isOfApi ? ` It is one of the command line of the API: npx -w packages/cli holdfast ${name}` : '';
}

const helpWords: readonly string[] = ['--help', '-h'];

/** Returns the exit code: 0 if it was done, 1 if it failed, 2 if it was called in a way that does not exist. */
export async function runCommand(
  [name = '', ...args]: readonly string[],
  environment: EnvironmentVariables,
  { stdout, stderr }: Output,
): Promise<number> {
  if (helpWords.includes(name) || name === 'help') {
    stdout.write(generalHelp());
    return exitCodes.done;
  }
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    stderr.write(`${name === '' ? '' : `There is no command ${name}.${hintAt(name)}\n\n`}${generalHelp()}`);
    return exitCodes.misused;
  }
  if (args.some((word) => helpWords.includes(word))) {
    stdout.write(helpOf(command));
    return exitCodes.done;
  }
  try {
    const isDone = await command.run({ args, environment, print: (line) => void stdout.write(`${line}\n`) });
    return isDone ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    const isMisused = error instanceof Misuse;
    stderr.write(isMisused ? `${error.message}\n\n${helpOf(command)}` : `${describeError(error)}\n`);
    return isMisused ? exitCodes.misused : exitCodes.failed;
  }
}

function callOf({ name, usage }: Command): string {
  return usage === '' ? name : `${name} ${usage}`;
}

function generalHelp(): string {
  const lines = commands.map((command) => `  ${callOf(command)}\n      ${command.summary}\n`);
  return (
    `Usage: holdfast <command>, or npm run admin -- <command>\n\n${lines.join('')}\n` +
    'Commands have the settings of the service, as environment variables. `holdfast <command> --help` says more.\n' +
    'Exit code: 0 done, 1 failed, 2 called in a way that does not exist.\n'
  );
}

function helpOf(command: Command): string {
  const details = (command.details ?? []).map((line) => `  ${line}\n`);
  const body = details.length === 0 ? '' : `\n${details.join('')}`;
  return `Usage: holdfast ${callOf(command)}\n\n  ${command.summary}\n${body}`;
}

function describeError(error: unknown): string {
  // PostgreSQL's code for a table that does not exist.
  if (error instanceof Error && 'code' in error && error.code === '42P01')
    return 'The database is empty or from another release. Start the service of this release on it first.';
  return describeStartError(error);
}
