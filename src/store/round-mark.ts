// The mark that a client's figures are to be worked out anew: made with every change that can move them, kept until a round
// takes it. Knows no round.

import type { Id } from '../kit/id.ts';
import type { Reach } from '../model/reach.ts';
import type { Run } from './database.ts';
import { sql } from './statement.ts';

/** Of a client that is marked already the moment stays and the cause is added. */
const onMarked = `ON CONFLICT (workspace_id, environment, client_id) DO UPDATE
  SET causes = CASE WHEN $4 = ANY (round_mark.causes) THEN round_mark.causes ELSE round_mark.causes || $4 END`;

const markOne = sql(
  'round-mark/one',
  `INSERT INTO round_mark (workspace_id, environment, client_id, since, causes)
   VALUES ($1, $2, $5, $3, ARRAY[$4::text]) ${onMarked}`,
);

/** In the order of their ids, so that no two who mark several wait for each other. */
const markAll = sql(
  'round-mark/all',
  `INSERT INTO round_mark (workspace_id, environment, client_id, since, causes)
   SELECT c.workspace_id, c.environment, c.id, $3, ARRAY[$4::text] FROM client c
   WHERE c.workspace_id = $1 AND c.environment = $2 ORDER BY c.id ${onMarked}`,
);

/** What has changed. */
export type RoundCause = 'transaction' | 'upload';

export interface Mark {
  readonly cause: RoundCause;
  readonly now: number;
}

interface Place {
  readonly reach: Reach;
  readonly run: Run;
}

/** Goes with what is sent next, or with the commit. */
export function markClient({ reach, run }: Place, clientId: Id, { cause, now }: Mark): void {
  run.later(markOne, [reach.workspaceId, reach.environment, new Date(now), cause, clientId]);
}

/** For what all clients share. */
export function markAllClients({ reach, run }: Place, { cause, now }: Mark): void {
  run.later(markAll, [reach.workspaceId, reach.environment, new Date(now), cause]);
}
