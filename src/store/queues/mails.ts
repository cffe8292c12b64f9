// Mail for those who write it: queued in the transaction of what it tells of, counted against limits, and shown with the invite. Addresses are
// stored as digests only.

import type { Id } from '../../kit/id.ts';
import type { Refusal } from '../../kit/refusal.ts';
import type { MailProgress, MailStatus } from '../../model/people/mail/mail-progress.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { bytesTexts, sql, type Refuse, type Statement } from '../postgres/statement.ts';

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

/** The beginning of names of settings that do not exist: reading one fails, and its name says when a mail was queued. */
const limitHit = 'holdfast.mail_limit_';

/** Fails if mail would be over a limit, with the moment of the mail that has to leave the period before there is room for another. */
function requireRoom(name: string, condition: string): Statement<unknown> {
  return sql(
    `mails/room-${name}`,
    `SELECT CASE WHEN hit.at IS NULL THEN true
       ELSE current_setting('${limitHit}' || (extract(epoch FROM hit.at) * 1000)::bigint) = '' END AS has_room
     FROM (SELECT (SELECT m.created_at FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.created_at > $3 ${condition}
       ORDER BY m.created_at DESC OFFSET $4 LIMIT 1) AS at) hit`,
  );
}

const requireRoomOfTenant = requireRoom('of-tenant', '');
const requireRoomToAddress = requireRoom('to-address', 'AND m.client_id = $6 AND m.address_digest = ANY ($5::bytea[])');
const requireRoomOfWorkspace = requireRoom(
  'of-workspace-to-address',
  'AND m.client_id IS NULL AND m.address_digest = ANY ($5::bytea[])',
);

/** A limit of mail, and how the refusal is made when there is room only from a moment on. */
interface LimitCheck {
  readonly limit: MailLimit;
  readonly now: number;
  refuse(allowedAt: number): Refusal;
}

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

  /** Keeps others from queueing mail here until the transaction ends. Enqueued. */
  lockTenant(): void {
    this.#run.enqueue(lockTenant, this.#tenant);
  }

  /** Fails the transaction if a client, or the workspace where it is null, may not send an address one more mail now. Enqueued. */
  requireRoomTo(
    { client, addressDigests }: Pick<NewMail, 'client'> & { readonly addressDigests: readonly Buffer[] },
    check: LimitCheck,
  ): void {
    const values = [...this.#window(check), bytesTexts(addressDigests)];
    if (client === null) this.#run.enqueue(requireRoomOfWorkspace, values, refusalOf(check));
    else this.#run.enqueue(requireRoomToAddress, [...values, client], refusalOf(check));
  }

  /** The same for the whole environment. Counts all of it, though a caller may see a part of the environment only. Enqueued. */
  requireRoomInAll(check: LimitCheck): void {
    this.#run.enqueueWithAllVisible(requireRoomOfTenant, this.#window(check), refusalOf(check));
  }

  #window({ limit: { count, withinMs }, now }: LimitCheck): [string, string, Date, number] {
    return [...this.#tenant, new Date(now - withinMs), count - 1];
  }
}

/** What was queued before the clock was set back counts from now. */
function refusalOf({ limit, now, refuse }: LimitCheck): Refuse {
  return ({ message }) => {
    const [, hitAt] = message.split(limitHit);
    return hitAt === undefined ? undefined : refuse(Math.min(Number.parseInt(hitAt, 10), now) + limit.withinMs);
  };
}
