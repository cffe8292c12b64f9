// Closes a listener gracefully: requests in progress are finished, and connections end when they become idle.

import type { FastifyInstance } from 'fastify';

const idleSweepIntervalMs = 50;

/** Also closes connections that become idle after the closing began, which Node would keep open for another request. */
export async function closeGracefully(app: FastifyInstance, forceCloseDelayMs: number): Promise<void> {
  const sweepTimer = setInterval(() => app.server.closeIdleConnections(), idleSweepIntervalMs);
  const forceCloseTimer = setTimeout(() => app.server.closeAllConnections(), forceCloseDelayMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweepTimer);
    clearTimeout(forceCloseTimer);
  }
}
