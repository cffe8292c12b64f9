// The sealed keys of people. Personal data in records that cannot be changed is encrypted with the person's key: the key outlives the
// person's row, and deleting it erases the data.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

export interface StoredPersonKey {
  readonly personId: string;
  readonly keySealed: Buffer;
}

const insert = sql(
  'person-keys/insert',
  `INSERT INTO person_key (workspace_id, environment, person_id, key_sealed, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING`,
);
const list = sql<StoredPersonKey>(
  'person-keys/list',
  `SELECT person_id AS "personId", key_sealed AS "keySealed" FROM person_key
   WHERE workspace_id = $1 AND environment = $2 AND person_id = ANY ($3::text[])`,
);
const forget = sql(
  'person-keys/forget',
  'DELETE FROM person_key WHERE workspace_id = $1 AND environment = $2 AND person_id = $3',
);

export class PersonKeys {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Stores a key unless the person has one. Enqueued. */
  append({ personId, keySealed }: StoredPersonKey, at: number): void {
    this.#run.enqueue(insert, [...this.#tenant, personId, keySealed, new Date(at)]);
  }

  async list(personIds: readonly string[]): Promise<StoredPersonKey[]> {
    return (await this.#run(list, [...this.#tenant, personIds])).rows;
  }

  /** Deletes the key, after which nothing sealed with it can be read. */
  async forget(personId: string): Promise<void> {
    await this.#run(forget, [...this.#tenant, personId]);
  }
}
