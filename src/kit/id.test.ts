// Tests that ids are in ascending order whatever the clock and the random source do.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { firstIdAt, IdSource, isId, isUuid, systemIdSource } from './id.ts';

const start = Date.UTC(2026, 10, 15, 14);
const timeHex = (timeMs: number) => timeMs.toString(16).padStart(12, '0');
const rises = (list: string[]) => list.every((text, index) => index === 0 || list[index - 1]! < text);
const allOf = (byte: number) => (length: number) => new Uint8Array(length).fill(byte);

describe('order', () => {
  test('ids of both forms ascend while the clock runs, stops or goes back', () => {
    const steps = fc.array(fc.constantFrom(-3_600_000, -1, 0, 0, 0, 1, 250), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(steps, (stepsMs) => {
        const clock = new ManualClock(start);
        const source = systemIdSource(clock);
        const made = stepsMs.map((stepMs) => {
          clock.advance(stepMs);
          return { id: source.next() as string, uuid: source.nextUuid() as string };
        });
        expect(rises(made.map(({ id }) => id))).toBe(true);
        expect(rises(made.map(({ uuid }) => uuid))).toBe(true);
      }),
    );
  });

  test('ids continue in the next millisecond when one is used up', () => {
    const source = new IdSource(new ManualClock(start), allOf(0xff));
    const [first, second] = [source.next(), source.next()];
    expect(first).toBe(`${timeHex(start)}ffffffffffff`);
    expect(second).toBe(`${timeHex(start + 1)}ffffffffffff`);
  });

  test('the first id of a moment is an id, and the least that is made then', () => {
    const source = new IdSource(new ManualClock(start), allOf(0));
    expect(firstIdAt(start)).toBe(source.next());
    expect([firstIdAt(start + 0.9), firstIdAt(-1)]).toEqual([firstIdAt(start), '0'.repeat(24)]);
  });

  test('ids ascend even if the random bytes are always zero', () => {
    const source = new IdSource(new ManualClock(start), allOf(0));
    expect([source.next(), source.next()]).toEqual([`${timeHex(start)}000000000000`, `${timeHex(start)}000000000001`]);
  });

  test('ids within a millisecond are up to 2^24 apart, and none is skipped at its end', () => {
    const bytes = (first: number, others: number) => (length: number) =>
      new Uint8Array(length).fill(first, 0, 6).fill(others, 6);
    const far = new IdSource(new ManualClock(start), bytes(0, 0xff));
    expect([far.next(), far.next()]).toEqual([`${timeHex(start)}000000000000`, `${timeHex(start)}000001000000`]);
    const last = new IdSource(new ManualClock(start), bytes(0xff, 0));
    expect([last.next(), last.next()]).toEqual([`${timeHex(start)}ffffffffffff`, `${timeHex(start + 1)}000000000000`]);
  });

  test('two sources at the same moment make different ids', () => {
    const clock = new ManualClock(start);
    const sources = [systemIdSource(clock), systemIdSource(clock)];
    const ids = sources.flatMap((source) => Array.from({ length: 10_000 }, () => source.next()));
    expect(new Set(ids).size).toBe(20_000);
  });
});

describe('form', () => {
  test('an id begins with its time and ends with random bytes', () => {
    const source = new IdSource(new ManualClock(start), allOf(0xab));
    expect(source.next()).toBe(`${timeHex(start)}abababababab`);
  });

  test('a UUID contains the time, version 7, the variant and random bits in their places', () => {
    const time = timeHex(start);
    const uuid = (byte: number) => new IdSource(new ManualClock(start), allOf(byte)).nextUuid();
    expect(uuid(0x00)).toBe(`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`);
    expect(uuid(0xff)).toBe(`${time.slice(0, 8)}-${time.slice(8)}-7fff-bfff-ffffffffffff`);
  });

  test('a UUID has the 48 bits that an id has after its time, and 26 more', () => {
    const counted = (length: number) => Uint8Array.from({ length }, (_, index) => (index + 1) * 23);
    const source = () => new IdSource(new ManualClock(start), counted);
    const uuid = source().nextUuid();
    const bitsOf = (hex: string): string => BigInt(`0x1${hex}`).toString(2).slice(1);
    const [, , high = '', middle = '', low = ''] = uuid.split('-');
    const bits = bitsOf(high).slice(4) + bitsOf(middle).slice(2) + bitsOf(low);
    const more = bitsOf(Buffer.from(counted(10).slice(6)).toString('hex')).slice(-26);
    expect(bits).toBe(bitsOf(source().next().slice(12)) + more);
  });

  test('a UUID for a given time contains that time whatever the clock says, and has different random bits each time', () => {
    const source = systemIdSource(new ManualClock(start));
    const made = Array.from({ length: 1_000 }, () => source.uuidAt(start - 5_000.5));
    const time = timeHex(Math.floor(start - 5_000.5));
    expect(made.filter((uuid) => !isUuid(uuid) || !uuid.startsWith(`${time.slice(0, 8)}-${time.slice(8)}-7`))).toEqual(
      [],
    );
    expect(new Set(made).size).toBe(1_000);
  });

  test('every generated id is valid, and so is every UUID', () => {
    const source = systemIdSource(new ManualClock(start + 0.5));
    const made = Array.from({ length: 1_000 }, () => [source.next(), source.nextUuid()] as const);
    expect(made.filter(([id, uuid]) => !isId(id) || !isUuid(uuid) || isId(uuid) || isUuid(id))).toEqual([]);
  });

  test.each(['', '6720F1A2B3C4D5E6F7A8B9C0', '6720f1a2b3c4d5e6f7a8b9c', '6720f1a2b3c4d5e6f7a8b9c0\n', 'g'.repeat(24)])(
    '%j is not an id',
    (text) => {
      expect(isId(text)).toBe(false);
    },
  );

  test.each([
    '',
    '00000000-0000-0000-0000-000000000000',
    '019A87FD-A800-7000-8000-000000000000',
    '019a87fda80070008000000000000000',
  ])('%j is not a UUID', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

test('random bytes are drawn in bulk', () => {
  let draws = 0;
  const source = new IdSource(new ManualClock(start), (length) => {
    draws++;
    return new Uint8Array(length);
  });
  for (let count = 0; count < 1_000; count++) source.next();
  expect(draws).toBe(1);
});
