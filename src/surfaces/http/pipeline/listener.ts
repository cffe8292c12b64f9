// Takes an address before the service is built, so that a start on a taken port ends before anything is created. Refuses every request
// until the service takes over.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Time for a whole request to arrive, however much of it comes in a second. */
export const bulkBodyTimeoutMs = 600_000;
/** Time for the headers of a request to arrive. */
const headersTimeoutMs = 20_000;
/** How often Node looks for requests that take longer. */
const timeoutCheckMs = 5_000;
/** How long an idle connection of a caller stays open. */
const keepAliveTimeoutMs = 75_000;

export class Listener {
  readonly server: Server;
  #respond: RequestListener = (_request, response) => void response.writeHead(503, { connection: 'close' }).end();

  private constructor() {
    const respond: RequestListener = (request, response) => this.#respond(request, response);
    // Lets requests without a Host or with an expectation through, so that they are refused like any other and not by Node.
    this.server = createServer(
      {
        requireHostHeader: false,
        keepAliveTimeout: keepAliveTimeoutMs,
        headersTimeout: headersTimeoutMs,
        requestTimeout: bulkBodyTimeoutMs,
        connectionsCheckingInterval: timeoutCheckMs,
      },
      respond,
    ).on('checkExpectation', respond);
  }

  static async bind({ host, port }: ListenAddress): Promise<Listener> {
    const listener = new Listener();
    listener.server.listen({ host, port });
    await once(listener.server, 'listening');
    return listener;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Changes what answers the requests from now on. */
  respondWith(respond: RequestListener): void {
    this.#respond = respond;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}
