// Opens the application context for a command of the operator: the database and the keys, without listener and jobs.

import type { AppContext } from '../../actions/core/context.ts';
import { systemClock } from '../../kit/clock.ts';
import { startEmbeddedPostgres } from '../../store/postgres/embedded/embedded-postgres.ts';
import type { Config } from '../config.ts';
import { checkKeyring } from '../encryption-key.ts';
import { connectionConfig, openContext } from '../open-context.ts';

/** Commands run one statement at a time. */
const poolSize = 2;

export async function withAdminContext<T>(config: Config, task: (context: AppContext) => Promise<T>): Promise<T> {
  const { dataDir, databaseUrl } = config;
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, log: () => {} }) : undefined;
  try {
    const connection = connectionConfig(config, embedded?.connection ?? { connectionString: databaseUrl });
    const addresses = { baseUrl: '', legacyUrl: '', authUrl: '' };
    const parts = {
      config,
      connection,
      poolSize,
      clock: systemClock,
      addresses,
      timeouts: undefined,
      tenantFilters: undefined,
    };
    const context = await openContext({ ...parts, onIdleError: () => {} });
    try {
      await checkKeyring(context);
      return await task(context);
    } finally {
      await context.stores.close();
    }
  } finally {
    await embedded?.stop();
  }
}
