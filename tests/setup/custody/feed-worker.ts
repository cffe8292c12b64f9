// A process that only runs feeds, for tests that kill it.

import { workerContext } from '../node/worker-context.ts';
import { makeFeedWorker } from './connected-household.ts';

const worker = makeFeedWorker({ context: workerContext });

for (;;) await worker.runAll();
