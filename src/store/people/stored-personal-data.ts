// Everything else that is stored about a person within a scope: identities, sessions, mail and audit entries, to hand out on request and
// to erase.

import type { Id } from '../../kit/id.ts';
import { auditEntry, type AuditEntry } from '../../model/access/audit-entry.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { storedColumns, tenantFilterValues, tenantFilterSql, type OwnedTable } from '../resources/resource-sql.ts';
import { memoized, sql } from '../postgres/statement.ts';

export interface IdentityRecord {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly createdAt: number;
  readonly lastSignedInAt: number;
}

export interface SessionRecord {
  readonly id: Id;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
  readonly userAgent: string | null;
}

export interface MailRecord {
  readonly id: Id;
  readonly clientId: Id | null;
  readonly inviteId: Id | null;
  readonly createdAt: number;
  readonly attemptCount: number;
  readonly sentAt: number | null;
  readonly failedAt: number | null;
  readonly failure: string | null;
}

const ofTenant = 'workspace_id = $1 AND environment = $2';

const identities = sql<IdentityRecord>(
  'person-file/identities',
  `SELECT issuer, subject, email, created_at AS "createdAt", last_signed_in_at AS "lastSignedInAt" FROM person_identity
   WHERE ${ofTenant} AND person_id = $3 ORDER BY created_at, issuer, subject`,
);
const sessions = sql<SessionRecord>(
  'person-file/sessions',
  `SELECT id, created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt", ended_at AS "endedAt",
     user_agent AS "userAgent" FROM session
   WHERE ${ofTenant} AND person_id = $3 ORDER BY id`,
);
const dropMail = sql('person-file/drop-mail', `DELETE FROM mail WHERE ${ofTenant} AND person_id = $3`);

/** How mail is filtered by tenant. */
const mailResource: OwnedTable = {
  owner: { relation: 'client' },
  relations: { client: { to: 'client' } },
};

export class StoredPersonalData {
  readonly #scope: Scope;
  readonly #run: Run;
  readonly #personId: string;

  constructor({ scope, run }: { scope: Scope; run: Run }, personId: string) {
    this.#scope = scope;
    this.#run = run;
    this.#personId = personId;
  }

  get #personValues(): readonly [string, string, string] {
    return [this.#scope.workspaceId, this.#scope.environment, this.#personId];
  }

  /** An identity may serve several clients, so only callers who see all clients get it. */
  async listIdentities(): Promise<IdentityRecord[]> {
    return this.#scope.visibleClients.kind === 'all' ? (await this.#run(identities, this.#personValues)).rows : [];
  }

  async listSessions(): Promise<SessionRecord[]> {
    return this.#scope.visibleClients.kind === 'all' ? (await this.#run(sessions, this.#personValues)).rows : [];
  }

  async listMail(): Promise<MailRecord[]> {
    const { kind } = this.#scope.visibleClients;
    const statement = memoized<MailRecord>(
      `person-file/${kind}/mail`,
      () => `SELECT t.id, t.client_id AS "clientId", t.invite_id AS "inviteId", t.created_at AS "createdAt",
          t.attempt_count AS "attemptCount", t.sent_at AS "sentAt", t.failed_at AS "failedAt", t.failure FROM mail t
        WHERE ${tenantFilterSql(mailResource, kind)} AND t.person_id = $4 ORDER BY t.id`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), this.#personId])).rows;
  }

  /**
   * The audit entries about a person and their invites, and those of what they did, oldest first. Those of exports are left out, so that
   * two exports of the same data are the same.
   */
  async listAuditEntries(invites: readonly Id[]): Promise<AuditEntry[]> {
    const { kind } = this.#scope.visibleClients;
    const statement = memoized<AuditEntry>(
      `person-file/${kind}/lines`,
      () => `SELECT ${storedColumns(auditEntry)} FROM audit_entry t WHERE ${tenantFilterSql(auditEntry, kind)}
          AND t.act <> 'export' AND (t.subject = $4 AND t.subject <> t.workspace_id OR t.subject_type IN ('user', 'administrator') AND t.subject_id = $4
            OR t.subject_type = 'invite' AND t.subject_id = ANY ($5::text[]))
        ORDER BY t.id`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), this.#personId, invites])).rows;
  }

  /** Deletes the person's mail; unsent mail is not sent any more. */
  async dropMail(): Promise<void> {
    await this.#run(dropMail, this.#personValues);
  }
}
