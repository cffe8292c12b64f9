// Tests which sessions are open: until the moment they end, and of one person among others.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { Id } from '../../kit/id.ts';
import type { Sessions } from './sessions.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);

let secretCount = 0;

const session = (id: string, values: RowValues = {}): BareRow => [
  'session',
  {
    id,
    person_id: 'one',
    secret_hash: `\\x${String(++secretCount).padStart(8, '0')}`,
    seen_at: at(0),
    expires_at: at(1),
    ...values,
  },
];
const query = { personId: 'one', now, idleSince: now - 100 };

test('a session is listed until it ends, is ended, or was not used for too long; the newest first', async () => {
  const { write } = await bareWorkspace(service, [
    session('1'),
    session('2', { seen_at: at(-99) }),
    session('idle', { seen_at: at(-100) }),
    session('ends now', { expires_at: at(0) }),
    session('ended', { ended_at: at(0) }),
    session('of another', { person_id: 'two' }),
  ]);
  const open = await write((store) => store.sessions.listOpen(query));
  expect(open.map(({ id }) => id)).toEqual(['2', '1']);
});

test('at most 100 open sessions are listed', async () => {
  const ids = Array.from({ length: 101 }, (_, index) => String(1_000 + index));
  const { write } = await bareWorkspace(
    service,
    ids.map((id) => session(id)),
  );
  const open = await write((store) => store.sessions.listOpen(query));
  expect(open.map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
});

const ended = { ended_at: at(-7) };
const moments = async (change: (sessions: Sessions) => void): Promise<Record<string, (number | null)[]>> => {
  const { write, select } = await bareWorkspace(service, [
    session('a', { seen_at: at(-1) }),
    session('b', { seen_at: at(-1) }),
    session('ended', { seen_at: at(-1), ...ended }),
    session('of another', { seen_at: at(-1), person_id: 'two' }),
    session('seen later', { seen_at: at(5) }),
  ]);
  await write(async (store) => change(store.sessions));
  const rows = await select<{ id: string; seen: Date; ended: Date | null }>(
    'SELECT id, seen_at AS seen, ended_at AS ended FROM session WHERE workspace_id = $1',
  );
  return Object.fromEntries(
    rows.map((row) => [row.id, [row.seen.getTime() - now, row.ended === null ? null : row.ended.getTime() - now]]),
  );
};
const unchanged = {
  a: [-1, null],
  b: [-1, null],
  ended: [-1, -7],
  'of another': [-1, null],
  'seen later': [5, null],
};

test('only the session that is used was seen, not before it was seen last, and not after it was ended', async () => {
  expect(await moments((sessions) => sessions.markSeen({ id: 'a' as Id, at: now }))).toEqual({
    ...unchanged,
    a: [0, null],
  });
  for (const id of ['ended', 'seen later'])
    expect(await moments((sessions) => sessions.markSeen({ id: id as Id, at: now }))).toEqual(unchanged);
});

test('a session is ended once, alone or with all others of its person', async () => {
  expect(await moments((sessions) => sessions.end({ id: 'a' as Id, at: now }))).toEqual({ ...unchanged, a: [-1, 0] });
  expect(await moments((sessions) => sessions.end({ id: 'ended' as Id, at: now }))).toEqual(unchanged);
  expect(await moments((sessions) => sessions.endAll({ personId: 'one', at: now }))).toEqual({
    ...unchanged,
    a: [-1, 0],
    b: [-1, 0],
    'seen later': [5, 0],
  });
});

test.each<[what: string, values: RowValues, isFound: boolean]>([
  ['is open', {}, true],
  ['was used just recently enough', { seen_at: at(-99) }, true],
  ['was not used for too long', { seen_at: at(-100) }, false],
  ['ends now', { expires_at: at(0) }, false],
  ['was ended', { ended_at: at(0) }, false],
])('the secret of a session that %s', async (_what, values, isFound) => {
  const secret = Buffer.from(`secret ${++secretCount}`);
  const { scope } = await bareWorkspace(service, [
    ['person', { id: 'one' }],
    ['workspace_administrator', { person_id: 'one', joined_at: at(-1) }],
    session('s', { ...values, secret_hash: `\\x${secret.toString('hex')}` }),
  ]);
  const locator = { workspaceId: scope.workspaceId as Id | undefined, secretHash: secret };
  const found = await service.context.stores.preAuth.findSession({ ...locator, now, idleSince: now - 100 });
  expect(found?.id).toBe(isFound ? 's' : undefined);
});
