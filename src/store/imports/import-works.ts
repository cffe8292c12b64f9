// Work on imports that is under way: how many rows are done.

import type { Id } from '../../kit/id.ts';
import { importResource } from '../../model/custody/import.ts';
import { importWorkMax, type ImportWork } from '../../model/custody/import-work.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoizedText, sql, type Statement, type Value } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';

const putWork = sql(
  'import-works/put',
  `INSERT INTO import_work (workspace_id, environment, import_id, client_id, act, file_name, done_count, total_count, started_at, reported_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   ON CONFLICT (workspace_id, environment, import_id) DO UPDATE SET act = excluded.act, done_count = excluded.done_count,
     total_count = excluded.total_count, started_at = excluded.started_at, reported_at = excluded.reported_at`,
);

/** With it goes what a node has left behind that ended in the middle of its work. */
const removeWork = sql(
  'import-works/remove',
  `DELETE FROM import_work WHERE workspace_id = $1 AND environment = $2 AND (import_id = $3 OR reported_at < $4)`,
);

export class ImportWorks {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  async put(work: ImportWork): Promise<void> {
    const { importId, clientId, act, fileName, doneRows, totalRows, startedAt, reportedAt } = work;
    const { workspaceId, environment } = this.#scope;
    const times = [new Date(startedAt), new Date(reportedAt)];
    const values = [workspaceId, environment, importId, clientId, act, fileName, doneRows, totalRows, ...times];
    await this.#run(putWork, values);
  }

  async remove(importId: Id, { before }: { readonly before?: number } = {}): Promise<void> {
    const { workspaceId, environment } = this.#scope;
    const reportedBefore = before === undefined ? null : new Date(before);
    await this.#run(removeWork, [workspaceId, environment, importId, reportedBefore]);
  }

  /** What was reported since a moment, the newest first. */
  async list({
    since,
    importId,
  }: {
    readonly since: number;
    readonly importId?: string | undefined;
  }): Promise<ImportWork[]> {
    const values: Value[] = [...tenantFilterValues(this.#scope), new Date(since), importWorkMax];
    const condition = importId === undefined ? '' : `AND t.import_id = $${values.push(importId)}`;
    const statement: Statement<ImportWork> = memoizedText(
      'import-works',
      `SELECT t.import_id AS "importId", t.client_id AS "clientId", t.act, t.file_name AS "fileName", t.done_count AS "doneRows",
         t.total_count AS "totalRows", t.started_at AS "startedAt", t.reported_at AS "reportedAt" FROM import_work t
       WHERE ${tenantFilterSql(importResource, this.#scope.visibleClients.kind)} AND t.reported_at >= $4 ${condition}
       ORDER BY t.started_at DESC, t.import_id DESC LIMIT $5`,
    );
    return (await this.#run(statement, values)).rows;
  }
}
