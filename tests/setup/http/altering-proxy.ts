// Stands between a caller and a service, and alters what passes through: a deployment with one thing wrong.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Passing {
  readonly method: string;
  readonly path: string;
  status: number;
  text: string;
  readonly headers: Headers;
}

export interface Alterations {
  /** Changes the headers that the service gets. */
  request?(headers: Headers): void;
  /** Changes what the caller gets. */
  response?(passing: Passing): void;
}

/** Returns its address. It stops with the test. */
export async function startAlteringProxy(address: string, { request: before, response: after }: Alterations) {
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { method = 'GET', url: path = '/' } = incoming;
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined && !['host', 'connection', 'content-length'].includes(name))
        headers.set(name, String(value));
    before?.(headers);
    const content = parts.length === 0 ? {} : { body: Buffer.concat(parts) };
    const answer = await fetch(address + path, { method, headers, redirect: 'manual', ...content });
    const passing = {
      method,
      path,
      status: answer.status,
      text: await answer.text(),
      headers: new Headers(answer.headers),
    };
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      passing.headers.delete(name);
    after?.(passing);
    outgoing.writeHead(passing.status, Object.fromEntries(passing.headers)).end(passing.text);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
