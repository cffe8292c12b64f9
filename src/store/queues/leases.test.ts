// Tests what is due in the queues of rounds, feeds and mail, and who has it: at the moment itself and a millisecond away from it, beside rows
// of others.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { Store } from '../store.ts';
import type { TakenFeedRun } from './feed-queue.ts';
import type { RoundResult, TakenRound } from './round-queue.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);
const today = '2026-11-15' as CalendarDate;
const id = (text: string): Id => text as Id;

const workspaceWith = (rows: readonly BareRow[]) => bareWorkspace(service, rows);

const flag = (client: string, ms: number, causes: readonly string[] = ['day']): BareRow => [
  'round_mark',
  { client_id: client, since: at(ms), causes },
];
const sharedFlag = (ms: number): BareRow => ['shared_round_mark', { since: at(ms) }];
const round = (client: string, values: RowValues): BareRow => [
  'calculation_round',
  { id: `of ${client}`, client_id: client, state: 'running', causes: ['day'], lease_until: at(0), ...values },
];
const finished = { state: 'finished', finished_at: at(-1) };
const failed = { state: 'failed', error: 'x' };

test('rounds are due: those that were left behind first, then clients in the order of their flags', async () => {
  const { scope } = await workspaceWith([
    round('left behind', { lease_until: at(-1) }),
    round('left just now', { lease_until: at(0) }),
    round('failed', { ...failed, lease_until: at(-2) }),
    round('leased', { lease_until: at(1) }),
    round('finished', { ...finished, lease_until: at(-9) }),
    flag('leased', -9),
    flag('b', -5),
    flag('a', -5),
    flag('finished', -6),
    flag('later', -4),
  ]);
  const query = { dirtyBefore: now - 5, now, today };
  const [due] = await service.context.stores.findDueRounds([scope], query);
  expect(due?.keys).toEqual(['failed', 'left behind', 'left just now', 'finished', 'a', 'b']);
  expect(due).toMatchObject({ isMoreComing: true, hasSharedMarks: false, isFull: false });
});

test.each<[what: string, rows: readonly BareRow[], expected: object]>([
  ['no day was flagged', [['environment', { day_marked: null }]], { isNewDay: true }],
  ['the day before was flagged', [['environment', { day_marked: '2026-11-14' }]], { isNewDay: true }],
  ['today was flagged', [['environment', { day_marked: today }]], { isNewDay: false }],
  ['all were flagged', [sharedFlag(-5)], { hasSharedMarks: true, isMoreComing: false }],
  ['all were flagged later', [sharedFlag(-4)], { hasSharedMarks: false, isMoreComing: true }],
  ['a client was flagged', [flag('a', -5)], { keys: ['a'], isMoreComing: false }],
  ['a client was flagged later', [flag('a', -4)], { keys: [], isMoreComing: true }],
])('what else is due with rounds where %s', async (_what, rows, expected) => {
  const { scope } = await workspaceWith(rows);
  const [due] = await service.context.stores.findDueRounds([scope], { dirtyBefore: now - 5, now, today });
  expect(due).toMatchObject(expected);
});

test.each([499, 500])('of %i flagged clients, a full list may leave more', async (count) => {
  const { scope } = await workspaceWith(Array.from({ length: count }, (_, index) => flag(`client ${index}`, -5)));
  const [due] = await service.context.stores.findDueRounds([scope], { dirtyBefore: now, now, today });
  expect([due?.keys.length, due?.isFull]).toEqual([count, count === 500]);
});

const lease = { now, leaseUntil: now + 1_000, dirtyBefore: now - 5 };

test('a round is taken once: where its lease has ended, with the causes of flags since, or from a flag', async () => {
  const { write, select } = await workspaceWith([
    round('left', { ...failed, attempts: 3, causes: ['rate', 'day'] }),
    round('leased', { lease_until: at(1) }),
    round('finished', { ...finished, lease_until: at(-9) }),
    round('unwanted', { lease_until: at(-9) }),
    flag('left', 0, ['day', 'series']),
    flag('leased', -9),
    flag('unwanted', -9),
    ['client', { id: 'flagged', path: ['flagged'], reference_currency: 'EUR', accounting_method: 'FIFO' }],
    flag('flagged', -5, ['upload']),
    flag('later', -4),
  ]);
  const wanted = ['left', 'leased', 'finished', 'flagged', 'later'].map((client) => ({
    client: id(client),
    id: id(`new of ${client}`),
  }));
  const taken = await write((store) => store.rounds.take(wanted, lease));
  expect(taken.toSorted((one, other) => (one.client < other.client ? -1 : 1))).toEqual([
    { id: 'new of flagged', client: 'flagged', attempts: 1, causes: ['upload'] },
    { id: 'of left', client: 'left', attempts: 4, causes: ['rate', 'day', 'series'] },
  ]);
  const flags = await select<{ client: string }>(
    'SELECT client_id AS client FROM round_mark WHERE workspace_id = $1 ORDER BY 1',
  );
  expect(flags.map(({ client }) => client)).toEqual(['later', 'leased', 'unwanted']);
  const leased = await select<{ id: string }>(
    `SELECT id FROM calculation_round WHERE workspace_id = $1 AND state = 'running' AND error IS NULL
       AND lease_until = '2026-11-15T12:00:01Z' ORDER BY 1`,
  );
  expect(leased.map((one) => one.id)).toEqual(['new of flagged', 'of left']);
  expect(await write((store) => store.rounds.take(wanted, lease))).toEqual([]);
});

const result: RoundResult = {
  ledgerVersion: '7',
  reportingEntities: 1,
  holdings: 2,
  limits: 3,
  breaches: 4,
  findings: 5,
  holdingSubscribers: [],
  figuresDigest: 'x',
};
const taken = (values: Partial<TakenRound> = {}): TakenRound => ({
  id: id('of a'),
  client: id('a'),
  attempts: 2,
  causes: [],
  ...values,
});

test.each<[what: string, row: RowValues, attempt: TakenRound, isHeld: boolean]>([
  ['its own round', {}, taken(), true],
  ['a round that another attempt has', {}, taken({ attempts: 1 }), false],
  ['a round that has failed', failed, taken(), false],
  ['a round that is finished', finished, taken(), false],
  ['another round', {}, taken({ id: id('of another') }), false],
])('an attempt changes only its own round, here %s', async (_what, row, attempt, isHeld) => {
  const changes: ((store: Store) => Promise<boolean>)[] = [
    (store) => store.rounds.renewLease(attempt, { leaseUntil: now, done: 1, total: 2 }),
    (store) => store.rounds.release(attempt, now),
    (store) => store.rounds.fail(attempt, { code: 'x', retryAt: now }),
    (store) => store.rounds.finish(attempt, result, now),
  ];
  for (const change of changes) {
    const { write } = await workspaceWith([round('a', { attempts: 2, ...row })]);
    expect(await write(change)).toBe(isHeld);
  }
});

test('a released round can be taken now, and not later than before', async () => {
  for (const [until, expected] of [
    [5, 0],
    [-5, -5],
  ] as const) {
    const { write, select } = await workspaceWith([round('a', { attempts: 2, lease_until: at(until) })]);
    await write((store) => store.rounds.release(taken(), now));
    const [row] = await select<{ at: Date }>('SELECT lease_until AS at FROM calculation_round WHERE workspace_id = $1');
    expect(row?.at).toEqual(at(expected));
  }
});

test('no round is finished before it was started', async () => {
  for (const [started, expected] of [
    [5, 5],
    [-5, 0],
  ] as const) {
    const { write, select } = await workspaceWith([round('a', { attempts: 2, started_at: at(started) })]);
    await write((store) => store.rounds.finish(taken(), result, now));
    const [row] = await select<{ at: Date }>('SELECT finished_at AS at FROM calculation_round WHERE workspace_id = $1');
    expect(row?.at).toEqual(at(expected));
  }
});

test.each([
  [null, true],
  ['2026-11-14', true],
  ['2026-11-15', false],
  ['2026-11-16', false],
])('of a workspace whose last flagged day is %s, the day is flagged: %s', async (day, isFlagged) => {
  const { write } = await workspaceWith([['environment', { day_marked: day }]]);
  expect(await write((store) => store.rounds.markDay(today))).toBe(isFlagged);
});

test.each<[what: string, rows: readonly BareRow[], isDue: boolean]>([
  ['it is flagged', [flag('a', 0)], true],
  ['all are flagged', [sharedFlag(0)], true],
  ['its round goes on', [round('a', {})], true],
  ['its round is finished', [round('a', finished)], false],
  ['others are flagged and have rounds', [flag('b', 0), round('b', {})], false],
])('something of a client has changed since its last round where %s: %s', async (_what, rows, isDue) => {
  const { write } = await workspaceWith(rows);
  expect(await write((store) => store.rounds.isDue(id('a')))).toBe(isDue);
});

const bank = (values: RowValues = {}): BareRow => ['custodian', { id: 'bank', connector: 'oauth-pull', ...values }];
const authority = (name: string, values: RowValues = {}): BareRow => [
  'authority',
  { id: name, custodian_id: 'bank', client_id: 'c', state: 'active', credentials_sealed: '\\x00', ...values },
];
const run = (of: string, values: RowValues): BareRow => [
  'feed_run',
  {
    id: `of ${of}`,
    authority_id: of,
    custodian_id: 'bank',
    client_id: 'c',
    connector: 'oauth-pull',
    due_at: at(0),
    ...values,
  },
];
const waiting = { state: 'waiting' };
const leasedUntil = (ms: number): RowValues => ({ state: 'running', lease_until: at(ms) });
const over = { state: 'finished', finished_at: at(-5) };
const broken = { broken_at: at(0), broken_reason: 'x' };

test('feeds are due: runs in the order in which they were due, then authorities without a run', async () => {
  const { scope } = await workspaceWith([
    bank(),
    run('waits', { ...waiting, due_at: at(-1) }),
    run('is due now', waiting),
    run('was left', { ...leasedUntil(0), due_at: at(-9) }),
    run('is leased', { ...leasedUntil(1), due_at: at(-9) }),
    run('is later', { ...waiting, due_at: at(1) }),
    run('is over', { ...over, due_at: at(-9) }),
    authority('is later'),
    authority('is over'),
    authority('ends now', { expires_at: at(0) }),
    authority('ends later', { expires_at: at(1) }),
    authority('is broken', broken),
    authority('is no longer active', { state: 'revoked' }),
    authority('has no credentials', { credentials_sealed: null }),
    authority('has no custodian', { custodian_id: 'gone' }),
  ]);
  const [due] = await service.context.stores.findDueFeeds([scope], now);
  const names = ['was left', 'waits', 'is due now', 'ends later', 'is over'];
  expect(due?.keys).toEqual(names.map((name) => `bank ${name}`));
});

const feedLease = { id: id('new'), now, leaseUntil: now + 1_000 };

test.each<[what: string, rows: readonly BareRow[], expected: Partial<TakenFeedRun> | undefined]>([
  ['is due now', [run('a', waiting)], { id: id('of a'), attempts: 1 }],
  ['is due a moment later', [run('a', { ...waiting, due_at: at(1) })], undefined],
  ['was left just now', [run('a', { ...leasedUntil(0), attempts: 1 })], { id: id('of a'), attempts: 2 }],
  ['is leased for a moment', [run('a', leasedUntil(1))], undefined],
  ['is that of another authority', [run('b', waiting)], undefined],
  ['is the first one', [bank(), authority('a')], { id: id('new'), toMark: null }],
  [
    'follows others',
    [
      bank(),
      authority('a'),
      run('a', { ...over, id: '1', to_mark: 'first' }),
      run('a', { ...over, id: '2', to_mark: 'second' }),
      run('b', { ...over, id: '3', to_mark: 'of another' }),
    ],
    { id: id('new'), toMark: 'second', attempts: 1, custodian: id('bank'), client: id('c') },
  ],
  ['would be of an authority that ends now', [bank(), authority('a', { expires_at: at(0) })], undefined],
  ['would be of a broken authority', [bank(), authority('a', broken)], undefined],
  ['would be of a custodian without a connector', [bank({ connector: null }), authority('a')], undefined],
  ['would be without credentials', [bank(), authority('a', { credentials_sealed: null })], undefined],
  [
    'needs no credentials',
    [bank({ connector: 'file-drop' }), authority('a', { credentials_sealed: null })],
    { id: id('new'), connector: 'file-drop' },
  ],
  ['would be of another authority', [bank(), authority('b')], undefined],
])('the run of a feed that %s', async (_what, rows, expected) => {
  const { write, select } = await workspaceWith(rows);
  const found = await write((store) => store.custody.feeds.take(id('a'), feedLease));
  expect(found ?? {}).toMatchObject(expected ?? {});
  expect(found === undefined).toBe(expected === undefined);
  const leased = await select(
    `SELECT FROM feed_run WHERE workspace_id = $1 AND lease_until = '2026-11-15T12:00:01Z' AND started_at IS NOT NULL`,
  );
  expect(leased).toHaveLength(expected === undefined ? 0 : 1);
});

const takenRun: TakenFeedRun = {
  id: id('of a'),
  client: id('c'),
  authority: id('a'),
  custodian: id('bank'),
  connector: 'oauth-pull',
  attempts: 2,
  failures: 0,
  toMark: null,
};

test.each<[what: string, row: RowValues, attempt: Partial<TakenFeedRun>, isHeld: boolean]>([
  ['its own run', leasedUntil(1), {}, true],
  ['a run that another attempt has', leasedUntil(1), { attempts: 1 }, false],
  ['a run that was handed back', waiting, {}, false],
  ['a run that is over', over, {}, false],
  ['another run', leasedUntil(1), { id: id('of another') }, false],
])('an attempt at a feed changes only its own run, here %s', async (_what, row, attempt, isHeld) => {
  const one = { ...takenRun, ...attempt };
  const failure = { error: 'custodian-unavailable', detail: 'x' } as never as { error: never; detail: string };
  const changes: ((store: Store) => Promise<boolean>)[] = [
    (store) => store.custody.feeds.renewLease(one, now),
    (store) => store.custody.feeds.release(one, now),
    (store) => store.custody.feeds.advance(one, { mark: 'x', fetched: 1, importIds: [] }),
    (store) => store.custody.feeds.putOff(one, { retryAt: now, ...failure }),
    (store) => store.custody.feeds.end(one, { now, ...failure }),
    (store) => store.custody.feeds.finish(one, { now, nextId: id('next'), nextAt: now + 1, dropBefore: now }),
  ];
  for (const change of changes) {
    const { write } = await workspaceWith([authority('a'), run('a', { attempts: 2, ...row })]);
    expect(await write(change)).toBe(isHeld);
  }
});

test('runs that brought nothing are deleted a moment after their time', async () => {
  const old = { ...over, finished_at: at(-101) };
  const { write, select } = await workspaceWith([
    authority('a'),
    run('a', { ...leasedUntil(1), attempts: 2, to_mark: 'so far' }),
    run('a', { ...old, id: 'gone' }),
    run('a', { ...old, id: 'imported', imports: ['one'] }),
    run('a', { ...old, id: 'failed', state: 'failed' }),
    run('a', { ...old, id: 'recent', finished_at: at(-100) }),
    run('b', { ...old, id: 'of another' }),
  ]);
  const ending = { now, nextId: id('next'), nextAt: now + 7, dropBefore: now - 100 };
  await write((store) => store.custody.feeds.finish(takenRun, ending));
  const left = await select<{ id: string }>('SELECT id FROM feed_run WHERE workspace_id = $1 ORDER BY id');
  expect(left.map((one) => one.id)).toEqual(['failed', 'imported', 'next', 'of a', 'of another', 'recent']);
  const [next] = await select(
    `SELECT from_mark, to_mark, due_at, state FROM feed_run WHERE workspace_id = $1 AND id = 'next'`,
  );
  expect(next).toEqual({ from_mark: 'so far', to_mark: 'so far', due_at: at(7), state: 'waiting' });
});

const mail = (name: string, values: RowValues = {}): BareRow => [
  'mail',
  { id: name, address_digest: '\\x01', message_sealed: '\\x00', next_attempt_at: at(0), created_at: at(-9), ...values },
];
const noLimits = { fromTenant: [], fromAll: [] };
const equivalents = (digest: Buffer): readonly Buffer[] => [digest];
const taking = { now, leaseUntil: now + 1_000, givenUpAfterMs: 1_000, limits: noLimits, equivalents };

test('mail is due in its order, at its moment', async () => {
  const { scope } = await workspaceWith([
    mail('b'),
    mail('a'),
    mail('first', { next_attempt_at: at(-1) }),
    mail('later', { next_attempt_at: at(1) }),
    mail('sent', { next_attempt_at: null, message_sealed: null, sent_at: at(-1) }),
  ]);
  const [due] = await service.context.stores.findDueMails([scope], now);
  expect(due?.keys).toEqual(['first', 'a', 'b']);
});

const invite = (values: RowValues): BareRow => ['invite', { id: 'i', role: 'viewer', expires_at: at(1), ...values }];
const link = (values: RowValues): BareRow => ['administrator_link', { id: 'i', expires_at: at(1), ...values }];
const ofInvite = mail('m', { invite_id: 'i' });

test.each<[what: string, rows: readonly BareRow[], expected: string | undefined]>([
  ['is of no invite', [mail('m')], 'taken'],
  ['is due a moment later', [mail('m', { next_attempt_at: at(1) })], undefined],
  ['is another', [mail('other')], undefined],
  ['is of an invite that can be used', [ofInvite, invite({})], 'taken'],
  ['is of an invite that ends now', [ofInvite, invite({ expires_at: at(0) })], 'given-up'],
  ['is of an invite that was accepted', [ofInvite, invite({ accepted_at: at(-1) })], 'given-up'],
  ['is of an invite that was cancelled', [ofInvite, invite({ cancelled_at: at(-1) })], 'given-up'],
  ['is of an invite that is gone', [ofInvite, invite({ id: 'other' })], 'given-up'],
  ['is of a link that can be used', [ofInvite, link({})], 'taken'],
  ['is of a link that ends now', [ofInvite, link({ expires_at: at(0) })], 'given-up'],
  ['is of a link that was accepted', [ofInvite, link({ accepted_at: at(-1) })], 'given-up'],
  ['is of a link that is gone', [ofInvite, link({ id: 'other' })], 'given-up'],
])('a mail that %s', async (_what, rows, expected) => {
  const { scope } = await workspaceWith(rows);
  const found = await service.context.stores.mailQueue(scope).take(id('m'), taking);
  expect(typeof found === 'object' ? 'taken' : found).toBe(expected);
});

test.each([
  ['has room for it', 2, 'taken'],
  ['is reached', 1, 'put-off'],
])('a mail to an address whose limit %s', async (_what, count, expected) => {
  const limits = { fromTenant: [{ count, withinMs: 100 }], fromAll: [] };
  const sent = (name: string, values: RowValues): BareRow =>
    mail(name, { next_attempt_at: null, message_sealed: null, sent_at: at(-1), ...values });
  const { scope, select } = await workspaceWith([
    mail('m', { address_digest: '\\x02', handed_at: at(-1) }),
    sent('counts', { address_digest: '\\x02', handed_at: at(-40) }),
    sent('is too old', { address_digest: '\\x02', handed_at: at(-101) }),
    sent('to another', { address_digest: '\\x03', handed_at: at(-1) }),
    sent('failed', { address_digest: '\\x02', handed_at: null }),
  ]);
  const found = await service.context.stores.mailQueue(scope).take(id('m'), { ...taking, limits });
  expect(typeof found === 'object' ? 'taken' : found).toBe(expected);
  const [row] = await select<{ at: Date }>(
    `SELECT next_attempt_at AS at FROM mail WHERE workspace_id = $1 AND id = 'm'`,
  );
  expect(row?.at).toEqual(at(expected === 'taken' ? 1_000 : 60));
});

test.each([
  ['just as long as it may', 150, 'put-off'],
  ['a moment too long', 149, 'given-up'],
])('a mail that would wait %s', async (_what, givenUpAfterMs, expected) => {
  const limits = { fromTenant: [], fromAll: [{ count: 1, withinMs: 100 }] };
  const address = { address_digest: `\\x0${givenUpAfterMs % 10}aa` };
  const { scope } = await workspaceWith([
    mail('m', { ...address, created_at: at(-50) }),
    mail('sent', { ...address, next_attempt_at: null, message_sealed: null, sent_at: at(0), handed_at: at(0) }),
  ]);
  const found = await service.context.stores.mailQueue(scope).take(id('m'), { ...taking, givenUpAfterMs, limits });
  expect(found).toBe(expected);
});

test.each<[what: string, values: RowValues, attemptCount: number, isHeld: boolean]>([
  ['its own mail', { attempt_count: 2 }, 2, true],
  ['a mail that another attempt has', { attempt_count: 2 }, 1, false],
  ['a mail that is over', { attempt_count: 2, next_attempt_at: null, message_sealed: null, sent_at: at(-1) }, 2, false],
])('an attempt at sending ends only itself, here for %s', async (_what, values, attemptCount, isHeld) => {
  for (const ending of [
    { state: 'sent', at: now },
    { state: 'failed', at: now, failure: 'x' },
    { state: 'waiting', nextAttemptAt: now },
  ] as const) {
    const { scope } = await workspaceWith([mail('m', values), mail('other', { attempt_count: 2 })]);
    const queue = service.context.stores.mailQueue(scope);
    expect(await queue.finish({ id: id('m'), attemptCount }, ending)).toBe(isHeld);
    expect(await queue.finish({ id: id('other'), attemptCount: 2 }, ending)).toBe(true);
  }
});
