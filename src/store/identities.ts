// By which identities a person is known, as the gate finds them, and when each was last used. Knows no provider.

import type { PersonStanding } from '../model/person-standing.ts';
import type { Reach } from '../model/reach.ts';
import type { Database, Run } from './database.ts';
import { standingColumns, standingOf, type StandingRow } from './standing.ts';
import { sql } from './statement.ts';

export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

const bySubject = sql<StandingRow>(
  'identity/by-subject',
  `SELECT ${standingColumns}
   FROM person_identity i JOIN person p ON p.workspace_id = i.workspace_id AND p.environment = i.environment
     AND p.id = i.person_id
   WHERE i.issuer = $1 AND i.subject = $2 ORDER BY i.workspace_id, i.environment`,
);
const markUsed = sql(
  'identity/mark-used',
  `UPDATE person_identity SET last_signed_in_at = $5
   WHERE workspace_id = $1 AND environment = $2 AND issuer = $3 AND subject = $4`,
);
const workspaceName = sql<{ name: string }>('identity/workspace', 'SELECT name FROM workspace WHERE workspace_id = $1');

/** Everybody whom an identity stands for and some client lets in: at most one in each environment. */
export async function listStandingsOf(
  database: Database,
  { issuer, subject }: IdentityKey,
): Promise<readonly PersonStanding[]> {
  const { rows } = await database.readAtGate(bySubject, [issuer, subject]);
  return rows.map(standingOf).filter((standing) => standing !== undefined);
}

export async function markIdentityUsed(
  run: Run,
  { workspaceId, environment }: Pick<Reach, 'workspaceId' | 'environment'>,
  { issuer, subject, at }: IdentityKey & { at: number },
): Promise<void> {
  await run(markUsed, [workspaceId, environment, issuer, subject, new Date(at)]);
}

/** In the order of the reaches. */
export async function listWorkspaceNames(database: Database, reaches: readonly Reach[]): Promise<readonly string[]> {
  const calls = reaches.map((reach) => ({ reach, values: [reach.workspaceId] }));
  return (await database.readOfEach(workspaceName, calls)).map(({ rows }) => rows[0]?.name ?? '');
}
