// The keys of people, sealed: what is written about somebody where nothing can be taken back is sealed with theirs. A key stays when
// the person goes; to forget it is to forget them. Cannot open anything.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
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

  /** Goes with whatever is sent to the database next. Whoever has a key keeps it. */
  append({ personId, keySealed }: StoredPersonKey, at: number): void {
    this.#run.enqueue(insert, [...this.#tenant, personId, keySealed, new Date(at)]);
  }

  async list(personIds: readonly string[]): Promise<StoredPersonKey[]> {
    return (await this.#run(list, [...this.#tenant, personIds])).rows;
  }

  /** What was sealed with it can be read by nobody from now on. */
  async forget(personId: string): Promise<void> {
    await this.#run(forget, [...this.#tenant, personId]);
  }
}
