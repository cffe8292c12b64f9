// `workspace list`: prints every workspace with its state and how much is in it.

import { listWorkspaces } from '../../../actions/access/workspace.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { onDatabase, readOptions, type Command, type Print } from '../command.ts';
import { printTable } from '../print-table.ts';

export const listCommand: Command = {
  name: 'list',
  usage: '[--json]',
  summary: 'lists workspaces: id, state, when it was created, clients, transactions, name',
  run: onDatabase(list),
};

async function list(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { json = false } = readOptions(args, { json: { type: 'boolean' } });
  const workspaces = (await listWorkspaces(context)).map(({ createdAt, ...one }) => ({
    ...one,
    created_at: new Date(createdAt).toISOString(),
  }));
  if (json) {
    const rows = workspaces.map(({ id, name, state, created_at, environments, clients, transactions }) => ({
      id,
      name,
      state,
      created_at,
      environments,
      clients,
      transactions,
    }));
    print(JSON.stringify(rows, null, 2));
    return true;
  }
  const rows = workspaces.map((one) => [
    one.id,
    one.state,
    one.created_at.slice(0, 10),
    String(one.clients),
    String(one.transactions),
    one.name,
  ]);
  printTable(print, ['id', 'state', 'created', 'clients', 'transactions', 'name'], rows);
  return true;
}
