// Checks what an authority says of its connection, to the millisecond in which its consent ends.

import { expect, test } from 'vitest';
import { connectionOf } from './authority.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

test.each([
  ['active', null, null, 'connected'],
  ['active', now + 1, null, 'connected'],
  ['active', now, null, 'expired'],
  ['active', now - 1, null, 'expired'],
  ['active', now + 1, now - 1, 'broken'],
  ['active', now, now - 1, 'expired'],
  ['revoked', now + 1, null, 'none'],
  ['waiting-for-consent', null, null, 'none'],
] as const)('in state %s, with an end at %s and broken at %s: %s', (state, expiresAt, brokenAt, connection) => {
  expect(connectionOf({ state, expiresAt, brokenAt }, now)).toBe(connection);
});
