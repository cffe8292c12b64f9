// Lists the tenants that have something to do, one statement for all of them, before any is entered. It runs in the pre-auth role, which sees
// to whom rows belong and when they are due; what there is to do is then asked within each of these tenants.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import { clockSkewMsMax, dayMs } from '../../kit/clock.ts';
import { firstIdAt } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { ExpiryCutoffs } from '../access/expiry.ts';
import { listLeftoverWebhooks, type LeftoverWebhook } from '../events/leftover-deliveries.ts';
import { isActiveWorkspace } from '../postgres/enter-scope.ts';
import type { PreAuthRead } from '../postgres/statement-runner.ts';
import { askingAll, type Statement, type Value } from '../postgres/statement.ts';
import type { SetbackCheck } from './clock-setback.ts';
import { isShipmentDue, type DueShipmentQuery } from './log-shipments.ts';

/** How often the storage of an environment is measured that changes all the time. */
const measuredSeconds = 300;

const tenantOf = (alias: string): string => `${alias}.workspace_id AS "workspaceId", ${alias}.environment`;
const sameTenant = (one: string, other: string): string =>
  `${one}.workspace_id = ${other}.workspace_id AND ${one}.environment = ${other}.environment`;

/** The tenants that any of the selects lists, each once, unless suspended. They need no order: a sweep serves them in turn. */
function listing(name: string, selects: readonly string[]): Statement<Tenant> {
  const all = selects.join('\n   UNION ALL ');
  return askingAll(
    `due-tenants/${name}`,
    `SELECT DISTINCT d."workspaceId", d.environment FROM (${all}) d WHERE ${isActiveWorkspace('d."workspaceId"', '{w}')}`,
  );
}

/** The first or last moment of a table in each environment, found by an index that begins with the tenant. */
const edgeOf = (table: string, edge: string, more = ''): string =>
  `(SELECT ${edge} FROM ${table} t WHERE ${sameTenant('t', 'e')} AND {t} ${more})`;
const whereEdge = (condition: string): string =>
  `SELECT ${tenantOf('e')} FROM environment e WHERE {e} AND (${condition})`;

/** Flags that are not due yet count as well: they are looked at again soon. */
const withRounds = listing('rounds', [
  `SELECT ${tenantOf('m')} FROM round_mark m WHERE {m}`,
  `SELECT ${tenantOf('m')} FROM shared_round_mark m WHERE {m}`,
  `SELECT ${tenantOf('r')} FROM calculation_round r WHERE {r} AND r.finished_at IS NULL AND r.lease_until <= $1`,
  `SELECT ${tenantOf('e')} FROM environment e WHERE {e} AND (e.day_marked IS NULL OR e.day_marked < $2)`,
]);

const withDeliveries = listing('deliveries', [
  `SELECT ${tenantOf('o')} FROM outbox o WHERE {o}`,
  `SELECT ${tenantOf('l')} FROM delivery_queue l JOIN webhook w ON ${sameTenant('w', 'l')} AND w.id = l.webhook_id AND w.state = 'enabled' AND {w}
   WHERE {l} AND l.due_at <= $1`,
]);

const withMails = listing('mails', [`SELECT ${tenantOf('m')} FROM mail m WHERE {m} AND m.next_attempt_at <= $1`]);

/** Runs that are due, and authorities that can be fetched from and have no run yet. */
const withFeeds = listing('feeds', [
  `SELECT ${tenantOf('r')} FROM feed_run r WHERE {r} AND r.finished_at IS NULL AND coalesce(r.lease_until, r.due_at) <= $1`,
  `SELECT ${tenantOf('a')} FROM authority a
   JOIN custodian c ON ${sameTenant('c', 'a')} AND c.id = a.custodian_id AND c.connector IS NOT NULL AND {c}
   WHERE {a} AND a.state = 'active' AND a.broken_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > $1)
     AND (a.has_credentials OR c.connector = 'file-drop')
     AND NOT EXISTS (SELECT FROM feed_run r WHERE {r} AND ${sameTenant('r', 'a')} AND r.authority_id = a.id AND r.finished_at IS NULL)`,
]);

const withUnchainedLines = listing('audit-lines', [`SELECT ${tenantOf('u')} FROM unchained_audit_entry u WHERE {u}`]);

const shipmentsOf = (alias: string, log: string): string =>
  `CROSS JOIN unnest($3::text[]) d(destination)
   LEFT JOIN log_shipment s ON ${sameTenant('s', alias)} AND s.log = '${log}' AND s.destination = d.destination AND {s}`;

/** Logs that reach further than they were shipped, and lines of the request log that have no number yet. */
const withShipments = listing('shipments', [
  `SELECT ${tenantOf('c')} FROM audit_chain c ${shipmentsOf('c', 'audit')}
   WHERE {c} AND $4::boolean AND c.number > coalesce(s.position, 0) AND ${isShipmentDue('$1', '$2')}`,
  `SELECT ${tenantOf('n')} FROM request_log_end n ${shipmentsOf('n', 'requests')}
   WHERE {n} AND $5::boolean AND n.number > coalesce(s.position, 0) AND ${isShipmentDue('$1', '$2')}`,
  whereEdge(`$5::boolean AND ${edgeOf('request_log', 'min(t.id)', 'AND t.number IS NULL')} IS NOT NULL`),
]);

const withRevocations = listing('revocations', [
  `SELECT ${tenantOf('a')} FROM authority a WHERE {a} AND a.state = 'revoke-in-progress'`,
]);

/** Authorities whose waiting rows are to be booked. */
const withWaitingRows = listing('waiting-rows', [
  `SELECT ${tenantOf('a')} FROM authority a WHERE {a} AND a.rows_to_book_after IS NOT NULL`,
]);

/** Warnings that are due and not given, warnings that are not mailed, ends that are not reported. */
const withAuthorityEnds = listing('authority-ends', [
  `SELECT ${tenantOf('a')} FROM authority a JOIN custodian c ON ${sameTenant('c', 'a')} AND c.id = a.custodian_id AND {c},
     unnest(c.expiry_warning_days) d(days)
   WHERE {a} AND a.state = 'active' AND a.expires_at > $1 AND a.expires_at <= $1 + make_interval(hours => 24 * d.days)
     AND NOT EXISTS (SELECT FROM authority_warning w WHERE {w} AND ${sameTenant('w', 'a')} AND w.authority_id = a.id
       AND w.expires_at = a.expires_at AND w.days <= d.days)`,
  `SELECT ${tenantOf('w')} FROM authority_warning w WHERE {w} AND w.mailed_at IS NULL`,
  `SELECT ${tenantOf('a')} FROM authority a WHERE {a} AND a.state = 'active' AND a.expires_at <= $1 AND a.broken_at IS NULL`,
]);

/**
 * Whether the invite of a mail was deleted cannot be seen here. So it is looked at for a day after its time, and later whenever something
 * else of the tenant has expired.
 */
const withExpired = listing('expired', [
  whereEdge(`${edgeOf('used_assertion', 'min(t.expires_at)')} < $1 OR ${edgeOf('idempotent_answer', 'min(t.expires_at)')} < $1
    OR ${edgeOf('session', 'min(t.expires_at)')} < $2 OR ${edgeOf('request_log', 'min(t.id)')} < $3 OR ${edgeOf('event', 'min(t.id)')} < $4
    OR ${edgeOf('calculation_round', 'min(t.id)', 'AND t.finished_at IS NOT NULL AND t.id >= e.rounds_cleared_to')} < $9
    OR ${edgeOf('limit_state', 'min(t.until)', 'AND t.until >= e.limits_cleared_to')} < $10
    OR ${edgeOf('audit_entry', 'min(t.id)')} < $11 OR ${edgeOf('request_count', 'min(t.day)')} < $12
    OR ${edgeOf('import', 'min(t.id)', `AND t.state = 'checked'`)} < $13`),
  `SELECT ${tenantOf('k')} FROM signing_key k WHERE {k} AND k.created_at < $5
   AND EXISTS (SELECT FROM signing_key n WHERE {n} AND ${sameTenant('n', 'k')} AND n.id > k.id)`,
  `SELECT ${tenantOf('k')} FROM webhook_key k WHERE {k} AND k.retired_at < $6`,
  `SELECT ${tenantOf('m')} FROM mail m WHERE {m} AND m.next_attempt_at IS NULL AND m.created_at < $7 AND m.created_at >= $8`,
]);

/**
 * Environments that were never measured or have changed since, and after a day any other. What took long is measured more rarely: a hundredth of
 * the time is spent on it at most.
 */
const withUnmeasuredStorage = listing('unmeasured-storage', [
  `SELECT ${tenantOf('e')} FROM environment e LEFT JOIN storage_measure m ON ${sameTenant('m', 'e')} AND {m}
   WHERE {e} AND (m.measured_at IS NULL OR m.measured_at > $2
     OR m.measured_at <= $1::timestamptz - make_interval(secs => greatest(${measuredSeconds}, m.took_ms / 10.0))
       AND (m.measured_at <= $3 OR ${edgeOf('audit_entry', 'max(t.id)')} > m.last_entry))`,
]);

/** Moments that may lie further ahead than their rule allows. Lists no tenant in which nothing waits. */
const withMomentsAhead = listing('moments-ahead', [
  `SELECT ${tenantOf('l')} FROM delivery_queue l WHERE {l} AND l.due_at > $1`,
  `SELECT ${tenantOf('m')} FROM round_mark m WHERE {m} AND m.since > $1`,
  `SELECT ${tenantOf('m')} FROM shared_round_mark m WHERE {m} AND m.since > $1`,
  `SELECT ${tenantOf('m')} FROM mail m WHERE {m} AND m.next_attempt_at > $1`,
  `SELECT ${tenantOf('r')} FROM calculation_round r WHERE {r} AND r.finished_at IS NULL AND r.lease_until > $2`,
  `SELECT ${tenantOf('r')} FROM feed_run r WHERE {r} AND r.finished_at IS NULL AND (r.lease_until > $3 OR r.due_at > $4)`,
  `SELECT ${tenantOf('s')} FROM session s WHERE {s} AND s.expires_at > $5 AND (s.seen_at > $1 OR s.expires_at > $6)`,
  `SELECT ${tenantOf('w')} FROM webhook w WHERE {w} AND w.previous_secret_until > $7`,
  whereEdge(`e.day_marked > $8 OR ${edgeOf('idempotent_answer', 'max(t.expires_at)')} > $9`),
]);

export class DueTenantLists {
  readonly #read: PreAuthRead;

  constructor(read: PreAuthRead) {
    this.#read = read;
  }

  withRounds({ now, today }: { readonly now: number; readonly today: CalendarDate }): Promise<readonly Tenant[]> {
    return this.#list(withRounds, [new Date(now), today]);
  }

  withDeliveries(now: number): Promise<readonly Tenant[]> {
    return this.#list(withDeliveries, [new Date(now)]);
  }

  withMails(now: number): Promise<readonly Tenant[]> {
    return this.#list(withMails, [new Date(now)]);
  }

  withFeeds(now: number): Promise<readonly Tenant[]> {
    return this.#list(withFeeds, [new Date(now)]);
  }

  withUnchainedLines(): Promise<readonly Tenant[]> {
    return this.#list(withUnchainedLines, []);
  }

  withShipments(query: DueShipmentQuery): Promise<readonly Tenant[]> {
    const { now, latestDue, destinations, shipsAudit, shipsRequests } = query;
    return this.#list(withShipments, [new Date(now), new Date(latestDue), destinations, shipsAudit, shipsRequests]);
  }

  withRevocations(): Promise<readonly Tenant[]> {
    return this.#list(withRevocations, []);
  }

  withWaitingRows(): Promise<readonly Tenant[]> {
    return this.#list(withWaitingRows, []);
  }

  withAuthorityEnds(now: number): Promise<readonly Tenant[]> {
    return this.#list(withAuthorityEnds, [new Date(now)]);
  }

  withExpired(cutoffs: ExpiryCutoffs): Promise<readonly Tenant[]> {
    const { now, sessionsBefore, requestsBefore, eventsBefore, signingKeysBefore, webhookKeysBefore, mailsBefore } =
      cutoffs;
    const { roundsBefore, limitStatesBefore, auditLinesBefore, requestCountsBefore, unbookedImportsBefore } = cutoffs;
    return this.#list(withExpired, [
      new Date(now),
      new Date(sessionsBefore),
      firstIdAt(requestsBefore),
      firstIdAt(eventsBefore),
      ...[signingKeysBefore, webhookKeysBefore, mailsBefore, mailsBefore - dayMs].map((before) => new Date(before)),
      firstIdAt(roundsBefore),
      new Date(limitStatesBefore),
      firstIdAt(auditLinesBefore),
      new Date(requestCountsBefore),
      firstIdAt(unbookedImportsBefore),
    ]);
  }

  /** A measurement from after now is of a clock that was set back since. */
  withUnmeasuredStorage(now: number): Promise<readonly Tenant[]> {
    const moments = [now, now + clockSkewMsMax, now - dayMs].map((moment) => new Date(moment));
    return this.#list(withUnmeasuredStorage, moments);
  }

  /** Each with a webhook that was deleted and has left deliveries. */
  withLeftoverDeliveries(): Promise<readonly LeftoverWebhook[]> {
    return listLeftoverWebhooks(this.#read);
  }

  withMomentsAhead({ now, today, skewMs, longestWaits }: SetbackCheck): Promise<readonly Tenant[]> {
    const at = (waitMs: number): Date => new Date(now + skewMs + waitMs);
    const { roundLease, roundRetry, feedLease, feedWait, session, previousSecret, idempotentAnswer } = longestWaits;
    return this.#list(withMomentsAhead, [
      at(0),
      at(Math.min(roundLease, roundRetry.first)),
      at(feedLease),
      at(feedWait),
      new Date(now),
      at(session),
      at(previousSecret),
      today,
      at(idempotentAnswer),
    ]);
  }

  async #list(statement: Statement<Tenant>, values: readonly Value[]): Promise<readonly Tenant[]> {
    return (await this.#read(statement, values)).rows;
  }
}
