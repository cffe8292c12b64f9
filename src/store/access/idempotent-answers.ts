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

/**
 * A new claim replaces an expired answer. The lock is held until the transaction ends; a request that does not get it inserts nothing, instead of
 * waiting for the row with a connection in its hands.
 */
const insert = sql(
  'idempotent-answer/claim',
  `INSERT INTO idempotent_answer AS a (workspace_id, environment, key_hash, caller, request_hash, expires_at, is_personal)
   SELECT $1, $2, $3::bytea, $4, $5::bytea, $6::timestamptz, $8::boolean
   WHERE pg_try_advisory_xact_lock(hashtextextended('request ' || $1 || ' ' || $2 || ' ' || encode($3::bytea, 'hex'), 0))
   ON CONFLICT (workspace_id, environment, key_hash) DO UPDATE
     SET caller = excluded.caller, request_hash = excluded.request_hash, expires_at = excluded.expires_at, answer_sealed = NULL,
       is_personal = excluded.is_personal
     WHERE a.expires_at <= $7::timestamptz`,
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
    const moments = [new Date(expiresAt), new Date(now)];
    const values = [...this.#tenant, keyHash, caller, requestHash, ...moments, isPersonal];
    const { count } = await this.#run(insert, values);
    if (count === 1) return undefined;
    return (await this.#run(find, [...this.#tenant, keyHash])).rows[0] ?? 'in-progress';
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
