// Dirty flags of clients: every change that can move a client's figures sets one, and a round clears it. A change that concerns several
// clients sets one shared flag, which is spread to the clients before their rounds.

import type { Id } from '../../kit/id.ts';
import type { RoundCause } from '../../model/limit/calculation-round.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, type Value } from '../postgres/statement.ts';

/** Keeps the moment of a client that is flagged already, and adds the cause. */
const onFlagged = `ON CONFLICT (workspace_id, environment, client_id) DO UPDATE
  SET causes = CASE WHEN $4 = ANY (round_mark.causes) THEN round_mark.causes ELSE round_mark.causes || $4 END`;

const putFlag = sql(
  'round-mark/one',
  `INSERT INTO round_mark (workspace_id, environment, client_id, since, causes)
   VALUES ($1, $2, $5, $3, ARRAY[$4::text]) ${onFlagged}`,
);

/**
 * Writes a flag that is there already once more, to lock its row: a node that is about to spread it waits for this transaction, and
 * then sees its change.
 */
const putSharedFlag = sql(
  'round-mark/shared',
  `INSERT INTO shared_round_mark AS m (workspace_id, environment, concerns, cause, since) VALUES ($1, $2, $5, $4, $3)
   ON CONFLICT (workspace_id, environment, concerns, cause) DO UPDATE SET since = m.since`,
);

/** Of many instruments, in the order of their ids. */
const putSharedFlags = sql(
  'round-mark/shared-all',
  `INSERT INTO shared_round_mark AS m (workspace_id, environment, concerns, cause, since)
   SELECT $1, $2, concerned, $4, $3 FROM unnest($5::text[]) AS concerned ORDER BY concerned
   ON CONFLICT (workspace_id, environment, concerns, cause) DO UPDATE SET since = m.since`,
);

interface HolderTable {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Which of its rows are current, in the environment $2. */
  readonly current: string;
}

/** The next holder of an instrument, by an index that is sorted by holder. */
const nextHolder = ({ table, column, current }: HolderTable, after: string): string =>
  `(SELECT t.client_id FROM ${table} t WHERE t.workspace_id = $1 AND ${current}
     AND t.${column} = h.concerns ${after} ORDER BY t.client_id LIMIT 1)`;

/** The clients that have a current row with an instrument. Skips from holder to holder, so that the rows of one holder cost nothing. */
const holdersBy = (by: HolderTable): string =>
  `${by.name} AS (SELECT h.concerns, ${nextHolder(by, 'AND t.client_id IS NOT NULL')} AS client_id FROM concerned h
     UNION ALL SELECT h.concerns, ${nextHolder(by, 'AND t.client_id > h.client_id')} FROM ${by.name} h
     WHERE h.client_id IS NOT NULL)`;

const transactions = { table: 'transaction', current: 't.environment = $2 AND t.known_until IS NULL' };
const uploads = { table: 'historical_holding', current: 't.current_environment = $2' };

const holders: readonly HolderTable[] = [
  { name: 'by_transaction', ...transactions, column: 'instrument_id' },
  { name: 'by_target', ...transactions, column: 'target_instrument_id' },
  { name: 'by_upload', ...uploads, column: 'instrument_id' },
];

interface SharedFlag {
  readonly concerns: string;
  readonly cause: string;
  readonly since: number;
}

const takeShared = sql<SharedFlag>(
  'round-mark/take-shared',
  'DELETE FROM shared_round_mark WHERE workspace_id = $1 AND environment = $2 RETURNING concerns, cause, since',
);

/** A client that shared flags concern, with the causes between commas. */
interface ReachedClient {
  readonly clientId: Id;
  readonly since: number;
  readonly causes: string;
}

/** Only reads: servers that spread workspaces cannot find rows recursively and write them in one statement. */
const listReached = sql<ReachedClient>(
  'round-mark/list-reached',
  `WITH RECURSIVE taken AS MATERIALIZED (SELECT * FROM unnest($3::text[], $4::text[], $5::timestamptz[]) t (concerns, cause, since)),
     concerned AS (SELECT DISTINCT concerns FROM taken WHERE concerns <> 'all'),
     ${holders.map(holdersBy).join(', ')},
     held AS (${holders.map(({ name }) => `SELECT concerns, client_id FROM ${name} WHERE client_id IS NOT NULL`).join(' UNION ')}),
     everybody AS (SELECT c.id FROM client c WHERE c.workspace_id = $1 AND c.environment = $2
       AND EXISTS (SELECT FROM taken WHERE concerns = 'all')),
     reached AS (SELECT h.client_id, m.cause, m.since FROM held h JOIN taken m USING (concerns)
       UNION ALL SELECT e.id, m.cause, m.since FROM everybody e, taken m WHERE m.concerns = 'all')
   SELECT client_id AS "clientId", min(since) AS since, string_agg(DISTINCT cause, ',') AS causes
   FROM reached GROUP BY client_id`,
);

/** Flags clients in the order of their ids, so that two transactions cannot deadlock. */
const putFlags = sql(
  'round-mark/spread',
  `INSERT INTO round_mark AS r (workspace_id, environment, client_id, since, causes)
   SELECT $1, $2, f.client_id, f.since, string_to_array(f.causes, ',')
   FROM unnest($3::text[], $4::timestamptz[], $5::text[]) f (client_id, since, causes) ORDER BY f.client_id
   ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET causes =
     r.causes || ARRAY(SELECT one FROM unnest(excluded.causes) one WHERE one <> ALL (r.causes) ORDER BY one)`,
);

interface DirtyFlag {
  readonly cause: RoundCause;
  readonly now: number;
}

interface ScopedRunner {
  readonly scope: Scope;
  readonly run: Run;
}

/** Sends the statement with the next batch, or with the commit. */
export function flagClient({ scope, run }: ScopedRunner, clientId: Id, { cause, now }: DirtyFlag): void {
  run.enqueue(putFlag, [scope.workspaceId, scope.environment, new Date(now), cause, clientId]);
}

/** Flags all clients, for a change of something they share. */
export function flagAllClients({ scope, run }: ScopedRunner, { cause, now }: DirtyFlag): void {
  run.enqueue(putSharedFlag, [scope.workspaceId, scope.environment, new Date(now), cause, 'all']);
}

/** Flags the client of a private instrument, or all clients that hold a shared one. */
export function flagHolders(
  store: ScopedRunner,
  { id, client }: { readonly id: Id; readonly client: Id | null },
  flag: DirtyFlag,
): void {
  if (client !== null) return flagClient(store, client, flag);
  const { workspaceId, environment } = store.scope;
  store.run.enqueue(putSharedFlag, [workspaceId, environment, new Date(flag.now), flag.cause, id]);
}

/** Like `flagHolders`, for many instruments: one statement for all that are shared. */
export function flagHoldersOfAll(
  store: ScopedRunner,
  instruments: readonly { readonly id: Id; readonly client: Id | null }[],
  flag: DirtyFlag,
): void {
  const clients = new Set(instruments.flatMap(({ client }) => client ?? []));
  for (const client of [...clients].toSorted()) flagClient(store, client, flag);
  const shared = instruments.filter(({ client }) => client === null).map(({ id }) => id);
  if (shared.length === 0) return;
  const { workspaceId, environment } = store.scope;
  store.run.enqueue(putSharedFlags, [workspaceId, environment, new Date(flag.now), flag.cause, shared]);
}

/** Turns shared flags into flags of clients. A client holds an instrument where it has a current row with it. */
export async function spreadSharedFlags({ scope, run }: ScopedRunner): Promise<void> {
  const tenant: readonly Value[] = [scope.workspaceId, scope.environment];
  const { rows } = await run(takeShared, tenant);
  if (rows.length === 0) return;
  const isoMoments = (marks: readonly { readonly since: number }[]): string[] =>
    marks.map(({ since }) => new Date(since).toISOString());
  const flags = [rows.map(({ concerns }) => concerns), rows.map(({ cause }) => cause), isoMoments(rows)];
  const { rows: reached } = await run(listReached, [...tenant, ...flags]);
  if (reached.length === 0) return;
  const clients = reached.map(({ clientId }) => clientId);
  await run(putFlags, [...tenant, clients, isoMoments(reached), reached.map(({ causes }) => causes)]);
}
