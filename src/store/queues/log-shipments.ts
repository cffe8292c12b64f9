// How far the logs of an environment were shipped to each destination: what is due, taking the next batch, and moving the position once the
// destination has acknowledged it. And the numbers of the request log, which are given to lines that are committed, never before.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { LoggedRequest } from '../../model/access/logged-request.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import type { ShippedLog, ShippingDestination } from '../../model/operations/shipped-log.ts';
import type { Database } from '../postgres/database.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql } from '../postgres/statement.ts';
import { DueWorkFinder, type DueWork } from './due-work.ts';

/** A log and a destination. */
export type ShipmentKey = `${ShippedLog}/${ShippingDestination}`;

export interface ShipmentName {
  readonly log: ShippedLog;
  readonly destination: ShippingDestination;
}

export type DueShipments = DueWork<ShipmentKey, { readonly hasUnnumbered: boolean }>;

export interface DueShipmentQuery {
  readonly now: number;
  /** No rule puts a moment further ahead: what is due later was written before the clock was set back, and is due now. */
  readonly latestDue: number;
  readonly destinations: readonly ShippingDestination[];
  readonly shipsAudit: boolean;
  readonly shipsRequests: boolean;
}

export interface TakenShipment {
  /** The number of the last line that was shipped. */
  readonly position: number;
  /** Whose lease it is. */
  readonly takeCount: number;
  /** Failures since the last success. */
  readonly failureCount: number;
}

export interface NumberedRequest extends LoggedRequest {
  readonly number: number;
}

const ofTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;

/** Whether a shipment may be taken; a row is made when it is taken first. */
export function isShipmentDue(now: string, latestDue: string): string {
  return `(s.due_at IS NULL OR s.due_at <= ${now} OR s.due_at > ${latestDue})`;
}

const shipmentOf = (log: ShippedLog): string =>
  `unnest($5::text[]) d(destination)
   LEFT JOIN log_shipment s ON ${ofTenant('s')} AND s.log = '${log}' AND s.destination = d.destination`;

const dueShipments = new DueWorkFinder<ShipmentKey, { readonly hasUnnumbered: boolean }>({
  name: 'log-shipments/due',
  keys: [
    `SELECT 'audit/' || d.destination FROM audit_chain c CROSS JOIN ${shipmentOf('audit')}
     WHERE ${ofTenant('c')} AND $6::boolean AND c.number > coalesce(s.position, 0) AND ${isShipmentDue('$3', '$4')}
     ORDER BY d.destination`,
    `SELECT 'requests/' || d.destination FROM request_log_end n CROSS JOIN ${shipmentOf('requests')}
     WHERE ${ofTenant('n')} AND $7::boolean AND n.number > coalesce(s.position, 0) AND ${isShipmentDue('$3', '$4')}
     ORDER BY d.destination`,
  ],
  keysMax: 10,
  extras: {
    hasUnnumbered: `$7::boolean AND EXISTS (SELECT FROM request_log r WHERE ${ofTenant('r')} AND r.number IS NULL)`,
  },
});

export function findDueShipments(
  database: Database,
  tenants: readonly Tenant[],
  { now, latestDue, destinations, shipsAudit, shipsRequests }: DueShipmentQuery,
): Promise<DueShipments[]> {
  const values = [new Date(now), new Date(latestDue), destinations, shipsAudit, shipsRequests];
  return dueShipments.find(database, tenants, values);
}

const ofShipment = `${ofTenant('s')} AND s.log = $3 AND s.destination = $4`;

const begin = sql(
  'log-shipments/begin',
  `INSERT INTO log_shipment (workspace_id, environment, log, destination, position, due_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING`,
);
/** The number before the first line that is there. */
const startOfAudit = sql<{ start: number }>(
  'log-shipments/start-of-audit',
  `SELECT c.anchor_number AS start FROM audit_chain c WHERE ${ofTenant('c')}`,
);
const startOfRequests = sql<{ start: number }>(
  'log-shipments/start-of-requests',
  `SELECT r.number - 1 AS start FROM request_log r WHERE ${ofTenant('r')} AND r.number IS NOT NULL ORDER BY r.number LIMIT 1`,
);
const take = sql<TakenShipment>(
  'log-shipments/take',
  `UPDATE log_shipment s SET take_count = s.take_count + 1, due_at = $7
   WHERE ${ofShipment} AND ${isShipmentDue('$5', '$6')}
   RETURNING s.position, s.take_count AS "takeCount", s.failure_count AS "failureCount"`,
);
const isThere = sql<{ position: number }>(
  'log-shipments/find',
  `SELECT s.position FROM log_shipment s WHERE ${ofShipment}`,
);
/** The rows of a destination are deleted by nobody, and what was deleted unshipped moves the position as well: it never goes back. */
const advance = sql<{ takeCount: number }>(
  'log-shipments/advance',
  `UPDATE log_shipment s SET position = greatest(s.position, $6::bigint), due_at = $7, failure_count = 0
   WHERE ${ofShipment} AND s.take_count = $5`,
);
const putOff = sql(
  'log-shipments/put-off',
  `UPDATE log_shipment s SET due_at = $6, failure_count = s.failure_count + $7::int WHERE ${ofShipment} AND s.take_count = $5`,
);
const listRequests = sql<NumberedRequest>(
  'log-shipments/requests',
  `SELECT r.number, r.id, r.at, r.method, r.route, r.path, r.status, r.outcome, r.code, r.duration_ms AS "durationMs",
     r.credential_id AS "credentialId", r.user_id AS "userId", r.request_id AS "requestId", r.trace_id AS "traceId"
   FROM request_log r WHERE ${ofTenant('r')} AND r.number > $3 ORDER BY r.number LIMIT $4`,
);

const beginNumbers = sql(
  'log-shipments/begin-numbers',
  'INSERT INTO request_log_end (workspace_id, environment, number) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING',
);
const lockNumbers = sql<{ number: number }>(
  'log-shipments/lock-numbers',
  `SELECT n.number FROM request_log_end n WHERE ${ofTenant('n')} FOR UPDATE SKIP LOCKED`,
);
/** Locked, so that none is deleted before it has its number. */
const listUnnumbered = sql<{ id: Id }>(
  'log-shipments/unnumbered',
  `SELECT r.id FROM request_log r WHERE ${ofTenant('r')} AND r.number IS NULL ORDER BY r.id LIMIT $3 FOR UPDATE`,
);
const giveNumbers = sql(
  'log-shipments/give-numbers',
  `UPDATE request_log r SET number = $3::bigint + array_position($4::text[], r.id)
   WHERE ${ofTenant('r')} AND r.id = ANY (${arrayOfAnyLength('$4')})`,
);
const moveNumbers = sql(
  'log-shipments/move-numbers',
  'UPDATE request_log_end SET number = $3 WHERE workspace_id = $1 AND environment = $2',
);
const pass = sql(
  'log-shipments/pass',
  `INSERT INTO log_shipment AS s (workspace_id, environment, log, destination, position, due_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment, log, destination) DO UPDATE SET position = greatest(s.position, excluded.position)`,
);

/**
 * The number up to which a log was shipped to all of the destinations; null for no destination, which holds nothing back. `destinations` is a
 * parameter with an array of text.
 */
export function shippedToAll(log: ShippedLog, destinations: string): string {
  return `(SELECT CASE WHEN cardinality(${destinations}::text[]) = 0 THEN NULL
     WHEN count(*) = cardinality(${destinations}::text[]) THEN min(s.position) ELSE 0 END
   FROM log_shipment s WHERE ${ofTenant('s')} AND s.log = '${log}' AND s.destination = ANY (${destinations}::text[]))`;
}

const auditShippedTo = sql<{ shippedTo: number | null }>(
  'log-shipments/audit-shipped-to',
  `SELECT ${shippedToAll('audit', '$3')} AS "shippedTo"`,
);

export class LogShipments {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Leases the next batch; undefined where it is not due, or another node has it. A new destination begins with the first line that is there. */
  async take(
    { log, destination }: ShipmentName,
    { now, latestDue, leaseUntil }: { readonly now: number; readonly latestDue: number; readonly leaseUntil: number },
  ): Promise<TakenShipment | undefined> {
    const key = [...this.#tenant, log, destination];
    if ((await this.#run(isThere, key)).rows.length === 0) {
      const start = await this.#findStart(log);
      this.#run.enqueue(begin, [...key, start, new Date(now)]);
    }
    return (await this.#run(take, [...key, new Date(now), new Date(latestDue), new Date(leaseUntil)])).rows[0];
  }

  async #findStart(log: ShippedLog): Promise<number> {
    const found =
      log === 'audit' ? await this.#run(startOfAudit, this.#tenant) : await this.#run(startOfRequests, this.#tenant);
    return found.rows[0]?.start ?? 0;
  }

  /** Moves the position, and lets the next batch be taken from `dueAt` on. Returns whether the lease was still held. */
  async advance(
    { log, destination }: ShipmentName,
    { takeCount, position, dueAt }: { readonly takeCount: number; readonly position: number; readonly dueAt: number },
  ): Promise<boolean> {
    const values = [...this.#tenant, log, destination, takeCount, position, new Date(dueAt)];
    return (await this.#run(advance, values)).count > 0;
  }

  /** Lets the same batch be taken again from `dueAt` on. */
  async putOff(
    { log, destination }: ShipmentName,
    {
      takeCount,
      dueAt,
      hasFailed,
    }: { readonly takeCount: number; readonly dueAt: number; readonly hasFailed: boolean },
  ): Promise<void> {
    await this.#run(putOff, [...this.#tenant, log, destination, takeCount, new Date(dueAt), hasFailed ? 1 : 0]);
  }

  /** The numbered lines of the request log after a number, in order. */
  async listRequests(after: number, limit: number): Promise<readonly NumberedRequest[]> {
    return (await this.#run(listRequests, [...this.#tenant, after, limit])).rows;
  }

  /** Gives the next numbers to some lines that have none. Returns how many; 0 where another node gives numbers. */
  async numberRequests(limit: number): Promise<number> {
    this.#run.enqueue(beginNumbers, this.#tenant);
    const end = (await this.#run(lockNumbers, this.#tenant)).rows[0];
    if (end === undefined) return 0;
    const ids = (await this.#run(listUnnumbered, [...this.#tenant, limit])).rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    this.#run.enqueue(giveNumbers, [...this.#tenant, end.number, ids]);
    this.#run.enqueue(moveNumbers, [...this.#tenant, end.number + ids.length]);
    return ids.length;
  }

  /** The number up to which the audit log was shipped to all of them; null for no destination. */
  async auditShippedTo(destinations: readonly ShippingDestination[]): Promise<number | null> {
    const { rows } = await this.#run(auditShippedTo, [...this.#tenant, destinations]);
    return defined(rows[0], 'the question has one answer').shippedTo;
  }

  /** What was deleted unshipped up to a number is not waited for any more. Enqueued. */
  pass(log: ShippedLog, { destinations, position, now }: Passed): void {
    for (const destination of destinations.toSorted())
      this.#run.enqueue(pass, [...this.#tenant, log, destination, position, new Date(now)]);
  }
}

interface Passed {
  readonly destinations: readonly ShippingDestination[];
  readonly position: number;
  readonly now: number;
}
