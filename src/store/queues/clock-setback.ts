// Pulls back what was written before a clock was set back: moments of a tenant that lie further ahead than their own rule allows would
// otherwise keep work waiting until the clock has caught up.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, type Value } from '../postgres/statement.ts';
import { preferIndexOrder } from './delivery-queue-sql.ts';

/** Doubles with each attempt. */
interface RetryWaits {
  readonly first: number;
  readonly max: number;
}

/** How far ahead of now each rule puts a moment at most, in milliseconds. */
export interface LongestWaits {
  readonly deliveryLease: number;
  readonly roundLease: number;
  readonly roundRetry: RetryWaits;
  readonly feedLease: number;
  /** The longest wait for a run of a feed: its interval, or the longest wait after failures. */
  readonly feedWait: number;
  readonly mailLease: number;
  readonly mailRetry: RetryWaits;
  readonly idempotentAnswer: number;
  readonly session: number;
  readonly previousSecret: number;
}

export interface SetbackCheck {
  readonly now: number;
  readonly today: CalendarDate;
  /** What lies ahead by no more than this may come from another node. */
  readonly skewMs: number;
  readonly longestWaits: LongestWaits;
}

/**
 * A queue whose next delivery was not tried yet is due at once; one that was tried keeps its delay, counted from now. Skips queues
 * that are being worked on, so that nobody waits. Names keys as arrays too, so that the planner goes by whole keys.
 */
const pullBackQueues = sql(
  'clock-setback/delivery-queues',
  `WITH ahead AS MATERIALIZED (SELECT l.webhook_id, l.order_key, d.id AS delivery_id, CASE
         WHEN l.holder IS NOT NULL THEN CASE WHEN l.due_at > $5::timestamptz + ($4::timestamptz - $3::timestamptz) THEN $5::timestamptz END
         WHEN d.next_attempt_at IS NULL THEN $3::timestamptz
         WHEN a.at > $4 THEN $3::timestamptz + (l.due_at - a.at) END AS due_at
       FROM delivery_queue l
       LEFT JOIN LATERAL (SELECT x.id, x.next_attempt_at FROM delivery x WHERE x.workspace_id = $1 AND x.environment = $2
         AND x.webhook_id = l.webhook_id AND x.order_key = l.order_key AND x.state = 'pending' ORDER BY x.number, x.event_id LIMIT 1) d ON true
       LEFT JOIN LATERAL (SELECT x.at FROM delivery_attempt x WHERE x.workspace_id = $1 AND x.environment = $2
         AND x.delivery_id = d.id ORDER BY x.number DESC LIMIT 1) a ON true
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.due_at > $4 FOR NO KEY UPDATE OF l SKIP LOCKED),
     late AS MATERIALIZED (SELECT * FROM ahead WHERE due_at IS NOT NULL),
     shown AS (UPDATE delivery d SET next_attempt_at = r.due_at FROM late r WHERE d.workspace_id = $1 AND d.environment = $2
       AND d.id = ANY (ARRAY(SELECT delivery_id FROM late)) AND d.id = r.delivery_id AND d.next_attempt_at IS NOT NULL)
   UPDATE delivery_queue l SET due_at = r.due_at FROM late r WHERE l.workspace_id = $1 AND l.environment = $2
     AND l.webhook_id = ANY (ARRAY(SELECT webhook_id FROM late)) AND l.order_key = ANY (ARRAY(SELECT order_key FROM late))
     AND l.webhook_id = r.webhook_id AND l.order_key = r.order_key`,
);

/** The longest wait after a number of attempts; `$6` and `$7` are the first and the longest. */
const retryAt = (attempts: string): string =>
  `$3::timestamptz + least($6::float8 * 2 ^ least(${attempts} - 1, 20), $7::float8) * interval '1 millisecond'`;

const pullBackRounds = sql(
  'clock-setback/rounds',
  `WITH latest AS (SELECT r.id, CASE WHEN r.state = 'running' THEN $5::timestamptz ELSE ${retryAt('r.attempts')} END AS lease_until
       FROM calculation_round r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.finished_at IS NULL)
   UPDATE calculation_round r SET lease_until = latest.lease_until FROM latest
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id = latest.id
     AND r.lease_until - latest.lease_until > $4::timestamptz - $3::timestamptz`,
);
/** A run that was put off further than any rule allows is due at once. */
const pullBackFeeds = sql(
  'clock-setback/feeds',
  `UPDATE feed_run r SET lease_until = CASE WHEN r.state = 'running' THEN least(r.lease_until, $5::timestamptz) END,
     due_at = CASE WHEN r.due_at > $6 THEN $3 ELSE r.due_at END
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.finished_at IS NULL
     AND (r.lease_until > $5::timestamptz + ($4::timestamptz - $3::timestamptz) OR r.due_at > $6)`,
);
const pullBackFlags = sql(
  'clock-setback/flags',
  'UPDATE round_mark SET since = $3 WHERE workspace_id = $1 AND environment = $2 AND since > $4',
);
const pullBackSharedFlags = sql(
  'clock-setback/shared-flags',
  'UPDATE shared_round_mark SET since = $3 WHERE workspace_id = $1 AND environment = $2 AND since > $4',
);
const pullBackDay = sql(
  'clock-setback/day',
  'UPDATE environment SET day_marked = NULL WHERE workspace_id = $1 AND environment = $2 AND day_marked > $3',
);

/** A mail that is put off for a limit is asked about again, and put off again. */
const pullBackMails = sql(
  'clock-setback/mails',
  `WITH ahead AS MATERIALIZED (SELECT m.id, CASE WHEN m.handed_at IS NOT NULL THEN $5::timestamptz WHEN m.attempt_count > 0
         THEN ${retryAt('m.attempt_count')} WHEN m.created_at > $4 THEN $3::timestamptz END AS next_attempt_at
       FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.next_attempt_at > $4)
   UPDATE mail m SET next_attempt_at = ahead.next_attempt_at FROM ahead
   WHERE m.workspace_id = $1 AND m.environment = $2 AND m.id = ANY (ARRAY(SELECT id FROM ahead)) AND m.id = ahead.id
     AND m.next_attempt_at - ahead.next_attempt_at > $4::timestamptz - $3::timestamptz`,
);

const pullBackAnswers = sql(
  'clock-setback/answers',
  'UPDATE idempotent_answer SET expires_at = $3 WHERE workspace_id = $1 AND environment = $2 AND expires_at > $4',
);
const pullBackSessions = sql(
  'clock-setback/sessions',
  `UPDATE session SET seen_at = least(seen_at, $3::timestamptz), expires_at = least(expires_at, $5::timestamptz)
   WHERE workspace_id = $1 AND environment = $2 AND expires_at > $3
     AND (seen_at > $4 OR expires_at > $5::timestamptz + ($4::timestamptz - $3::timestamptz))`,
);
const pullBackSecrets = sql(
  'clock-setback/secrets',
  'UPDATE webhook SET previous_secret_until = $3 WHERE workspace_id = $1 AND environment = $2 AND previous_secret_until > $4',
);

/** Returns how many rows were pulled back. Used assertions stay: each must be refused until it has expired, whatever the clock does. */
export async function pullBackMoments(
  run: Run,
  { workspaceId, environment }: Scope,
  { now, today, skewMs, longestWaits }: SetbackCheck,
): Promise<number> {
  const tenant = [workspaceId, environment] as const;
  const at = (waitMs: number): Date => new Date(now + waitMs);
  const check: readonly Value[] = [...tenant, at(0), at(skewMs)];
  const limit = (waitMs: number): readonly Value[] => [...tenant, at(waitMs), at(waitMs + skewMs)];
  const { deliveryLease, roundLease, roundRetry, feedLease, feedWait, mailLease, mailRetry } = longestWaits;
  await run(preferIndexOrder, []);
  const outcomes = [
    await run(pullBackQueues, [...check, at(deliveryLease)]),
    await run(pullBackRounds, [...check, at(roundLease), roundRetry.first, roundRetry.max]),
    await run(pullBackFeeds, [...check, at(feedLease), at(feedWait + skewMs)]),
    await run(pullBackFlags, check),
    await run(pullBackSharedFlags, check),
    await run(pullBackDay, [...tenant, today]),
    await run(pullBackMails, [...check, at(mailLease), mailRetry.first, mailRetry.max]),
    await run(pullBackAnswers, limit(longestWaits.idempotentAnswer)),
    await run(pullBackSessions, [...check, at(longestWaits.session)]),
    await run(pullBackSecrets, limit(longestWaits.previousSecret)),
  ];
  return outcomes.reduce((sum, { count }) => sum + count, 0);
}
