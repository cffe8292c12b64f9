// Tests when lines of the request log are written: after a second, or at once where many wait; each tenant once at a time, two tenants at
// most, and none without lines.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Id } from '../kit/id.ts';
import { loggedPathLengthMax, requestLogLinesMax, type RequestLine } from '../model/access/logged-request.ts';
import { Refusal } from '../kit/refusal.ts';
import { RequestLogWriter } from './request-log-writer.ts';

const logShipping = { logs: [], destinations: [] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A writer to a database whose writes end when the test says so. */
function startWriter() {
  /** `workspace: lines`, as writes begin. */
  const begun: string[] = [];
  const trimmed: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  let droppedCount = 0;
  const stores = {
    writeEnqueued({ scope }: { scope: { workspaceId: string } }, task: (store: object) => void): Promise<void> {
      task({
        requestLog: {
          enqueueLines: (lines: readonly unknown[]) => begun.push(`${scope.workspaceId}: ${lines.length}`),
          enqueueTrimming: () => trimmed.push(scope.workspaceId),
        },
      });
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    },
  };
  const context = {
    stores,
    clock: { now: () => Date.now() },
    ids: { next: () => 'id' },
    logShipping,
  } as unknown as ConstructorParameters<typeof RequestLogWriter>[0];
  const writer = new RequestLogWriter(context, { onDropped: (count) => (droppedCount += count) });
  const line = { path: '/', status: 200, durationMs: 1, environment: 'production' } as RequestLine;
  return {
    writer,
    begun,
    trimmed,
    dropped: () => droppedCount,
    record(workspace: string, count: number): void {
      for (let index = 0; index < count; index++) writer.record({ ...line, workspaceId: workspace as Id });
    },
    /** Ends the oldest write that is under way. */
    async end(outcome: 'written' | 'failed' | 'unwritable' = 'written'): Promise<void> {
      const { resolve, reject } = ends.shift()!;
      if (outcome === 'written') resolve();
      else if (outcome === 'failed') reject(new Error('The database is away.'));
      else reject(new Refusal('database-read-only', ''));
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('lines wait for a second and are written together, tenant by tenant', async () => {
  const { begun, record } = startWriter();
  record('a', 3);
  record('b', 1);
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['a: 3', 'b: 1']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(begun).toHaveLength(2);
});

test('five hundred lines of a tenant are written at once, and those of others wait', () => {
  const { begun, record } = startWriter();
  record('a', 499);
  record('b', 1);
  expect(begun).toEqual([]);
  record('a', 1);
  expect(begun).toEqual(['a: 500']);
});

test('a tenant is written once at a time: what comes meanwhile follows', async () => {
  const { begun, record, end } = startWriter();
  record('a', 500);
  record('a', 700);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(begun).toEqual(['a: 500']);
  await end();
  expect(begun).toEqual(['a: 500', 'a: 700']);
});

test('two tenants are written at a time, and who was written last comes last', async () => {
  const { begun, record, end } = startWriter();
  for (const tenant of ['a', 'b', 'c', 'd']) record(tenant, 500);
  expect(begun).toEqual(['a: 500', 'b: 500']);
  await end();
  await end();
  for (const tenant of ['d', 'b', 'a']) record(tenant, 500);
  expect(begun.slice(2)).toEqual(['c: 500', 'd: 500']);
  await end();
  await end();
  await end();
  expect(begun.slice(4)).toEqual(['a: 500', 'b: 500', 'd: 500']);
});

test('what cannot be written is counted as dropped, and makes room for the next', async () => {
  const { begun, dropped, record, end } = startWriter();
  record('a', 6_000);
  expect([begun, dropped()]).toEqual([['a: 500'], 500]);
  await end('failed');
  expect([begun, dropped()]).toEqual([['a: 500', 'a: 5000'], 1_000]);
  await end();
  record('a', 1);
  expect(dropped()).toBe(1_000);
});

test('twenty thousand lines wait at most, of all tenants together', () => {
  const { dropped, record } = startWriter();
  // Two are being written from their five hundredth line on; what waits for them counts as well.
  for (const tenant of ['a', 'b', 'c', 'd']) record(tenant, 4_999);
  record('e', 4);
  expect(dropped()).toBe(0);
  record('f', 1);
  expect(dropped()).toBe(1);
});

test('too many lines of a tenant are deleted with the line that makes a tenth of what is kept', async () => {
  const { trimmed, record, end } = startWriter();
  for (let again = 0; again < 2; again++) {
    for (let written = 0; written < requestLogLinesMax / 10 - 500; written += 500) {
      record('a', 500);
      await end();
    }
    record('a', 499);
    await vi.advanceTimersByTimeAsync(1_000);
    await end();
    expect(trimmed).toHaveLength(again);
    record('a', 1);
    await vi.advanceTimersByTimeAsync(1_000);
    await end();
    expect(trimmed).toHaveLength(again + 1);
  }
});

test('too many lines of a tenant are deleted after each tenth of what is kept', async () => {
  const { trimmed, record, end } = startWriter();
  for (let written = 500; written <= 2.5 * (requestLogLinesMax / 10); written += 500) {
    record('a', 500);
    await end();
    expect(trimmed).toHaveLength(Math.floor(written / (requestLogLinesMax / 10)));
  }
});

test('stopping writes everything that waits, and takes no more', async () => {
  const { writer, begun, record, end } = startWriter();
  for (const tenant of ['a', 'b', 'c']) record(tenant, 1);
  await vi.advanceTimersByTimeAsync(1_000);
  record('a', 2);
  let isStopped = false;
  const stopped = writer.stop().then(() => (isStopped = true));
  record('a', 100);
  for (const _write of ['a', 'b', 'c', 'a']) {
    expect(isStopped).toBe(false);
    await end();
  }
  await stopped;
  expect(begun).toEqual(['a: 1', 'b: 1', 'c: 1', 'a: 2']);
  expect(vi.getTimerCount()).toBe(0);
});

test('a path is cut to what a line may hold, and the outcome follows from the status', async () => {
  const written: object[] = [];
  const stores = {
    async writeEnqueued(_scope: object, task: (store: object) => void): Promise<void> {
      task({ requestLog: { enqueueLines: (lines: readonly object[]) => written.push(...lines) } });
    },
  };
  const context = {
    stores,
    clock: { now: () => 7 },
    ids: { next: () => 'id' },
    logShipping,
  } as unknown as ConstructorParameters<typeof RequestLogWriter>[0];
  const writer = new RequestLogWriter(context, { onDropped: () => {} });
  const path = 'x'.repeat(loggedPathLengthMax + 1);
  for (const status of [399, 400, 499, 500]) writer.record({ path, status, durationMs: 1.6 } as RequestLine);
  await writer.stop();
  expect(written).toMatchObject(
    ['answered', 'refused', 'refused', 'failed'].map((outcome) => ({
      outcome,
      path: path.slice(1),
      durationMs: 2,
      at: 7,
    })),
  );
});

test('while nothing can be written, lines wait up to their bound, are tried again after five seconds, and what has no room is counted', async () => {
  const { begun, record, end, dropped } = startWriter();
  record('a', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  await end('unwritable');
  record('a', 4_999);
  expect(dropped()).toBe(2);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(begun).toEqual(['a: 3']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toEqual(['a: 3', 'a: 5000']);
  await end('unwritable');
  record('a', 1);
  expect(dropped()).toBe(3);
  await vi.advanceTimersByTimeAsync(5_000);
  await end();
  expect([begun.at(-1), dropped()]).toEqual(['a: 5000', 3]);
  record('a', 1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun.at(-1)).toBe('a: 1');
});

test('a node that stops writes what waits at once, and counts what it cannot write', async () => {
  const { writer, record, end, dropped } = startWriter();
  record('a', 3);
  await vi.advanceTimersByTimeAsync(1_000);
  await end('unwritable');
  const stopped = writer.stop();
  await vi.advanceTimersByTimeAsync(0);
  await end('unwritable');
  await stopped;
  expect(dropped()).toBe(3);
});
