// A collector for tests: takes spans over HTTP as JSON (OTLP) and keeps them.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly isFailed: boolean;
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function toRecord(pairs: readonly Pair[] = []): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Everything that was received, as it was sent. */
  text = '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (request.url === '/v1/traces') this.#receive(Buffer.concat(parts).toString());
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get names(): string[] {
    return this.spans.map(({ name }) => name);
  }

  /** The spans of a trace whose names begin so. */
  find(traceId: string, start: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId && span.name.startsWith(start));
  }

  #receive(body: string): void {
    this.text += body;
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          const { traceId, spanId, parentSpanId, name, kind, status } = span;
          const attributes = toRecord(span.attributes);
          const isFailed = status?.code === 2;
          const known = { traceId, spanId, parentSpanId, name, kind, attributes, isFailed };
          this.spans.push({ ...known, resource: toRecord(resource.attributes) });
        }
      }
    }
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
