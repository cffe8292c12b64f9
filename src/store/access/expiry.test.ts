// Tests which rows are deleted as expired: those from a moment before their time was over, not those of the moment itself, and none that are
// still needed.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { dayMs } from '../../kit/clock.ts';
import { firstIdAt, type Id } from '../../kit/id.ts';
import { dropBatchMax } from './retention.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);
const idAt = (ms: number): string => firstIdAt(now + ms);
const gone = at(-1);
const stays = at(0);

/** A workspace with these rows, and what is left of a table after something was deleted from it. */
async function workspaceWith(rows: readonly BareRow[]) {
  const { write, select } = await bareWorkspace(service, rows);
  return {
    drop: write,
    left: async (table: string, column = 'id'): Promise<string[]> => {
      const text = `SELECT ${column}::text AS name FROM ${table} WHERE workspace_id = $1 ORDER BY 1`;
      return (await select<{ name: string }>(text)).map(({ name }) => name);
    },
  };
}

/** Everything is kept until now. */
const cutoffs = {
  now,
  signingKeysBefore: now,
  webhookKeysBefore: now,
  mailsBefore: now,
  sessionsBefore: now,
  requestsBefore: now,
  requestsShippedTo: [],
  requestCountsBefore: now,
  eventsBefore: now,
  roundsBefore: now,
  limitStatesBefore: now,
  auditLinesBefore: now,
  unbookedImportsBefore: now,
};

test('what has a time is deleted a moment after it', async () => {
  const { drop, left } = await workspaceWith([
    ['used_assertion', { token_id_hash: '\\x00', expires_at: gone }],
    ['used_assertion', { token_id_hash: '\\x01', expires_at: stays }],
    ['idempotent_answer', { key_hash: '\\x00', expires_at: gone }],
    ['idempotent_answer', { key_hash: '\\x01', expires_at: stays }],
    ['session', { id: 'gone', expires_at: gone, secret_hash: '\\x00' }],
    ['session', { id: 'stays', expires_at: stays, secret_hash: '\\x01' }],
    ['request_log', { id: 'gone', at: gone, outcome: 'answered' }],
    ['request_log', { id: 'stays', at: stays, outcome: 'answered' }],
    ['request_count', { day: '2026-11-14' }],
    ['request_count', { day: '2026-11-15' }],
  ]);
  expect(await drop((store) => store.dropExpired(cutoffs))).toBe(5);
  expect(await left('used_assertion', 'token_id_hash')).toEqual(['\\x01']);
  expect(await left('idempotent_answer', 'key_hash')).toEqual(['\\x01']);
  expect(await left('session')).toEqual(['stays']);
  expect(await left('request_log')).toEqual(['stays']);
  expect(await left('request_count', 'day')).toEqual(['2026-11-15']);
});

test('signing keys are deleted when a newer one signs, and the newest never', async () => {
  const key = (id: string, createdAt: Date): BareRow => ['signing_key', { id, created_at: createdAt }];
  const { drop, left } = await workspaceWith([key('1', gone), key('2', stays), key('3', gone)]);
  expect(await drop((store) => store.dropExpired(cutoffs))).toBe(1);
  expect(await left('signing_key')).toEqual(['2', '3']);
});

test('a key of webhooks loses its private half once, after it was retired', async () => {
  const key = (id: string, values: RowValues): BareRow => ['webhook_key', { id, private_sealed: '\\x01', ...values }];
  const { drop, left } = await workspaceWith([
    key('emptied before', { retired_at: at(-2), private_sealed: null }),
    key('gone', { retired_at: gone }),
    key('signs', { retired_at: null }),
    key('stays', { retired_at: stays }),
  ]);
  expect(await drop((store) => store.dropExpired(cutoffs))).toBe(1);
  const halves = `id || ' ' || (private_sealed IS NOT NULL)`;
  expect(await left('webhook_key', halves)).toEqual(['emptied before false', 'gone false', 'signs true', 'stays true']);
});

test('mail is deleted when it no longer counts, was sent, and its invite is gone', async () => {
  const mail = (id: string, values: RowValues): BareRow => [
    'mail',
    { id, sent_at: gone, invite_id: 'deleted', ...values },
  ];
  const { drop, left } = await workspaceWith([
    ['invite', { id: 'there', role: 'viewer' }],
    mail('counts', { created_at: stays }),
    mail('gone', { created_at: gone }),
    mail('shown', { created_at: gone, invite_id: 'there' }),
    mail('waits', { created_at: gone, sent_at: null, next_attempt_at: gone, message_sealed: '\\x00' }),
    mail('without invite', { created_at: gone, invite_id: null }),
  ]);
  expect(await drop((store) => store.dropExpired(cutoffs))).toBe(2);
  expect(await left('mail')).toEqual(['counts', 'shown', 'waits']);
});

const delivered = { state: 'delivered', webhook_id: 'hook' };
const pending = { state: 'pending', webhook_id: 'hook' };
const delivery = (id: string, event: string, values: RowValues): BareRow => [
  'delivery',
  { id, event_id: event, ...values },
];
const event = (id: string): BareRow => ['event', { id, data: '{}' }];

test('a delivery is deleted a moment after its time, an event with its last delivery', async () => {
  const old = idAt(-3);
  const { drop, left } = await workspaceWith([
    event(`${old}1`),
    event(`${old}2`),
    event(`${old}3`),
    event(`${old}4`),
    event(idAt(-1)),
    event(idAt(0)),
    delivery(`${old}gone`, `${old}1`, { ...delivered, ended_at: gone }),
    delivery(`${old}ended`, `${old}2`, { ...delivered, ended_at: stays }),
    delivery(`${old}pending`, `${old}3`, pending),
    delivery(idAt(0), `${old}4`, { ...delivered, ended_at: gone }),
  ]);
  expect(await drop((store) => store.dropOldEvents(now))).toEqual({ count: 3, hasMore: false });
  expect(await left('delivery')).toEqual([`${old}ended`, `${old}pending`, idAt(0)]);
  expect(await left('event')).toEqual([`${old}2`, `${old}3`, `${old}4`, idAt(0)]);
});

test('an event is kept from the first on that was not handed out', async () => {
  const { drop, left } = await workspaceWith([
    ...[-9, -8, -7].map((ms) => event(idAt(ms))),
    ['outbox', { order_key: '', first_id: idAt(-8), last_id: idAt(-8) }],
    ['outbox', { order_key: '', number: 2, first_id: idAt(-7), last_id: idAt(-7) }],
  ]);
  await drop((store) => store.dropOldEvents(now));
  expect(await left('event')).toEqual([idAt(-8), idAt(-7)]);
});

test.each([dropBatchMax - 1, dropBatchMax])(
  'of %i events that are deleted at once, a full batch may leave more',
  async (count) => {
    const { drop, left } = await workspaceWith(
      Array.from({ length: count }, (_, index) => event(`${idAt(-1)} ${index}`)),
    );
    const hasMore = count === dropBatchMax;
    expect(await drop((store) => store.dropOldEvents(now))).toEqual({ count, hasMore });
    expect(await left('event')).toEqual([]);
  },
);

test.each([dropBatchMax - 1, dropBatchMax])(
  'of %i deliveries that a webhook has left, a full batch may leave more',
  async (count) => {
    const rows = Array.from({ length: count }, (_, index) => delivery(`${index}`, `${index}`, pending));
    const { drop, left } = await workspaceWith([
      ...rows,
      delivery('of another', 'one', { ...pending, webhook_id: 'other' }),
    ]);
    const hasMore = count === dropBatchMax;
    const dropped = await drop((store) => store.deliveries.dropLeftovers('hook' as Id));
    expect(dropped).toEqual({ count, hasMore });
    expect(await left('delivery')).toEqual(['of another']);
  },
);

test('deliveries of a webhook that is there are left alone', async () => {
  const webhook: BareRow = ['webhook', { id: 'hook', scheme: 'standard', state: 'enabled' }];
  const { drop, left } = await workspaceWith([webhook, delivery('one', 'one', pending)]);
  expect((await drop((store) => store.deliveries.dropLeftovers('hook' as Id))).count).toBe(0);
  expect(await left('delivery')).toEqual(['one']);
});

const round = (id: string, values: RowValues = {}): BareRow => [
  'calculation_round',
  { id, client_id: 'client', state: 'finished', finished_at: gone, ...values },
];
const open = { state: 'running', finished_at: null };
const roundsOf = (rows: readonly BareRow[]) => workspaceWith([['environment', {}], ...rows]);
const dropRounds = { before: now, afterId: '' };

test('a finished round is deleted before the last one of its client, and not the first of its moment', async () => {
  const last = idAt(0);
  const { drop, left } = await roundsOf([
    round(idAt(-9)),
    round(idAt(-8), open),
    round(last),
    round(idAt(-7), { client_id: 'other' }),
    round(idAt(-6), { client_id: 'other', ...open }),
    round(idAt(-5), { client_id: 'failing' }),
    round(idAt(-4), { client_id: 'failing', state: 'failed', finished_at: null, error: 'x' }),
  ]);
  expect(await drop((store) => store.dropOldRounds(dropRounds))).toEqual({
    count: 1,
    lastId: idAt(-5),
    hasMore: false,
  });
  expect(await left('calculation_round')).toEqual([-8, -7, -6, -5, -4, 0].map(idAt));
});

test('a round at which a state of a limit began is kept while the state lasts, and of a break until it is closed', async () => {
  const state = (id: string, values: RowValues): BareRow => [
    'limit_state',
    {
      id,
      client_id: 'client',
      kind: 'absolute',
      state: 'compliant',
      current_value: 1,
      limit_id: id,
      since: at(-9),
      ...values,
    },
  ];
  const difference = (id: string, values: RowValues): BareRow => [
    'reconciliation_break',
    {
      id,
      client_id: 'client',
      account_id: 'account',
      class: 'cash',
      aspect: 'cash',
      state: 'open',
      subject: id,
      ...values,
    },
  ];
  const { drop, left } = await roundsOf([
    ...['lasts', 'ended', 'of another', 'open', 'closed', 'of another, open'].map((name, index) =>
      round(`${idAt(-9 + index)}${name}`),
    ),
    round(idAt(0)),
    state('1', { round_id: `${idAt(-9)}lasts` }),
    state('2', { round_id: `${idAt(-8)}ended`, until: gone }),
    state('3', { round_id: `${idAt(-7)}of another`, client_id: 'other' }),
    difference('1', { round_id: `${idAt(-6)}open` }),
    difference('2', { round_id: `${idAt(-5)}closed`, state: 'closed', closed_at: gone }),
    difference('3', { round_id: `${idAt(-4)}of another, open`, client_id: 'other' }),
  ]);
  expect((await drop((store) => store.dropOldRounds(dropRounds))).count).toBe(4);
  expect(await left('calculation_round')).toEqual([`${idAt(-9)}lasts`, `${idAt(-6)}open`, idAt(0)]);
});

test('rounds are looked at after the last one that was looked at', async () => {
  const { drop, left } = await roundsOf([round(idAt(-3)), round(idAt(-2)), round(idAt(0))]);
  const result = await drop((store) => store.dropOldRounds({ before: now, afterId: idAt(-3) }));
  expect(result).toEqual({ count: 1, lastId: idAt(-2), hasMore: false });
  expect(await left('calculation_round')).toEqual([idAt(-3), idAt(0)]);
  const none = await drop((store) => store.dropOldRounds({ before: now, afterId: idAt(-2) }));
  expect(none).toEqual({ count: 0, lastId: '', hasMore: false });
});

test.each([dropBatchMax - 1, dropBatchMax])(
  'of %i rounds that are kept, a full batch may leave more to look at',
  async (count) => {
    const hex = (index: number): string => idAt(-1).slice(0, 12) + String(index).padStart(12, '0');
    const rows = Array.from({ length: count }, (_, index) => round(hex(index), { client_id: `client ${index}` }));
    const { drop, left } = await roundsOf(rows);
    const hasMore = count === dropBatchMax;
    const result = await drop((store) => store.dropOldRounds(dropRounds));
    expect(result).toEqual({ count: 0, lastId: hex(count - 1), hasMore });
    // As long as some were not looked at, the workspace is due.
    expect(await left('environment', 'rounds_cleared_to')).toEqual([hasMore ? '' : idAt(0)]);
  },
);

test('a full batch of rounds is deleted whatever the database knows of the table', async () => {
  const rows = Array.from({ length: dropBatchMax }, (_, index) => round(`${idAt(-1)} ${index}`));
  const { drop, left } = await roundsOf([...rows, round(idAt(0))]);
  expect(await drop((store) => store.dropOldRounds(dropRounds))).toMatchObject({ count: dropBatchMax, hasMore: true });
  expect(await left('calculation_round')).toEqual([idAt(0)]);
});

test.each([
  ['what was cleared moves on where a finished round was looked at', round(idAt(-3)), idAt(0)],
  ['and from a round that is the first after what was cleared', round(idAt(-5)), idAt(0)],
  ['not for a round before that', round(idAt(-6)), idAt(-5)],
  ['not for a round that is kept', round(idAt(0)), idAt(-5)],
  ['not for a round that goes on', round(idAt(-3), open), idAt(-5)],
])('%s', async (_what, row, cleared) => {
  const { drop, left } = await workspaceWith([['environment', { rounds_cleared_to: idAt(-5) }], row]);
  await drop((store) => store.dropOldRounds(dropRounds));
  expect(await left('environment', 'rounds_cleared_to')).toEqual([cleared]);
});

const limitState = (id: string, values: RowValues): BareRow => [
  'limit_state',
  { id, kind: 'absolute', state: 'breached', current_value: 1, since: at(-dayMs), ...values },
];
const notEvaluable = { state: 'not_evaluable', current_value: null, reason: 'x' };

test('an ended state of a limit is deleted a moment after its time', async () => {
  const { drop, left } = await workspaceWith([
    limitState(`${idAt(-9)} gone`, { until: gone }),
    limitState(`${idAt(-9)} lasts`, { until: null }),
    limitState(`${idAt(-9)} stays`, { until: stays }),
    limitState(idAt(0), { until: gone }),
  ]);
  expect(await drop((store) => store.dropOldLimitStates(now))).toEqual({ count: 1, hasMore: false });
  expect(await left('limit_state')).toEqual([`${idAt(-9)} lasts`, `${idAt(-9)} stays`, idAt(0)]);
});

test('the last state of a limit that could be evaluated is kept while it cannot be', async () => {
  const old = idAt(-9);
  const ended = (since: number): RowValues => ({ since: at(since), until: at(since + 1) });
  const cannot = { ...notEvaluable, since: at(-5), until: null };
  const { drop, left } = await workspaceWith([
    limitState(`${old} 1 first`, { limit_id: 'one', reporting_entity_id: 'e', ...ended(-9) }),
    limitState(`${old} 1 last`, { limit_id: 'one', reporting_entity_id: 'e', ...ended(-8) }),
    limitState(`${old} 1 not evaluable before`, {
      limit_id: 'one',
      reporting_entity_id: 'e',
      ...ended(-7),
      ...notEvaluable,
    }),
    limitState(`${old} 1 now`, { limit_id: 'one', reporting_entity_id: 'e', ...cannot }),
    limitState(`${old} 2 of another limit`, { limit_id: 'two', reporting_entity_id: 'e', ...ended(-6) }),
    limitState(`${old} 3 of another entity`, { limit_id: 'one', reporting_entity_id: 'f', ...ended(-6) }),
    limitState(`${old} 4 can be again`, { limit_id: 'three', reporting_entity_id: 'e', ...ended(-8) }),
    limitState(`${old} 4 could not`, { limit_id: 'three', reporting_entity_id: 'e', ...ended(-7), ...notEvaluable }),
    limitState(`${old} 4 now`, { limit_id: 'three', reporting_entity_id: 'e', since: at(-6), until: null }),
  ]);
  await drop((store) => store.dropOldLimitStates(now));
  expect(await left('limit_state')).toEqual([`${old} 1 last`, `${old} 1 now`, `${old} 4 now`]);
});

test.each([dropBatchMax - 1, dropBatchMax])(
  'of %i states that are deleted at once, a full batch may leave more',
  async (count) => {
    const rows = Array.from({ length: count }, (_, index) => limitState(`${idAt(-9)} ${index}`, { until: gone }));
    const { drop, left } = await workspaceWith([...rows, limitState(idAt(-8), { until: stays })]);
    const hasMore = count === dropBatchMax;
    expect(await drop((store) => store.dropOldLimitStates(now))).toEqual({ count, hasMore });
    expect(await left('limit_state')).toEqual([idAt(-8)]);
  },
);

const cleared = { limits_cleared_to: at(-5) };

test.each([
  ['what was cleared moves on where a state had ended', at(-3), now],
  ['and from a state that ended at the moment that was cleared', at(-5), now],
  ['not for a state that ended before that', at(-6), now - 5],
  ['not for a state that is kept', stays, now - 5],
])('%s', async (_what, until, expected) => {
  // The last state that could be evaluated stays, however old.
  const rows = [
    limitState(idAt(-9), { limit_id: 'one', since: at(-9), until }),
    limitState(idAt(-8), { limit_id: 'one', ...notEvaluable, since: at(-2), until: null }),
  ];
  const { drop, left } = await workspaceWith([['environment', cleared], ...rows]);
  await drop((store) => store.dropOldLimitStates(now));
  const [moment = ''] = await left('environment', '(extract(epoch FROM limits_cleared_to) * 1000)::bigint');
  expect(Number(moment)).toBe(expected);
});
