// `workspace suspend`, `resume` and `close`: change whether a workspace does work.

import { closeWorkspace, resumeWorkspace, suspendWorkspace } from '../../../actions/access/workspace.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { SettingFault } from '../../setting-reader.ts';
import { Misuse, onDatabase, printJson, readOptions, takeJson, type Command, type Print } from '../command.ts';
import { noWorkspace, splitWorkspaceId } from './named-workspace.ts';

export const suspendCommand: Command = {
  name: 'suspend',
  usage: '<workspace_id> [--json]',
  summary: 'stops everything of a workspace and keeps all of it',
  run: onDatabase(suspend),
};

export const resumeCommand: Command = {
  name: 'resume',
  usage: '<workspace_id> [--reopen] [--json]',
  summary: 'lets a suspended workspace work again; a closed one only with --reopen',
  run: onDatabase(resume),
};

export const closeCommand: Command = {
  name: 'close',
  usage: '<workspace_id> [--json]',
  summary:
    'suspends a workspace for good: deletes its applications and keys, ends its sessions, keeps the rest until it is erased',
  run: onDatabase(close),
};

function onlyId(args: readonly string[]): { readonly id: string; readonly json: boolean } {
  const { json, rest: words } = takeJson(args);
  const { id, rest } = splitWorkspaceId(words);
  if (rest.length > 0) throw new Misuse('Name one workspace.');
  return { id, json };
}

/** Prints the state that the workspace has now and the state that it had, for a program. */
function printState(print: Print, { id, state, before }: { id: string; state: string; before: string }): void {
  printJson(print, { id, state, state_before: before });
}

const isBeingErased = (id: string): SettingFault =>
  new SettingFault(`The workspace ${id} is being erased. Finish that with \`holdfast workspace erase\`.`);

async function suspend(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { id, json } = onlyId(args);
  const before = await suspendWorkspace(context, id);
  if (before === undefined) throw noWorkspace(id);
  if (before === 'erasing') throw isBeingErased(id);
  if (before === 'closed') throw new SettingFault(`The workspace ${id} is closed, which includes being suspended.`);
  if (json) printState(print, { id, state: 'suspended', before });
  else
    print(
      before === 'suspended'
        ? `The workspace ${id} was already suspended.`
        : `The workspace ${id} is suspended: nothing of it can be read, changed, sent or fetched. \`holdfast workspace resume\` ends this.`,
    );
  return true;
}

async function resume(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { json, rest: words } = takeJson(args);
  const { id, rest } = splitWorkspaceId(words);
  const { reopen = false } = readOptions(rest, { reopen: { type: 'boolean' } });
  const before = await resumeWorkspace(context, id, reopen ? ['suspended', 'closed'] : ['suspended']);
  if (before === undefined) throw noWorkspace(id);
  if (before === 'erasing') throw isBeingErased(id);
  if (before === 'closed' && !reopen)
    throw new SettingFault(`The workspace ${id} is closed. Resume it with --reopen if that was a mistake.`);
  if (json) {
    printState(print, { id, state: 'active', before });
    return true;
  }
  print(before === 'active' ? `The workspace ${id} was not suspended.` : `The workspace ${id} works again.`);
  if (before === 'closed')
    print(
      'It has no applications and keys any more. `holdfast administrator-link` makes a link to become an administrator.',
    );
  return true;
}

async function close(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { id, json } = onlyId(args);
  const before = await closeWorkspace(context, id);
  if (before === undefined) throw noWorkspace(id);
  if (before === 'erasing') throw isBeingErased(id);
  if (json) {
    printState(print, { id, state: 'closed', before });
    return true;
  }
  print(`The workspace ${id} is closed: its applications and keys are deleted, its sessions have ended.`);
  print('Everything else is kept until `holdfast workspace erase`.');
  return true;
}
