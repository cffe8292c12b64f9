// Tests what a node tells the others of where it has written: gathered, never two statements at once, and read back only as it was written.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { parseAnnouncement, WakeUpAnnouncer } from './wake-up-announcer.ts';

const tenant: Tenant = { workspaceId: '0123456789abcdef01234567' as Id, environment: 'production' };
const text = 'node-1 deliveries 0123456789abcdef01234567 production';

function tenantNumber(number: number): Tenant {
  return { workspaceId: number.toString(16).padStart(24, '0') as Id, environment: 'sandbox' };
}

describe('a node', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** An announcer whose statements end when the test says so. */
  function startAnnouncer() {
    const sent: (readonly string[])[] = [];
    const ends: PromiseWithResolvers<void>[] = [];
    const announcer = new WakeUpAnnouncer({
      node: 'node-1',
      send(messages) {
        sent.push(messages);
        const end = Promise.withResolvers<void>();
        ends.push(end);
        return end.promise;
      },
    });
    return { announcer, sent, ends };
  }

  test('tells the others 50 ms after it has written, once of each tenant and queue, and then nothing more', async () => {
    const { announcer, sent, ends } = startAnnouncer();
    announcer.put('deliveries', tenant);
    announcer.put('mails', tenant);
    await vi.advanceTimersByTimeAsync(49);
    announcer.put('deliveries', tenant);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([[text, text.replace('deliveries', 'mails')]]);
    ends[0]!.resolve();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(1);
  });

  test.each(['resolve', 'reject'] as const)(
    'has one statement at a time, also after one that fails: %s',
    async (how) => {
      const { announcer, sent, ends } = startAnnouncer();
      announcer.put('deliveries', tenant);
      await vi.advanceTimersByTimeAsync(50);
      announcer.put('mails', tenant);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sent).toHaveLength(1);
      ends[0]![how](new Error('The database is away.') as never);
      await vi.advanceTimersByTimeAsync(49);
      expect(sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent[1]).toEqual([text.replace('deliveries', 'mails')]);
      ends[1]!.resolve();
      await vi.advanceTimersByTimeAsync(0);
      announcer.put('deliveries', tenant);
      await vi.advanceTimersByTimeAsync(50);
      expect(sent[2]).toEqual([text]);
    },
  );

  test('tells of 500 at a time at most: the sweeps of the others find the rest', async () => {
    const { announcer, sent } = startAnnouncer();
    for (let number = 1; number <= 501; number++) announcer.put('mails', tenantNumber(number));
    await vi.advanceTimersByTimeAsync(50);
    expect([sent[0]!.length, sent[0]!.at(-1)]).toEqual([500, `node-1 mails ${tenantNumber(500).workspaceId} sandbox`]);
  });
});

describe('an announcement', () => {
  test('is read as it was written', () => {
    expect(parseAnnouncement(text)).toEqual({ node: 'node-1', queue: 'deliveries', tenant });
  });

  test.each([
    ['', 'nothing'],
    ['node-1', 'a node alone'],
    ['node-1 deliveries', 'no tenant'],
    ['node-1 deliveries 0123456789abcdef01234567', 'no environment'],
    ['node-1 rounds 0123456789abcdef01234567 production', 'another queue'],
    ['node-1 deliveries 0123456789abcdef01234567 elsewhere', 'another environment'],
    ['node-1 deliveries nobody production', 'no id'],
    [`${text} more`, 'another word'],
  ])('that is %j is none: %s', (other) => {
    expect(parseAnnouncement(other)).toBeUndefined();
  });
});
