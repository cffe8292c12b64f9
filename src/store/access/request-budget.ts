// The shared request bucket of a subject, and what each node has leased of it. Leases are stored beside the bucket, under its subject and
// the node's name, so that the bucket is not refilled with requests that nodes still hold.

import { defined } from '../../kit/assert.ts';
import { clockSkewMsMax, minuteMs } from '../../kit/clock.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';
import { WorkspaceSettings, type RequestTerms } from './workspace-settings.ts';

/** Requests a minute, and at once. */
export interface BudgetSize {
  readonly requestsPerMinute: number;
  readonly burst: number;
}

export interface LeaseRequest {
  readonly subject: string;
  /** The node that asks. It has one lease of a bucket; the next lease replaces the one before. */
  readonly node: string;
  readonly now: number;
  /** What holds unless the operator has set something else for the workspace. */
  readonly usual: BudgetSize;
  /** How long a lease may be used. */
  readonly lifetimeMs: number;
  /** The most requests to lease. Fewer are granted when little is left, so that several nodes share the rest. */
  readonly atMost: number;
  /** How many of them are used as soon as they are granted. */
  readonly waiting: number;
  /** What is left of the current lease; it becomes part of the new one. */
  readonly kept: number;
  /** What is left of an expired lease; it goes back to the bucket. */
  readonly returned: number;
}

export interface BudgetLease {
  readonly size: BudgetSize;
  /** What the workspace may use otherwise. */
  readonly terms: RequestTerms | undefined;
  readonly granted: number;
  /** What the shared bucket still holds after the lease. */
  readonly remaining: number;
  /** How long until the shared bucket holds a request, if no other node takes it first; zero if it holds one now. */
  readonly nextInMs: number;
}

interface StoredLevel {
  readonly subject: string;
  readonly remaining: number;
  readonly asOf: number;
}

const columns = 'subject, remaining, as_of AS "asOf"';

/** Locks the bucket until the transaction ends, so that the next statement sees the leases unchanged by others. */
const lock = sql<StoredLevel>(
  'budget/lock',
  `INSERT INTO budget AS b (workspace_id, environment, subject, remaining, as_of) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (workspace_id, environment, subject) DO UPDATE SET as_of = b.as_of RETURNING ${columns}`,
);
/** In the column's sort order, `0` is the character after `/`. */
const leases = sql<StoredLevel>(
  'budget/leases',
  `SELECT ${columns} FROM budget
   WHERE workspace_id = $1 AND environment = $2 AND subject > $3 || '/' AND subject < $3 || '0'`,
);
const putLevels = sql(
  'budget/settle',
  `WITH bucket AS (
     UPDATE budget SET remaining = $4, as_of = $5 WHERE workspace_id = $1 AND environment = $2 AND subject = $3
   ), over AS (
     DELETE FROM budget WHERE workspace_id = $1 AND environment = $2 AND subject = ANY ($6::text[])
   )
   INSERT INTO budget (workspace_id, environment, subject, remaining, as_of) VALUES ($1, $2, $7, $8, $5)
   ON CONFLICT (workspace_id, environment, subject) DO UPDATE SET remaining = excluded.remaining, as_of = excluded.as_of`,
);

/** More than any bucket holds: a new one is full, whatever its size, once it is cut to it. */
const overfull = 1e9;

/** Grants a lease of at most a quarter of what is left; zero if less than one request is left. Needs a transaction. */
export async function leaseBudget(run: Run, scope: Scope, request: LeaseRequest): Promise<BudgetLease> {
  const tenant = [scope.workspaceId, scope.environment, request.subject] as const;
  const own = `${request.subject}/${request.node}`;
  const [{ rows }, terms] = await Promise.all([
    run(lock, [...tenant, overfull, new Date(request.now)]),
    new WorkspaceSettings(scope, run).readTerms(),
  ]);
  const size = {
    requestsPerMinute: terms?.requestsPerMinute ?? request.usual.requestsPerMinute,
    burst: terms?.burst ?? request.usual.burst,
  };
  const bucket = afterSetback(defined(rows[0], 'locking a bucket returns it'), request.now);
  // A node whose clock is a little behind the bucket's adds nothing.
  const now = Math.max(request.now, bucket.asOf);
  const stored = (await run(leases, tenant)).rows.map((lease) => afterSetback(lease, request.now));
  const level = levelAt(now, bucket, stored, { ...request, size, own });
  const wholeRequests = Math.floor(level / unitsPerRequest);
  const granted = Math.max(0, Math.min(request.atMost, wholeRequests, Math.max(1, Math.ceil(wholeRequests / 4))));
  const left = level - granted * unitsPerRequest;
  const expired = stored.filter(({ subject, asOf }) => subject !== own && asOf + request.lifetimeMs <= now);
  const leased = request.kept + granted - Math.min(granted, request.waiting);
  const expiredSubjects = expired.map(({ subject }) => subject);
  await run(putLevels, [...tenant, left / unitsPerRequest, new Date(now), expiredSubjects, own, leased]);
  const missing = Math.max(0, unitsPerRequest - left);
  return {
    size,
    terms,
    granted,
    remaining: left / unitsPerRequest,
    nextInMs: Math.ceil(missing / size.requestsPerMinute),
  };
}

/** Counts from now what was written before the clock was set back. It keeps its level, and is not refilled for the time in between. */
function afterSetback(level: StoredLevel, now: number): StoredLevel {
  return level.asOf > now + clockSkewMsMax ? { ...level, asOf: now } : level;
}

/** Levels are counted in 60,000ths of a request: a millisecond adds `requestsPerMinute` of them, so nothing is ever rounded. */
const unitsPerRequest = minuteMs;

/**
 * What the bucket holds now. Until a lease expires, the bucket is filled only until both together make the burst. An expired lease no
 * longer counts; what is left of it returns to the bucket if its node gives it back before another node asks.
 */
function levelAt(
  now: number,
  bucket: StoredLevel,
  stored: readonly StoredLevel[],
  {
    own,
    size: { burst, requestsPerMinute },
    lifetimeMs,
    kept,
    returned,
  }: LeaseRequest & { readonly own: string; readonly size: BudgetSize },
): number {
  const ends = stored.map(({ subject, remaining, asOf }) => {
    const isOwn = subject === own;
    return {
      isOwn,
      leased: remaining * unitsPerRequest,
      at: isOwn ? Math.min(now, asOf + lifetimeMs) : asOf + lifetimeMs,
    };
  });
  let leased = ends.reduce((sum, end) => sum + end.leased, 0);
  let level = Math.round(bucket.remaining * unitsPerRequest);
  let asOf = bucket.asOf;
  const fillUntil = (at: number): void => {
    level = Math.min(burst * unitsPerRequest - leased, level + Math.max(0, at - asOf) * requestsPerMinute);
    asOf = Math.max(asOf, at);
  };
  for (const end of ends.toSorted((a, b) => a.at - b.at)) {
    if (end.at > now) break;
    fillUntil(end.at);
    leased -= end.leased;
    if (end.isOwn) level += Math.min(end.leased, returned * unitsPerRequest);
  }
  leased += kept * unitsPerRequest;
  fillUntil(now);
  return level;
}
