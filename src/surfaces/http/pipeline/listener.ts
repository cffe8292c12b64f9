// Takes an address before the service is built, so that a start on a taken port ends before anything is created. Refuses every request
// until the service takes over.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { CallerConnections, type ConnectionLimits, type ConnectionRefusal } from './caller-connections.ts';

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

/** Answers a connection for which there is no room. */
export type RefuseConnection = (socket: Socket, refusal: ConnectionRefusal) => void;

const noRoom = 'HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

interface ListenerOptions {
  readonly limits: ConnectionLimits;
  /** Proxies, whose connections are those of many callers. */
  readonly trustedProxies: readonly string[];
}

export class Listener {
  readonly server: Server;
  readonly connections: CallerConnections;
  #respond: RequestListener = (_request, response) => void response.writeHead(503, { connection: 'close' }).end();
  #refuse: RefuseConnection = (socket) => {
    socket.write(noRoom);
    socket.destroySoon();
  };

  private constructor({ limits, trustedProxies }: ListenerOptions) {
    this.connections = new CallerConnections(limits, trustedProxies);
    const respond: RequestListener = (request, response) => {
      const { socket } = request;
      this.connections.beginRequest(socket);
      response.once('close', () => this.connections.endRequest(socket));
      this.#respond(request, response);
    };
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
    this.#countConnections();
  }

  /** A connection without room never reaches the parser of requests: nothing of it is read. */
  #countConnections(): void {
    const readers = this.server.listeners('connection');
    this.server.removeAllListeners('connection');
    this.server.on('connection', (socket: Socket) => {
      const refusal = this.connections.open(socket);
      if (refusal !== undefined) {
        socket.on('error', () => {}); // it may be gone already
        return this.#refuse(socket, refusal);
      }
      socket.once('close', () => this.connections.close(socket));
      for (const read of readers) read.call(this.server, socket);
    });
  }

  static async bind({ host, port }: ListenAddress, options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(options);
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

  /** Changes what a connection is told for which there is no room. */
  refuseWith(refuse: RefuseConnection): void {
    this.#refuse = refuse;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => void this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}
