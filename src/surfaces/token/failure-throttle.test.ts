import { describe, expect, test } from 'vitest';
import { minuteMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import { FailureThrottle, type TokenAttempt } from './failure-throttle.ts';

const perMinute = 2;

/** How many seconds the next attempt has to wait; 0 if it may be made. */
function waitOf(throttle: FailureThrottle, attempt: TokenAttempt, now: number): number {
  try {
    throttle.check(attempt, now);
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.retryAfterSeconds!;
  }
}

function fail(throttle: FailureThrottle, attempt: TokenAttempt, count: number, now = 0): void {
  for (let failure = 0; failure < count; failure++) throttle.noteFailure(attempt, now);
}

describe('two addresses are one caller', () => {
  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2::2', true],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:ffff::', true],
    ['2001:db8::1', '2001:db8:0:0:9::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::', true],
    ['2001:db8::1:2:3:4:5', '2001:db8::', false],
    ['::1', '::2', true],
    ['::1', '1::', false],
    ['1::', '1:0:0:0:5::', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::FFFF:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
  ])('%s and %s: %s', (address, other, isOne) => {
    const throttle = new FailureThrottle(perMinute);
    fail(throttle, { clientId: 'a', address }, perMinute);
    expect(waitOf(throttle, { clientId: 'a', address: other }, 0) > 0).toBe(isOne);
    for (let index = 0; index < perMinute * 9; index++) fail(throttle, { clientId: `b${index}`, address }, 1);
    expect(waitOf(throttle, { clientId: 'new', address: other }, 0) > 0).toBe(isOne);
  });
});

describe('failures', () => {
  const attempt = { clientId: 'a', address: '192.0.2.1' };

  test('beyond those of a minute make the next attempt wait, and are forgotten at a steady rate', () => {
    const throttle = new FailureThrottle(perMinute);
    fail(throttle, attempt, perMinute - 1);
    expect(waitOf(throttle, attempt, 0)).toBe(0);
    fail(throttle, attempt, 1);
    expect(waitOf(throttle, attempt, 0)).toBe(30);
    expect(waitOf(throttle, attempt, 10_500)).toBe(20);
    expect(waitOf(throttle, attempt, 29_999)).toBe(1);
    expect(waitOf(throttle, attempt, 30_000)).toBe(0);
    fail(throttle, attempt, 3, 30_000);
    expect(waitOf(throttle, attempt, 30_000)).toBe(90);
    expect(waitOf(throttle, attempt, 30_000 + 10 * minuteMs)).toBe(0);
  });

  test('are not forgotten faster by a clock that is set back', () => {
    const throttle = new FailureThrottle(perMinute);
    fail(throttle, attempt, perMinute, minuteMs);
    expect(waitOf(throttle, attempt, 0)).toBe(30);
  });

  test('of an address are ten times as many as those of one client, and those of others are no concern of one that got a token', () => {
    const throttle = new FailureThrottle(perMinute);
    const { address } = attempt;
    for (let index = 0; index < perMinute * 10 - 1; index++) fail(throttle, { clientId: `b${index}`, address }, 1);
    expect(waitOf(throttle, attempt, 0)).toBe(0);
    fail(throttle, { clientId: 'last', address }, 1);
    expect(waitOf(throttle, attempt, 0)).toBe(3);
    throttle.noteSuccess(attempt);
    expect(waitOf(throttle, attempt, 0)).toBe(0);
    expect(waitOf(throttle, { ...attempt, clientId: 'other' }, 0)).toBe(3);
  });
});
