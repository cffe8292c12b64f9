// Tests the states of an invite: it has exactly one at any time, and docs/people.md shows the same table.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inviteStates, inviteStateDefinitions, inviteStateAt, type InviteTransition } from './invite-state.ts';

test.each([
  [{ acceptedAt: null, cancelledAt: null, expiresAt: 11 }, 'pending'],
  [{ acceptedAt: null, cancelledAt: null, expiresAt: 10 }, 'expired'],
  [{ acceptedAt: null, cancelledAt: null, expiresAt: 9 }, 'expired'],
  [{ acceptedAt: 5, cancelledAt: null, expiresAt: 9 }, 'accepted'],
  [{ acceptedAt: 5, cancelledAt: null, expiresAt: 11 }, 'accepted'],
  [{ acceptedAt: null, cancelledAt: 5, expiresAt: 9 }, 'cancelled'],
  [{ acceptedAt: null, cancelledAt: 5, expiresAt: 11 }, 'cancelled'],
] as const)('at the moment 10, %j is %s', (timestamps, state) => {
  expect(inviteStateAt(timestamps, 10)).toBe(state);
});

test('an expired invite stays expired', () => {
  const moment = fc.integer({ min: 0, max: 100 });
  const expiryIsFinal = fc.property(moment, moment, moment, (expiresAt, now, later) => {
    const invite = { acceptedAt: null, cancelledAt: null, expiresAt };
    return inviteStateAt(invite, now) === 'pending' || inviteStateAt(invite, now + later) === 'expired';
  });
  expect(fc.check(expiryIsFinal).failed).toBe(false);
});

test('only a pending invite changes its state', () => {
  const transitions = inviteStates.flatMap((state) =>
    Object.values(inviteStateDefinitions[state].on).flatMap((transition) =>
      'to' in transition ? [[state, transition.to]] : [],
    ),
  );
  expect(transitions).toEqual([
    ['pending', 'accepted'],
    ['pending', 'cancelled'],
  ]);
});

function transitionText(transition: InviteTransition): string {
  if ('to' in transition) return `→ \`${transition.to}\``;
  return 'stays' in transition ? 'unchanged' : `refused: \`${transition.refused}\``;
}

/** The table as docs/people.md shows it. */
function inviteStatesMarkdown(): string {
  const rows = inviteStates.map((state) => {
    const { meaning, on } = inviteStateDefinitions[state];
    const expiry = state === 'pending' ? '→ `expired`' : '';
    return `| \`${state}\` | ${meaning} | ${transitionText(on.acceptance)} | ${transitionText(on.cancellation)} | ${expiry} |`;
  });
  return ['| State | Meaning | Acceptance | Cancellation | `expires_at` |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

test('docs/people.md shows this table', () => {
  const page = readFileSync(new URL('../../../docs/people.md', import.meta.url), 'utf8');
  const compact = (text: string): string => text.replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-');
  expect(compact(page)).toContain(compact(inviteStatesMarkdown()));
});
