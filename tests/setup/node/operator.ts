// Runs the operator's commands in this process, on the database of a service under test.

import { runCommand } from '../../../src/app/admin/run-command.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Operator = (...args: readonly string[]) => Promise<Ended>;

/** The settings name the database and its key. */
export function operatorOf(settings: () => Readonly<Record<string, string>>): Operator {
  return async (...args) => {
    const printed = { stdout: '', stderr: '' };
    const code = await runCommand(args, settings(), {
      stdout: { write: (text) => (printed.stdout += text) },
      stderr: { write: (text) => (printed.stderr += text) },
    });
    return { code, ...printed };
  };
}
