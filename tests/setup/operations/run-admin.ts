// Runs the operator's commands in a test, as their program does.

import { runCommand } from '../../../src/app/admin/run-command.ts';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runAdmin(
  args: readonly string[],
  settings: Readonly<Record<string, string | undefined>>,
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const code = await runCommand(args, settings, {
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}
