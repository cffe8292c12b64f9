// A pooler in front of the test database that sends each transaction over whichever of its connections has been free the longest, as PgBouncer
// may in transaction mode. It speaks as much of the protocol as one client needs that sends one query at a time.

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import pg from 'pg';
import { driverConnection } from '../../../src/store/postgres/pipelined-batch.ts';
import type { TestDatabase } from './test-database.ts';

/** A message of the protocol: its type, and all of it. */
interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts a stream of bytes into messages, which have their length after the type. */
class MessageReader {
  #rest: Buffer = Buffer.alloc(0);

  read(chunk: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    while (this.#rest.length >= 5 && this.#rest.length > this.#rest.readUInt32BE(1)) {
      const end = 1 + this.#rest.readUInt32BE(1);
      messages.push({ type: String.fromCharCode(this.#rest[0]!), bytes: this.#rest.subarray(0, end) });
      this.#rest = this.#rest.subarray(end);
    }
    return messages;
  }
}

/** A connection to the server, whose bytes go to whoever uses it. */
class ServerConnection {
  readonly #client: pg.Client;
  readonly #stream: Socket;
  readonly #reader = new MessageReader();
  receive: (message: Message) => void = () => {};

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#stream = driverConnection((client as unknown as pg.PoolClient).connection).stream as unknown as Socket;
    this.#stream.removeAllListeners('data');
    this.#stream.on('data', (chunk: Buffer) => this.#reader.read(chunk).forEach((message) => this.receive(message)));
  }

  static async open(url: string): Promise<ServerConnection> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    return new ServerConnection(client);
  }

  send(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

const accepted = Buffer.from('R\0\0\0\x08\0\0\0\0K\0\0\0\x0c\0\0\0\0\0\0\0\0Z\0\0\0\x05I', 'latin1');

class TransactionPooler {
  readonly #free: ServerConnection[];
  readonly #waiting: ((server: ServerConnection) => void)[] = [];

  constructor(servers: readonly ServerConnection[]) {
    this.#free = [...servers];
  }

  serve(client: Socket): void {
    client.setNoDelay(true);
    let server: Promise<ServerConnection> | undefined;
    const reader = new MessageReader();
    const leave = (used: ServerConnection): void => {
      server = undefined;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(used);
      else next(used);
    };
    const use = async (bytes: Buffer): Promise<void> => {
      const used = await (server ??= this.#take());
      used.receive = (message) => {
        client.write(message.bytes);
        if (message.type === 'Z' && message.bytes.at(-1) === 'I'.charCodeAt(0)) leave(used);
      };
      used.send(bytes);
    };
    client.on('error', () => {});
    client.once('data', () => {
      client.write(accepted);
      client.on('data', (chunk: Buffer) => {
        const messages = reader.read(chunk).filter(({ type }) => type !== 'X');
        if (messages.length > 0) void use(Buffer.concat(messages.map(({ bytes }) => bytes)));
      });
    });
    // What nobody will end any more.
    client.on('close', () => void (server && use(Buffer.from('Q\0\0\0\rROLLBACK\0', 'latin1'))));
  }

  async #take(): Promise<ServerConnection> {
    return this.#free.shift() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Returns the address of the database through a pooler with so many connections. */
export async function poolerForThisTest({ url }: TestDatabase, connections: number): Promise<string> {
  const servers = await Promise.all(Array.from({ length: connections }, () => ServerConnection.open(url)));
  const pooler = new TransactionPooler(servers);
  const listener = createServer((client) => pooler.serve(client));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    listener.close();
    await Promise.all(servers.map((server) => server.close()));
  });
  return url.replace(/@[^/]*\//, `@127.0.0.1:${(listener.address() as AddressInfo).port}/`);
}
