// Database timeouts for tests: long enough that a busy machine never makes the service give up.

import type { DatabaseTimeouts } from '../../../src/app/open-context.ts';

export const databaseTimeouts: DatabaseTimeouts = {
  connectMs: 120_000,
  statementMs: 240_000,
  lockMs: 200_000,
  answerMs: 250_000,
  writeGapMs: 240_000,
  snapshotGapMs: 240_000,
  readinessMs: 120_000,
  replicaMs: 120_000,
};
