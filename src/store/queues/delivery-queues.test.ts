// Tests who may take a delivery queue and what is done with it, at the moment itself and a millisecond away from it, beside other queues.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { Id } from '../../kit/id.ts';
import type { TakenQueue } from './delivery-queue-types.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);
const id = (text: string): Id => text as Id;
const hook = id('a'.repeat(24));
const otherHook = id('b'.repeat(24));

const webhook = (values: RowValues = {}): BareRow => [
  'webhook',
  { id: hook, scheme: 'standard', state: 'enabled', ...values },
];
const disabled = { state: 'disabled', disabled_reason: 'gone', disabled_at: at(0) };
const queue = (values: RowValues = {}): BareRow => [
  'delivery_queue',
  { webhook_id: hook, order_key: 'key', due_at: at(0), ...values },
];
const delivery = (name: string, number: number, values: RowValues = {}): BareRow => [
  'delivery',
  { id: name, event_id: name, webhook_id: hook, order_key: 'key', number, state: 'pending', ...values },
];
const event = (name: string): BareRow => ['event', { id: name, data: '{}', type: 'limit.breached' }];
const ended = { state: 'delivered', ended_at: at(-1) };
const lease = { now, until: now + 1_000, renewBefore: now };

test('queues are due in their order, of webhooks that are enabled', async () => {
  const { scope } = await bareWorkspace(service, [
    webhook(),
    webhook({ id: otherHook, ...disabled }),
    queue({ order_key: 'b' }),
    queue({ order_key: 'a' }),
    queue({ order_key: 'first', due_at: at(-1) }),
    queue({ order_key: 'later', due_at: at(1) }),
    queue({ webhook_id: otherHook }),
  ]);
  const [due] = await service.context.stores.findDueDeliveries([scope], now);
  expect(due?.queues.map(({ orderKey }) => orderKey)).toEqual(['first', 'a', 'b']);
  expect(due).toMatchObject({ hasOutbox: false, isFull: false });
});

test.each<[what: string, rows: readonly BareRow[], holder: string | undefined, isTaken: boolean]>([
  ['is due now', [webhook(), queue()], undefined, true],
  ['is due a moment later', [webhook(), queue({ due_at: at(1) })], undefined, false],
  ['is that of a disabled webhook', [webhook(disabled), queue()], undefined, false],
  ['is another', [webhook(), queue({ order_key: 'other' }), queue({ webhook_id: otherHook })], undefined, false],
  ['is held, and its lease has ended', [webhook(), queue({ holder: 'gone' })], undefined, true],
  ['is held', [webhook(), queue({ due_at: at(1), holder: 'mine' })], 'mine', true],
  ['is held by another', [webhook(), queue({ due_at: at(1), holder: 'theirs' })], 'mine', false],
  ['was held when its webhook was disabled', [webhook(disabled), queue({ holder: 'mine' })], 'mine', false],
])('a queue that %s', async (_what, rows, holder, isTaken) => {
  const { scope, select } = await bareWorkspace(service, [
    ...rows,
    event('1'),
    event('2'),
    delivery('2', 2),
    delivery('1', 1),
    delivery('delivered', 0, ended),
    delivery('of another key', 0, { order_key: 'other' }),
    delivery('of another webhook', 0, { webhook_id: otherHook }),
  ]);
  const key = { webhook: hook, orderKey: 'key', ...(holder === undefined ? {} : { holder: id(holder) }) };
  const [taken] = await service.context.stores.deliveryQueues(scope).take([key], id('new'), lease);
  expect(taken?.nextDeliveries.map((one) => one.delivery)).toEqual(isTaken ? ['1', '2'] : undefined);
  const leased = await select(
    `SELECT holder FROM delivery_queue WHERE workspace_id = $1 AND due_at = '2026-11-15T12:00:01Z'`,
  );
  expect(leased).toEqual(isTaken ? [{ holder: holder ?? 'new' }] : []);
});

test.each([19, 20])('of %i deliveries in a queue, a full list may leave more', async (count) => {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const rows = numbers.flatMap((number) => [event(`${number}`), delivery(`${number}`, number)]);
  const { scope } = await bareWorkspace(service, [webhook(), queue(), ...rows]);
  const queues = service.context.stores.deliveryQueues(scope);
  const [taken] = await queues.take([{ webhook: hook, orderKey: 'key' }], id('new'), lease);
  expect([taken?.nextDeliveries.length, taken?.isComplete]).toEqual([count, count < 20]);
});

const held = { webhook: hook, orderKey: 'key', holder: id('mine'), queued: 1 } as TakenQueue;

test('deliveries that were ready by a moment are given up, while the queue is held', async () => {
  const rows = [
    queue({ holder: 'mine', order_key: 'key' }),
    queue({ holder: 'theirs', order_key: 'lost' }),
    delivery('a', 1, { created_at: at(-10) }),
    delivery('b', 2, { created_at: at(-9) }),
    delivery('replayed', 3, { created_at: at(-99), replayed_at: at(-9) }),
    delivery('delivered', 4, { created_at: at(-99), ...ended }),
    delivery('of a lost queue', 1, { created_at: at(-99), order_key: 'lost' }),
    delivery('of another webhook', 1, { created_at: at(-99), webhook_id: otherHook }),
  ];
  const { scope, select } = await bareWorkspace(service, rows);
  const queues = service.context.stores.deliveryQueues(scope);
  const moments = { readyBefore: now - 10, endedAt: now };
  expect(await queues.giveUpOverdue(held, moments)).toBe(1);
  expect(await queues.giveUpOverdue({ ...held, orderKey: 'lost' }, moments)).toBe(0);
  const dead = await select(`SELECT id, ended_at FROM delivery WHERE workspace_id = $1 AND state = 'dead'`);
  expect(dead).toEqual([{ id: 'a', ended_at: at(0) }]);
});

test.each<[what: string, values: RowValues, hasMore: boolean, left: object[]]>([
  ['stayed empty', { holder: 'mine' }, false, []],
  ['was filled again', { holder: 'mine', queued: 2 }, true, [{ holder: null, due_at: at(5) }]],
  ['was lost', { holder: 'theirs' }, false, [{ holder: 'theirs', due_at: at(0) }]],
])('a queue that was emptied and %s', async (_what, values, hasMore, left) => {
  const { scope, select } = await bareWorkspace(service, [queue(values)]);
  expect(await service.context.stores.deliveryQueues(scope).releaseEmpty(held, now + 5)).toBe(hasMore);
  expect(await select('SELECT holder, due_at FROM delivery_queue WHERE workspace_id = $1')).toEqual(left);
});
