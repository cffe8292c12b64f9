// Closes a listener without cutting anybody off: what is under way is finished, and connections end as they fall idle.

import type { FastifyInstance } from 'fastify';

const idleSweepIntervalMs = 50;
const forceCloseDelayMs = 10_000;

/** A connection that was at work when the closing began would stay open for its caller's next request; it is not waited for. */
export async function closeGracefully(app: FastifyInstance): Promise<void> {
  const sweepTimer = setInterval(() => app.server.closeIdleConnections(), idleSweepIntervalMs);
  const forceCloseTimer = setTimeout(() => app.server.closeAllConnections(), forceCloseDelayMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweepTimer);
    clearTimeout(forceCloseTimer);
  }
}
