// The house of a process of its own that can be killed in the midst of what it does. Its clock begins at STARTED_AT.

import { readConfig } from '../../../src/app/config.ts';
import { connectionTo, openHouse } from '../../../src/app/open-context.ts';

const [startedAt, begunAt] = [Number(process.env['STARTED_AT']), Date.now()];

export const workerConfig = readConfig(process.env);

export const workerHouse = await openHouse({
  config: workerConfig,
  connection: connectionTo(workerConfig, { connectionString: workerConfig.databaseUrl! }),
  poolSize: 4,
  clock: { now: () => startedAt + Date.now() - begunAt },
  addresses: { baseUrl: '', legacyUrl: '', authUrl: '' },
  walls: undefined,
  onIdleError: () => {},
});
