import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs } from '../kit/clock.ts';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { Refusal } from '../kit/refusal.ts';
import { readCursor, signCursor } from './cursor.ts';
import { Keyring } from './keyring.ts';

const keyring = Keyring.fromText(Keyring.generate());
const clock = new ManualClock('2026-03-01T12:00:00Z');
const listKey = 'ws_1/production/listTransactions?account=a';
const cursor = signCursor(keyring, { listKey, position: '2026-02-28|tx_9', issuedAt: clock.now() });

function codeOf(
  text: string,
  options: { listKey?: string; now?: number; otherKeyring?: Keyring } = {},
): string | undefined {
  const { otherKeyring = keyring, now = clock.now() } = options;
  try {
    readCursor(otherKeyring, text, { listKey: options.listKey ?? listKey, now, lifetimeMs: dayMs });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('a cursor', () => {
  test('has a version, its moment, its position and a code of 16 bytes, so that nodes of any release read it', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    expect([bytes[0], bytes.readUIntBE(1, 6)]).toEqual([1, clock.now()]);
    expect(bytes.subarray(7, -16).toString()).toBe('2026-02-28|tx_9');
  });

  test('returns its position in its list, whatever the position contains', () => {
    const positions = fc.string({ unit: 'grapheme', maxLength: 50 });
    fc.assert(
      fc.property(positions, fc.string(), (position, list) => {
        const text = signCursor(keyring, { listKey: list, position, issuedAt: clock.now() });
        expect(text).toMatch(/^[\w-]+$/);
        expect(readCursor(keyring, text, { listKey: list, now: clock.now(), lifetimeMs: dayMs })).toBe(position);
      }),
    );
  });

  test('is valid for 24 hours to the millisecond', () => {
    expect(codeOf(cursor, { now: clock.now() + dayMs })).toBeUndefined();
    expect(codeOf(cursor, { now: clock.now() + dayMs + 1 })).toBe('cursor-expired');
  });

  test('is invalid in another list and under another key, even when it has expired there', () => {
    expect(codeOf(cursor, { listKey: 'ws_2/production/listTransactions?account=a' })).toBe('cursor-invalid');
    expect(codeOf(cursor, { otherKeyring: Keyring.fromText(Keyring.generate()) })).toBe('cursor-invalid');
    expect(codeOf(cursor, { listKey: 'other', now: clock.now() + 2 * dayMs })).toBe('cursor-invalid');
  });

  test('is invalid when any one bit of it is changed', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(codeOf(changed.toString('base64url'))).toBe('cursor-invalid');
    }
  });

  test.each(['', 'x', '=', `${cursor}=`, `${cursor}A`, cursor.slice(1), ` ${cursor}`, 'A'.repeat(10_000_000)])(
    'cannot be %.40s',
    (text) => {
      expect(codeOf(text)).toBe('cursor-invalid');
    },
  );

  test('cannot be a random text', () => {
    const texts = fc.oneof(fc.string(), fc.base64String());
    fc.assert(
      fc.property(texts, (text) => {
        expect(codeOf(text)).toBe('cursor-invalid');
      }),
    );
  });

  test('is not made for a position that could not be read back', () => {
    const sign = (length: number): string =>
      signCursor(keyring, { listKey, position: 'x'.repeat(length), issuedAt: clock.now() });
    const longest = 1_024 * 0.75 - (Buffer.from(cursor, 'base64url').length - '2026-02-28|tx_9'.length);
    expect([sign(longest).length, codeOf(sign(longest))]).toEqual([1_024, undefined]);
    expect(() => sign(longest + 1)).toThrow(/too long/);
  });
});

test('a cursor of a key that was replaced is refused, and one that does not expire stays the same', () => {
  const [oldKey, newKey] = [Keyring.generate(), Keyring.generate()];
  const old = Keyring.fromText(oldKey);
  const changing = Keyring.fromTexts({ present: newKey, previous: oldKey });
  const after = Keyring.fromText(newKey);
  after.learn(changing.replaced);
  const text = signCursor(old, { listKey, position: '7', issuedAt: clock.now() });
  const check = { listKey, now: clock.now(), lifetimeMs: dayMs };
  expect(readCursor(changing, text, check)).toBe('7');
  expect(() => readCursor(after, text, check)).toThrow('does not belong to this list');
  const lasting = { listKey, position: '7', issuedAt: 'never' } as const;
  expect(signCursor(after, lasting)).toBe(signCursor(old, lasting));
  const forever = { ...check, lifetimeMs: Infinity };
  for (const keyring of [old, changing, after])
    expect(readCursor(keyring, signCursor(old, lasting), forever)).toBe('7');
});
