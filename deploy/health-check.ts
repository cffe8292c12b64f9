// Asks this node whether it is alive, as the health check of the image; with `--until-ready`, waits until it serves requests, as systemd does
// before it starts what comes after. Takes PORT as the service does.

import { setTimeout as delay } from 'node:timers/promises';

const address = `http://127.0.0.1:${process.env['PORT'] ?? '8080'}`;

async function answersOk(path: string): Promise<boolean> {
  const response = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
  return response?.status === 200;
}

if (process.argv[2] !== '--until-ready') process.exit((await answersOk('/healthz')) ? 0 : 1);
// Whoever started it sets the limit: a migration may take any time.
while (!(await answersOk('/readyz'))) await delay(250);
process.exit(0);
