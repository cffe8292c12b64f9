// A receiver of webhooks: verifies signatures, writes down what arrives and in which order, and can be down.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyServiceSignature } from '../../../packages/sdk/src/webhook.ts';

export interface ReceivedEvent {
  readonly id: string;
  readonly account: string;
  readonly transaction: string;
}

/** Accepts events, fails with 500, or hangs up. */
type ReceiverState = 'up' | 'failing' | 'absent';

export class Receiver {
  readonly #server: Server;
  /** In the order of arrival. */
  readonly accepted: ReceivedEvent[] = [];
  readonly #distinct = new Set<string>();
  state: ReceiverState = 'up';
  secret = '';
  turnedAway = 0;
  readonly wrongSignatures: string[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await buffer(request);
      if (this.state === 'up') return await this.#accept(request, body, response);
      this.turnedAway++;
      if (this.state === 'failing') response.writeHead(500).end();
      else request.socket.resetAndDestroy();
    } catch {
      // The sender was killed while it sent.
      response.destroy();
    }
  }

  async #accept({ headers }: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    // The clock of the sender may be moved: only the signature is verified, not its age.
    const now = Number.parseInt(String(headers['service-signature']), 10) * 1_000;
    const reason = await verifyServiceSignature({ headers, body, secret: this.secret, now }).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (reason !== undefined) this.wrongSignatures.push(reason);
    const { id, data } = JSON.parse(body.toString());
    this.accepted.push({ id, account: data.object.account_id, transaction: data.object.id });
    this.#distinct.add(id);
    response.writeHead(204).end();
  }

  /** How many different events have arrived. */
  get distinctCount(): number {
    return this.#distinct.size;
  }

  get repeatedCount(): number {
    return this.accepted.length - this.distinctCount;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
