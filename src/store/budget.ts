// The shared bucket of requests: refilled by the time that has passed, drawn from by whole leases.

import type { Reach } from '../model/reach.ts';
import type { Run } from './database.ts';
import { sql } from './statement.ts';

export interface LeaseRequest {
  readonly subject: string;
  readonly now: number;
  readonly burst: number;
  readonly perMinute: number;
  /** How many at most. Fewer come when little is left, so that several nodes share what there is. */
  readonly atMost: number;
  /** What is left of an earlier lease, and goes back. */
  readonly returned: number;
}

export interface Lease {
  readonly granted: number;
  /** What the shared bucket still holds after the lease. */
  readonly remaining: number;
}

/** Holds the row until the transaction ends. Time never runs backwards here: a node whose clock is behind adds nothing. */
const refill = sql<{ remaining: number }>(
  'budget/refill',
  `INSERT INTO budget AS b (workspace_id, environment, subject, remaining, as_of) VALUES ($1, $2, $3, $5, $4)
   ON CONFLICT (workspace_id, environment, subject) DO UPDATE
     SET remaining = least($5, b.remaining + $7 + greatest(0, extract(epoch FROM $4::timestamptz - b.as_of)) * $6 / 60.0),
       as_of = greatest(b.as_of, $4)
   RETURNING remaining`,
);
const take = sql(
  'budget/take',
  `UPDATE budget SET remaining = remaining - $4 WHERE workspace_id = $1 AND environment = $2 AND subject = $3`,
);

/** Draws a lease of at most a quarter of what is left; zero when less than one request is left. To be run in a transaction. */
export async function leaseBudget(run: Run, reach: Reach, request: LeaseRequest): Promise<Lease> {
  const tenant = [reach.workspaceId, reach.environment, request.subject] as const;
  const { now, burst, perMinute, returned } = request;
  const { rows } = await run(refill, [...tenant, new Date(now), burst, perMinute, returned]);
  const held = rows[0]?.remaining ?? 0;
  const granted = Math.min(request.atMost, Math.floor(held), Math.max(1, Math.ceil(held / 4)));
  if (granted !== 0) await run(take, [...tenant, granted]);
  return { granted, remaining: held - granted };
}
