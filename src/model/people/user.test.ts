// Tests a user built from memberships: the result for several memberships, and how names are split and joined.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Id } from '../../kit/id.ts';
import { fullName, splitName, userStatus, userFromMemberships, type Membership } from './user.ts';

function membership(fields: Partial<Membership> = {}): Membership {
  return {
    clientId: 'a'.repeat(24) as Id,
    contactEmail: 'astrid@lindqvist.example',
    firstName: 'Astrid',
    lastName: 'Lindqvist',
    role: 'viewer',
    createdAt: 1,
    joinedAt: null,
    disabledAt: null,
    reportingEntityIds: [],
    ...fields,
  };
}

const states = {
  invited: membership(),
  active: membership({ joinedAt: 2 }),
  'disabled before joining': membership({ disabledAt: 3 }),
  'disabled after': membership({ joinedAt: 2, disabledAt: 3 }),
} as const;

describe('the status', () => {
  test.each([
    [['invited'], 'invited'],
    [['active'], 'active'],
    [['disabled before joining'], 'disabled'],
    [['disabled after'], 'disabled'],
    [['invited', 'active'], 'active'],
    [['active', 'disabled after'], 'active'],
    [['invited', 'disabled after'], 'invited'],
    [['disabled after', 'disabled before joining'], 'disabled'],
    [['invited', 'active', 'disabled after'], 'active'],
  ] as const)('of memberships that are %j is %s', (stateNames, status) => {
    expect(userStatus(stateNames.map((name) => states[name]))).toBe(status);
    expect(userStatus(stateNames.map((name) => states[name]).toReversed())).toBe(status);
  });
});

test('address, names, role, client and creation time come from the oldest membership; readable entities come from all', () => {
  const other = membership({
    clientId: 'b'.repeat(24) as Id,
    contactEmail: 'Astrid@Lindqvist.example',
    firstName: 'A.',
    role: 'admin',
    createdAt: 5,
    reportingEntityIds: ['1' as Id],
  });
  const shown = userFromMemberships('x' as Id, [membership({ reportingEntityIds: ['2' as Id] }), other]);
  expect(shown).toMatchObject({
    contactEmail: 'astrid@lindqvist.example',
    name: 'Astrid Lindqvist',
    role: 'viewer',
    client: 'a'.repeat(24),
    createdAt: 1,
    readAccessToReportingEntities: ['1', '2'],
  });
  expect(shown.memberships.map(({ role }) => role)).toEqual(['viewer', 'admin']);
});

describe('a name', () => {
  test.each([
    ['Plato', 'Plato', ''],
    ['Ludwig van Beethoven', 'Ludwig van', 'Beethoven'],
  ])('%s is split into %j and %j', (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });

  test('that is split and joined again is unchanged', () => {
    const names = fc.string({ minLength: 1 }).filter((name) => name === name.trim() && name !== '');
    expect(fc.check(fc.property(names, (name) => fullName(splitName(name)) === name)).failed).toBe(false);
  });
});
