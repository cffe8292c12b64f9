// A receiver in a process of its own: takes every post and tells, when it is asked, what came when. At `/dead` it never answers.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { preciseNow } from './fixture.ts';

/** What the sink is asked for: to forget what has come, and to tell once so many posts have. */
export interface SinkRequest {
  readonly count: number;
}

export interface SinkReport {
  /** Unix milliseconds with their fractions, the first and the last of all that came. */
  readonly first: number;
  readonly last: number;
  /** When what came of each event: its number, and the moment. */
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
      response.writeHead(204).end();
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
