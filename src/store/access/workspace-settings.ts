// What the operator has set for a workspace, and what the rows of an environment take.

import { defined } from '../../kit/assert.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import {
  workspaceSettingNames,
  type OwnSettings,
  type WorkspaceSettingName,
} from '../../model/access/workspace-settings.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';

const columns: Readonly<Record<WorkspaceSettingName, string>> = {
  requestsPerMinute: 'requests_per_minute',
  burst: 'burst',
  storageBytes: 'storage_bytes_max',
  importRows: 'import_rows_max',
  importBytes: 'import_bytes_max',
  importRowsPerDay: 'import_rows_per_day',
  requestLogDays: 'request_log_days',
  eventDays: 'event_days',
  roundDays: 'round_days',
  limitDays: 'limit_days',
  auditDays: 'audit_days',
  unbookedImportDays: 'unbooked_import_days',
};

/** The settings that say how long rows are kept. */
const retentionNames = [
  'requestLogDays',
  'eventDays',
  'roundDays',
  'limitDays',
  'auditDays',
  'unbookedImportDays',
] as const satisfies readonly WorkspaceSettingName[];

const selected = (names: readonly WorkspaceSettingName[]): string =>
  names.map((name) => `w.${columns[name]} AS "${name}"`).join(', ');

const readOwn = sql<OwnSettings>(
  'workspace-settings/read',
  `SELECT ${selected(workspaceSettingNames)} FROM workspace w WHERE w.workspace_id = $1`,
);
const putOwn = sql(
  'workspace-settings/put',
  `UPDATE workspace SET ${workspaceSettingNames.map((name, index) => `${columns[name]} = $${index + 2}`).join(', ')}
   WHERE workspace_id = $1`,
);

/** What is in force for the requests of an environment. */
export interface RequestTerms {
  /** Null: as the installation says. */
  readonly requestsPerMinute: number | null;
  readonly burst: number | null;
  readonly storageBytes: number | null;
  /** What the rows take, as last measured; null before. */
  readonly storedBytes: number | null;
}

const readTerms = sql<RequestTerms>(
  'workspace-settings/request-terms',
  `SELECT ${selected(['requestsPerMinute', 'burst', 'storageBytes'])}, m.bytes AS "storedBytes"
   FROM workspace w LEFT JOIN storage_measure m ON m.workspace_id = $1 AND m.environment = $2 WHERE w.workspace_id = $1`,
);

export interface StorageMeasure {
  readonly measuredAt: number;
  readonly rows: number;
  readonly bytes: number;
}

const readMeasure = sql<StorageMeasure>(
  'storage-measure/read',
  `SELECT m.measured_at AS "measuredAt", m.row_count AS rows, m.bytes FROM storage_measure m
   WHERE m.workspace_id = $1 AND m.environment = $2`,
);
const putMeasure = sql(
  'storage-measure/put',
  `INSERT INTO storage_measure AS m (workspace_id, environment, measured_at, took_ms, row_count, bytes, last_entry)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (workspace_id, environment) DO UPDATE SET measured_at = excluded.measured_at, took_ms = excluded.took_ms,
     row_count = excluded.row_count, bytes = excluded.bytes, last_entry = excluded.last_entry`,
);
/** What was measured before stays. */
const postponeMeasure = sql(
  'storage-measure/postpone',
  `INSERT INTO storage_measure AS m (workspace_id, environment, measured_at, took_ms, row_count, bytes, last_entry)
   VALUES ($1, $2, $3, $4, 0, 0, '')
   ON CONFLICT (workspace_id, environment) DO UPDATE SET measured_at = excluded.measured_at, took_ms = excluded.took_ms`,
);
const readLastEntry = sql<{ id: string }>(
  'storage-measure/last-entry',
  `SELECT coalesce(max(e.id), '') AS id FROM audit_entry e WHERE e.workspace_id = $1 AND e.environment = $2`,
);

export class WorkspaceSettings {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async readOwn(): Promise<OwnSettings> {
    return defined((await this.#run(readOwn, [this.#tenant[0]])).rows[0], 'the workspace of a scope exists');
  }

  async putOwn(own: OwnSettings): Promise<void> {
    await this.#run(putOwn, [this.#tenant[0], ...workspaceSettingNames.map((name) => own[name])]);
  }

  /** Undefined if there is no such workspace any more. */
  async readTerms(): Promise<RequestTerms | undefined> {
    return (await this.#run(readTerms, this.#tenant)).rows[0];
  }

  /** Undefined if nothing was measured yet. */
  async readMeasure(): Promise<StorageMeasure | undefined> {
    return (await this.#run(readMeasure, this.#tenant)).rows[0];
  }

  /** The newest line of the audit log: every change has written one. */
  async readLastEntry(): Promise<string> {
    return defined((await this.#run(readLastEntry, this.#tenant)).rows[0], 'an aggregate has a row').id;
  }

  async putMeasure({
    measuredAt,
    tookMs,
    rows,
    bytes,
    lastEntry,
  }: StorageMeasure & { readonly tookMs: number; readonly lastEntry: string }): Promise<void> {
    await this.#run(putMeasure, [...this.#tenant, new Date(measuredAt), Math.round(tookMs), rows, bytes, lastEntry]);
  }

  /** For what could not be measured. */
  async postponeMeasure({ at, tookMs }: { readonly at: number; readonly tookMs: number }): Promise<void> {
    await this.#run(postponeMeasure, [...this.#tenant, new Date(at), Math.round(tookMs)]);
  }
}

/** How long the rows of a workspace are kept, where its operator has set any of it. */
export type OwnRetention = Pick<OwnSettings, (typeof retentionNames)[number]> & Pick<Tenant, 'workspaceId'>;

const listRetentions = askingAll<OwnRetention>(
  'due-tenants/own-retentions',
  `SELECT w.workspace_id AS "workspaceId", ${selected(retentionNames)} FROM workspace w
   WHERE {w} AND (${retentionNames.map((name) => `w.${columns[name]} IS NOT NULL`).join(' OR ')})`,
);

/** The workspaces that keep something for a time of their own. A server that is away has none: nothing of its workspaces is due either. */
export async function listOwnRetentions(read: PreAuthRead): Promise<readonly OwnRetention[]> {
  return (await read(listRetentions, [])).rows;
}
