// The service in a process that can be killed: the program as it is started by an operator, or, with a clock that its parent moves,
// built from the same parts. Ends with its parent.

import pino from 'pino';
import { setUpWorkspace } from '../../../src/actions/access/bootstrap.ts';
import { readConfig } from '../../../src/app/config.ts';
import { usualTimeouts } from '../../../src/app/open-context.ts';
import { startService } from '../../../src/app/start-service.ts';
import type { MessageToNode } from './node-messages.ts';

process.on('disconnect', () => process.exit(1));

async function runWithMovedClock(): Promise<void> {
  let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
  const clock = { now: (): number => Date.now() + aheadMs };
  const databaseTimeouts = { ...usualTimeouts, ...JSON.parse(process.env['DATABASE_TIMEOUTS'] ?? '{}') };
  const log = pino({ level: 'silent' });
  const { context, stop } = await startService(readConfig(process.env), { clock, log, databaseTimeouts });
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.on('message', async (message: MessageToNode) => {
    if (message.kind === 'move-clock') {
      aheadMs = message.aheadMs;
      return process.send?.({ kind: 'clock-moved' });
    }
    const workspace = { id: context.ids.next(), name: 'Another workspace', environment: 'production' } as const;
    return process.send?.({ kind: 'workspace-opened', ...(await setUpWorkspace(context, workspace)) });
  });
}

if (process.env['NODE_PROGRAM'] === 'main') await import('../../../src/main.ts');
else await runWithMovedClock();
