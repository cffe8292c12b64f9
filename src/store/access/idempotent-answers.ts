// Answers kept for repeated requests. A claim is made first and holds back a raced twin until the first has committed.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

export interface StoredAnswer {
  readonly caller: string;
  readonly requestHash: Buffer;
  readonly answerSealed: Buffer | null;
  readonly expiresAt: number;
}

export interface AnswerClaim {
  readonly keyHash: Buffer;
  readonly caller: string;
  readonly requestHash: Buffer;
  readonly expiresAt: number;
  readonly now: number;
  /** Whether the answer may tell who somebody is. */
  readonly isPersonal: boolean;
}

/** An answer whose time is over gives its place to the new claim. */
const insert = sql(
  'idempotent-answer/claim',
  `INSERT INTO idempotent_answer AS a (workspace_id, environment, key_hash, caller, request_hash, expires_at, is_personal)
   VALUES ($1, $2, $3, $4, $5, $6, $8)
   ON CONFLICT (workspace_id, environment, key_hash) DO UPDATE
     SET caller = excluded.caller, request_hash = excluded.request_hash, expires_at = excluded.expires_at, answer_sealed = NULL,
       is_personal = excluded.is_personal
     WHERE a.expires_at <= $7`,
);
const find = sql<StoredAnswer>(
  'idempotent-answer/find',
  `SELECT caller, request_hash AS "requestHash", answer_sealed AS "answerSealed", expires_at AS "expiresAt"
   FROM idempotent_answer WHERE workspace_id = $1 AND environment = $2 AND key_hash = $3`,
);
const put = sql(
  'idempotent-answer/keep',
  'UPDATE idempotent_answer SET answer_sealed = $4 WHERE workspace_id = $1 AND environment = $2 AND key_hash = $3',
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

  /** Claims the key for this request; what stands there already is handed back instead. */
  async claim({
    keyHash,
    caller,
    requestHash,
    expiresAt,
    now,
    isPersonal,
  }: AnswerClaim): Promise<StoredAnswer | undefined> {
    const moments = [new Date(expiresAt), new Date(now)];
    const values = [...this.#tenant, keyHash, caller, requestHash, ...moments, isPersonal];
    const { count } = await this.#run(insert, values);
    if (count === 1) return undefined;
    return (await this.#run(find, [...this.#tenant, keyHash])).rows[0];
  }

  async put(keyHash: Buffer, answerSealed: Buffer): Promise<void> {
    await this.#run(put, [...this.#tenant, keyHash, answerSealed]);
  }

  /** Those that may tell who somebody is. */
  async listPersonal(): Promise<{ keyHash: Buffer; answerSealed: Buffer }[]> {
    return (await this.#run(listPersonal, this.#tenant)).rows;
  }

  async forget(keyHash: Buffer): Promise<void> {
    await this.#run(forget, [...this.#tenant, keyHash]);
  }
}
