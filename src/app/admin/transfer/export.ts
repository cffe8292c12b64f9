// The command `export`: writes a workspace, or one client with those below it, as open files with a manifest.

import { mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { ListedWorkspace } from '../../../actions/access/workspace.ts';
import { defined } from '../../../kit/assert.ts';
import { describeDifferences, type RowCounts } from '../../../kit/compared-counts.ts';
import { openSink } from '../../../kit/files/age.ts';
import { putFolder } from '../../../kit/files/folders.ts';
import { isId, type Id } from '../../../kit/id.ts';
import type { Environment, Tenant } from '../../../model/access/scope.ts';
import { CountFault, refuseHiddenRows, requireTenantSeen, seesAllRows } from '../../../store/postgres/counting.ts';
import { exportedTables, leftOutTables, type ExportedTable } from '../../../store/workspace-rows/exported-tables.ts';
import { enter, inTenant } from '../../../store/workspace-rows/owner-connection.ts';
import { withClient } from '../../../store/with-client.ts';
import {
  countInAllEnvironments,
  countRows,
  exportedColumns,
  listClientTree,
  listLeftOutNames,
  readRows,
} from '../../../store/workspace-rows/read-rows.ts';
import { listTenantTables, type TenantTable } from '../../../store/workspace-rows/tenant-tables.ts';
import { withAdminContext } from '../admin-context.ts';
import { readConfig } from '../../config.ts';
import { readRelease } from '../../release.ts';
import { SettingFault } from '../../setting-reader.ts';
import { readRecipients, recipientOptions } from '../age-options.ts';
import { Misuse, printJson, readOptions, resolvePath, type Command } from '../command.ts';
import { getWorkspace } from '../workspace/named-workspace.ts';
import { ExportFile } from './export-file.ts';
import {
  encryptedEnding,
  formatName,
  formatVersion,
  manifestName,
  rowsOfTables,
  type Manifest,
  type ManifestFile,
} from './manifest.ts';

export const exportCommand: Command = {
  name: 'export',
  usage: '--workspace <workspace_id> [--client <client_id>] --to <folder> [--recipient age1…]… [--json]',
  summary:
    'writes a workspace, or a client with those below it, as open files: JSON lines, CSV and a manifest with hashes',
  details: [
    'The folder must be empty or not exist. Secrets are left out; the manifest lists what is.',
    '--recipient encrypts each file, and the manifest, to a public key of age; several may be named.',
  ],
  async run({ args, environment, print }) {
    const {
      workspace: id,
      client: clientId,
      to,
      recipient,
      json = false,
    } = readOptions(args, {
      workspace: { type: 'string' },
      client: { type: 'string' },
      to: { type: 'string' },
      json: { type: 'boolean' },
      ...recipientOptions,
    });
    if (id === undefined || to === undefined) throw new Misuse('Name the workspace and the folder.');
    if (clientId !== undefined && !isId(clientId)) throw new Misuse('--client must be the id of a client.');
    const recipients = readRecipients(recipient, []);
    const folder = resolvePath(to, environment);
    return withAdminContext(readConfig(environment), async (context, connection) => {
      const workspace = await getWorkspace(context, id);
      await makeEmptyFolder(folder);
      const { version } = await readRelease();
      const about = { workspace, clientId, release: version, exportedAt: context.clock.now(), recipients };
      const manifest = await withClient({ ...connection, statement_timeout: 0 }, (client) =>
        writeExport(client, folder, about),
      );
      const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0);
      if (json) {
        printJson(print, {
          folder,
          workspace_id: workspace.id,
          clients: manifest.clients,
          exported_at: manifest.exported_at,
          rows,
          files: manifest.files.length,
          recipients,
          left_out: manifest.left_out,
        });
        return true;
      }
      print(`Exported ${rows} rows in ${manifest.files.length} files to ${folder}.`);
      if (recipients.length > 0)
        print(`It is encrypted to ${recipients.join(', ')}: nobody opens it without the identity of one of them.`);
      print(`Left out, because it is secret or made anew: ${manifest.left_out.map(({ what }) => what).join(', ')}.`);
      return true;
    });
  },
};

async function makeEmptyFolder(folder: string): Promise<void> {
  await putFolder(folder, 0o700);
  if ((await readdir(folder)).length > 0)
    throw new SettingFault(`${folder} is not empty. Name a folder that is, or that does not exist yet.`);
}

interface Exported {
  readonly workspace: ListedWorkspace;
  readonly clientId: Id | undefined;
  readonly release: string;
  readonly exportedAt: number;
  readonly recipients: readonly string[];
}

/** One snapshot of all environments. The manifest is written last: without it, the folder holds no export. */
async function writeExport(
  client: pg.Client,
  folder: string,
  { workspace, clientId, release, exportedAt, recipients }: Exported,
): Promise<Manifest> {
  const tables = await listTenantTables(client);
  const tenants = workspace.environments.map((environment) => ({ workspaceId: workspace.id, environment }));
  const snapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TIME ZONE 'UTC'`;
  const first = defined(tenants[0], 'a workspace has an environment');
  const manifest = await inTenant(
    client,
    first,
    async () => {
      const clientIds = clientId && (await findClientTree(client, tenants, clientId));
      const isWhole = await seesAllRows(client);
      if (isWhole) await refuseHiddenRows(client);
      const files: ManifestFile[] = [];
      const counted = new Map<string, number>();
      const leftOut: Manifest['left_out'][number][] = [];
      for (const tenant of clientIds === undefined ? tenants : [clientIds.tenant]) {
        await enter(client, tenant);
        await requireTenantSeen(client, tenant);
        await mkdir(join(folder, tenant.environment), { mode: 0o700 });
        for (const table of tables) {
          const file = await writeTable(client, folder, { table, tenant, clientIds: clientIds?.ids, recipients });
          if (file !== undefined) files.push(file);
        }
        const selection = { tenant, clientIds: clientIds?.ids };
        for (const [table, exported] of withExported(tables))
          counted.set(
            table.name,
            isWhole && clientIds === undefined
              ? await countInAllEnvironments(client, table, exported, workspace.id)
              : (counted.get(table.name) ?? 0) + (await countRows(client, table, exported, selection)),
          );
        for (const name of await listLeftOutNames(client, tenant, clientIds?.ids))
          leftOut.push({ what: `${name.what} (${tenant.environment})`, why: name.why });
      }
      requireCounted(counted, files);
      const known = Object.entries(leftOutTables).map(([what, why]) => ({ what, why }));
      const environmentsOf: readonly Environment[] = clientIds
        ? [clientIds.tenant.environment]
        : workspace.environments;
      return {
        format: formatName,
        version: formatVersion,
        release,
        exported_at: new Date(exportedAt).toISOString(),
        workspace: { id: workspace.id, name: workspace.name },
        clients: clientIds?.ids ?? null,
        environments: environmentsOf,
        files,
        left_out: [...known, ...leftOut],
      } satisfies Manifest;
    },
    snapshot,
  );
  const path = join(folder, `${manifestName}${encryptedEnding(recipients)}`);
  const sink = await openSink(await open(path, 'wx', 0o600), recipients);
  try {
    await sink.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await sink.close();
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  return manifest;
}

function withExported(tables: readonly TenantTable[]): readonly (readonly [TenantTable, ExportedTable])[] {
  return tables.flatMap((table) => {
    const exported = exportedTables[table.name];
    return exported === undefined ? [] : [[table, exported] as const];
  });
}

/** The files have as many rows as the tables had at the same moment. */
function requireCounted(counted: RowCounts, files: readonly ManifestFile[]): void {
  const differences = describeDifferences(['in the database', counted], ['exported', rowsOfTables(files)]);
  if (differences !== undefined)
    throw new CountFault(
      `The export would not hold what was counted at the same moment. It has no manifest and is of no use.${differences}`,
    );
}

/** The client and those below it, in the environment that has it. */
export async function findClientTree(
  client: pg.Client,
  tenants: readonly Tenant[],
  clientId: Id,
): Promise<{ readonly tenant: Tenant; readonly ids: readonly Id[] }> {
  for (const tenant of tenants) {
    await enter(client, tenant);
    const ids = await listClientTree(client, tenant, clientId);
    if (ids.length > 0) return { tenant, ids };
  }
  throw new SettingFault(`The workspace has no client ${clientId}.`);
}

interface WrittenTable {
  readonly table: TenantTable;
  readonly tenant: Tenant;
  readonly clientIds: readonly Id[] | undefined;
  readonly recipients: readonly string[];
}

/** Undefined for a table that is not exported. */
async function writeTable(
  client: pg.Client,
  folder: string,
  { table, tenant, clientIds, recipients }: WrittenTable,
): Promise<ManifestFile | undefined> {
  const exported = exportedTables[table.name];
  if (exported === undefined) return undefined;
  const path = `${tenant.environment}/${exported.file}.${exported.format}`;
  const columns = exportedColumns(table, exported);
  const stored = join(folder, `${path}${encryptedEnding(recipients)}`);
  const file = await ExportFile.create(stored, exported.format === 'csv' ? columns : undefined, recipients);
  try {
    for await (const rows of readRows(client, table, exported, { tenant, clientIds })) await file.writeRows(rows);
  } catch (error) {
    await file.abandon();
    throw error;
  }
  return { path, environment: tenant.environment, table: table.name, columns, ...(await file.close()) };
}
