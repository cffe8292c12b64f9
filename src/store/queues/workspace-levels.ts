// How large the environments are and how much of their quotas they use: the largest and the nearest, in the pre-auth role, for the operator.

import type { Tenant } from '../../model/access/scope.ts';
import type { InstallationSettings } from '../../model/access/workspace-settings.ts';
import type { PreAuthRead } from '../postgres/statement-runner.ts';
import { askingAll } from '../postgres/statement.ts';

export interface StoredLevel {
  readonly rows: number;
  readonly bytes: number;
}

export interface LargestEnvironments {
  readonly largest: readonly (StoredLevel & { readonly workspaceId: string; readonly environment: string })[];
  readonly all: StoredLevel;
}

export const quotaNames = ['storage', 'import-rows', 'import-bytes', 'import-rows-per-day'] as const;
export type QuotaName = (typeof quotaNames)[number];

export interface QuotaLevel extends Tenant {
  readonly quota: QuotaName;
  readonly used: number;
  readonly max: number;
}

/** The last row, without a tenant, is the sum of all. */
const largest = askingAll<StoredLevel & { readonly workspaceId: string; readonly environment: string }>(
  'workspace-levels/largest',
  `(SELECT m.workspace_id AS "workspaceId", m.environment, m.row_count AS rows, m.bytes FROM storage_measure m
     WHERE {m} ORDER BY m.bytes DESC, m.workspace_id, m.environment LIMIT $1)
   UNION ALL SELECT '', '', coalesce(sum(a.row_count), 0)::bigint, coalesce(sum(a.bytes), 0)::bigint FROM storage_measure a WHERE {a}`,
);

const level = (quota: QuotaName, used: string, max: string, from: string): string =>
  `SELECT t.workspace_id AS "workspaceId", t.environment, '${quota}' AS quota, ${used} AS used, ${max} AS max
   FROM ${from} t JOIN workspace w ON w.workspace_id = t.workspace_id AND w.state = 'active' AND {w} WHERE {t}`;

/** A quota of nothing is meant so, and nobody comes near it. */
const nearest = askingAll<QuotaLevel>(
  'workspace-levels/nearest',
  `SELECT q."workspaceId", q.environment, q.quota, q.used, q.max FROM (
   ${[
     level('storage', 't.bytes', 'coalesce(w.storage_bytes_max, $2::bigint)', 'storage_measure'),
     level('import-rows', 't.stored_rows', 'coalesce(w.import_rows_max, $3::bigint)', 'import_usage'),
     level('import-bytes', 't.stored_bytes', 'coalesce(w.import_bytes_max, $4::bigint)', 'import_usage'),
     level(
       'import-rows-per-day',
       'CASE WHEN t.day >= $6::date THEN t.day_rows ELSE 0 END',
       'coalesce(w.import_rows_per_day, $5::bigint)',
       'import_usage',
     ),
   ].join('\n   UNION ALL ')}
   ) q WHERE q.max > 0
   ORDER BY q.used::numeric / q.max DESC, q."workspaceId", q.environment, q.quota LIMIT $1`,
);

/** Each server that is asked by itself gives its own. */
export async function listLargest(read: PreAuthRead, most: number): Promise<LargestEnvironments> {
  const { rows } = await read(largest, [most]);
  const [tenants, sums] = [true, false].map((isTenant) =>
    rows.filter(({ workspaceId }) => (workspaceId !== '') === isTenant),
  );
  const sum = (name: keyof StoredLevel): number => (sums ?? []).reduce((total, part) => total + part[name], 0);
  const found = (tenants ?? []).toSorted((one, other) => other.bytes - one.bytes).slice(0, most);
  return { largest: found, all: { rows: sum('rows'), bytes: sum('bytes') } };
}

export async function listNearestQuotas(
  read: PreAuthRead,
  { most, settings, today }: { readonly most: number; readonly settings: InstallationSettings; readonly today: string },
): Promise<readonly QuotaLevel[]> {
  const { storageBytes, importRows, importBytes, importRowsPerDay } = settings;
  const values = [most, storageBytes, importRows, importBytes, importRowsPerDay, today];
  const { rows } = await read(nearest, values);
  return rows.toSorted((one, other) => other.used / other.max - one.used / one.max).slice(0, most);
}
