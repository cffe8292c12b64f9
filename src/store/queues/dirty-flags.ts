// The mark that a client's figures are to be worked out anew: made with every change that can move them, kept until a round
// takes it. What many clients share leaves one mark for all whom it concerns, which whoever makes rounds spreads out. Knows no round.

import type { Id } from '../../kit/id.ts';
import type { RoundCause } from '../../model/limit/calculation-round.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

/** Of a client that is marked already the moment stays and the cause is added. */
const onFlagged = `ON CONFLICT (workspace_id, environment, client_id) DO UPDATE
  SET causes = CASE WHEN $4 = ANY (round_mark.causes) THEN round_mark.causes ELSE round_mark.causes || $4 END`;

const putFlag = sql(
  'round-mark/one',
  `INSERT INTO round_mark (workspace_id, environment, client_id, since, causes)
   VALUES ($1, $2, $5, $3, ARRAY[$4::text]) ${onFlagged}`,
);

/**
 * A mark that is there already is written again all the same: whoever is about to spread it out waits then, and does so when
 * this change can be seen.
 */
const putSharedFlag = sql(
  'round-mark/shared',
  `INSERT INTO shared_round_mark AS m (workspace_id, environment, concerns, cause, since) VALUES ($1, $2, $5, $4, $3)
   ON CONFLICT (workspace_id, environment, concerns, cause) DO UPDATE SET since = m.since`,
);

/** The holder of an instrument that comes after another, by an index that has holders in their order. */
const nextHolder = (table: string, column: string, after: string): string =>
  `(SELECT t.client_id FROM ${table} t WHERE t.workspace_id = $1 AND t.current_environment = $2
     AND t.${column} = h.concerns ${after} ORDER BY t.client_id LIMIT 1)`;

/** Whoever has a current row with an instrument, from one holder to the next, so that it takes no longer for many rows of each. */
const holdersBy = (name: string, table: string, column: string): string =>
  `${name} AS (SELECT h.concerns, ${nextHolder(table, column, 'AND t.client_id IS NOT NULL')} AS client_id FROM concerned h
     UNION ALL SELECT h.concerns, ${nextHolder(table, column, 'AND t.client_id > h.client_id')} FROM ${name} h
     WHERE h.client_id IS NOT NULL)`;

const holders = [
  ['by_transaction', 'transaction', 'instrument_id'],
  ['by_target', 'transaction', 'target_instrument_id'],
  ['by_upload', 'historical_holding', 'instrument_id'],
] as const;

/** In the order of their ids, so that no two who mark several wait for each other. */
const spread = sql(
  'round-mark/spread',
  `WITH RECURSIVE taken AS (DELETE FROM shared_round_mark WHERE workspace_id = $1 AND environment = $2
       RETURNING concerns, cause, since),
     concerned AS (SELECT DISTINCT concerns FROM taken WHERE concerns <> 'all'),
     ${holders.map(([name, table, column]) => holdersBy(name, table, column)).join(', ')},
     held AS (${holders.map(([name]) => `SELECT concerns, client_id FROM ${name} WHERE client_id IS NOT NULL`).join(' UNION ')}),
     everybody AS (SELECT c.id FROM client c WHERE c.workspace_id = $1 AND c.environment = $2
       AND EXISTS (SELECT FROM taken WHERE concerns = 'all')),
     reached AS (SELECT h.client_id, m.cause, m.since FROM held h JOIN taken m USING (concerns)
       UNION ALL SELECT e.id, m.cause, m.since FROM everybody e, taken m WHERE m.concerns = 'all')
   INSERT INTO round_mark AS r (workspace_id, environment, client_id, since, causes)
   SELECT $1, $2, client_id, min(since), array_agg(DISTINCT cause) FROM reached GROUP BY client_id ORDER BY client_id
   ON CONFLICT (workspace_id, environment, client_id) DO UPDATE SET causes =
     r.causes || ARRAY(SELECT one FROM unnest(excluded.causes) one WHERE one <> ALL (r.causes) ORDER BY one)`,
);

export interface DirtyFlag {
  readonly cause: RoundCause;
  readonly now: number;
}

interface ScopedRunner {
  readonly scope: Scope;
  readonly run: Run;
}

/** Goes with what is sent next, or with the commit. */
export function flagClient({ scope, run }: ScopedRunner, clientId: Id, { cause, now }: DirtyFlag): void {
  run.enqueue(putFlag, [scope.workspaceId, scope.environment, new Date(now), cause, clientId]);
}

/** For what all clients share. */
export function flagAllClients({ scope, run }: ScopedRunner, { cause, now }: DirtyFlag): void {
  run.enqueue(putSharedFlag, [scope.workspaceId, scope.environment, new Date(now), cause, 'all']);
}

/** For an instrument: its client, where it is private, else those that hold it. */
export function flagHolders(
  store: ScopedRunner,
  { id, client }: { readonly id: Id; readonly client: Id | null },
  flag: DirtyFlag,
): void {
  if (client !== null) return flagClient(store, client, flag);
  const { workspaceId, environment } = store.scope;
  store.run.enqueue(putSharedFlag, [workspaceId, environment, new Date(flag.now), flag.cause, id]);
}

/** Turns what is marked for several into marks of clients. Whoever holds an instrument has a current row with it. */
export async function spreadSharedFlags({ scope, run }: ScopedRunner): Promise<void> {
  await run(spread, [scope.workspaceId, scope.environment]);
}
