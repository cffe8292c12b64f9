// The command `import`: reads an export of a workspace, or of a client with those below it, into an empty workspace.

import { importWorkspace, ImportFault } from '../../../actions/transfer/import-workspace.ts';
import { exportedTables } from '../../../store/workspace-rows/exported-tables.ts';
import { withClient } from '../../../store/with-client.ts';
import { listTenantTables, type TenantTable } from '../../../store/workspace-rows/tenant-tables.ts';
import { withAdminContext } from '../admin-context.ts';
import { readConfig } from '../../config.ts';
import { SettingFault } from '../../setting-reader.ts';
import { identityOptions, readIdentities } from '../age-options.ts';
import { Misuse, printJson, readOptions, resolvePath, type Command } from '../command.ts';
import { getWorkspace } from '../workspace/named-workspace.ts';
import { readManifest, type Manifest, type ManifestFile } from './manifest.ts';
import { checkFile, openFile } from './read-export.ts';

export const importCommand: Command = {
  name: 'import',
  usage: '--workspace <workspace_id> --from <folder> [--identity FILE] [--json]',
  summary: 'imports an export of a workspace or of a client into an empty workspace: all of it or nothing',
  details: [
    'Checks every hash first. Ids are kept. Webhooks are disabled until their secret was rotated.',
    '--identity names the file with the identity of age that opens an encrypted export.',
  ],
  async run({ args, environment, print }) {
    const options = readOptions(args, {
      workspace: { type: 'string' },
      from: { type: 'string' },
      json: { type: 'boolean' },
      ...identityOptions,
    });
    const { workspace: id, from } = options;
    if (id === undefined || from === undefined) throw new Misuse('Name the workspace and the folder.');
    const folder = resolvePath(from, environment);
    const identities = await readIdentities(options.identity, environment);
    return withAdminContext(readConfig(environment), async (context, connection) => {
      const workspace = await getWorkspace(context, id);
      const manifest = await readManifest(folder, identities);
      const tables = await withClient(connection, listTenantTables);
      const environments = await openEnvironments({ folder, identities }, manifest, tables);
      const { workspace: exported, clients, exported_at: exportedAt } = manifest;
      const source = { from: exported, clients, exportedAt, source: 'export', environments } as const;
      const count = await importWorkspace(context, workspace.id, source).catch((error: unknown) => {
        throw error instanceof ImportFault ? new SettingFault(error.message) : error;
      });
      if (options.json === true) {
        printJson(print, {
          workspace_id: workspace.id,
          from_workspace: { id: exported.id, name: exported.name },
          clients,
          exported_at: exportedAt,
          rows: count,
          left_out: manifest.left_out,
        });
        return true;
      }
      const what = clients === null ? `"${exported.name}"` : `${clients.length} clients of "${exported.name}"`;
      print(`Imported ${count} rows of ${what} into the workspace ${id}.`);
      print('Secrets were not in the export: `left_out` in its manifest lists what to set anew.');
      return true;
    });
  },
};

/** Every file is checked before any is imported. In the order of the tables: those that others refer to come first. */
async function openEnvironments(
  { folder, identities }: { readonly folder: string; readonly identities: readonly string[] },
  { environments, files }: Manifest,
  tables: readonly TenantTable[],
): Promise<Parameters<typeof importWorkspace>[2]['environments']> {
  for (const file of files) {
    checkKnown(file, tables);
    await checkFile(folder, file, identities);
  }
  return environments.map((environment) => ({
    environment,
    files: tables.flatMap((table) =>
      files
        .filter((file) => file.table === table.name && file.environment === environment)
        .map((file) => openFile(folder, file, table, identities)),
    ),
  }));
}

/** Names of tables and columns become part of statements. */
function checkKnown({ path, table: name, columns }: ManifestFile, tables: readonly TenantTable[]): void {
  const table = tables.find((one) => one.name === name);
  const known = new Set(table?.columns.map((column) => column.name));
  if (table === undefined || !Object.hasOwn(exportedTables, name) || !columns.every((column) => known.has(column)))
    throw new SettingFault(`${path} has columns that this release does not know. Nothing was imported.`);
}
