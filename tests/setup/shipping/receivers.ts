// Receivers of shipped logs for tests: an HTTP server, and a syslog server over TCP or TLS. Each keeps what it was sent and answers as the test says.

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type Server as HttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { mailServerCertificate, mailServerKey } from '../mail/mail-server-certificate.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Uncompressed. */
  readonly text: string;
}

/** What a receiver keeps of a line. */
export interface KeptLine {
  readonly log: string;
  readonly workspace: string;
  readonly environment: string;
  readonly number: number;
  readonly [member: string]: unknown;
}

export function linesIn(text: string): KeptLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export class HttpReceiver {
  readonly posts: ReceivedPost[] = [];
  /** Undefined: it never answers. */
  answer: (post: ReceivedPost) => Answer | undefined | Promise<Answer | undefined> = () => ({ status: 200 });
  readonly #server: HttpServer;

  private constructor() {
    this.#server = createHttpServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', async () => {
        const post = {
          path: request.url!,
          headers: request.headers,
          text: gunzipSync(Buffer.concat(parts)).toString(),
        };
        this.posts.push(post);
        const answer = await this.answer(post);
        if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body);
      });
    });
  }

  static async start(): Promise<HttpReceiver> {
    const receiver = new HttpReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get address(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** All lines that were posted, taken or not. */
  get lines(): KeptLine[] {
    return this.posts.flatMap(({ text }) => linesIn(text));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export class SyslogReceiver {
  /** The messages of each connection, without their frames. */
  readonly connections: string[][] = [];
  /** `close-early`: it is reset at the first bytes. `hang`: it reads and never closes its side. */
  behaviour: 'read' | 'close-early' | 'hang' = 'read';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(isEncrypted: boolean) {
    const receive = (socket: Socket): void => this.#receive(socket);
    this.#server = isEncrypted
      ? createTlsServer({ cert: mailServerCertificate, key: mailServerKey, allowHalfOpen: true }, receive)
      : createTcpServer({ allowHalfOpen: true }, receive);
  }

  static async start({ isEncrypted = false } = {}): Promise<SyslogReceiver> {
    const receiver = new SyslogReceiver(isEncrypted);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return portOf(this.#server);
  }

  get messages(): string[] {
    return this.connections.flat();
  }

  #receive(socket: Socket): void {
    this.#sockets.add(socket);
    const messages: string[] = [];
    this.connections.push(messages);
    let buffered = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (part: Buffer) => {
      if (this.behaviour === 'close-early') return void socket.resetAndDestroy();
      buffered = Buffer.concat([buffered, part]);
      for (;;) {
        const space = buffered.indexOf(' ');
        const length = Number(buffered.toString('latin1', 0, Math.max(0, space)));
        if (space === -1 || buffered.length < space + 1 + length) return;
        messages.push(buffered.toString('utf8', space + 1, space + 1 + length));
        buffered = buffered.subarray(space + 1 + length);
      }
    });
    socket.on('end', () => {
      if (this.behaviour === 'read') socket.end();
    });
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
