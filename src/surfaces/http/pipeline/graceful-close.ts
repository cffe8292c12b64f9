// Closes a listener without cutting anybody off: what is under way is finished, and connections end as they fall idle.

import type { FastifyInstance } from 'fastify';

const idleSweepMs = 50;
const patienceMs = 10_000;

/** A connection that was at work when the closing began would stay open for its caller's next request; it is not waited for. */
export async function closeGently(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), idleSweepMs);
  const patience = setTimeout(() => app.server.closeAllConnections(), patienceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(patience);
  }
}
