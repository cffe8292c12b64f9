// Tests the worker on an in-memory queue: turns, concurrency, kept and lost leases, failures, and stopping.

import { expect, onTestFinished, test, vi } from 'vitest';
import { TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';
import { minuteMs, secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';
import { LeasedWorker, type DueItems, type LeasedQueue, type LeasedWorkerOptions } from './leased-worker.ts';

interface Item {
  readonly tenant: Tenant;
  readonly name: string;
}

type MemoryQueue = LeasedQueue<Item, Item, string>;

function tenantNamed(name: string): Tenant {
  return { workspaceId: name as Id, environment: 'production' };
}

function itemsOf(tenant: string, ...names: readonly string[]): Item[] {
  return names.map((name) => ({ tenant: tenantNamed(tenant), name: `${tenant} ${name}` }));
}

function dueItems(tenant: Tenant, items: readonly Item[]): DueItems<Item> {
  const own = items.filter((item) => item.tenant.workspaceId === tenant.workspaceId);
  return { tenant, items: own, isExpandable: false, lookAgainAt: undefined };
}

/** Creates a queue in which these items are due, with a log of its calls. */
function queueWith(items: readonly Item[], parts: Partial<MemoryQueue> = {}): { queue: MemoryQueue; log: string[] } {
  const log: string[] = [];
  const wakeUps = new TenantWakeUps();
  for (const { tenant } of items) wakeUps.put(tenant, 0);
  const queue: MemoryQueue = {
    name: 'items',
    wakeUps,
    wakeUpIntervalMs: 1,
    wakeUpDelayMs: 0,
    sweepIntervalMs: 1,
    keyOf: ({ name }) => name,
    findTenants: async () => items.map(({ tenant }) => tenant),
    find: async (tenants) => tenants.map((tenant) => dueItems(tenant, items)),
    take: async (item) => item,
    work: async ({ name }) => name,
    async finish(_lease, result) {
      log.push(result);
      return undefined;
    },
    ...parts,
  };
  return { queue, log };
}

function workerFor(queue: MemoryQueue, options: Partial<LeasedWorkerOptions> = {}) {
  const failures: unknown[] = [];
  const context = { clock: { now: () => 0 } };
  const onFailure = (error: unknown): void => void failures.push(error);
  return { worker: new LeasedWorker(queue, { context, concurrency: 1, onFailure, ...options }), failures };
}

/** Resolves when the signal is aborted. */
function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('interrupted')));
}

test('tenants take turns, and every item is finished once', async () => {
  const { queue, log } = queueWith([...itemsOf('a', '1', '2', '3'), ...itemsOf('b', '1')]);
  const { worker, failures } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect([log, failures]).toEqual([['a 1', 'b 1', 'a 2', 'a 3'], []]);
});

test('at most the allowed number of items run at a time, and none runs twice', async () => {
  let [running, most] = [0, 0];
  const { queue, log } = queueWith(itemsOf('a', '1', '2', '3', '4', '5'), {
    async work({ name }) {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running -= 1;
      return name;
    },
  });
  const { worker } = workerFor(queue, { concurrency: 2 });
  await worker.processWakeUps();
  queue.wakeUps.put(tenantNamed('a'), 0);
  await worker.drain();
  expect([most, log.length]).toEqual([2, 5]);
});

test('an item with more work continues under its lease', async () => {
  const log: string[] = [];
  const { queue } = queueWith(itemsOf('a', '1'), {
    async finish(lease, result) {
      log.push(result);
      return log.length < 3 ? { ...lease, name: `${lease.name}+` } : undefined;
    },
  });
  const { worker } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect(log).toEqual(['a 1', 'a 1+', 'a 1++']);
});

test('an item leased by another node is left alone', async () => {
  const { queue, log } = queueWith(itemsOf('a', '1', '2'), {
    take: async (item) => (item.name === 'a 1' ? undefined : item),
  });
  const { worker } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect(log).toEqual(['a 2']);
});

test('a failure of a queue that describes none is reported as it is', async () => {
  const defect = new Error('A defect');
  const { queue } = queueWith(itemsOf('a', '1'), { work: () => Promise.reject(defect) });
  const { worker, failures } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect(failures).toEqual([defect]);
});

test.each([
  ['a defect', new Error('A defect'), true],
  ['a refusal', new Refusal('not-found', 'There is no such client.'), true],
  [
    'an error of another program that has the code',
    Object.assign(new Error('X'), { code: 'workspace-suspended' }),
    true,
  ],
  ['that the workspace was suspended meanwhile', new Refusal('workspace-suspended', 'It is suspended.'), false],
])('%s is reported: %#', async (_what, error, isReported) => {
  const { queue } = queueWith(itemsOf('a', '1'), { take: () => Promise.reject(error) });
  const { worker, failures } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect(failures).toEqual(isReported ? [error] : []);
});

test('a failure is reported as the queue describes it, and delays no other item', async () => {
  const { queue, log } = queueWith(itemsOf('a', '1', '2'), {
    async work({ name }) {
      if (name === 'a 1') throw new Error('A defect');
      return name;
    },
    fail: async ({ name }, cause) => new Error(`${name} failed.`, { cause }),
  });
  const { worker, failures } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect([log, failures]).toEqual([['a 2'], [new Error('a 1 failed.', { cause: new Error('A defect') })]]);
});

test('a wake-up for a whole tenant is expanded to its items', async () => {
  let isExpanded = false;
  const items = itemsOf('a', '1');
  const { queue, log } = queueWith(items, {
    find: async (tenants) =>
      tenants.map((tenant) => ({ ...dueItems(tenant, isExpanded ? items : []), isExpandable: !isExpanded })),
    async expand() {
      isExpanded = true;
    },
  });
  const { worker } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect(log).toEqual(['a 1']);
});

test('a lost lease interrupts the work', async () => {
  const { queue, log } = queueWith(itemsOf('a', '1'), {
    work: (_lease, signal) => untilAborted(signal),
    renewal: { intervalMs: 1, renew: async () => false },
  });
  const { worker } = workerFor(queue);
  await worker.processWakeUps();
  await worker.drain();
  expect(log).toEqual(['interrupted']);
});

test('a lease is renewed as long as its item is worked on, also after a renewal that fails, which is reported', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const away = new Error('The database is away.');
  const answers: (() => Promise<boolean>)[] = [async () => true, () => Promise.reject(away)];
  const ended = Promise.withResolvers<string>();
  let renewed = 0;
  const { queue, log } = queueWith(itemsOf('a', '1'), {
    work: (_lease, signal) => Promise.race([ended.promise, untilAborted(signal)]),
    renewal: {
      intervalMs: 10 * secondMs,
      renew: async () => (renewed++, (await answers.shift()?.()) ?? true),
    },
  });
  const { worker, failures } = workerFor(queue);
  await worker.processWakeUps();
  await vi.advanceTimersByTimeAsync(10 * secondMs - 1);
  expect(renewed).toBe(0);
  await vi.advanceTimersByTimeAsync(30 * secondMs + 1);
  expect([renewed, failures]).toEqual([4, [away]]);
  ended.resolve('ended');
  await worker.drain();
  expect([log, vi.getTimerCount()]).toEqual([['ended'], 0]);
});

test('an item that takes too long is interrupted, and given up if it does not end; the other items are finished', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  const { queue, log } = queueWith(itemsOf('a', '1', '2'), {
    work({ name }, signal) {
      signals.push(signal);
      return name === 'a 1' ? new Promise(() => {}) : Promise.resolve(name);
    },
  });
  const { worker, failures } = workerFor(queue, { itemPatienceMs: minuteMs });
  await worker.processWakeUps();
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect([signals.map(({ aborted }) => aborted), log]).toEqual([[true], []]);
  await vi.advanceTimersByTimeAsync(2 * minuteMs);
  await worker.drain();
  expect([log, failures.map(String)]).toEqual([['a 2'], ['Error: Work on a 1 did not come back and was given up.']]);
});

test.each([
  ['a quarter of an hour', undefined, 15 * minuteMs],
  ['as long as its worker says', minuteMs, minuteMs],
])('an item may take %s, and has ninety seconds more to hand back its lease', async (_how, patience, expectedMs) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  const { queue } = queueWith(itemsOf('a', '1'), {
    work(_lease, signal) {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const { worker, failures } = workerFor(queue, patience === undefined ? {} : { itemPatienceMs: patience });
  await worker.processWakeUps();
  const seen: unknown[] = [];
  for (const ms of [expectedMs - 1, 1, 90 * secondMs - 1, 1]) {
    await vi.advanceTimersByTimeAsync(ms);
    seen.push([signals[0]?.aborted, failures.length]);
  }
  expect(seen).toEqual([
    [false, 0],
    [true, 0],
    [true, 0],
    [true, 1],
  ]);
});

test('stopping interrupts running items, lets them release their leases, and starts no other item', async () => {
  const { queue, log } = queueWith(itemsOf('a', '1', '2'), { work: (_lease, signal) => untilAborted(signal) });
  const { worker } = workerFor(queue);
  await worker.processWakeUps();
  await worker.stop();
  queue.wakeUps.put(tenantNamed('a'), 0);
  await worker.processWakeUps();
  await worker.drain();
  expect(log).toEqual(['interrupted']);
});

test('a worker that is stopped, or whose run is given up, asks for nothing more', async () => {
  const questions: string[] = [];
  const items = itemsOf('a', '1');
  const found = Promise.withResolvers<void>();
  const { queue } = queueWith(items, {
    async findTenants() {
      await found.promise;
      return items.map(({ tenant }) => tenant);
    },
    async find(tenants) {
      questions.push('items');
      return tenants.map((tenant) => ({ ...dueItems(tenant, []), isExpandable: true }));
    },
    expand: async () => void questions.push('more'),
  });
  const given = AbortSignal.abort();
  const { worker } = workerFor(queue);
  await worker.processWakeUps(given);
  expect(questions).toEqual([]);
  found.resolve();
  await worker.sweep(given);
  expect(questions).toEqual(['items']);
  const sweep = worker.sweep();
  await worker.stop();
  await sweep;
  await worker.processWakeUps();
  expect(questions).toEqual(['items']);
});

test('where no tenant has anything due, nothing more is asked, and only what can be expanded is', async () => {
  const questions: string[] = [];
  const { queue } = queueWith([], {
    async find(tenants) {
      questions.push('items');
      return tenants.map((tenant) => dueItems(tenant, []));
    },
    expand: async () => void questions.push('more'),
  });
  const { worker } = workerFor(queue);
  await worker.sweep();
  expect(questions).toEqual([]);
  queue.wakeUps.put(tenantNamed('a'), 0);
  await worker.processWakeUps();
  expect(questions).toEqual(['items']);
});

test('stopping without a grace period interrupts at once, before anything else can begin', async () => {
  const signals: AbortSignal[] = [];
  const { queue } = queueWith(itemsOf('a', '1'), {
    work: (_lease, signal) => (signals.push(signal), untilAborted(signal)),
  });
  const { worker } = workerFor(queue);
  await worker.processWakeUps();
  await expect.poll(() => signals.length).toBe(1);
  const stopped = worker.stop();
  expect(signals[0]?.aborted).toBe(true);
  await stopped;
});

test('stopping with a grace period lets running items finish', async () => {
  const ended = Promise.withResolvers<string>();
  const { queue, log } = queueWith(itemsOf('a', '1', '2'), {
    work: (_lease, signal) => Promise.race([ended.promise, untilAborted(signal)]),
  });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { worker } = workerFor(queue, { stopPatienceMs: 10 * minuteMs });
  await worker.processWakeUps();
  const stopped = worker.stop();
  await vi.advanceTimersByTimeAsync(10 * minuteMs - 1);
  expect(log).toEqual([]);
  ended.resolve('ended');
  await stopped;
  expect([log, vi.getTimerCount()]).toEqual([['ended'], 0]);
});
