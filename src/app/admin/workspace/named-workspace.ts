// Reads which workspace a command names.

import { findWorkspace, type ListedWorkspace } from '../../../actions/access/workspace.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { SettingFault } from '../../setting-reader.ts';
import { Misuse } from '../command.ts';

/** Splits off the one word that names a workspace. */
export function splitWorkspaceId(args: readonly string[]): { readonly id: string; readonly rest: readonly string[] } {
  const [id = '', ...rest] = args;
  if (id === '' || id.startsWith('-')) throw new Misuse('Name the workspace by its id: `holdfast workspace list`.');
  return { id, rest };
}

export function noWorkspace(id: string): SettingFault {
  return new SettingFault(`There is no workspace ${id}. \`holdfast workspace list\` shows those that exist.`);
}

export async function getWorkspace(context: AppContext, id: string): Promise<ListedWorkspace> {
  const found = await findWorkspace(context, id);
  if (found === undefined) throw noWorkspace(id);
  return found;
}
