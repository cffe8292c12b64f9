// What each thread of a node counts and measures about itself for the operator: names only, never an id.

import { Figures } from '../../kit/memory/figures.ts';
import { rowOutcomes } from '../custody/import-row.ts';
import { shippedLogs } from './shipped-log.ts';

/** The errors of the database, as an operator tells them apart. */
export const databaseErrorKinds = [
  'connection',
  'refused-connection',
  'connections-used-up',
  'silence',
  'shutdown',
  'timeout',
  'lock-timeout',
  'deadlock',
  'conflict',
  'constraint',
  'permission',
  'read-only',
  'disk-full',
  'resources',
  'data',
  'statement',
  'other',
] as const;
export type DatabaseErrorKind = (typeof databaseErrorKinds)[number];

/**
 * What became of a report that was to be loaded from the replica. `current`: the primary confirmed all of it. `behind`: the primary had more,
 * and was asked for that. The others were loaded from the primary: the replica did not answer, cancelled the read for what it replays, had
 * no connection for the workspace, is no standby of this database, or failed otherwise; `resting`: it was not asked, since it failed lately.
 */
export const replicaOutcomes = [
  'current',
  'behind',
  'away',
  'conflict',
  'busy',
  'not-standby',
  'failed',
  'resting',
] as const;
export type ReplicaOutcome = (typeof replicaOutcomes)[number];

const figureNames = [
  'connections',
  'connections-idle',
  'connections-max',
  'connections-awaited',
  'share-awaited',
  'ledger-bytes',
  'ledger-bytes-max',
  'ledger-entries',
  'ledger-hits',
  'ledger-misses',
  'ledger-copies/written',
  'ledger-copies/failed',
  'answers-replayed',
  'answer-keys-reused',
  ...databaseErrorKinds.map((kind) => `database-error/${kind}` as const),
  ...replicaOutcomes.map((outcome) => `replica/${outcome}` as const),
  ...shippedLogs.map((log) => `deleted-unshipped/${log}` as const),
  ...rowOutcomes.map((outcome) => `import-rows/${outcome}` as const),
] as const;
export type FigureName = (typeof figureNames)[number];

export type NodeFigures = Figures<FigureName>;

export function makeNodeFigures(memory?: SharedArrayBuffer): NodeFigures {
  return new Figures<FigureName>(figureNames, memory);
}
