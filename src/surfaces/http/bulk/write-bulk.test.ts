// Checks that a bulk body of any size is read in limited batches, and that nothing is done for errors that nobody sees.

import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { isJsonObject } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { Faults, type FaultDetail } from '../operation/declared-fields.ts';
import type { RequestContext } from '../operation/operation.ts';
import type { BulkMode } from './bulk-mode.ts';
import { Spool } from './spool.ts';
import { writeBulk } from './write-bulk.ts';

interface Observed {
  /** How many rows were read with a description of their faults, and how many without. */
  readonly read: Record<FaultDetail, number>;
  /** The size of each batch that was written, and of each that was only checked. */
  readonly written: number[];
  readonly checked: number[];
}

interface Counts {
  readonly written: number;
}

/**
 * A row is accepted if it has a member `a`, and refused when it is written if that is null. `count` counts a batch, which is numbered from
 * zero.
 */
async function send(
  mode: BulkMode,
  rows: readonly string[],
  count: (batch: number, size: number) => Counts | Promise<Counts> = (_, written) => ({ written }),
): Promise<{ observed: Observed; result: unknown }> {
  const body = Readable.from([Buffer.from(`{"data":[${rows.join(',')}]}`)]);
  const spool = await Spool.receive(body, { announcedBytes: 0, bytesMax: 100 * 1024 * 1024 });
  // The database hears of a transaction in which nothing is written.
  const work = { store: { workspaces: { findName: async () => undefined } } };
  const request = { spool, format: 'application/json', query: { mode }, work } as unknown as RequestContext;
  const observed: Observed = { read: { described: 0, undescribed: 0 }, written: [], checked: [] };
  const refusedPlaces = (batch: readonly unknown[]) =>
    batch.flatMap((value, place) =>
      value === null ? [{ place, refusal: new Refusal('account-not-found', 'There is no such account.') }] : [],
    );
  const writing = writeBulk<unknown, 'written'>(
    request,
    { row: { properties: { a: {} } }, example: [] },
    {
      counts: ['written'],
      read(value, at, faultDetail) {
        observed.read[faultDetail]++;
        const faults = new Faults(faultDetail);
        if (!isJsonObject(value) || !('a' in value)) faults.add('missing-attribute', `${at}/a`, 'a is required.');
        faults.throwIfAny();
        return isJsonObject(value) ? value['a'] : undefined;
      },
      async write(batch) {
        const number = observed.written.push(batch.length) - 1;
        return { counts: count(number, batch.length), refused: refusedPlaces(batch) };
      },
      async check(batch) {
        observed.checked.push(batch.length);
        return { counts: { written: 0 }, refused: refusedPlaces(batch) };
      },
    },
  );
  const result = await writing.catch((error: unknown) => error);
  await spool.discard();
  return { observed, result };
}

const many = 87_000;

test('all or nothing: of very many bad rows only few are read', async () => {
  const { observed, result } = await send(
    'all-or-nothing',
    Array.from({ length: many }, () => '{}'),
  );
  expect(observed.read.described).toBeLessThanOrEqual(2 * 101);
  expect(observed.read.undescribed).toBe(0);
  expect([observed.written, observed.checked]).toEqual([[], []]);
  expect(result).toMatchObject({
    code: 'invalid-document',
    message: 'The request has more than 100 faults; the first 100 are listed.',
  });
  expect((result as Refusal).faults.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 100 }, (_, index) => `/data/${index}/a`),
  );
});

test('all or nothing: the listed faults are the first, whether reading or checking finds them', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => (index % 2 === 0 ? '{}' : '{"a":null}'));
  const { observed, result } = await send('all-or-nothing', rows);
  expect(observed.written).toEqual([]);
  expect((result as Refusal).faults.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? `/data/${index}/a` : `/data/${index}`)),
  );
});

test('row by row: all bad rows are counted, and the faults of few are described', async () => {
  const rows = Array.from({ length: many }, (_, index) => (index % 1_000 === 0 ? '{"a":1}' : '{}'));
  const { observed, result } = await send('per-row', rows);
  expect(observed.read.described).toBeLessThanOrEqual(2 * 1_002);
  expect(observed.read.described + observed.read.undescribed).toBe(many);
  expect(result).toMatchObject({ accepted: 87, written: 87, refused: many - 87 });
  expect((result as { errors: { index: number }[] }).errors.map(({ index }) => index)).toEqual(
    Array.from({ length: 1_001 }, (_, index) => index)
      .filter((index) => index % 1_000 !== 0)
      .concat([1_001]),
  );
});

test('row by row: rows that writing refuses are counted beyond the listed errors', async () => {
  const { observed, result } = await send(
    'per-row',
    Array.from({ length: 12_000 }, () => '{"a":null}'),
  );
  expect(observed.written).toEqual(Array.from({ length: 6 }, () => 2_000));
  expect(result).toMatchObject({ accepted: 0, refused: 12_000 });
  expect((result as { errors: { index: number }[] }).errors.map(({ index }) => index)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => index),
  );
});

test('batches are limited in rows and in text', async () => {
  const small = await send(
    'per-row',
    Array.from({ length: many }, () => '{"a":1}'),
  );
  expect(Math.max(...small.observed.written)).toBeLessThanOrEqual(2_000);
  const row = `{"a":"${'x'.repeat(60_000)}"}`;
  const large = await send(
    'per-row',
    Array.from({ length: 300 }, () => row),
  );
  expect(Math.max(...large.observed.written) * row.length).toBeLessThanOrEqual(4 * 1024 * 1024 + 2 * row.length);
  expect(large.result).toMatchObject({ accepted: 300 });
});

const fourBatches = Array.from({ length: 8_000 }, () => '{"a":1}');

test('a batch is prepared while the database writes the one before, and no more are on their way', async () => {
  const writes = Array.from({ length: 4 }, () => Promise.withResolvers<Counts>());
  const [ended, endedAtStart] = [new Set<number>(), [] as number[][]];
  const { result } = await send('per-row', fourBatches, (batch, written) => {
    endedAtStart.push([...ended]);
    const end = (number: number): void => {
      ended.add(number);
      writes[number]?.resolve({ written });
    };
    // The first three end only once the next one has begun, the last by itself.
    if (batch > 0) end(batch - 1);
    if (batch === 3) end(batch);
    return writes[batch]!.promise;
  });
  expect(endedAtStart).toEqual([[], [], [0], [0, 1]]);
  expect(result).toMatchObject({ accepted: 8_000, written: 8_000 });
});

test.each([0, 3])('a batch that cannot be written fails the body: number %i of four', async (failing) => {
  const { observed, result } = await send('per-row', fourBatches, async (batch, written) => {
    if (batch === failing) throw new Error('The connection is lost.');
    return { written };
  });
  expect(result).toEqual(new Error('The connection is lost.'));
  expect(observed.written).toHaveLength(Math.min(failing + 2, 4));
});
