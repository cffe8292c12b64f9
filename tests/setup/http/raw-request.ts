// Sends a request as raw bytes on a socket, for requests that no HTTP client would send. Returns the answer, or the plain end of
// the connection.

import { connect } from 'node:net';

export interface RawReply {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const replyTimeoutMs = 120_000;

/** Writes the pieces and waits until the server closes the connection: send `Connection: close`. */
export async function sendRaw(address: string, ...pieces: readonly (string | Uint8Array)[]): Promise<RawReply> {
  const { hostname, port } = new URL(address);
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const received: Buffer[] = [];
    socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No answer in time.')));
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(received)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection while we are still sending; its answer before that counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const piece of pieces) socket.write(piece);
  });
  return parse(bytes.toString('latin1'));
}

function parse(text: string): RawReply {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((one): [string, string] => {
    const colon = one.indexOf(':');
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()];
  });
  return { status: Number(line.split(' ')[1] ?? 0), headers: new Map(headers), body: rest.join('\r\n\r\n') };
}

/** The head of a request that has a body. */
export function rawHead(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}
