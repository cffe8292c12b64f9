// How much waits in each queue of all tenants, and since when: one statement in the pre-auth role, which sees only when rows are due.

import { minuteMs } from '../../kit/clock.ts';
import { isActiveWorkspace } from '../postgres/enter-scope.ts';
import type { PreAuthRead } from '../postgres/statement-runner.ts';
import { askingAll } from '../postgres/statement.ts';

/** `feeds-broken` is no queue: feeds that wait for somebody to connect them again. */
export const queueNames = [
  'outbox',
  'deliveries',
  'rounds',
  'mails',
  'feeds',
  'imports',
  'audit-lines',
  'feeds-broken',
] as const;
export type QueueName = (typeof queueNames)[number];

export interface QueueLevel {
  readonly queue: QueueName;
  readonly count: number;
  /** Since when the oldest has waited; null where nothing is overdue. */
  readonly oldestAt: number | null;
}

/** What was reported before that belongs to a node that has ended. */
const importSilenceMs = 5 * minuteMs;

/** The moment that an id was made. */
const idTime = (id: string): string => `to_timestamp(('x0000' || left(${id}, 12))::bit(64)::bigint / 1000.0)`;

/** Work of suspended workspaces waits on purpose. */
const level = (queue: QueueName, oldest: string, from: string, condition = 'true'): string =>
  `SELECT '${queue}' AS queue, count(*)::int AS count, ${oldest} AS "oldestAt" FROM ${from}
   WHERE {t} AND ${condition} AND ${isActiveWorkspace('t.workspace_id', '{w}')}`;

const levels: Readonly<Record<QueueName, string>> = {
  outbox: level('outbox', idTime('min(t.first_id)'), 'outbox t'),
  // Those that wait for their next attempt count, and are as old as their due moment.
  deliveries: level(
    'deliveries',
    'min(t.due_at) FILTER (WHERE t.due_at <= $1)',
    'delivery_queue t JOIN webhook w ON w.workspace_id = t.workspace_id AND w.environment = t.environment AND w.id = t.webhook_id AND {w}',
    `w.state = 'enabled'`,
  ),
  rounds: level(
    'rounds',
    'min(t.since)',
    '(SELECT m.workspace_id, m.since FROM round_mark m WHERE {m} UNION ALL SELECT s.workspace_id, s.since FROM shared_round_mark s WHERE {s}) t',
  ),
  mails: level('mails', 'min(t.created_at)', 'mail t', 't.next_attempt_at IS NOT NULL'),
  feeds: level(
    'feeds',
    'min(t.due_at)',
    'feed_run t',
    't.finished_at IS NULL AND coalesce(t.lease_until, t.due_at) <= $1',
  ),
  imports: level('imports', 'min(t.started_at)', 'import_work t', 't.reported_at >= $2'),
  'audit-lines': level('audit-lines', idTime('min(t.entry_id)'), 'unchained_audit_entry t'),
  'feeds-broken': level(
    'feeds-broken',
    'min(t.broken_at)',
    'authority t',
    `t.state = 'active' AND t.broken_at IS NOT NULL`,
  ),
};

const listLevels = askingAll<QueueLevel>(
  'queue-levels',
  queueNames.map((name) => levels[name]).join('\n   UNION ALL '),
);

/** A level for each queue, also for an empty one. Servers that are asked one by one each have a part of it. */
export async function listQueueLevels(read: PreAuthRead, now: number): Promise<readonly QueueLevel[]> {
  const { rows } = await read(listLevels, [new Date(now), new Date(now - importSilenceMs)]);
  return queueNames.map((queue) => {
    const found = rows.filter((row) => row.queue === queue);
    const moments = found.flatMap(({ oldestAt }) => oldestAt ?? []);
    return {
      queue,
      count: found.reduce((sum, { count }) => sum + count, 0),
      oldestAt: moments.length === 0 ? null : moments.reduce((least, moment) => Math.min(least, moment)),
    };
  });
}
