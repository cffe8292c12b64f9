// Workspaces and their environments: created, listed and named.

import type { Scope } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import { isActiveWorkspace } from '../postgres/enter-scope.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';

const insertWorkspace = sql(
  'workspace/insert',
  'INSERT INTO workspace (workspace_id, name, created_at) VALUES ($1, $2, $3)',
);
const putEnvironment = sql(
  'workspace/put-environment',
  'INSERT INTO environment (workspace_id, environment, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);

const findName = sql<{ name: string }>('workspace/name', 'SELECT name FROM workspace WHERE workspace_id = $1');

const listWithoutClasses = askingAll<Pick<Scope, 'workspaceId' | 'environment'>>(
  'workspace/without-classes',
  `SELECT e.workspace_id AS "workspaceId", e.environment FROM environment e
   WHERE {e} AND e.taxonomy_at IS NULL AND ${isActiveWorkspace('e.workspace_id', '{w}')}`,
);

export async function listEnvironmentsWithoutClasses(
  read: PreAuthRead,
): Promise<Pick<Scope, 'workspaceId' | 'environment'>[]> {
  return (await read(listWithoutClasses, [])).rows;
}

export interface NamedWorkspace {
  readonly name: string;
  /** Whether it can be entered: its operator has not suspended it. */
  readonly isActive: boolean;
}

const findNamed = sql<NamedWorkspace>(
  'workspace/named',
  `SELECT name, state = 'active' AS "isActive" FROM workspace WHERE workspace_id = $1`,
);

/** Several workspaces in one round trip, in the order of the scopes. */
export async function listNamedWorkspaces(
  database: Database,
  scopes: readonly Scope[],
): Promise<readonly (NamedWorkspace | undefined)[]> {
  const calls = scopes.map((scope) => ({ scope, values: [scope.workspaceId] }));
  return (await database.readForEach(findNamed, calls)).map(({ rows }) => rows[0]);
}

export class Workspaces {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  async create({ name, at }: { name: string; at: number }): Promise<void> {
    await this.#run(insertWorkspace, [this.#scope.workspaceId, name, new Date(at)]);
  }

  /** Creates the scope's environment unless it exists. Returns whether it did not. */
  async ensureEnvironment(at: number): Promise<boolean> {
    return (
      (await this.#run(putEnvironment, [this.#scope.workspaceId, this.#scope.environment, new Date(at)])).count === 1
    );
  }

  async findName(): Promise<string> {
    return (await this.#run(findName, [this.#scope.workspaceId])).rows[0]?.name ?? '';
  }
}
