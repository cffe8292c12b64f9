// Mail for those who write it: queued in the transaction of what it tells of, counted against limits, and shown with the invite. Addresses are
// stored as digests only.

import type { Id } from '../../kit/id.ts';
import type { MailProgress, MailStatus } from '../../model/people/mail/mail-progress.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

interface NewMail {
  readonly id: Id;
  /** Null for mail of the workspace. */
  readonly client: Id | null;
  readonly person: string;
  /** Null for mail about something else. */
  readonly invite: Id | null;
  readonly addressDigest: Buffer;
  readonly messageSealed: Buffer;
  readonly createdAt: number;
}

/** At most `count` within any period of `withinMs`. */
export interface MailLimit {
  readonly count: number;
  readonly withinMs: number;
}

const insert = sql(
  'mails/insert',
  `INSERT INTO mail (workspace_id, environment, id, client_id, person_id, invite_id, address_digest, message_sealed, created_at,
     next_attempt_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
);

const listMailStates = sql<{ invite: Id; status: MailStatus; at: number; failure: string | null }>(
  'mails/standings',
  `SELECT m.invite_id AS invite, coalesce(m.sent_at, m.failed_at, m.created_at) AS at, m.failure,
     CASE WHEN m.sent_at IS NOT NULL THEN 'sent' WHEN m.failed_at IS NOT NULL THEN 'failed' ELSE 'queued' END AS status
   FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.invite_id = ANY ($3::text[])`,
);

/** Serialises queueing mail in an environment: two transactions that count at the same time would both count too few. */
const lockTenant = sql(
  'mails/take-turn',
  `SELECT pg_advisory_xact_lock(hashtextextended('mail of ' || $1 || ' ' || $2, 0))`,
);

/** The mail that has to leave the period before there is room for another. */
const newest = 'ORDER BY m.created_at DESC OFFSET $4 LIMIT 1';
const limitHitOfTenant = sql<{ at: number }>(
  'mails/full-of-tenant',
  `SELECT m.created_at AS at FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.created_at > $3 ${newest}`,
);
const limitHitToAddress = sql<{ at: number }>(
  'mails/full-to-address',
  `SELECT m.created_at AS at FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.created_at > $3
     AND m.client_id = $6 AND m.address_digest = $5 ${newest}`,
);
const limitHitOfWorkspace = sql<{ at: number }>(
  'mails/full-of-workspace-to-address',
  `SELECT m.created_at AS at FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.created_at > $3
     AND m.client_id IS NULL AND m.address_digest = $5 ${newest}`,
);

export class MailTable {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** Sends the statement with the next batch. */
  put({ id, client, person, invite, addressDigest, messageSealed, createdAt }: NewMail): void {
    const values = [id, client, person, invite, addressDigest, messageSealed, new Date(createdAt)];
    this.#run.enqueue(insert, [...this.#tenant, ...values]);
  }

  /** The state of the mail of each invite. */
  async listMailStates(invites: readonly Id[]): Promise<ReadonlyMap<Id, MailProgress>> {
    const { rows } = await this.#run(listMailStates, [...this.#tenant, invites]);
    return new Map(rows.map(({ invite, ...mailState }) => [invite, mailState]));
  }

  /** Keeps others from queueing mail here until the transaction ends. */
  async lockTenant(): Promise<void> {
    await this.#run(lockTenant, this.#tenant);
  }

  /** Finds when a client, or the workspace where it is null, may send an address one more mail; undefined where it may now. */
  async findNextSlotTo(
    to: Pick<NewMail, 'client' | 'addressDigest'>,
    limit: MailLimit,
    now: number,
  ): Promise<number | undefined> {
    const values = [...this.#window(limit, now), to.addressDigest];
    const hits =
      to.client === null
        ? await this.#run(limitHitOfWorkspace, values)
        : await this.#run(limitHitToAddress, [...values, to.client]);
    return slotAfter(hits.rows, limit, now);
  }

  /** Finds the same for the whole environment. Counts all of it, though a caller may see a part of the environment only. */
  async findNextSlot(limit: MailLimit, now: number): Promise<number | undefined> {
    const { rows } = await this.#run.withAllVisible(() => this.#run(limitHitOfTenant, this.#window(limit, now)));
    return slotAfter(rows, limit, now);
  }

  #window({ count, withinMs }: MailLimit, now: number): [string, string, Date, number] {
    return [...this.#tenant, new Date(now - withinMs), count - 1];
  }
}

/** What was queued before the clock was set back counts from now. */
function slotAfter(rows: readonly { readonly at: number }[], { withinMs }: MailLimit, now: number): number | undefined {
  return rows[0] === undefined ? undefined : Math.min(rows[0].at, now) + withinMs;
}
