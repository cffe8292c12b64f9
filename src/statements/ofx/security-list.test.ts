// Tests how much is held back until the list of securities at the end of a file.

import { expect, test } from 'vitest';
import type { NamedInstrument, StatementItem } from '../../model/custody/statement.ts';
import { SecurityList } from './security-list.ts';

const named = (custodianCode: string) =>
  ({ item: 'position', instrument: { custodianCode } }) as unknown as StatementItem;
const listed = (custodianCode: string) =>
  ({ item: 'instrument', instrument: { custodianCode, name: `Share ${custodianCode}` } }) as unknown as StatementItem;

/** The names of the securities of what is passed on, in its order. */
function namesOf(take: (list: SecurityList) => void): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const list = new SecurityList((item) => void names.push((item as { instrument: NamedInstrument }).instrument.name));
  list.holdBack();
  take(list);
  list.release();
  return names;
}

test('what names a security has what the list says of it', () => {
  const names = namesOf((list) =>
    [named('a'), named('b'), listed('b'), listed('c')].forEach((item) => list.take(item)),
  );
  expect(names).toEqual(['Share b', 'Share c', undefined, 'Share b']);
});

test.each([
  [19_999, 'Share a'],
  [20_000, undefined],
  [20_001, undefined],
])('of %i items before the list the first has what it says only if they all are held back', (count, name) => {
  const names = namesOf((list) => {
    for (let index = 0; index < count; index++) list.take(named('a'));
    list.take(listed('a'));
    list.holdBack();
    list.take(named('a'));
  });
  expect([names.length, new Set(names.filter((_, index) => index !== names.indexOf('Share a')))]).toEqual([
    count + 2,
    new Set([name]),
  ]);
});
