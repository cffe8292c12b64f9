// The records that an import created or learned beside its rows: instruments of the catalogue, and what codes mean. Undoing needs them.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, withoutOutcome } from '../postgres/statement.ts';

export interface ImportCreation {
  readonly type: 'instrument' | 'identifier-mapping';
  readonly id: Id;
  /** Of an instrument, what was created; of a mapping, what it meant and means: JSON. */
  readonly content: string;
}

/** They are kept with the rows under numbers that no row or balance has: from −2³⁰ − 1 down. */
const insertCreations = sql(
  'import-creations/insert',
  withoutOutcome(`INSERT INTO import_row (workspace_id, environment, import_id, client_id, number, ordinal, line, item, outcome, stated, target_type, target_id, before)
   SELECT $1, $2, $3, $4, (SELECT coalesce(min(r.number), -1073741824) FROM import_row r WHERE r.workspace_id = $1 AND r.environment = $2
       AND r.import_id = $3 AND r.number < -1073741824) - s.position, 1, 0, 'created', 'booked', '{}', s.type, s.id, s.content
   FROM unnest($5::text[], $6::text[], $7::json[]) WITH ORDINALITY s (type, id, content, position)`),
);

const listCreations = sql<ImportCreation & { number: number }>(
  'import-creations/list',
  `SELECT t.number, t.target_type AS type, t.target_id AS id, t.before::text AS content FROM import_row t
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number < $4 ORDER BY t.number DESC LIMIT $5`,
);

/** Limits of any client may name an instrument by its id, without a foreign key. */
const findNamingLimit = sql<{ isNamed: boolean }>(
  'import-creations/naming-limit',
  `SELECT EXISTS (SELECT FROM limit_rule t WHERE t.workspace_id = $1 AND t.environment = $2
     AND jsonb_path_exists(t.filter, '$.**.value[*] ? (@ == $id)', jsonb_build_object('id', $3::text))) AS "isNamed"`,
);

export class ImportCreations {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async insert(importId: Id, client: Id | null, creations: readonly ImportCreation[]): Promise<void> {
    if (creations.length === 0) return;
    await this.#run(insertCreations, [
      ...this.#tenant,
      importId,
      client,
      creations.map(({ type }) => type),
      creations.map(({ id }) => id),
      creations.map(({ content }) => content),
    ]);
  }

  /** Whether a limit's filter has a condition on this instrument. */
  async isNamedByLimit(instrument: Id): Promise<boolean> {
    const { rows } = await this.#run(findNamingLimit, [...this.#tenant, instrument]);
    return rows.some(({ isNamed }) => isNamed);
  }

  /** In the order in which they were created, after this number. */
  async list(
    importId: Id,
    { after = -1_073_741_824, limit }: { readonly after?: number | undefined; readonly limit: number },
  ): Promise<(ImportCreation & { readonly number: number })[]> {
    return (await this.#run(listCreations, [...this.#tenant, importId, after, limit])).rows;
  }
}
