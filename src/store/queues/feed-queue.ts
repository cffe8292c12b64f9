// The queue of feed runs: which are due, taking one for an attempt, and recording how far it has come and how it ended. Every change
// names the attempt, so that a node that has lost its lease changes nothing.

import type { Id } from '../../kit/id.ts';
import type { ConnectorKind } from '../../model/custody/connector.ts';
import type { FeedError } from '../../model/custody/feed-run.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, type Value } from '../postgres/statement.ts';
import { DueWorkFinder, type DueWork } from './due-work.ts';

/** The key of what is due: the custodian and the authority, with a space between. */
export type DueFeeds = DueWork<string, object>;

/** A run that was taken for an attempt, with the number of that attempt. */
export interface TakenFeedRun {
  readonly id: Id;
  readonly client: Id;
  readonly authority: Id;
  readonly custodian: Id;
  readonly connector: ConnectorKind;
  readonly attempts: number;
  readonly failures: number;
  readonly toMark: string | null;
}

/** The run of an authority that is not over. */
export interface OpenFeedRun {
  readonly id: Id;
  readonly state: 'waiting' | 'running';
  readonly dueAt: number;
}

const ofTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;
const isDue = (now: string): string =>
  `r.finished_at IS NULL AND (r.state = 'waiting' AND r.due_at <= ${now} OR r.state = 'running' AND r.lease_until <= ${now})`;

/** Authorities that let data in and have a connector to fetch it with. */
const fetchable = (now: string): string =>
  `FROM authority a JOIN custodian c ON ${ofTenant('c')} AND c.id = a.custodian_id AND c.connector IS NOT NULL
   WHERE ${ofTenant('a')} AND a.state = 'active' AND a.broken_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > ${now})
     AND (a.credentials_sealed IS NOT NULL OR c.connector = 'file-drop')`;
const withoutOpenRun = `NOT EXISTS (SELECT FROM feed_run r WHERE ${ofTenant('r')} AND r.authority_id = a.id AND r.finished_at IS NULL)`;

const dueFeeds = new DueWorkFinder<string, object>({
  name: 'feeds/due',
  keys: [
    `SELECT r.custodian_id || ' ' || r.authority_id FROM feed_run r WHERE ${ofTenant('r')} AND ${isDue('$3')}
     ORDER BY r.due_at, r.id`,
    `SELECT a.custodian_id || ' ' || a.id ${fetchable('$3')} AND ${withoutOpenRun} ORDER BY a.id`,
  ],
  keysMax: 200,
  extras: {},
});

export function findDueFeeds(database: Database, tenants: readonly Tenant[], now: number): Promise<DueFeeds[]> {
  return dueFeeds.find(database, tenants, [new Date(now)]);
}

const taken = `r.id, r.client_id AS client, r.authority_id AS authority, r.custodian_id AS custodian, r.connector, r.attempts, r.failures,
  r.to_mark AS "toMark"`;

const takeOver = sql<TakenFeedRun>(
  'feeds/take-over',
  `WITH due AS MATERIALIZED (SELECT r.id FROM feed_run r WHERE ${ofTenant('r')} AND r.authority_id = $3 AND ${isDue('$4')}
     FOR UPDATE SKIP LOCKED)
   UPDATE feed_run r SET state = 'running', attempts = r.attempts + 1, lease_until = $5, started_at = coalesce(r.started_at, $4),
     attempted_at = $4
   FROM due WHERE ${ofTenant('r')} AND r.id = due.id RETURNING ${taken}`,
);

/** Goes on from where the last run of the authority has come. Where another node has just opened one, the unique index fails and the transaction is retried. */
const open = sql<TakenFeedRun>(
  'feeds/open',
  `WITH last AS (SELECT r.to_mark FROM feed_run r WHERE ${ofTenant('r')} AND r.authority_id = $3 ORDER BY r.id DESC LIMIT 1)
   INSERT INTO feed_run AS r (workspace_id, environment, id, client_id, authority_id, custodian_id, connector, state, due_at,
     lease_until, started_at, attempted_at, attempts, from_mark, to_mark)
   SELECT $1, $2, $6, a.client_id, a.id, a.custodian_id, c.connector, 'running', $4, $5, $4, $4, 1,
     (SELECT to_mark FROM last), (SELECT to_mark FROM last)
   ${fetchable('$4')} AND a.id = $3 AND ${withoutOpenRun}
   RETURNING ${taken}`,
);

/** Opens a run that waits and is due at once, for an authority that has none. */
const openWaiting = sql<{ id: Id }>(
  'feeds/open-waiting',
  `WITH last AS (SELECT r.to_mark FROM feed_run r WHERE ${ofTenant('r')} AND r.authority_id = $3 ORDER BY r.id DESC LIMIT 1)
   INSERT INTO feed_run AS r (workspace_id, environment, id, client_id, authority_id, custodian_id, connector, state, due_at, from_mark, to_mark)
   SELECT $1, $2, $5, a.client_id, a.id, a.custodian_id, c.connector, 'waiting', $4, (SELECT to_mark FROM last), (SELECT to_mark FROM last)
   ${fetchable('$4')} AND a.id = $3 AND ${withoutOpenRun}
   RETURNING r.id`,
);

const findOpen = sql<OpenFeedRun>(
  'feeds/find-open',
  `SELECT r.id, r.state, r.due_at AS "dueAt" FROM feed_run r
   WHERE ${ofTenant('r')} AND r.authority_id = $3 AND r.finished_at IS NULL FOR UPDATE`,
);

const findLastAttempt = sql<{ at: number | null }>(
  'feeds/last-attempt',
  `SELECT max(r.attempted_at) AS at FROM feed_run r WHERE ${ofTenant('r')} AND r.authority_id = $3`,
);

const bringForward = sql(
  'feeds/bring-forward',
  `UPDATE feed_run r SET due_at = $4 WHERE ${ofTenant('r')} AND r.id = $3 AND r.state = 'waiting'`,
);

/** Whether the authority of a run still lets data in. */
const isFetchable = sql<{ id: Id }>('feeds/fetchable', `SELECT a.id ${fetchable('$4')} AND a.id = $3`);

const ofAttempt = `${ofTenant('r')} AND r.id = $3 AND r.attempts = $4 AND r.state = 'running'`;
const change = (name: string, changes: string) =>
  sql(`feeds/${name}`, `UPDATE feed_run r SET ${changes} WHERE ${ofAttempt}`);

const renewLease = change('renew', 'lease_until = $5');
const release = change('release', `state = 'waiting', lease_until = NULL, due_at = $5`);
const advance = change(
  'advance',
  `to_mark = $5, fetched_count = r.fetched_count + $6, failures = 0, error = NULL, error_detail = NULL,
     imports = r.imports || $7::text[], file_digest = NULL, file_trials = 0,
     earlier_files = r.earlier_files - coalesce(r.file_digest, '')`,
);
/**
 * Counts the attempts that began to read a file. Those that were killed while they read it have taken nothing back. Files that were begun
 * before it and never booked keep their count: other files may arrive in front of them with every attempt.
 */
const beginFile = sql<{ trials: number }>(
  'feeds/begin-file',
  `UPDATE feed_run r SET file_digest = $5,
     file_trials = 1 + CASE WHEN r.file_digest = $5 THEN r.file_trials ELSE coalesce((r.earlier_files ->> $5)::integer, 0) END,
     earlier_files = CASE WHEN r.file_digest = $5 OR r.file_digest IS NULL OR r.file_trials = 0 THEN r.earlier_files
       ELSE r.earlier_files || ('{"' || r.file_digest || '":' || r.file_trials::text || '}')::jsonb END - $5::text
   WHERE ${ofAttempt} RETURNING r.file_trials AS trials`,
);
const takeBackTrial = change('take-back-trial', 'file_trials = greatest(r.file_trials - 1, 0)');
const putOff = change(
  'put-off',
  `state = 'waiting', lease_until = NULL, failures = r.failures + 1, due_at = $5, error = $6, error_detail = $7`,
);
const end = change('end', `state = 'failed', lease_until = NULL, finished_at = $5, error = $6, error_detail = $7`);

/** Ends the run and plans the next one, which goes on from there. */
const finish = sql(
  'feeds/finish',
  `WITH done AS (UPDATE feed_run r SET state = 'finished', lease_until = NULL, finished_at = $5, error = NULL, error_detail = NULL
     WHERE ${ofAttempt} RETURNING r.client_id, r.authority_id, r.custodian_id, r.connector, r.to_mark)
   INSERT INTO feed_run (workspace_id, environment, id, client_id, authority_id, custodian_id, connector, state, due_at, from_mark, to_mark)
   SELECT $1, $2, $6, client_id, authority_id, custodian_id, connector, 'waiting', $7, to_mark, to_mark FROM done RETURNING 1`,
);

/** Runs of long ago that brought nothing tell nobody anything. */
const dropEmpty = sql(
  'feeds/drop-empty',
  `DELETE FROM feed_run r WHERE ${ofTenant('r')} AND r.authority_id = $3 AND r.state = 'finished' AND r.imports = '{}'
     AND r.finished_at < $4`,
);

export class FeedQueue {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** Leases the open run of an authority if it is due, or opens one where there is none. */
  async take(
    authority: Id,
    { id, now, leaseUntil }: { readonly id: Id; readonly now: number; readonly leaseUntil: number },
  ): Promise<TakenFeedRun | undefined> {
    const values = [...this.#tenant, authority, new Date(now), new Date(leaseUntil)];
    return (await this.#run(takeOver, values)).rows[0] ?? (await this.#run(open, [...values, id])).rows[0];
  }

  /** Locks the run of an authority that is not over. */
  async lockOpen(authority: Id): Promise<OpenFeedRun | undefined> {
    return (await this.#run(findOpen, [...this.#tenant, authority])).rows[0];
  }

  /** When the custodian was last visited for an authority. */
  async findLastAttempt(authority: Id): Promise<number | null> {
    return (await this.#run(findLastAttempt, [...this.#tenant, authority])).rows[0]?.at ?? null;
  }

  /** Lets a run that waits begin now. */
  async bringForward(run: Id, now: number): Promise<void> {
    await this.#run(bringForward, [...this.#tenant, run, new Date(now)]);
  }

  /** Opens a run that begins now. Undefined where the authority lets nothing in, or has one already. */
  async openWaiting(authority: Id, { id, now }: { readonly id: Id; readonly now: number }): Promise<Id | undefined> {
    return (await this.#run(openWaiting, [...this.#tenant, authority, new Date(now), id])).rows[0]?.id;
  }

  async isFetchable({ authority }: Pick<TakenFeedRun, 'authority'>, now: number): Promise<boolean> {
    return (await this.#run(isFetchable, [...this.#tenant, authority, new Date(now)])).count > 0;
  }

  /** Returns whether the lease was still held, as do all changes below. */
  renewLease(run: TakenFeedRun, leaseUntil: number): Promise<boolean> {
    return this.#change(renewLease, run, [new Date(leaseUntil)]);
  }

  /** Hands the run back, so that another node can go on with it. */
  release(run: TakenFeedRun, now: number): Promise<boolean> {
    return this.#change(release, run, [new Date(now)]);
  }

  /** Records that everything up to the mark is booked. */
  advance(
    run: TakenFeedRun,
    {
      mark,
      fetched,
      importIds,
    }: { readonly mark: string; readonly fetched: number; readonly importIds: readonly Id[] },
  ): Promise<boolean> {
    return this.#change(advance, run, [mark, fetched, importIds]);
  }

  /** Records that the run begins to read a file. Returns how many of its attempts have; undefined if the lease is lost. */
  async beginFile(run: TakenFeedRun, digest: string): Promise<number | undefined> {
    const { rows } = await this.#run(beginFile, [...this.#tenant, run.id, run.attempts, digest]);
    return rows[0]?.trials;
  }

  /** Does not count the last beginning: the attempt ended for another reason than the file. */
  takeBackTrial(run: TakenFeedRun): Promise<boolean> {
    return this.#change(takeBackTrial, run, []);
  }

  putOff(
    run: TakenFeedRun,
    { retryAt, error, detail }: { readonly retryAt: number; readonly error: FeedError; readonly detail: string },
  ): Promise<boolean> {
    return this.#change(putOff, run, [new Date(retryAt), error, detail]);
  }

  end(
    run: TakenFeedRun,
    { now, error, detail }: { readonly now: number; readonly error: FeedError; readonly detail: string },
  ): Promise<boolean> {
    return this.#change(end, run, [new Date(now), error, detail]);
  }

  async finish(
    run: TakenFeedRun,
    {
      now,
      nextId,
      nextAt,
      dropBefore,
    }: { readonly now: number; readonly nextId: Id; readonly nextAt: number; readonly dropBefore: number },
  ): Promise<boolean> {
    const isFinished = await this.#change(finish, run, [new Date(now), nextId, new Date(nextAt)]);
    if (isFinished) this.#run.enqueue(dropEmpty, [...this.#tenant, run.authority, new Date(dropBefore)]);
    return isFinished;
  }

  async #change(
    statement: typeof renewLease,
    { id, attempts }: TakenFeedRun,
    values: readonly Value[],
  ): Promise<boolean> {
    return (await this.#run(statement, [...this.#tenant, id, attempts, ...values])).count === 1;
  }
}
