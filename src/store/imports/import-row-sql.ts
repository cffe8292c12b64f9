// The statements that write and read the rows of imports.

import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { RowOutcome } from '../../model/custody/import-row.ts';
import { sql, withoutOutcome } from '../postgres/statement.ts';

const resultColumns = {
  outcome: 'text',
  code: 'text',
  detail: 'text',
  needs: 'text',
  account_id: 'text',
  reference: 'text',
  target_type: 'text',
  target_id: 'text',
  target_version: 'bigint',
  before: 'json',
} as const;

const resultNames = Object.keys(resultColumns);
const resultTypes = Object.values(resultColumns);
const arrays = (types: readonly string[], first: number): string =>
  types.map((type, index) => `$${first + index}::${type}[]`).join(', ');
/** Unnested where they are selected: in FROM, each would be stored first. */
const unnested = (types: readonly string[], first: number): string =>
  types.map((type, index) => `unnest($${first + index}::${type}[])`).join(', ');

export const insertRows = sql(
  'import-rows/insert',
  withoutOutcome(`INSERT INTO import_row (workspace_id, environment, import_id, client_id, number, ordinal, line, field, item, stated, ${resultNames.join(', ')})
   SELECT $1, $2, $3, $4, ${unnested(['int', 'int', 'int', 'text', 'text'], 5)},
     unnest(string_to_array($10, chr(30)))::json, ${unnested(resultTypes, 11)}`),
);

/** A decision concerns rows that need one only. */
const needsDecision = `t.outcome = 'needs' AND t.needs = 'decision'`;

export const decideRows = sql<{ number: number }>(
  'import-rows/decide',
  `UPDATE import_row t SET decision = s.decision FROM unnest($4::int[], $5::text[]) s (number, decision)
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number = s.number AND ${needsDecision} RETURNING t.number`,
);

export const decideOthers = sql(
  'import-rows/decide-others',
  `UPDATE import_row t SET decision = $4 WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND ${needsDecision}
     AND t.number <> ALL ($5::int[])`,
);

/** What rows of imports say about entries that are known by these references. */
export const listSayings = sql<RawSaying>(
  'import-rows/sayings',
  `SELECT r.import_id AS "importId", r.account_id AS account, r.reference, r.stated->>'statement' AS statement,
     r.stated->'account'->>'number' AS "accountNumber", r.stated->>'comment' AS comment,
     r.stated->>'amount' AS amount, r.stated->>'balance' AS balance
   FROM unnest($3::text[], $4::text[], $5::text[]) s (import_id, account_id, reference)
   JOIN import_row r ON r.workspace_id = $1 AND r.environment = $2 AND r.import_id = s.import_id AND r.account_id = s.account_id
     AND r.reference = s.reference AND r.item = 'entry' AND r.number > 0`,
);

export interface RawSaying {
  readonly importId: Id;
  readonly account: Id;
  readonly reference: string;
  readonly statement: string | null;
  readonly accountNumber: string | null;
  readonly comment: string | null;
  readonly amount: Decimal | null;
  readonly balance: Decimal | null;
}

/** How many balances of an import tell how its statements follow each other. */
export const statedBalancesMax = 20_000;

/** The balances of several imports. */
export const listStatedBalances = sql<{ importId: Id; stated: string }>(
  'import-rows/stated-balances',
  `SELECT s.id AS "importId", t.stated::text AS stated FROM unnest($3::text[]) s (id) CROSS JOIN LATERAL (SELECT r.stated FROM import_row r
     WHERE r.workspace_id = $1 AND r.environment = $2 AND r.import_id = s.id AND r.number < 0 AND r.item = 'balance'
     ORDER BY r.number DESC LIMIT ${statedBalancesMax}) t`,
);

export const listStatedWarnings = sql<{ id: Id; warnings: string }>(
  'import-rows/stated-warnings',
  `SELECT i.id, i.warnings::text AS warnings FROM import i WHERE i.workspace_id = $1 AND i.environment = $2 AND i.id = ANY ($3::text[])`,
);

/** The transactions that rows of this import stand for already. */
export const listTaken = sql<{ transaction: Id; statement: string | null }>(
  'import-rows/taken',
  `SELECT t.target_id AS transaction, t.stated->>'statement' AS statement FROM import_row t WHERE t.workspace_id = $1 AND t.environment = $2
     AND t.import_id = $3 AND t.target_type = 'transaction' AND t.outcome IN ('booked', 'amended', 'unchanged') AND t.target_id = ANY ($4::text[])`,
);

export const insertBalances = sql(
  'import-rows/insert-balances',
  withoutOutcome(`INSERT INTO import_row (workspace_id, environment, import_id, client_id, ordinal, item, outcome, number, line, stated)
   SELECT $1, $2, $3, $4, 1, 'balance', 'unchanged', s.* FROM unnest($5::int[], $6::int[], $7::json[]) s`),
);

export const listBalances = sql<{ stated: string }>(
  'import-rows/balances',
  `SELECT t.stated::text AS stated FROM import_row t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3
     AND t.item = 'balance' AND t.number < $4 ORDER BY t.number DESC LIMIT $5`,
);

export const updateRows = sql(
  'import-rows/update',
  `UPDATE import_row t SET ${resultNames.map((name) => `${name} = s.${name}`).join(', ')}
   FROM unnest(${arrays(['int', ...resultTypes], 4)}) s (number, ${resultNames.join(', ')})
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number = s.number
     AND t.number BETWEEN (SELECT min(n) FROM unnest($4::int[]) n) AND (SELECT max(n) FROM unnest($4::int[]) n)`,
);

/** What rows say once it is known how to read them. */
export const restateRows = sql(
  'import-rows/restate',
  `UPDATE import_row t SET item = s.item, stated = s.stated::json FROM unnest($4::int[], $5::text[], $6::text[]) s (number, item, stated)
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number = s.number`,
);

export const countRows = sql<{ outcome: RowOutcome; count: number }>(
  'import-rows/count',
  `SELECT outcome, count(*) AS count FROM import_row WHERE workspace_id = $1 AND environment = $2 AND import_id = $3
     AND number > 0 GROUP BY 1`,
);

export const setUndo = sql(
  'import-rows/undo',
  `UPDATE import_row t SET undo = s.undo FROM unnest($4::int[], $5::text[]) s (number, undo)
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number = s.number
     AND t.number BETWEEN (SELECT min(n) FROM unnest($4::int[]) n) AND (SELECT max(n) FROM unnest($4::int[]) n)`,
);

/** Rows of this import that were booked before the cancellation of their entry came. */
export const cancelRows = sql(
  'import-rows/cancel',
  `UPDATE import_row t SET outcome = 'unchanged', code = 'cancelled', detail = $6, target_type = NULL, target_id = NULL,
     target_version = NULL, before = NULL
   FROM unnest($4::text[], $5::text[]) s (account_id, reference)
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.account_id = s.account_id
     AND t.reference = s.reference AND t.outcome = 'booked'`,
);

/** How many rows of an import one statement deletes. */
export const deletedRowsMax = 10_000;

/** Some rows of an import, in the order of their numbers: those of creations and balances come first. */
export const deleteSome = sql<{ count: number; last: number | null }>(
  'import-rows/delete-some',
  `WITH doomed AS MATERIALIZED (SELECT r.number FROM import_row r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.import_id = $3
       AND r.number > $4 ORDER BY r.number LIMIT ${deletedRowsMax}),
     gone AS (DELETE FROM import_row r USING doomed s WHERE r.workspace_id = $1 AND r.environment = $2 AND r.import_id = $3
       AND r.number = s.number RETURNING r.number)
   SELECT count(*)::int AS count, max(number) AS last FROM gone`,
);

/** The oldest import that is checked and not booked; one that is being booked now is left out. */
export const lockUnbooked = sql<{ id: Id; rows: number }>(
  'import-rows/lock-unbooked',
  `SELECT i.id, i.stored_rows AS rows FROM import i WHERE i.workspace_id = $1 AND i.environment = $2 AND i.state = 'checked' AND i.id < $3
   ORDER BY i.id LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

export const deleteOfClient = sql(
  'import-rows/delete-of-client',
  `DELETE FROM import_row r USING import i WHERE i.workspace_id = $1 AND i.environment = $2 AND i.client_id = $3
     AND r.workspace_id = $1 AND r.environment = $2 AND r.import_id = i.id`,
);

/** A transaction that several rows of an import have written. */
export interface RepeatedTarget {
  readonly id: Id;
  readonly first: number;
  readonly last: number;
  readonly isNew: boolean;
}

export const listRepeated = sql<RepeatedTarget>(
  'import-rows/repeated',
  `SELECT t.target_id AS id, min(t.target_version) AS first, max(t.target_version) AS last, bool_or(t.outcome = 'booked') AS "isNew"
   FROM import_row t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.target_type = 'transaction'
     AND t.outcome IN ('booked', 'amended') GROUP BY 1 HAVING count(*) > 1`,
);

/** What booked imports, and this one, say about prices and rates. */
export const listStatedPoints = sql<StatedPointTime>(
  'import-rows/stated-points',
  `SELECT DISTINCT t.target_id AS id, coalesce(t.stated->>'value', t.stated->>'rate') AS value, t.stated->>'statedAt' AS "statedAt"
   FROM import_row t JOIN import i ON i.workspace_id = $1 AND i.environment = $2 AND i.id = t.import_id
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.target_id = ANY ($3::text[]) AND t.undo IS NULL
     AND t.target_type IN ('price', 'net-asset-value', 'interest-rate', 'index-factor', 'fx-rate')
     AND t.stated->>'statedAt' IS NOT NULL AND (i.state = 'booked' OR i.id = $4)`,
);

export interface StatedPointTime {
  readonly id: Id;
  readonly value: string;
  readonly statedAt: string;
}
