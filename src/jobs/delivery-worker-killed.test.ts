// Repeatedly kills a worker (SIGKILL) at random points of a delivery: nothing is lost, the order is kept, and only deliveries that were
// not recorded yet arrive twice, a bounded number of each queue. KILLS sets how often; the default is three.

import { spawn, type ChildProcess } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { deliverAllDue, createDeliveries } from '../../tests/setup/events/deliveries.ts';
import { emitEvents, sequence, tenantOf } from '../../tests/setup/events/event-source.ts';
import { programEnvironment } from '../../tests/setup/node/program-environment.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import { unrecordedMax } from '../actions/events/delivery-run.ts';
import { WebhookSender } from '../gateways/webhook-sender.ts';
import { minuteMs } from '../kit/clock.ts';
import { Keyring } from '../signing/keyring.ts';

const kills = Number(process.env['KILLS'] ?? 3);
const [clients, postsToKillMax] = [6, 20];
const each = Math.ceil((kills * postsToKillMax) / clients) + 5;
/** Longer than a killed worker can have run, and longer than its leases. */
const leasesExpireMs = 10 * minuteMs;

const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey } });

/** What the receiver does with the next POST: answer it, or kill its sender before or while answering. */
let onPost: (response: ServerResponse) => void;
const taken = new Map<string, number[]>();
const sink = createServer((request: IncomingMessage, response: ServerResponse) => {
  void text(request).then((body) => {
    const { client_id: client, data } = JSON.parse(body);
    taken.set(client, [...(taken.get(client) ?? []), data.object.number]);
    onPost(response);
  });
});

beforeAll(async () => {
  sink.listen(0, '127.0.0.1');
  await once(sink, 'listening');
});

afterAll(() => {
  sink.closeAllConnections();
  sink.close();
});

function startWorker(startedAt: number): ChildProcess {
  const env = {
    ...programEnvironment,
    DATABASE_URL: service.database.url,
    ENCRYPTION_KEY: encryptionKey,
    NODE_ENV: 'test',
    STARTED_AT: String(startedAt),
  };
  const script = new URL('../../tests/setup/events/delivery-worker.ts', import.meta.url).pathname;
  return spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Lets a worker send a number of POSTs and kills it at the last one. */
async function killAfter(posts: number, moment: 'before' | 'with' | 'after', startedAt: number): Promise<void> {
  let left = posts;
  const worker = startWorker(startedAt);
  onTestFinished(() => void worker.kill('SIGKILL'));
  onPost = (response) => {
    left -= 1;
    if (left > 0) return void response.writeHead(204).end();
    if (moment === 'before') worker.kill('SIGKILL');
    response.writeHead(204).end(() => void (moment === 'after' && setImmediate(() => worker.kill('SIGKILL'))));
    if (moment === 'with') worker.kill('SIGKILL');
  };
  const [, signal] = await once(worker, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(left).toBeLessThanOrEqual(0);
}

/** Returns the same number for the same seed. */
function pseudoRandom(seed: string): number {
  return Number.parseInt(hash('sha256', seed).slice(0, 8), 16);
}

test(
  `after ${kills} kills every client has received all its events, in order`,
  { timeout: (5 + kills) * minuteMs },
  async () => {
    const { port } = sink.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    await service.admin.post('/v1/webhooks', { url, events: ['limit.breached'] });
    await emitEvents(service.context, await tenantOf(service.admin), { clients, perClient: each });
    const moments = ['before', 'with', 'after'] as const;
    for (const kill of sequence(0, kills)) {
      service.clock.advance(leasesExpireMs);
      const posts = 1 + (pseudoRandom(`posts ${kill}`) % postsToKillMax);
      await killAfter(posts, moments[pseudoRandom(`moment ${kill}`) % 3]!, service.clock.now());
    }
    onPost = (response) => void response.writeHead(204).end();
    service.clock.advance(leasesExpireMs);
    const sender = new WebhookSender({ allowPrivate: true, clock: service.clock });
    await deliverAllDue(
      service.context,
      createDeliveries(service.context, (post) => sender.send(post)),
    );
    await sender.close();
    expect(taken.size).toBe(clients);
    for (const got of taken.values()) {
      expect([...new Set(got)]).toEqual(sequence(0, each));
      // Nothing is left out, and each kill goes back by at most what was not recorded.
      const wrong = got.filter((number, index) => {
        const step = index === 0 ? 1 : number - got[index - 1]!;
        return step > 1 || step <= -unrecordedMax;
      });
      expect(wrong).toEqual([]);
    }
    const repeated = [...taken.values()].reduce((sum, got) => sum + got.length, 0) - clients * each;
    // A worker serves at most four queues.
    expect(repeated).toBeLessThanOrEqual(kills * 4 * unrecordedMax);
  },
);
