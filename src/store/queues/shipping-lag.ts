// How far shipping is behind, for all tenants together: one statement in the pre-auth role, which sees how far logs reach, how far they were shipped, and the ids
// of lines, which say when they were made.

import { timeOfId } from '../../kit/id.ts';
import { leastOf } from '../../kit/memory/long-list.ts';
import type { LogShipping, ShippedLog, ShippingDestination } from '../../model/operations/shipped-log.ts';
import { isActiveWorkspace } from '../postgres/enter-scope.ts';
import type { PreAuthRead } from '../postgres/statement-runner.ts';
import { askingAll } from '../postgres/statement.ts';

export interface ShippingLag {
  readonly log: ShippedLog;
  readonly destination: ShippingDestination;
  /** Lines that it has not acknowledged. */
  readonly count: number;
  /** When the oldest of them was made; null where there is none. */
  readonly oldestAt: number | null;
}

interface LagRow {
  readonly log: ShippedLog;
  readonly destination: ShippingDestination;
  readonly count: number;
  readonly oldestId: string | null;
}

const sameTenant = (one: string, other: string): string =>
  `${one}.workspace_id = ${other}.workspace_id AND ${one}.environment = ${other}.environment`;
const shipmentOf = (alias: string, log: ShippedLog): string =>
  `CROSS JOIN unnest($1::text[]) d(destination)
   LEFT JOIN log_shipment s ON ${sameTenant('s', alias)} AND s.log = '${log}' AND s.destination = d.destination AND {s}`;
/** Work of suspended workspaces waits on purpose. */
const active = (alias: string): string => isActiveWorkspace(`${alias}.workspace_id`, '{w}');

/** A new destination begins after what was deleted before. */
const auditPosition = 'greatest(coalesce(s.position, 0), c.anchor_number)';

const listLag = askingAll<LagRow>(
  'shipping-lag',
  `SELECT 'audit' AS log, d.destination, sum(c.number - ${auditPosition})::bigint AS count, min(l.entry_id) AS "oldestId"
   FROM audit_chain c ${shipmentOf('c', 'audit')}
   LEFT JOIN audit_link l ON ${sameTenant('l', 'c')} AND l.number = ${auditPosition} + 1 AND {l}
   WHERE {c} AND $2::boolean AND c.number > ${auditPosition} AND ${active('c')} GROUP BY d.destination
   UNION ALL
   SELECT 'audit' AS log, d.destination, count(*)::bigint AS count, min(u.entry_id) AS "oldestId"
   FROM unchained_audit_entry u CROSS JOIN unnest($1::text[]) d(destination)
   WHERE {u} AND $2::boolean AND ${active('u')} GROUP BY d.destination
   UNION ALL
   SELECT 'requests' AS log, d.destination, sum(n.number - coalesce(s.position, 0))::bigint AS count, min(r.id) AS "oldestId"
   FROM request_log_end n ${shipmentOf('n', 'requests')}
   LEFT JOIN request_log r ON ${sameTenant('r', 'n')} AND r.number = coalesce(s.position, 0) + 1 AND {r}
   WHERE {n} AND $3::boolean AND n.number > coalesce(s.position, 0) AND ${active('n')} GROUP BY d.destination
   UNION ALL
   SELECT 'requests' AS log, d.destination, count(*)::bigint AS count, min(r.id) AS "oldestId"
   FROM request_log r CROSS JOIN unnest($1::text[]) d(destination)
   WHERE {r} AND $3::boolean AND r.number IS NULL AND ${active('r')} GROUP BY d.destination`,
);

/** One for each log and destination, also where nothing waits. Servers that are asked one by one each have a part of it. */
export async function listShippingLag(
  read: PreAuthRead,
  { logs, destinations }: LogShipping,
): Promise<readonly ShippingLag[]> {
  if (destinations.length === 0) return [];
  const { rows } = await read(listLag, [destinations, logs.includes('audit'), logs.includes('requests')]);
  return logs.flatMap((log) =>
    destinations.map((destination) => {
      const found = rows.filter((row) => row.log === log && row.destination === destination);
      const moments = found.flatMap(({ oldestId }) => (oldestId === null ? [] : [timeOfId(oldestId)]));
      return {
        log,
        destination,
        count: found.reduce((sum, { count }) => sum + count, 0),
        oldestAt: moments.length === 0 ? null : leastOf(moments),
      };
    }),
  );
}
