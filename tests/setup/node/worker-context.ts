// The context of a separate process that a test can kill at any moment. Its clock begins at STARTED_AT.

import { readConfig } from '../../../src/app/config.ts';
import { connectionConfig, openContext } from '../../../src/app/open-context.ts';
import { databaseTimeouts } from '../database/database-timeouts.ts';

const [startedAt, bootedAt] = [Number(process.env['STARTED_AT']), Date.now()];

export const workerConfig = readConfig(process.env);

export const workerContext = await openContext({
  config: workerConfig,
  connection: connectionConfig(workerConfig, { connectionString: workerConfig.databaseUrl! }, databaseTimeouts),
  poolSize: 4,
  timeouts: databaseTimeouts,
  clock: { now: () => startedAt + Date.now() - bootedAt },
  addresses: { baseUrl: '', legacyUrl: '', authUrl: '' },
  tenantFilters: undefined,
  onIdleError: () => {},
});
