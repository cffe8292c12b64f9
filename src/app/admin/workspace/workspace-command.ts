// The command `workspace`: creates, lists, suspends, resumes, closes and erases workspaces, and changes their settings.

import { Misuse, type Command, type Invocation } from '../command.ts';
import { closeCommand, resumeCommand, suspendCommand } from './change-state.ts';
import { createCommand } from './create.ts';
import { eraseCommand } from './erase.ts';
import { listCommand } from './list.ts';
import { settingsCommand } from './settings.ts';

const parts: readonly Command[] = [
  createCommand,
  listCommand,
  suspendCommand,
  resumeCommand,
  closeCommand,
  eraseCommand,
  settingsCommand,
];

export const workspaceCommand: Command = {
  name: 'workspace',
  usage: parts.map(({ name }) => name).join('|'),
  summary: 'creates, lists, suspends, resumes, closes and erases workspaces, and changes their settings',
  details: parts.map(({ name, usage, summary }) => `${[name, usage].filter(Boolean).join(' ')}\n      ${summary}`),
  async run(invocation: Invocation): Promise<boolean> {
    const [name = '', ...args] = invocation.args;
    const part = parts.find((one) => one.name === name);
    if (part === undefined)
      throw new Misuse(name === '' ? 'Say what to do.' : `There is no command workspace ${name}.`);
    return part.run({ ...invocation, args });
  },
};
