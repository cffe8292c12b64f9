// Tests which lines of statements count on a day: those of the latest statement of each place, beside those of others.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { statedPageSize } from './stated-holdings.ts';

const service = serviceForThisFile();

const client = 'c' as Id;
const until = '2026-11-15' as CalendarDate;
const known = Date.parse('2026-11-14T12:00:00Z');
const moment = (ms: number): Date => new Date(known + ms);

/** Units in account `a`, unless stated otherwise. */
const line = (id: string, date: string, values: RowValues = {}): BareRow => [
  'stated_holding',
  {
    id,
    client_id: client,
    kind: 'units',
    account_id: 'a',
    instrument_id: 'i',
    subject: `subject ${id}`,
    date,
    known_from: moment(0),
    ...values,
  },
];
const cash = { kind: 'cash', instrument_id: null, currency: 'EUR' };

async function latest(rows: readonly BareRow[], knownAt?: number): Promise<string[]> {
  const { write } = await bareWorkspace(service, rows);
  const found = await write((store) => store.custody.statedHoldings.listLatest({ client, until, knownAt }));
  return found.map(({ id }) => id);
}

test('of each place the latest statement counts, of units and of cash, on or before the day', async () => {
  const rows = [
    line('too old', '2026-11-13'),
    line('later subject', '2026-11-14', { subject: 'z' }),
    line('earlier subject', '2026-11-14', { subject: 'b' }),
    line('second of a subject', '2026-11-14', { subject: 'b' }),
    line('too late', '2026-11-16'),
    line('cash', '2026-11-10', cash),
    line('old cash', '2026-11-09', cash),
    line('elsewhere', '2026-11-15', { account_id: null, depository_id: 'd' }),
    line('of both', '2026-11-01', { depository_id: 'd' }),
    line('of another client', '2026-11-15', { client_id: 'other' }),
    line('no longer known', '2026-11-15', { known_until: moment(1) }),
  ];
  expect(await latest(rows)).toEqual([
    'elsewhere',
    'cash',
    'earlier subject',
    'second of a subject',
    'later subject',
    'of both',
  ]);
});

test('what was known at a moment counts then, up to the millisecond', async () => {
  const rows = [
    line('before', '2026-11-12', { known_from: moment(-1), known_until: moment(0) }),
    line('then', '2026-11-13', { subject: 'a', known_until: moment(1) }),
    line('since then', '2026-11-13', { subject: 'b' }),
    line('later', '2026-11-14', { known_from: moment(1) }),
  ];
  expect(await latest(rows, known)).toEqual(['then', 'since then']);
  expect(await latest(rows, known - 1)).toEqual(['before']);
  expect(await latest(rows, known - 2)).toEqual([]);
  expect(await latest(rows, known + 1)).toEqual(['later']);
  expect(await latest(rows)).toEqual(['later']);
});

test.each([-1, 0, 1])('a statement of a whole page and %i lines is read to its end', async (more) => {
  const { scope, write } = await bareWorkspace(service, []);
  const count = statedPageSize + more;
  await runSql(
    service.database,
    `BEGIN; SET LOCAL session_replication_role = replica;
     INSERT INTO stated_holding (workspace_id, environment, id, known_from, client_id, import_id, kind, account_id, instrument_id, subject, date, quantity)
       SELECT '${scope.workspaceId}', 'production', n, now(), 'c', 'x', 'units', 'a', 'i', 'same', '2026-11-15', 1
       FROM generate_series(1, ${count}) n; COMMIT`,
  );
  const found = await write((store) => store.custody.statedHoldings.listLatest({ client, until }));
  expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([count, count]);
});

test('the statements before one are those of the same holding in the same place, the latest first, at most sixty', async () => {
  const same = { subject: 's' };
  const earlier = Array.from({ length: 61 }, (_, index) => {
    const date = new Date(Date.parse('2026-08-01T00:00:00Z') + index * 86_400_000).toISOString().slice(0, 10);
    return line(`day ${index}`, date, same);
  });
  const { write } = await bareWorkspace(service, [
    ...earlier,
    line('stated later of that day', '2026-09-30', { ...same, stated_at: moment(1) }),
    line('that day', '2026-11-15', same),
    line('another subject', '2026-11-14'),
    line('another place', '2026-11-14', { ...same, depository_id: 'd' }),
    line('another client', '2026-11-14', { ...same, client_id: 'other' }),
    line('no longer known', '2026-11-14', { ...same, known_until: moment(1) }),
  ]);
  const key = { account: 'a', depository: null, subject: 's', date: until };
  const found = await write((store) => store.custody.statedHoldings.listEarlier({ client }, [key]));
  expect(found.map(({ id }) => id)).toEqual([
    'stated later of that day',
    ...earlier.map((_, index) => `day ${60 - index}`).slice(0, 59),
  ]);
});
