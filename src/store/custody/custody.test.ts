// Tests which ends of authorities and which breaks are found, at the moment itself and a millisecond away from it, beside those of others.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { dayMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);
const id = (text: string): Id => text as Id;

const bank = (name: string, days: readonly number[]): BareRow => [
  'custodian',
  { id: name, folded_name: name, expiry_warning_days: days },
];
const authority = (name: string, ms: number | null, values: RowValues = {}): BareRow => [
  'authority',
  {
    id: name,
    custodian_id: 'bank',
    client_id: 'c',
    state: 'active',
    expires_at: ms === null ? null : at(ms),
    ...values,
  },
];
const warning = (of: string, ms: number, days: number, values: RowValues = {}): BareRow => [
  'authority_warning',
  { authority_id: of, expires_at: at(ms), days, ...values },
];
const month = 30 * dayMs;
const broken = { broken_at: at(-1), broken_reason: 'x' };

test('warnings are due from their first moment on, the latest of each authority, once', async () => {
  const { write } = await bareWorkspace(service, [
    bank('bank', [30, 7]),
    bank('other', [60]),
    authority('a first', month),
    authority('b not yet', month + 1),
    authority('c second', 7 * dayMs),
    authority('d ends in a moment', 1),
    authority('e ends now', 0),
    authority('f never ends', null),
    authority('g is revoked', dayMs, { state: 'revoked' }),
    authority('h was warned', month),
    warning('h was warned', month, 30),
    authority('i was warned of another end', month),
    warning('i was warned of another end', month - 1, 30),
    authority('j was warned of less', 20 * dayMs),
    warning('j was warned of less', 20 * dayMs, 7),
    authority('k of the other', 60 * dayMs, { custodian_id: 'other' }),
  ]);
  const due = await write((store) => store.custody.ends.listDueWarnings(now, 100));
  expect(due.map(({ authority: name, days }) => [name, days])).toEqual([
    ['a first', 30],
    ['c second', 7],
    ['d ends in a moment', 7],
    ['i was warned of another end', 30],
    ['k of the other', 60],
  ]);
  expect(await write((store) => store.custody.ends.listDueWarnings(now, 2))).toEqual(due.slice(0, 2));
});

test.each<[what: string, row: BareRow, isGiven: boolean]>([
  ['is due now', authority('a', month), true],
  ['is due a moment later', authority('a', month + 1), false],
  ['is of one that ends now', authority('a', 0), false],
  ['is of one that ends in a moment', authority('a', 1), true],
  ['is of one that was revoked meanwhile', authority('a', 1, { state: 'revoked' }), false],
  ['is of another', authority('b', 1), false],
])('a warning that %s', async (_what, row, isGiven) => {
  const { write } = await bareWorkspace(service, [bank('bank', [30]), row]);
  const due = { authority: id('a'), days: 30 };
  const warn = () => write((store) => store.custody.ends.addWarning(due as never, now));
  expect([await warn(), await warn()]).toEqual([isGiven, false]);
});

test('an authority has ended at its moment, unless it is over already', async () => {
  const { write } = await bareWorkspace(service, [
    authority('a', 0),
    authority('b', -1),
    authority('later', 1),
    authority('never', null),
    authority('broken', -1, broken),
    authority('revoked', -1, { state: 'revoked' }),
  ]);
  expect(await write((store) => store.custody.ends.listEnded(now, 100))).toEqual(['a', 'b']);
  expect(await write((store) => store.custody.ends.listEnded(now, 1))).toEqual(['a']);
});

test('warnings are mailed once for each authority', async () => {
  const { write } = await bareWorkspace(service, [
    warning('a', 1, 30),
    warning('a', 1, 7),
    warning('b', 1, 7),
    warning('mailed', 1, 7, { mailed_at: at(-1) }),
  ]);
  const list = (limit: number) => write((store) => store.custody.ends.listUnmailed(limit));
  const mark = (name: string) => write((store) => store.custody.ends.markMailed(id(name), now));
  expect([await list(100), await list(1)]).toEqual([['a', 'b'], ['a']]);
  expect([await mark('mailed'), await mark('a'), await mark('a')]).toEqual([false, true, false]);
  expect(await list(100)).toEqual(['b']);
});

const difference = (name: string, values: RowValues): BareRow => [
  'reconciliation_break',
  {
    id: name,
    client_id: 'c',
    account_id: 'account',
    class: 'cash',
    aspect: 'cash',
    state: 'open',
    subject: name,
    ...values,
  },
];
const accepted = (ms: number): RowValues => ({ state: 'accepted', accepted_at: at(ms) });
const closed = { state: 'closed', closed_at: at(-1) };

test('the accepted breaks of a client are those that were accepted by a moment and still are', async () => {
  const { write } = await bareWorkspace(service, [
    difference('now', accepted(0)),
    difference('before', accepted(-1)),
    difference('later', accepted(1)),
    difference('open', { accepted_at: at(-1) }),
    difference('closed', { ...closed, accepted_at: at(-1) }),
    difference('of another', { ...accepted(0), client_id: 'd' }),
  ]);
  const listed = await write((store) => store.reconciliationBreaks.listAccepted(id('c'), now));
  expect(listed.map(({ subject }) => subject).toSorted()).toEqual(['before', 'now']);
});

test.each<[what: string, values: RowValues, has: boolean]>([
  ['one is open', {}, true],
  ['one is accepted', accepted(0), true],
  ['one is closed', closed, false],
  ['another client has one', { client_id: 'd' }, false],
])('a client has unclosed breaks where %s: %s', async (_what, values, has) => {
  const { write } = await bareWorkspace(service, [difference('one', values)]);
  expect(await write((store) => store.reconciliationBreaks.hasUnclosed(id('c')))).toBe(has);
});
