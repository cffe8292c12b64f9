// `workspace quota`: shows and sets how many rows and megabytes the imports of each environment of a workspace may take.

import { setImportQuota } from '../../../actions/access/workspace.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { Misuse, onDatabase, printJson, readOptions, type Command, type Print } from '../command.ts';
import { noWorkspace, splitWorkspaceId } from './named-workspace.ts';

export const quotaCommand: Command = {
  name: 'quota',
  usage: '<workspace_id> [--import-rows <rows>|default] [--import-megabytes <megabytes>|default] [--json]',
  summary:
    'shows or sets how much the imports of each environment of a workspace may take; default: as the settings say',
  run: onDatabase(quota),
};

const megabyte = 1_000_000;

function readFigure(name: string, text: string | undefined, unit: number): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'default') return null;
  if (!/^\d{1,9}$/.test(text)) throw new Misuse(`${name} must be a whole number of at most nine digits, or default.`);
  return Number(text) * unit;
}

async function quota(context: AppContext, args: readonly string[], print: Print): Promise<boolean> {
  const { id, rest } = splitWorkspaceId(args);
  const options = readOptions(rest, {
    'import-rows': { type: 'string' },
    'import-megabytes': { type: 'string' },
    json: { type: 'boolean' },
  });
  const rows = readFigure('--import-rows', options['import-rows'], 1);
  const bytes = readFigure('--import-megabytes', options['import-megabytes'], megabyte);
  const change = await setImportQuota(context, id, {
    ...(rows === undefined ? {} : { rows }),
    ...(bytes === undefined ? {} : { bytes }),
  });
  if (change === undefined) throw noWorkspace(id);
  const { after } = change;
  if (options.json === true) {
    printJson(print, {
      workspace_id: id,
      import_rows_max: after.rows ?? context.importQuota.rows,
      import_bytes_max: after.bytes ?? context.importQuota.bytes,
      is_import_rows_max_own: after.rows !== null,
      is_import_bytes_max_own: after.bytes !== null,
    });
    return true;
  }
  const figures = [
    ['rows', after.rows, context.importQuota.rows],
    ['megabytes', after.bytes === null ? null : after.bytes / megabyte, context.importQuota.bytes / megabyte],
  ] as const;
  for (const [unit, own, usual] of figures)
    print(
      `Imports may take ${own ?? usual} ${unit} in each environment${own === null ? ', as the settings say' : ''}.`,
    );
  return true;
}
