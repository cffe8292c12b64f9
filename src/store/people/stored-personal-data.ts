// Everything else that is held about a person, wherever it stands, as far as one reach goes: for whoever asks what is known of them,
// and for making it be forgotten.

import type { Id } from '../../kit/id.ts';
import type { Resource } from '../../kit/resource.ts';
import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { storedColumns, wallOf, within } from '../resources/resource-sql.ts';
import { remembered, sql } from '../postgres/statement.ts';

export interface HeldIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly createdAt: number;
  readonly lastSignedInAt: number;
}

export interface HeldSession {
  readonly id: Id;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
}

export interface HeldMail {
  readonly id: Id;
  readonly clientId: Id | null;
  readonly inviteId: Id | null;
  readonly createdAt: number;
  readonly attemptCount: number;
  readonly sentAt: number | null;
  readonly failedAt: number | null;
  readonly failure: string | null;
}

const here = 'workspace_id = $1 AND environment = $2';

const identities = sql<HeldIdentity>(
  'person-file/identities',
  `SELECT issuer, subject, email, created_at AS "createdAt", last_signed_in_at AS "lastSignedInAt" FROM person_identity
   WHERE ${here} AND person_id = $3 ORDER BY created_at, issuer, subject`,
);
const sessions = sql<HeldSession>(
  'person-file/sessions',
  `SELECT id, created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt", ended_at AS "endedAt" FROM session
   WHERE ${here} AND person_id = $3 ORDER BY id`,
);
const dropMail = sql('person-file/drop-mail', `DELETE FROM mail WHERE ${here} AND person_id = $3`);

/** What the walls need to know of mail. */
const mail = {
  owner: { relation: 'client' },
  relations: { client: { to: 'client', description: 'The client it was sent for.', on: [], writable: 'never' } },
} as unknown as Resource;

export class PersonFile {
  readonly #reach: Reach;
  readonly #run: Run;
  readonly #personId: string;

  constructor({ reach, run }: { reach: Reach; run: Run }, personId: string) {
    this.#reach = reach;
    this.#run = run;
    this.#personId = personId;
  }

  get #place(): readonly [string, string, string] {
    return [this.#reach.workspaceId, this.#reach.environment, this.#personId];
  }

  /** How somebody signs in is the login's, which may reach further than one client: told to who sees all of them. */
  async listIdentities(): Promise<HeldIdentity[]> {
    return this.#reach.sight.kind === 'all' ? (await this.#run(identities, this.#place)).rows : [];
  }

  async listSessions(): Promise<HeldSession[]> {
    return this.#reach.sight.kind === 'all' ? (await this.#run(sessions, this.#place)).rows : [];
  }

  async listMail(): Promise<HeldMail[]> {
    const { kind } = this.#reach.sight;
    const statement = remembered<HeldMail>(
      `person-file/${kind}/mail`,
      () => `SELECT t.id, t.client_id AS "clientId", t.invite_id AS "inviteId", t.created_at AS "createdAt",
          t.attempt_count AS "attemptCount", t.sent_at AS "sentAt", t.failed_at AS "failedAt", t.failure FROM mail t
        WHERE ${within(mail, kind)} AND t.person_id = $4 ORDER BY t.id`,
    );
    return (await this.#run(statement, [...wallOf(this.#reach), this.#personId])).rows;
  }

  /** The lines that tell of them and of their invites, and those of what they did, oldest first. */
  async listLines(invites: readonly Id[]): Promise<AuditEntry[]> {
    const { kind } = this.#reach.sight;
    const statement = remembered<AuditEntry>(
      `person-file/${kind}/lines`,
      () => `SELECT ${storedColumns(auditEntry, 'v1')} FROM audit_entry t WHERE ${within(auditEntry, kind)}
          AND (t.subject = $4 AND t.subject <> t.workspace_id OR t.subject_type = 'user' AND t.subject_id = $4
            OR t.subject_type = 'invite' AND t.subject_id = ANY ($5::text[]))
        ORDER BY t.id`,
    );
    return (await this.#run(statement, [...wallOf(this.#reach), this.#personId, invites])).rows;
  }

  /** Sent or not: what is still on its way goes nowhere. */
  async dropMail(): Promise<void> {
    await this.#run(dropMail, this.#place);
  }
}
