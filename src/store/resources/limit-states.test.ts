// Tests which states of limits are known, now and at a moment, and what a round ends and begins.

import { expect, test } from 'vitest';
import { bareWorkspace, type BareRow, type RowValues } from '../../../tests/setup/database/bare-rows.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import type { Id } from '../../kit/id.ts';
import type { EvaluatedState } from './limit-states.ts';

const service = serviceForThisFile();

const now = Date.parse('2026-11-15T12:00:00Z');
const at = (ms: number): Date => new Date(now + ms);
const client = 'c' as Id;

/** Compliant since a minute ago, unless stated otherwise. */
const state = (id: string, limit: string, entity: string, values: RowValues = {}): BareRow => [
  'limit_state',
  {
    id,
    client_id: client,
    limit_id: limit,
    reporting_entity_id: entity,
    kind: 'x',
    state: 'compliant',
    current_value: 1,
    since: at(-60_000),
    ...values,
  },
];
const breached = { state: 'breached' };
const unknown = { state: 'not_evaluable', reason: 'x', current_value: null };
const found = (id: string, limit: string, entity: string, values: Partial<EvaluatedState> = {}): EvaluatedState => ({
  id: id as Id,
  limit: limit as Id,
  reportingEntity: entity as Id,
  kind: 'absolute',
  state: 'compliant',
  reason: null,
  currentValue: '1',
  bound: null,
  boundValue: null,
  ...values,
});

test('states are known from the millisecond they began to the one they ended, in the order of limits and entities', async () => {
  const { write } = await bareWorkspace(service, [
    state('ended', 'l1', 'e0', { until: at(0) }),
    state('ends later', 'l1', 'e1', { until: at(1) }),
    state('second', 'l2', 'e1'),
    state('first of it', 'l2', 'e0'),
    state('begins', 'l3', 'e1', { since: at(0) }),
    state('begins later', 'l4', 'e1', { since: at(1) }),
    state('of another client', 'l1', 'e2', { client_id: 'other' }),
  ]);
  const known = async (moment?: number) =>
    (await write((store) => store.limitStates.listKnown(client, moment))).map(
      ({ limit, reportingEntity }) => `${limit} ${reportingEntity}`,
    );
  expect(await known(now)).toEqual(['l1 e1', 'l2 e0', 'l2 e1', 'l3 e1']);
  expect(await known(now - 1)).toEqual(['l1 e0', 'l1 e1', 'l2 e0', 'l2 e1']);
  expect(await known(now + 1)).toEqual(['l2 e0', 'l2 e1', 'l3 e1', 'l4 e1']);
  expect(await known()).toEqual(['l2 e0', 'l2 e1', 'l3 e1', 'l4 e1']);
});

const limitRows = ['l1', 'l2'].map((id): BareRow => [
  'limit_rule',
  { id, client_id: client, kind: 'absolute', max_amount: 1 },
]);
const entityRows = ['e1', 'e2', 'e3'].map((id): BareRow => ['reporting_entity', { id, client_id: client }]);

test('a round ends what it did not find again, begins what is new, and leaves what lasts', async () => {
  const { write, select } = await bareWorkspace(service, [
    ...limitRows,
    ...entityRows,
    state('lasts', 'l1', 'e1'),
    state('lasts unknown', 'l1', 'e2', unknown),
    state('other reason', 'l1', 'e3', unknown),
    state('is breached now', 'l2', 'e1'),
    state('is no more', 'l2', 'e2'),
    state('ended before', 'l2', 'e3', { until: at(-1) }),
    state('of another client', 'l3', 'e1', { client_id: 'other' }),
  ]);
  const put = await write((store) =>
    store.limitStates.putStates(
      [
        found('n1', 'l1', 'e1'),
        found('n2', 'l1', 'e2', { state: 'not_evaluable', reason: 'x', currentValue: null }),
        found('n3', 'l1', 'e3', { state: 'not_evaluable', reason: 'y', currentValue: null }),
        found('n4', 'l2', 'e1', { state: 'breached' }),
        found('n5', 'l2', 'e3'),
      ],
      { client, round: null, now },
    ),
  );
  expect(put).toEqual(['n3', 'n4', 'n5']);
  const rows = await select<{ id: string; since: Date; until: Date | null }>(
    'SELECT id, since, until FROM limit_state WHERE workspace_id = $1 ORDER BY id',
  );
  const moments = rows.map(({ id, since, until }) => [id, Number(since) - now, until && Number(until) - now]);
  expect(moments).toEqual([
    ['ended before', -60_000, -1],
    ['is breached now', -60_000, 0],
    ['is no more', -60_000, 0],
    ['lasts', -60_000, null],
    ['lasts unknown', -60_000, null],
    ['n3', 0, null],
    ['n4', 0, null],
    ['n5', 0, null],
    ['of another client', -60_000, null],
    ['other reason', -60_000, 0],
  ]);
});

test('the state before one is the latest in which that limit could be evaluated at that entity', async () => {
  const ended = (ms: number, values: RowValues = {}): RowValues => ({ since: at(ms - 1), until: at(ms), ...values });
  const { write } = await bareWorkspace(service, [
    state('a0', 'l1', 'e1', ended(-9)),
    state('a1', 'l1', 'e1', ended(-8, breached)),
    state('a2', 'l1', 'e1', ended(-7, unknown)),
    state('a3', 'l1', 'e1', { since: at(-1) }),
    state('b0', 'l1', 'e2', ended(-5)),
    state('b1', 'l2', 'e1', ended(-5)),
    state('c1', 'l2', 'e2', { since: at(-1) }),
  ]);
  const previous = await write((store) =>
    store.limitStates.listPrevious([found('a3', 'l1', 'e1'), found('c1', 'l2', 'e2')]),
  );
  expect(previous).toEqual([{ of: 'a3', state: 'breached' }]);
});

test.each<[what: string, close: 'closeLimit' | 'closeReportingEntity', closed: string[]]>([
  ['a limit', 'closeLimit', ['a', 'b']],
  ['a reporting entity', 'closeReportingEntity', ['d', 'e']],
])('with %s that is deleted its current states end', async (_what, close, closed) => {
  const { write, select } = await bareWorkspace(service, [
    state('a', 'x', 'e1'),
    state('b', 'x', 'e2', unknown),
    state('c', 'x', 'x1', { until: at(-1) }),
    state('d', 'l1', 'x'),
    state('e', 'l2', 'x', breached),
    state('f', 'l1', 'x1', { until: at(-1) }),
    state('g', 'l1', 'e1'),
  ]);
  await write(async (store) => store.limitStates[close]('x' as Id, now));
  const rows = await select<{ id: string }>(
    `SELECT id FROM limit_state WHERE workspace_id = $1 AND until = '2026-11-15T12:00:00Z' ORDER BY id`,
  );
  expect(rows.map(({ id }) => id)).toEqual(closed);
});
