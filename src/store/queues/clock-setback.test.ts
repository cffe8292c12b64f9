// Tests how far each moment is pulled back after the clock was set back, in milliseconds from now: not at all as long as its rule could have put
// it there, clocks of nodes being apart by 100.

import { beforeAll, expect, test } from 'vitest';
import { insertBareRows, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { allClients } from '../../model/access/scope.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);
const check = {
  now,
  today: '2026-11-15' as CalendarDate,
  skewMs: 100,
  longestWaits: {
    deliveryLease: 1_000,
    roundLease: 3_000,
    roundRetry: { first: 2_000, max: 5_000 },
    feedLease: 6_000,
    feedWait: 7_000,
    mailLease: 8_000,
    mailRetry: { first: 9_000, max: 20_000 },
    idempotentAnswer: 10_000,
    session: 11_000,
    previousSecret: 12_000,
  },
};

interface Case {
  /** The column of the first row that is looked at, as `table.column`. */
  readonly of: string;
  readonly before: number | string | null;
  /** The same as before if left out. */
  readonly after?: number | string | null;
  /** How many rows are pulled back: one if the column changes, none if not. */
  readonly count?: number;
  /** What else the row has. */
  readonly with?: RowValues;
  readonly beside?: readonly BareRow[];
}

const attempt = (number: number, ms: number, delivery = 'first'): BareRow => [
  'delivery_attempt',
  { delivery_id: delivery, number, at: at(ms), status: 500 },
];
const inQueue = { webhook_id: 'hook', order_key: 'key' };
const pending = { ...inQueue, state: 'pending' };
const untried: BareRow = ['delivery', { ...pending, id: 'first', event_id: 'first', number: 5 }];
const tried: BareRow = [
  'delivery',
  { ...pending, id: 'first', event_id: 'first', number: 5, next_attempt_at: at(5_101) },
];
const running = { state: 'running' };
const failed = (attempts: number): RowValues => ({ state: 'failed', error: 'x', attempts });
const waiting = { message_sealed: '\\x00' };
const secret = { scheme: 'standard', state: 'enabled', previous_secret_sealed: '\\x00' };
const soon = { expires_at: at(1) };

const cases: Readonly<Record<string, Case>> = {
  'a queue that nobody has is due at once': { of: 'delivery_queue.due_at', before: 101, after: 0, with: inQueue },
  'a queue within the skew stays': { of: 'delivery_queue.due_at', before: 100, with: inQueue },
  'a queue whose first delivery was not tried is due at once': {
    of: 'delivery_queue.due_at',
    before: 5_101,
    after: 0,
    with: inQueue,
    beside: [
      untried,
      ['delivery', { ...pending, id: 'next', event_id: 'next', number: 6, next_attempt_at: at(5_101) }],
    ],
  },
  'a lease that is as long as it may be stays': {
    of: 'delivery_queue.due_at',
    before: 1_100,
    with: { ...inQueue, holder: 'node' },
    beside: [untried],
  },
  'a lease that is longer ends as if it began now': {
    of: 'delivery_queue.due_at',
    before: 1_101,
    after: 1_000,
    with: { ...inQueue, holder: 'node' },
    beside: [untried],
  },
  'a queue waits for its next attempt as long as before': {
    of: 'delivery_queue.due_at',
    before: 5_101,
    after: 5_000,
    with: inQueue,
    beside: [tried, attempt(1, 99), attempt(2, 101), attempt(3, 99, 'other')],
  },
  'a delivery shows when it is tried next': {
    of: 'delivery.next_attempt_at',
    before: 5_101,
    after: 5_000,
    with: { ...pending, id: 'first' },
    beside: [['delivery_queue', { ...inQueue, due_at: at(5_101) }], attempt(1, 101)],
  },
  'a delivery that was not tried shows no next attempt': {
    of: 'delivery.next_attempt_at',
    before: null,
    count: 1,
    with: { ...pending, id: 'first' },
    beside: [['delivery_queue', { ...inQueue, due_at: at(5_101) }]],
  },
  'a queue whose last attempt was within the skew stays': {
    of: 'delivery_queue.due_at',
    before: 5_101,
    with: inQueue,
    beside: [
      tried,
      attempt(1, 100),
      [
        'delivery',
        { ...inQueue, id: 'delivered', event_id: 'delivered', number: 1, state: 'delivered', ended_at: at(0) },
      ],
      ['delivery', { ...pending, id: 'of another queue', event_id: 'of another queue', order_key: 'other', number: 1 }],
      [
        'delivery',
        { ...pending, id: 'of another webhook', event_id: 'of another webhook', webhook_id: 'other', number: 1 },
      ],
      ['delivery', { ...pending, id: 'later', event_id: 'later', number: 6 }],
    ],
  },
  'a round is leased as long as it may be': { of: 'calculation_round.lease_until', before: 3_100, with: running },
  'a round was leased for longer': { of: 'calculation_round.lease_until', before: 3_101, after: 3_000, with: running },
  'a round waits for its first retry': { of: 'calculation_round.lease_until', before: 2_100, with: failed(1) },
  'a round waits longer for its first retry': {
    of: 'calculation_round.lease_until',
    before: 2_101,
    after: 2_000,
    with: failed(1),
  },
  'a round waits for its second retry': { of: 'calculation_round.lease_until', before: 4_100, with: failed(2) },
  'a round waits longer for its second retry': {
    of: 'calculation_round.lease_until',
    before: 4_101,
    after: 4_000,
    with: failed(2),
  },
  'a round waits for its third retry': { of: 'calculation_round.lease_until', before: 5_100, with: failed(3) },
  'a round failed very often': {
    of: 'calculation_round.lease_until',
    before: 5_101,
    after: 5_000,
    with: failed(5_000),
  },
  'a round is over': {
    of: 'calculation_round.lease_until',
    before: 9_999,
    with: { state: 'finished', finished_at: at(0) },
  },
  'a feed is leased as long as it may be': { of: 'feed_run.lease_until', before: 6_100, with: running },
  'a feed was leased for longer': { of: 'feed_run.lease_until', before: 6_101, after: 6_000, with: running },
  'a leased feed was put off too far': {
    of: 'feed_run.lease_until',
    before: 5_999,
    count: 1,
    with: { ...running, due_at: at(7_101) },
  },
  'a feed waits as long as it may': { of: 'feed_run.due_at', before: 7_100, with: { state: 'waiting' } },
  'a feed waits for longer': { of: 'feed_run.due_at', before: 7_101, after: 0, with: { state: 'waiting' } },
  'a feed that was leased for longer was due before': {
    of: 'feed_run.due_at',
    before: 7_100,
    count: 1,
    with: { ...running, lease_until: at(6_101) },
  },
  'a feed is over': { of: 'feed_run.due_at', before: 7_101, with: { state: 'finished', finished_at: at(0) } },
  'a client was flagged within the skew': { of: 'round_mark.since', before: 100 },
  'a client was flagged ahead': { of: 'round_mark.since', before: 101, after: 0 },
  'all were flagged within the skew': { of: 'shared_round_mark.since', before: 100 },
  'all were flagged ahead': { of: 'shared_round_mark.since', before: 101, after: 0 },
  'the same day was flagged': { of: 'environment.day_marked', before: '2026-11-15' },
  'the next day was flagged': { of: 'environment.day_marked', before: '2026-11-16', after: null },
  'a mail is handed over': { of: 'mail.next_attempt_at', before: 8_100, with: { ...waiting, handed_at: at(0) } },
  'a mail was handed over for longer': {
    of: 'mail.next_attempt_at',
    before: 8_101,
    after: 8_000,
    with: { ...waiting, handed_at: at(0), attempt_count: 1 },
  },
  'a mail waits for its first retry': {
    of: 'mail.next_attempt_at',
    before: 9_100,
    with: { ...waiting, attempt_count: 1 },
  },
  'a mail waits longer for its first retry': {
    of: 'mail.next_attempt_at',
    before: 9_101,
    after: 9_000,
    with: { ...waiting, attempt_count: 1 },
  },
  'a mail waits longer for its second retry': {
    of: 'mail.next_attempt_at',
    before: 18_101,
    after: 18_000,
    with: { ...waiting, attempt_count: 2 },
  },
  'a mail waits longer for its third retry': {
    of: 'mail.next_attempt_at',
    before: 20_101,
    after: 20_000,
    with: { ...waiting, attempt_count: 3 },
  },
  'a mail was written ahead': {
    of: 'mail.next_attempt_at',
    before: 101,
    after: 0,
    with: { ...waiting, created_at: at(101) },
  },
  'a mail that was written within the skew waits for a limit': {
    of: 'mail.next_attempt_at',
    before: 101,
    with: { ...waiting, created_at: at(100) },
  },
  'an answer is kept as long as it may be': { of: 'idempotent_answer.expires_at', before: 10_100 },
  'an answer is kept for longer': { of: 'idempotent_answer.expires_at', before: 10_101, after: 10_000 },
  'a session lasts as long as it may': {
    of: 'session.expires_at',
    before: 11_100,
    with: { seen_at: at(100) },
  },
  'a session lasts for longer': { of: 'session.expires_at', before: 11_101, after: 11_000, with: { seen_at: at(0) } },
  'a session was seen within the skew': { of: 'session.seen_at', before: 100, with: soon },
  'a session was seen ahead': { of: 'session.seen_at', before: 101, after: 0, with: soon },
  'a session that ends now was seen ahead': { of: 'session.seen_at', before: 101, with: { expires_at: at(0) } },
  'a session that lasts for longer was seen before': {
    of: 'session.seen_at',
    before: -5,
    count: 1,
    with: { expires_at: at(11_101) },
  },
  'a session that was seen ahead ends soon': {
    of: 'session.expires_at',
    before: 1,
    count: 1,
    with: { seen_at: at(101) },
  },
  'a former secret is accepted as long as it may be': {
    of: 'webhook.previous_secret_until',
    before: 12_100,
    with: secret,
  },
  'a former secret is accepted for longer': {
    of: 'webhook.previous_secret_until',
    before: 12_101,
    after: 12_000,
    with: secret,
  },
};

const plainLease: Readonly<Record<string, RowValues>> = { feed_run: { lease_until: at(0) } };

beforeAll(async () => {
  for (const [name, { of, before, with: values = {}, beside = [] }] of Object.entries(cases)) {
    const [table = '', column = ''] = of.split('.');
    const moment = typeof before === 'number' ? at(before) : before;
    const lease = values['state'] === 'running' ? plainLease[table] : {};
    const usual: BareRow[] = [['workspace', {}], ...(table === 'environment' ? [] : [['environment', {}] as const])];
    const row: BareRow = [table, { ...lease, ...values, [column]: moment }];
    await insertBareRows(service.database, { workspaceId: name as Id, environment: 'production' }, [
      ...usual,
      row,
      ...beside,
    ]);
  }
});

test.each(Object.entries(cases))(
  '%s',
  async (name, { of, before, after = before, count = Number(after !== before), with: values }) => {
    const [table = '', column = ''] = of.split('.');
    const scope = {
      workspaceId: name as Id,
      environment: 'production',
      visibleClients: allClients,
      credentialId: null,
    } as const;
    const pulledBack = await service.context.stores.forWriting({ scope }, (store) => store.pullBackMoments(check));
    const id = typeof values?.['id'] === 'string' ? ` AND id = '${values['id']}'` : '';
    const [row] = await runSql<{ value: Date | string | null }>(
      service.database,
      `SELECT ${column === 'day_marked' ? `${column}::text` : column} AS value FROM ${table} WHERE workspace_id = $1${id}`,
      [name],
    );
    const value = row?.value instanceof Date ? row.value.getTime() - now : row?.value;
    expect([value, pulledBack]).toEqual([after, count]);
  },
);
