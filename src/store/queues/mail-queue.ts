// The queue of mail for those who send it: what is due, taking a mail for one attempt, and recording the result. Every change names the
// attempt, so that a node that has lost its lease changes nothing.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import type { Run } from '../postgres/statement-runner.ts';
import type { MailLimit } from './mails.ts';
import { askingAll, bytesTexts, sql, type Call, type Value } from '../postgres/statement.ts';
import { DueWorkFinder, type DueWork } from './due-work.ts';

/** Mails that are due, the longest waiting first. */
export type DueMails = DueWork<Id, object>;

export interface TakenMail {
  readonly id: Id;
  readonly createdAt: number;
  readonly messageSealed: Buffer;
  /** Includes the attempt that it was taken for. */
  readonly attemptCount: number;
}

/** How much mail an address may be sent, from one environment and from all together. */
export interface SendingLimits {
  readonly fromTenant: readonly MailLimit[];
  readonly fromAll: readonly MailLimit[];
}

interface TakeOptions {
  readonly now: number;
  readonly leaseUntil: number;
  readonly givenUpAfterMs: number;
  readonly limits: SendingLimits;
  /** What digests of the same address may be stored as. */
  equivalents(addressDigest: Buffer): readonly Buffer[];
}

/** `put-off` where the address has reached a limit; undefined where the mail is not due, or another node has it. */
type TakeResult = TakenMail | 'put-off' | 'given-up' | undefined;

export type MailAttemptResult =
  | { readonly state: 'sent'; readonly at: number }
  | { readonly state: 'failed'; readonly at: number; readonly failure: string }
  | { readonly state: 'waiting'; readonly nextAttemptAt: number };

const ofMail = 'm.workspace_id = $1 AND m.environment = $2 AND m.id = $3';
const isDue = 'm.next_attempt_at IS NOT NULL AND m.next_attempt_at <= $NOW';

const dueMails = new DueWorkFinder<Id, object>({
  name: 'mail-queue/due',
  keys: [
    `SELECT m.id FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND ${isDue.replace('$NOW', '$3')}
     ORDER BY m.next_attempt_at, m.id`,
  ],
  keysMax: 200,
  extras: {},
});

export function findDueMails(database: Database, tenants: readonly Tenant[], now: number): Promise<DueMails[]> {
  return dueMails.find(database, tenants, [new Date(now)]);
}

interface MailToTake {
  readonly createdAt: number;
  readonly addressDigest: Buffer;
  readonly isWanted: boolean;
}

/** Whether the link in the mail can still be used. */
function isPending(table: 'invite' | 'administrator_link'): string {
  return `EXISTS (SELECT FROM ${table} i WHERE i.workspace_id = $1 AND i.environment = $2 AND i.id = m.invite_id
    AND i.accepted_at IS NULL AND i.cancelled_at IS NULL AND i.expires_at > $4)`;
}

const find = sql<MailToTake>(
  'mail-queue/find',
  `SELECT m.created_at AS "createdAt", m.address_digest AS "addressDigest",
     m.invite_id IS NULL OR ${isPending('invite')} OR ${isPending('administrator_link')} AS "isWanted"
   FROM mail m WHERE ${ofMail} AND ${isDue.replace('$NOW', '$4')} FOR UPDATE SKIP LOCKED`,
);

const take = sql<TakenMail>(
  'mail-queue/take',
  `UPDATE mail m SET attempt_count = m.attempt_count + 1, handed_at = $4, next_attempt_at = $5 WHERE ${ofMail}
   RETURNING m.id, m.created_at AS "createdAt", m.message_sealed AS "messageSealed", m.attempt_count AS "attemptCount"`,
);

const putOff = sql('mail-queue/put-off', `UPDATE mail m SET next_attempt_at = $4 WHERE ${ofMail}`);

const giveUp = sql(
  'mail-queue/give-up',
  `UPDATE mail m SET next_attempt_at = NULL, message_sealed = NULL, failed_at = $4, failure = $5 WHERE ${ofMail}`,
);

/** Serialises sending to an address: two transactions that count at the same time would both count too few. */
const lockAddress = sql(
  'mail-queue/take-turn',
  `SELECT pg_advisory_xact_lock(hashtextextended('mail to ' || encode($1::bytea, 'hex'), 0))`,
);

const isHandedToAddress = 'm.address_digest = ANY ($1::bytea[]) AND m.id <> $2 AND m.handed_at > $3';
const newest = 'ORDER BY m.handed_at DESC OFFSET $4 LIMIT 1';
const limitHitFromAll = askingAll<{ at: number }>(
  'mail-queue/full-from-all',
  `SELECT m.handed_at AS at FROM mail m WHERE {m} AND ${isHandedToAddress} ${newest}`,
);
const limitHitFromTenant = sql<{ at: number }>(
  'mail-queue/full-from-tenant',
  `SELECT m.handed_at AS at FROM mail m WHERE ${isHandedToAddress} AND m.workspace_id = $5 AND m.environment = $6 ${newest}`,
);

const isCurrentAttempt = `m.next_attempt_at IS NOT NULL AND m.attempt_count = $4`;
const finishSent = sql(
  'mail-queue/settle-sent',
  `UPDATE mail m SET next_attempt_at = NULL, message_sealed = NULL, sent_at = $5 WHERE ${ofMail} AND ${isCurrentAttempt}`,
);
const finishFailed = sql(
  'mail-queue/settle-failed',
  `UPDATE mail m SET next_attempt_at = NULL, message_sealed = NULL, handed_at = NULL, failed_at = $5, failure = $6
   WHERE ${ofMail} AND ${isCurrentAttempt}`,
);
const finishWaiting = sql(
  'mail-queue/settle-waiting',
  `UPDATE mail m SET next_attempt_at = $5, handed_at = NULL WHERE ${ofMail} AND ${isCurrentAttempt}`,
);

export class MailQueue {
  readonly #database: Database;
  readonly #scope: Scope;

  constructor(database: Database, scope: Scope) {
    this.#database = database;
    this.#scope = scope;
  }

  #mailValues(id: Id): [string, string, Id] {
    return [this.#scope.workspaceId, this.#scope.environment, id];
  }

  /** Leases a mail for one attempt, gives it up, or puts it off until its address may be sent more. */
  take(id: Id, options: TakeOptions): Promise<TakeResult> {
    const { now, leaseUntil, givenUpAfterMs } = options;
    return this.#database.write(this.#scope, async (run): Promise<TakeResult> => {
      const mail = (await run(find, [...this.#mailValues(id), new Date(now)])).rows[0];
      if (mail === undefined) return undefined;
      if (!mail.isWanted)
        return this.#giveUp(run, id, {
          now,
          failure: 'The invite was accepted, cancelled or expired before the mail was sent.',
        });
      const sendableAt = await this.#findSendableAt(run, id, mail.addressDigest, options);
      if (sendableAt > mail.createdAt + givenUpAfterMs)
        return this.#giveUp(run, id, { now, failure: 'The address had reached its limit of mail for a whole day.' });
      if (sendableAt > now) {
        await run(putOff, [...this.#mailValues(id), new Date(sendableAt)]);
        return 'put-off';
      }
      return (await run(take, [...this.#mailValues(id), new Date(now), new Date(leaseUntil)])).rows[0];
    });
  }

  async #giveUp(run: Run, id: Id, { now, failure }: { now: number; failure: string }): Promise<'given-up'> {
    await run(giveUp, [...this.#mailValues(id), new Date(now), failure]);
    return 'given-up';
  }

  /** Finds when the address may be sent the next mail. Counts mail of other tenants through the pre-auth role. */
  async #findSendableAt(run: Run, id: Id, digest: Buffer, { now, limits, equivalents }: TakeOptions): Promise<number> {
    const digests = equivalents(digest);
    await run(lockAddress, [digests[0] ?? digest]);
    const tenant: readonly Value[] = [this.#scope.workspaceId, this.#scope.environment];
    const none: readonly Value[] = [];
    const checks = [
      ...limits.fromTenant.map((limit) => ({ statement: limitHitFromTenant, limit, moreValues: tenant })),
      ...limits.fromAll.map((limit) => ({ statement: limitHitFromAll, limit, moreValues: none })),
    ];
    let sendableAt = now;
    for (const { statement, limit, moreValues } of checks) {
      const values = [bytesTexts(digests), id, new Date(now - limit.withinMs), limit.count - 1, ...moreValues];
      const { rows } = await run.readPreAuth(statement, values, this.#scope.workspaceId);
      // What was sent before the clock was set back counts from now. Servers that are asked one by one each count their own.
      for (const { at } of rows) sendableAt = Math.max(sendableAt, Math.min(at, now) + limit.withinMs);
    }
    return sendableAt;
  }

  /** Returns whether the lease was still held. */
  async finish(
    { id, attemptCount }: Pick<TakenMail, 'id' | 'attemptCount'>,
    result: MailAttemptResult,
  ): Promise<boolean> {
    const call = callFor(result, [...this.#mailValues(id), attemptCount]);
    const [outcome] = await this.#database.writeBatch(this.#scope, [call]);
    return defined(outcome, 'every statement of a batch has an outcome').count > 0;
  }
}

function callFor(result: MailAttemptResult, mailValues: readonly Value[]): Call {
  if (result.state === 'sent') return { statement: finishSent, values: [...mailValues, new Date(result.at)] };
  if (result.state === 'failed')
    return { statement: finishFailed, values: [...mailValues, new Date(result.at), result.failure] };
  return { statement: finishWaiting, values: [...mailValues, new Date(result.nextAttemptAt)] };
}
