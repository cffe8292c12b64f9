// Workspaces and their environments: made, and made sure of.

import type { Id } from '../../kit/id.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import type { Database, Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

const insertWorkspace = sql(
  'workspace/insert',
  'INSERT INTO workspace (workspace_id, name, created_at) VALUES ($1, $2, $3)',
);
const putEnvironment = sql(
  'workspace/put-environment',
  'INSERT INTO environment (workspace_id, environment, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);

const findName = sql<{ name: string }>('workspace/name', 'SELECT name FROM workspace WHERE workspace_id = $1');

const listWithoutClasses = sql<Pick<Scope, 'workspaceId' | 'environment'>>(
  'workspace/without-classes',
  'SELECT workspace_id AS "workspaceId", environment FROM environment WHERE taxonomy_at IS NULL',
);

export async function listEnvironmentsWithoutClasses(
  database: Database,
): Promise<Pick<Scope, 'workspaceId' | 'environment'>[]> {
  return (await database.readPreAuth(listWithoutClasses, [])).rows;
}

export async function createWorkspace(run: Run, workspace: { id: Id; name: string; at: number }): Promise<void> {
  await run(insertWorkspace, [workspace.id, workspace.name, new Date(workspace.at)]);
}

export async function ensureEnvironment(
  run: Run,
  { workspaceId, environment, at }: { workspaceId: Id; environment: Environment; at: number },
): Promise<void> {
  await run(putEnvironment, [workspaceId, environment, new Date(at)]);
}

export async function findWorkspaceName(run: Run, workspaceId: Id): Promise<string> {
  return (await run(findName, [workspaceId])).rows[0]?.name ?? '';
}

/** In the order of the reaches. */
export async function listWorkspaceNames(database: Database, scopes: readonly Scope[]): Promise<readonly string[]> {
  const calls = scopes.map((scope) => ({ scope, values: [scope.workspaceId] }));
  return (await database.readForEach(findName, calls)).map(({ rows }) => rows[0]?.name ?? '');
}
