// Stored answers for repeated requests. A request claims its key first; a concurrent duplicate is told so and does not wait in the database.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

export interface StoredAnswer {
  readonly caller: string;
  readonly requestHash: Buffer;
  readonly answerSealed: Buffer | null;
  readonly expiresAt: number;
}

interface AnswerClaim {
  readonly keyHash: Buffer;
  readonly caller: string;
  readonly requestHash: Buffer;
  readonly expiresAt: number;
  readonly now: number;
  /** Whether the answer may hold personal data. */
  readonly isPersonal: boolean;
}

const lockText =
  "pg_try_advisory_xact_lock(hashtextextended('request ' || $1 || ' ' || $2 || ' ' || encode($3::bytea, 'hex'), 0))";

/**
 * Returns a row if it inserts one: the count of a command that selects its rows includes conflicts where tables are spread over servers. The
 * lock is held until the transaction ends; a request that does not get it inserts nothing, instead of waiting for the row with a
 * connection in its hands.
 */
const insert = sql<{ isClaimed: boolean }>(
  'idempotent-answer/claim',
  `INSERT INTO idempotent_answer (workspace_id, environment, key_hash, caller, request_hash, expires_at, is_personal)
   SELECT $1, $2, $3::bytea, $4, $5::bytea, $6::timestamptz, $7::boolean WHERE ${lockText}
   ON CONFLICT (workspace_id, environment, key_hash) DO NOTHING RETURNING true AS "isClaimed"`,
);
const lock = sql<{ isLocked: boolean }>('idempotent-answer/lock', `SELECT ${lockText} AS "isLocked"`);
/** A claim replaces an answer that has expired. */
const replaceExpired = sql(
  'idempotent-answer/replace-expired',
  `UPDATE idempotent_answer SET caller = $4, request_hash = $5, expires_at = $6, answer_sealed = NULL, is_personal = $7
   WHERE workspace_id = $1 AND environment = $2 AND key_hash = $3 AND expires_at <= $8`,
);
const find = sql<StoredAnswer>(
  'idempotent-answer/find',
  `SELECT caller, request_hash AS "requestHash", answer_sealed AS "answerSealed", expires_at AS "expiresAt"
   FROM idempotent_answer WHERE workspace_id = $1 AND environment = $2 AND key_hash = $3`,
);
const put = sql(
  'idempotent-answer/keep',
  'UPDATE idempotent_answer SET answer_sealed = $4, caller = $5 WHERE workspace_id = $1 AND environment = $2 AND key_hash = $3',
);

const listPersonal = sql<{ keyHash: Buffer; answerSealed: Buffer }>(
  'idempotent-answer/list-personal',
  `SELECT key_hash AS "keyHash", answer_sealed AS "answerSealed" FROM idempotent_answer
   WHERE workspace_id = $1 AND environment = $2 AND is_personal AND answer_sealed IS NOT NULL ORDER BY key_hash`,
);
const forget = sql(
  'idempotent-answer/forget',
  'UPDATE idempotent_answer SET answer_sealed = NULL WHERE workspace_id = $1 AND environment = $2 AND key_hash = $3',
);

export class IdempotentAnswers {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#tenant = [scope.workspaceId, scope.environment];
    this.#run = run;
  }

  /** Claims the key for this request, or returns what is stored under it, unless a request that is in progress holds it. */
  async claim({
    keyHash,
    caller,
    requestHash,
    expiresAt,
    now,
    isPersonal,
  }: AnswerClaim): Promise<StoredAnswer | 'in-progress' | undefined> {
    const key = [...this.#tenant, keyHash];
    const values = [...key, caller, requestHash, new Date(expiresAt), isPersonal];
    const { rows: claimed } = await this.#run(insert, values);
    if (claimed.length === 1) return undefined;
    const [stored] = (await this.#run(find, key)).rows;
    if (stored === undefined) return 'in-progress';
    if (stored.expiresAt > now) return stored;
    const [locked] = (await this.#run(lock, key)).rows;
    if (locked?.isLocked !== true) return 'in-progress';
    const replaced = await this.#run(replaceExpired, [...values, new Date(now)]);
    return replaced.count === 1 ? undefined : 'in-progress';
  }

  /** Returns the answer that is stored under a key, without claiming it. */
  async find(keyHash: Buffer, now: number): Promise<StoredAnswer | undefined> {
    const [stored] = (await this.#run(find, [...this.#tenant, keyHash])).rows;
    return stored !== undefined && stored.expiresAt > now ? stored : undefined;
  }

  async put(
    keyHash: Buffer,
    { answerSealed, caller }: { readonly answerSealed: Buffer; readonly caller: string },
  ): Promise<void> {
    await this.#run(put, [...this.#tenant, keyHash, answerSealed, caller]);
  }

  /** The answers that may hold personal data. */
  async listPersonal(): Promise<{ keyHash: Buffer; answerSealed: Buffer }[]> {
    return (await this.#run(listPersonal, this.#tenant)).rows;
  }

  async forget(keyHash: Buffer): Promise<void> {
    await this.#run(forget, [...this.#tenant, keyHash]);
  }
}
