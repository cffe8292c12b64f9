// Runs the measured service in a separate process. Reports its address and exits on command.

import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';
import type { ReportDatabase } from './fixture.ts';

const { databaseUrl, encryptionKey } = JSON.parse(process.argv[2]!) as ReportDatabase;
const config = readConfig({
  PORT: '0',
  BASE_URL: 'http://bench.test',
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: encryptionKey,
  ROLE: 'api',
  LEDGER_MEMORY_MB: '4096',
  BUDGET_PER_MINUTE: '100000000',
  BUDGET_BURST: '100000000',
});
const { server } = await startService(config, { log: pino({ level: 'silent' }) });
process.send!({ address: `http://127.0.0.1:${(server.app.server.address() as { port: number }).port}` });
