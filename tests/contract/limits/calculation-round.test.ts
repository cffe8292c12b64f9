// Calculation rounds over HTTP: listed newest first, filtered by client, state and time, visible to callers who can see the
// client, read-only, and run automatically by a node with background jobs.

import { beforeAll, describe, expect, test } from 'vitest';
import { secondMs } from '../../../src/kit/clock.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  listBreaches,
  makeRoundHousehold,
  pay,
  listRounds,
  type RoundHousehold,
} from '../../setup/limits/round-household.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let family: RoundHousehold;
let other: RoundHousehold;
/** The start of the second rounds. */
let second: string;

/** Two rounds of each of two clients, a minute apart. */
beforeAll(async () => {
  ({ admin } = service);
  [family, other] = [await makeRoundHousehold(admin, 'Amsel'), await makeRoundHousehold(admin, 'Bussard')];
  await runRounds(admin.address);
  service.clock.advance(60 * secondMs);
  second = new Date(service.clock.now()).toISOString();
  await pay(admin, family, '1');
  await runRounds(admin.address);
  await pay(admin, other, '600');
  await runRounds(admin.address);
});

async function listStarts(query: string, caller = admin): Promise<[client: string, startedAt: string][]> {
  const { status, body } = await caller.get(`/v1/calculation-rounds${query}`);
  expect(status).toBe(200);
  return body.data.map((one: any) => [one.client_id, one.started_at]);
}

describe('lists', () => {
  test('have the newest first', async () => {
    const [newest, next, ...first] = await listStarts('');
    expect([newest, next]).toEqual([
      [other.client, second],
      [family.client, second],
    ]);
    expect(first.map(([client]) => client).toSorted()).toEqual([family.client, other.client].toSorted());
  });

  test('can be filtered by client, state and time', async () => {
    expect((await listStarts(`?client_id=${family.client}`)).map(([client]) => client)).toEqual([
      family.client,
      family.client,
    ]);
    expect(await listStarts(`?client_id=${family.client}&since=${second}`)).toEqual([[family.client, second]]);
    expect(await listStarts(`?client_id=${family.client}&since=2026-11-15T12:00:00.001Z`)).toEqual([
      [family.client, second],
    ]);
    expect(await listStarts(`?since=2026-11-15T12:01:00.001Z`)).toEqual([]);
    expect(await listStarts('?state=finished&limit=100')).toHaveLength(4);
    expect(await listStarts('?state=failed')).toEqual([]);
    expect(await listStarts('?state=running')).toEqual([]);
  });

  test('continue from a cursor', async () => {
    const all = await listStarts('');
    const { body: page } = await admin.get('/v1/calculation-rounds?limit=3');
    expect([page.data.length, page.has_more]).toEqual([3, true]);
    const rest = await listStarts(`?limit=3&cursor=${page.next_cursor}`);
    expect(rest).toEqual(all.slice(3));
  });

  test.each(['state=done', 'since=yesterday', 'since=2026-11-15', 'client_id=x', 'cause=day'])(
    'with ?%s get 400, naming the parameter',
    async (query) => {
      const { status, body } = await admin.get(`/v1/calculation-rounds?${query}`);
      expect([status, body.errors[0].parameter]).toEqual([400, query.split('=')[0]]);
    },
  );
});

test('one round is read by its id, with its results', async () => {
  const [last] = await listRounds(admin, other);
  const { status, body } = await admin.get(`/v1/calculation-rounds/${last.id}`);
  expect([status, body]).toEqual([200, last]);
  expect(body).toMatchObject({
    causes: ['transaction'],
    counts: { reporting_entities: 1, holdings: 1, limits: 1, breaches: 1, findings: 0 },
  });
  expect((await listBreaches(admin, other))[0].round_id).toBe(last.id);
});

test('the version of the ledger is the one that reports name', async () => {
  const [last] = await listRounds(admin, other);
  const { body } = await admin.get(`/v1/holdings?reporting_entity_id=${other.reportingEntity}`);
  expect(body.ledger_version).toBe(last.ledger_version);
});

test('rounds are read-only', async () => {
  const [{ id }] = (await listRounds(admin, family)) as [{ id: string }];
  const statuses = [
    await admin.post('/v1/calculation-rounds', { client_id: family.client }),
    await admin.patch(`/v1/calculation-rounds/${id}`, { state: 'failed' }),
    await admin.delete(`/v1/calculation-rounds/${id}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([405, 405, 405]);
});

test('a token bound to a client sees only rounds of that client and of those below it', async () => {
  const scoped = await admin.becomeApplication({ rights: ['read'], scoped_to: family.client });
  expect(new Set((await listStarts('', scoped)).map(([client]) => client))).toEqual(new Set([family.client]));
  expect((await scoped.get(`/v1/calculation-rounds?client_id=${other.client}`)).status).toBe(404);
  const ids = [...(await listRounds(admin, other)).map(({ id }) => id), unknownId];
  const replies = await Promise.all(ids.map((id) => scoped.get(`/v1/calculation-rounds/${id}`)));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
    new Set(['404 calculation-round-not-found']),
  );
  const stranger = await service.openWorkspace();
  expect(await listStarts('', stranger)).toEqual([]);
  expect((await stranger.get(`/v1/calculation-rounds/${ids[0]}`)).status).toBe(404);
});

test('a node runs rounds automatically, in threads, soon after it has written', async () => {
  const working = await serviceForThisTest({ settings: { ROLE: 'all', WORK_THREADS: '1' } });
  const made = await makeRoundHousehold(working.admin);
  working.clock.advance(2 * secondMs);
  await expect.poll(async () => (await listRounds(working.admin, made))[0]?.state).toBe('finished');
  const [last] = await listRounds(working.admin, made);
  expect(last.attempts).toBe(1);
  expect(last.counts).toEqual({ reporting_entities: 1, holdings: 1, limits: 1, breaches: 0, findings: 0 });
  expect(await runSql(working.database, 'SELECT state FROM limit_state')).toEqual([{ state: 'compliant' }]);
  expect(working.log.filter((line) => line.includes('a job failed'))).toEqual([]);
});
