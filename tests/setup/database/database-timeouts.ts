// How long a service waits for its database in tests: so long that a busy machine never makes it give up.

import type { DatabaseTimeouts } from '../../../src/app/open-context.ts';

export const databaseTimeouts: DatabaseTimeouts = { connectMs: 120_000, statementMs: 240_000, lockMs: 200_000 };
