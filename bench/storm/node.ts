// Runs a node of the service in a separate process, configured by its environment. Reports its address.

import pino from 'pino';
import { readConfig } from '../../src/app/config.ts';
import { startService } from '../../src/app/start-service.ts';

const { server } = await startService(readConfig(process.env), { log: pino({ level: 'silent' }) });
process.send!(`http://127.0.0.1:${(server.app.server.address() as { port: number }).port}`);
