// `workspace erase`: deletes every row of a closed workspace.

import { beginErasure } from '../../../actions/access/workspace.ts';
import { defined } from '../../../kit/assert.ts';
import { sumOf } from '../../../kit/compared-counts.ts';
import { eraseWorkspace } from '../../../store/workspace-rows/erase-workspace.ts';
import { withClient } from '../../../store/with-client.ts';
import { withAdminContext } from '../admin-context.ts';
import { readConfig } from '../../config.ts';
import { SettingFault } from '../../setting-reader.ts';
import { printJson, readOptions, type Command } from '../command.ts';
import { getWorkspace, splitWorkspaceId } from './named-workspace.ts';

export const eraseCommand: Command = {
  name: 'erase',
  usage: '<workspace_id> --confirm <name> [--json]',
  summary: 'deletes every row of a closed workspace, for ever; goes on where it was interrupted',
  async run({ args, environment, print }) {
    const { id, rest } = splitWorkspaceId(args);
    const { confirm, json = false } = readOptions(rest, { confirm: { type: 'string' }, json: { type: 'boolean' } });
    return withAdminContext(readConfig(environment), async (context, connection) => {
      const workspace = await getWorkspace(context, id);
      const { name, state } = workspace;
      if (state !== 'closed' && state !== 'erasing')
        throw new SettingFault(`The workspace ${id} is ${state}. Close it first: \`holdfast workspace close ${id}\`.`);
      if (confirm !== name)
        throw new SettingFault(
          `Nothing was erased. This cannot be undone: confirm it with the name of the workspace, --confirm ${JSON.stringify(name)}.`,
        );
      defined(await beginErasure(context, id), 'the workspace was found');
      const { before, deletedCount } = await withClient(connection, (client) =>
        eraseWorkspace(client, connection, workspace.id),
      );
      if (json) {
        printJson(print, { workspace_id: id, rows_before: sumOf(before), rows_deleted: deletedCount, rows_left: 0 });
        return true;
      }
      print(`The workspace ${id} is erased: ${deletedCount} rows were deleted, and none is left.`);
      if (sumOf(before) !== deletedCount)
        print(`Before, ${sumOf(before)} rows were counted: the service added or deleted the others meanwhile.`);
      print('Backups that were made before still hold it until you delete them.');
      return true;
    });
  },
};
