// A receiver in a separate process: accepts every POST and reports on request what arrived when. At `/dead` it never answers, below
// `/distant/` only after a while.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { distantMs, preciseNow } from './fixture.ts';

/** A request to the sink: forget what has arrived, and report once this many posts have arrived. */
export interface SinkRequest {
  readonly count: number;
}

export interface SinkReport {
  /** Unix time in milliseconds with fractions, of the first and the last arrival. */
  readonly first: number;
  readonly last: number;
  /** The number of each event and the time of its arrival. */
  readonly received: readonly (readonly [number: number, at: number])[];
}

await serve();

async function serve(): Promise<void> {
  let received: [number, number][] = [];
  let wanted = Infinity;
  const reportIfDone = (): void => {
    if (received.length < wanted) return;
    wanted = Infinity;
    const report: SinkReport = { first: received[0]![1], last: received.at(-1)![1], received };
    process.send!(report);
    received = [];
  };
  const server = createServer((request, response) => {
    if (request.url === '/dead') return void request.resume();
    void text(request).then((body) => {
      const answer = (): void => void response.writeHead(204).end();
      if (request.url?.startsWith('/distant/')) setTimeout(answer, distantMs);
      else answer();
      received.push([Number(/"number":(\d+)/.exec(body)?.[1] ?? -1), preciseNow()]);
      reportIfDone();
    });
  });
  process.on('message', ({ count }: SinkRequest) => {
    wanted = count;
    reportIfDone();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
