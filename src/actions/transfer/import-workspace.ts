// Imports an export into an empty workspace: all of it or nothing, with one line of the audit log that says so.

import { describeDifferences, type RowCounts } from '../../kit/compared-counts.ts';
import { idFromRow, type Id } from '../../kit/id.ts';
import type { Environment, Tenant } from '../../model/access/scope.ts';
import { makeWebhookSecret } from '../../signing/webhook-secret.ts';
import { InsertedRows } from '../../store/workspace-rows/insert-rows.ts';
import { ensureEnvironment } from '../access/replaced-keys.ts';
import type { AppContext } from '../core/context.ts';
import { audit, runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { sealSecret } from '../events/webhook.ts';
import { createPersonKey } from '../people/personal-data-sealing.ts';

/** A row as a JSON object, and the line where it begins. */
export interface ImportedRow {
  readonly line: number;
  readonly text: string;
}

export interface ImportedFile {
  readonly path: string;
  readonly table: string;
  readonly columns: readonly string[];
  /** How many there are, as the manifest says. */
  readonly rows: number;
  /** Some rows at a time. */
  readRows(): AsyncIterable<readonly ImportedRow[]>;
}

export interface ImportedEnvironment {
  readonly environment: Environment;
  /** Those that others refer to first. */
  readonly files: readonly ImportedFile[];
}

/** Why nothing was imported, for the operator. */
export class ImportFault extends Error {
  override readonly name = 'ImportFault';
}

export interface ImportedWorkspace {
  readonly from: { readonly id: Id; readonly name: string };
  /** The clients of an export of one client and those below it; null for the whole workspace. */
  readonly clients: readonly Id[] | null;
  readonly exportedAt: string;
  /** What it was read from. */
  readonly source: 'export' | 'backup' | 'database';
  readonly environments: readonly ImportedEnvironment[];
}

/** Returns how many rows were imported. */
export async function importWorkspace(
  context: AppContext,
  workspaceId: Id,
  imported: ImportedWorkspace,
): Promise<number> {
  const [first] = imported.environments;
  if (first === undefined) throw new ImportFault('The export has no environment.');
  const tenant: Tenant = { workspaceId, environment: first.environment };
  return runInTransaction(context, serviceAuthor(tenant), (work) => importInto(work, imported));
}

/** Fills the environments of the workspace in whose transaction this is. Returns how many rows were imported. */
export async function importInto(
  work: Work,
  { from, clients, exportedAt, source, environments }: ImportedWorkspace,
): Promise<number> {
  const id = work.store.scope.workspaceId;
  let count = 0;
  for (const { environment, files } of environments) {
    const store = await work.store.switchScope({ ...work.store.scope, environment });
    const inner = { ...work, store };
    const rows = await importEnvironment(inner, files);
    const after = {
      from_workspace: from.id,
      from_name: from.name,
      ...(clients === null ? {} : { clients }),
      source,
      exported_at: exportedAt,
      rows,
    };
    audit(inner, { act: 'create', type: 'workspace-import', id, clientId: null, before: null, after });
    count += rows;
  }
  await work.store.switchScope(work.store.scope);
  return count;
}

async function importEnvironment(work: Work, files: readonly ImportedFile[]): Promise<number> {
  const { scope, run } = work.store;
  const rows = new InsertedRows(scope, run);
  await ensureEnvironment(work);
  if (await rows.isInUse())
    throw new ImportFault(
      `The environment ${scope.environment} of the workspace is in use. Import into an empty one: \`holdfast workspace create\`.`,
    );
  await rows.dropDefaultClasses(work.now);
  const tables = [...new Set(files.map(({ table }) => table))];
  const before = await rows.count(tables);
  let count = 0;
  for (const file of files) for await (const some of file.readRows()) count += await importRows(work, rows, file, some);
  requireImported(files, before, await rows.count(tables));
  const dangling = await rows.findDangling();
  if (dangling !== undefined)
    throw new ImportFault(
      `The ${dangling.what} ${dangling.id} names ${dangling.missing} as its ${dangling.column}, which the export does not have.`,
    );
  await rows.finish();
  await work.store.importUsage.countAnew();
  return count;
}

/** Each table has as many rows more as its file says, which is not what was sent to it. */
function requireImported(files: readonly ImportedFile[], before: RowCounts, after: RowCounts): void {
  const [expected, found] = [new Map<string, number>(), new Map<string, number>()];
  for (const { table, rows } of files) expected.set(table, (expected.get(table) ?? 0) + rows);
  for (const [table, count] of after) found.set(table, count - (before.get(table) ?? 0));
  const differences = describeDifferences(['in the export', expected], ['in the database', found]);
  if (differences !== undefined)
    throw new ImportFault(`The tables do not hold what the export says. Nothing was imported.${differences}`);
}

async function importRows(
  work: Work,
  rows: InsertedRows,
  file: ImportedFile,
  some: readonly ImportedRow[],
): Promise<number> {
  const { table, columns } = file;
  const completed = table === 'webhook' ? some.map((row) => withNewSecret(work, row)) : some;
  const allColumns = table === 'webhook' ? [...columns, 'secret_sealed'] : columns;
  const insert = (part: readonly ImportedRow[]): Promise<string | undefined> =>
    work.store.attempt<string | undefined>(async () => {
      await rows.insert(table, allColumns, `[${part.map(({ text }) => text).join(',')}]`);
      return undefined;
    }, describeError);
  if ((await insert(completed)) !== undefined) await refuseRow(file, completed, insert);
  if (table === 'person') for (const row of some) addPersonKey(work, row);
  return some.length;
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Finds the row that the database refuses. */
async function refuseRow(
  { path }: ImportedFile,
  some: readonly ImportedRow[],
  insert: (part: readonly ImportedRow[]) => Promise<string | undefined>,
): Promise<never> {
  for (const row of some) {
    const message = await insert([row]);
    if (message !== undefined) throw new ImportFault(`${path}, line ${row.line}: ${message}. Nothing was imported.`);
  }
  throw new ImportFault(`${path}, lines ${some[0]?.line} to ${some.at(-1)?.line}: the rows contradict each other.`);
}

/** A webhook is imported disabled, with a secret that nobody knows until it is rotated. */
function withNewSecret(work: Work, { line, text }: ImportedRow): ImportedRow {
  const row = JSON.parse(text);
  if (row.scheme !== 'hmac') return { line, text };
  const sealed = sealSecret(work, idFromRow(row.id), makeWebhookSecret());
  return { line, text: JSON.stringify({ ...row, secret_sealed: `\\x${sealed.toString('hex')}` }) };
}

function addPersonKey(work: Work, { text }: ImportedRow): void {
  const row = JSON.parse(text);
  createPersonKey(work, row.id, row.contact_email);
}
