// Tests how events become deliveries: whose webhooks get which of them, and how much is handed out at a time.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { EventFanout } from './event-fanout.ts';

const service = serviceForThisFile();

const client = (id: string, path: readonly string[]): BareRow => [
  'client',
  { id, path, parent_id: path.at(-2) ?? null, reference_currency: 'EUR', accounting_method: 'FIFO' },
];
const webhook = (id: string, values: RowValues = {}): BareRow => [
  'webhook',
  { id, events: ['wanted'], scheme: 'standard', state: 'enabled', ...values },
];
const event = (id: string, clientId: string | null, values: RowValues = {}): BareRow => [
  'event',
  { id, client_id: clientId, batch_id: 'batch', type: 'wanted', data: '{}', ...values },
];
/** The order of events is kept for each client. */
const entry = (number: number, clientId: string | null, values: RowValues = {}): BareRow => [
  'outbox',
  {
    order_key: clientId ?? '',
    number,
    client_id: clientId,
    batch_id: 'batch',
    first_id: 'e1',
    last_id: 'e9',
    ...values,
  },
];

const open = (rows: readonly BareRow[]) => bareWorkspace(service, rows);
type Workspace = Awaited<ReturnType<typeof open>>;

const fanOut = ({ write }: Workspace) =>
  write((store) => new EventFanout(store, { ids: service.context.ids, now: service.context.clock.now() }).fanOut());

async function deliveriesOf({ select }: Workspace): Promise<string[]> {
  const rows = await select<{ text: string }>(
    `SELECT webhook_id || ' ' || event_id || ' ' || order_key || ' ' || number AS text FROM delivery WHERE workspace_id = $1
     ORDER BY webhook_id, order_key, number, event_id`,
  );
  return rows.map(({ text }) => text);
}

async function outboxOf({ select }: Workspace): Promise<string[]> {
  const rows = await select<{ text: string }>(
    `SELECT order_key || ' ' || number || ' ' || first_id AS text FROM outbox WHERE workspace_id = $1 ORDER BY 1`,
  );
  return rows.map(({ text }) => text);
}

test('each event goes to the webhooks of all, of its client and of those above it that want it', async () => {
  const workspace = await open([
    client('root', ['root']),
    client('child', ['root', 'child']),
    client('other', ['other']),
    webhook('of all'),
    webhook('of child', { client_id: 'child' }),
    webhook('of other', { client_id: 'other' }),
    webhook('of root', { client_id: 'root' }),
    webhook('disabled', { state: 'disabled', disabled_reason: 'gone', disabled_at: '2026-11-15T12:00:00Z' }),
    webhook('wants others', { events: ['unwanted'] }),
    webhook('wants both', { events: ['unwanted', 'wanted'] }),
    entry(1, 'child'),
    entry(1, null),
    event('e1', 'child'),
    event('e2', 'child', { type: 'nobody wants it' }),
    event('e3', null),
    event('e4', 'child', { batch_id: 'another batch' }),
    event('e0', 'child'),
    event('f', 'child'),
  ]);
  expect(await fanOut(workspace)).toBe('nothing');
  expect(await deliveriesOf(workspace)).toEqual([
    'of all e3  1',
    'of all e1 child 1',
    'of child e1 child 1',
    'of root e1 child 1',
    'wants both e3  1',
    'wants both e1 child 1',
  ]);
  expect(await outboxOf(workspace)).toEqual([]);
});

test('the first and the last event of an entry are handed out', async () => {
  const workspace = await open([
    webhook('w'),
    entry(1, 'c', { first_id: 'e2', last_id: 'e4' }),
    ...['e1', 'e2', 'e3', 'e4', 'e5'].map((id) => event(id, 'c')),
  ]);
  await fanOut(workspace);
  expect(await deliveriesOf(workspace)).toEqual(['w e2 c 1', 'w e3 c 1', 'w e4 c 1']);
});

test.each([
  [99, 'nothing', 0],
  [100, 'more', 0],
  [101, 'more', 1],
])(
  'of %i entries that wait, a hundred are handed out at a time, and there may be more where all were',
  async (count, remainder, left) => {
    const entries = Array.from({ length: count }, (_, index) => entry(index, `c${index % 7}`));
    const workspace = await open([webhook('w'), ...entries]);
    expect(await fanOut(workspace)).toBe(remainder);
    expect(await outboxOf(workspace)).toHaveLength(left);
  },
);

test.each([
  [999, 'nothing', [999], []],
  [1_000, 'nothing', [1_000], []],
  [1_001, 'more', [1_000, 1], ['c 1 e01001']],
])('of an entry with %i events, a thousand are handed out at a time', async (count, remainder, deliveries, left) => {
  const workspace = await open([webhook('w'), entry(1, 'c', { first_id: 'e', last_id: 'f' })]);
  await putEvents(workspace, count);
  expect(await fanOut(workspace)).toBe(remainder);
  expect(await deliveriesOf(workspace)).toHaveLength(deliveries[0]!);
  expect(await outboxOf(workspace)).toEqual(left);
  while ((await outboxOf(workspace)).length > 0) await fanOut(workspace);
  expect(await deliveriesOf(workspace)).toHaveLength(count);
});

test.each([
  [499, 'nothing', 998],
  [500, 'more', 1_000],
])(
  'after %i events for two webhooks, the next entry waits if these were a thousand deliveries',
  async (count, remainder, handedOut) => {
    const rest = entry(1, 'd', { first_id: 'x', last_id: 'x' });
    const workspace = await open([webhook('v'), webhook('w'), entry(1, 'c', { first_id: 'e', last_id: 'f' }), rest]);
    await putEvents(workspace, count);
    expect(await fanOut(workspace)).toBe(remainder);
    expect(await deliveriesOf(workspace)).toHaveLength(handedOut);
    expect(await outboxOf(workspace)).toEqual(remainder === 'more' ? ['d 1 x'] : []);
  },
);

function putEvents({ scope }: Workspace, count: number): Promise<unknown> {
  return runSql(
    service.database,
    `INSERT INTO event (workspace_id, environment, id, client_id, batch_id, type, created_at, data)
     SELECT '${scope.workspaceId}', 'production', 'e' || lpad(n::text, 5, '0'), 'c', 'batch', 'wanted', now(), '{}' FROM generate_series(1, ${count}) n`,
  );
}
