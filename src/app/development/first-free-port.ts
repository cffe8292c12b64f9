// Listens on the first of several ports that is free, for the programs that development starts beside the service.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { assert } from '../../kit/assert.ts';

export async function listenOnFreePort(server: Server, ports: readonly number[]): Promise<number> {
  for (const port of ports) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      assert(typeof address === 'object' && address !== null, 'a server that listens on a port has an address');
      return address.port;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new Error(`None of the ports ${ports.join(', ')} is free.`);
}
