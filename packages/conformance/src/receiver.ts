// Receives the deliveries of webhooks while the checks run, on a port of this machine that the service can reach.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const waitMs = 30_000;

export class Receiver {
  /** Where the service sends to. */
  readonly url: string;
  readonly #server: Server;
  readonly #deliveries: Delivery[] = [];
  #onDelivery: () => void = () => {};

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  /** The URL may lead here through a tunnel or a proxy: what counts is that requests to it arrive at the port. */
  static async listen(url: string, port: number): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(url, server);
    server.on('request', async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      receiver.#deliveries.push({ headers: request.headers, body });
      response.writeHead(204).end();
      receiver.#onDelivery();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, () => resolve());
    });
    return receiver;
  }

  /** The port that it listens on. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Waits for a delivery that a test accepts; undefined if none comes in time. */
  async find(accepts: (delivery: Delivery) => boolean): Promise<Delivery | undefined> {
    const end = AbortSignal.timeout(waitMs);
    for (;;) {
      const found = this.#deliveries.find(accepts);
      if (found !== undefined || end.aborted) return found;
      await new Promise<void>((resolve) => {
        this.#onDelivery = resolve;
        end.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
