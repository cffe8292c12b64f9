// Closes a listener gracefully: requests in progress are finished, and connections end when they become idle.

import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';

const idleSweepIntervalMs = 50;

/** Also closes connections that become idle after the closing began, which Node would keep open for another request. */
export async function closeGracefully(app: FastifyInstance, forceCloseDelayMs: number): Promise<void> {
  const sweepTimer = setInterval(() => app.server.closeIdleConnections(), idleSweepIntervalMs);
  const forceCloseTimer = setTimeout(() => app.server.closeAllConnections(), forceCloseDelayMs);
  try {
    // Closed here, since the framework closes only servers that it has started itself.
    await Promise.all([app.close(), closeServer(app.server)]);
  } finally {
    clearInterval(sweepTimer);
    clearTimeout(forceCloseTimer);
  }
}

/** Resolves at the end of the last connection, also for a server that was closed before. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}
