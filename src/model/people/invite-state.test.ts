// The states of an invite: each moment is in exactly one of them, and docs/people.md shows the table as it is.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inviteStates, inviteStatesAsMarkdown, inviteStateTable, stateOfInvite } from './invite-state.ts';

test.each([
  [{ acceptedAt: null, cancelledAt: null, expiresAt: 11 }, 'pending'],
  [{ acceptedAt: null, cancelledAt: null, expiresAt: 10 }, 'expired'],
  [{ acceptedAt: null, cancelledAt: null, expiresAt: 9 }, 'expired'],
  [{ acceptedAt: 5, cancelledAt: null, expiresAt: 9 }, 'accepted'],
  [{ acceptedAt: 5, cancelledAt: null, expiresAt: 11 }, 'accepted'],
  [{ acceptedAt: null, cancelledAt: 5, expiresAt: 9 }, 'cancelled'],
  [{ acceptedAt: null, cancelledAt: 5, expiresAt: 11 }, 'cancelled'],
] as const)('at the moment 10, %j is %s', (moments, state) => {
  expect(stateOfInvite(moments, 10)).toBe(state);
});

test('what is over stays over, whatever the time', () => {
  const moment = fc.integer({ min: 0, max: 100 });
  const staysOver = fc.property(moment, moment, moment, (expiresAt, now, later) => {
    const invite = { acceptedAt: null, cancelledAt: null, expiresAt };
    return stateOfInvite(invite, now) === 'pending' || stateOfInvite(invite, now + later) === 'expired';
  });
  expect(fc.check(staysOver).failed).toBe(false);
});

test('only a pending invite becomes another', () => {
  const turns = inviteStates.flatMap((state) =>
    Object.values(inviteStateTable[state].on).flatMap((turn) => ('to' in turn ? [[state, turn.to]] : [])),
  );
  expect(turns).toEqual([
    ['pending', 'accepted'],
    ['pending', 'cancelled'],
  ]);
});

test('docs/people.md shows this table', () => {
  const page = readFileSync(new URL('../../../docs/people.md', import.meta.url), 'utf8');
  const squeezed = (text: string): string => text.replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-');
  expect(squeezed(page)).toContain(squeezed(inviteStatesAsMarkdown()));
});
