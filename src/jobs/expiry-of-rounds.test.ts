// Tests that finished rounds and ended breaches of limits are deleted after their days, and none that is still needed.

import { expect, test } from 'vitest';
import { Caller } from '../../tests/setup/http/caller.ts';
import { listBreaches, listRounds, makeRoundHousehold, pay } from '../../tests/setup/limits/round-household.ts';
import { runRounds } from '../../tests/setup/limits/rounds.ts';
import { serviceForThisTest, type TestService } from '../../tests/setup/node/test-service.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { makeRecord } from '../../tests/setup/structure/structure-document.ts';
import { dayMs } from '../kit/clock.ts';
import { deleteExpired } from './expiry.ts';

const settings = { ROUND_RETENTION_DAYS: '10', LIMIT_RETENTION_DAYS: '20' };

/** A caller with a token that is still valid after the clock was moved. */
function enterAgain(node: TestService): Promise<Caller> {
  return Caller.withCredentials(node.admin.address, node.first);
}

/** A service with a family within its limit, and what its days are made of. */
async function startFamily() {
  const own = await serviceForThisTest({ settings });
  const family = await makeRoundHousehold(own.admin);
  const calculate = () => runRounds(own.admin.address);
  await calculate();
  return {
    own,
    family,
    /** A day passes, somebody pays, and a round follows. */
    async payNextDay(amount: string, account = family.account): Promise<void> {
      own.clock.advance(dayMs);
      await pay(await enterAgain(own), { account }, amount);
      await calculate();
    },
    roundIds: async (): Promise<string[]> =>
      (await listRounds(await enterAgain(own), family)).map(({ id }: { id: string }) => id),
  };
}

/** Whether old rounds or states of limits make a tenant due. */
async function isDue({ context, clock }: TestService): Promise<boolean> {
  const never = {
    now: 0,
    signingKeysBefore: 0,
    webhookKeysBefore: 0,
    mailsBefore: 0,
    sessionsBefore: 0,
    requestsBefore: 0,
    requestCountsBefore: 0,
    eventsBefore: 0,
    auditLinesBefore: 0,
    unbookedImportsBefore: 0,
  };
  const [roundsBefore, limitStatesBefore] = [clock.now() - 10 * dayMs, clock.now() - 20 * dayMs];
  const cutoffs = { ...never, roundsBefore, limitStatesBefore };
  return (await context.stores.preAuth.dueTenants.withExpired(cutoffs)).length > 0;
}

test('a finished round is kept for its days; the last one of a client and the one that found an open breach for longer', async () => {
  const { own, family, payNextDay, roundIds } = await startFamily();
  await payNextDay('1');
  await payNextDay('600');
  await payNextDay('1');
  const [last, breaking, second, first] = (await roundIds()) as [string, string, string, string];
  own.clock.advance(7 * dayMs);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([last, breaking, second, first]);
  own.clock.advance(1);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([last, breaking, second]);
  own.clock.advance(9 * dayMs);
  expect(await isDue(own)).toBe(true);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([last, breaking]);
  expect(await isDue(own)).toBe(false);
  const admin = await enterAgain(own);
  const [{ round_id: named }] = await listBreaches(admin, family);
  expect((await admin.get(`/v1/calculation-rounds/${named}`)).status).toBe(200);
  expect((await admin.get(`/v1/calculation-rounds/${first}`)).body.code).toBe('calculation-round-not-found');
  await payNextDay('-600');
  await payNextDay('1');
  const [latest, restoring] = (await roundIds()) as [string, string];
  own.clock.advance(10 * dayMs);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([latest, restoring]);
});

test('a round that is not finished stays, however old', async () => {
  const { own, family, roundIds } = await startFamily();
  const [first] = await roundIds();
  own.clock.advance(dayMs);
  await runSql(
    own.database,
    `INSERT INTO calculation_round (workspace_id, environment, id, client_id, causes, state, marked_since, started_at, lease_until, error)
     SELECT workspace_id, environment, replace(id, '0', '1'), client_id, causes, 'failed', started_at, started_at, started_at, 'internal'
     FROM calculation_round WHERE id = $1`,
    [first],
  );
  own.clock.advance(400 * dayMs);
  await deleteExpired(own.context);
  expect(await roundIds()).toHaveLength(2);
  expect((await listRounds(await enterAgain(own), family))[0].state).toBe('failed');
});

test('a round that a break names is kept until the break is closed', async () => {
  const { own, family, payNextDay, roundIds } = await startFamily();
  await payNextDay('1');
  await payNextDay('1');
  const [last, second, first] = await roundIds();
  await runSql(
    own.database,
    `INSERT INTO reconciliation_break (workspace_id, environment, id, client_id, account_id, aspect, subject, class, state, date, first_date,
       stated, difference, transaction_ids, first_seen_at, opened_at, round_id)
     SELECT workspace_id, environment, 'b', client_id, $2, 'cash', 'CHF', 'cash', 'open', '2026-11-10', '2026-11-10', 1, 1, '{}',
       started_at, started_at, id FROM calculation_round WHERE id = $1`,
    [second!, family.account],
  );
  own.clock.advance(20 * dayMs);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([last, second, first]);
  await runSql(own.database, `UPDATE reconciliation_break SET state = 'closed', closed_at = opened_at`);
  await runSql(own.database, `UPDATE environment SET rounds_cleared_to = ''`);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([last, first]);
});

test('a list of rounds continues from a cursor into what is gone', async () => {
  const { own, payNextDay, roundIds } = await startFamily();
  await payNextDay('1');
  await payNextDay('1');
  const [last, second, first] = await roundIds();
  own.clock.advance(9 * dayMs);
  const { body: page } = await (await enterAgain(own)).get('/v1/calculation-rounds?limit=2');
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual([last, second]);
  own.clock.advance(1);
  await deleteExpired(own.context);
  expect(await roundIds()).toEqual([last, first]);
  const rest = await (await enterAgain(own)).get(`/v1/calculation-rounds?limit=2&cursor=${page.next_cursor}`);
  expect([rest.status, rest.body]).toMatchObject([200, { data: [{ id: first }], has_more: false }]);
});

test('a breach is kept for its days after it ended, and while it lasts', async () => {
  const { own, family, payNextDay } = await startFamily();
  const other = await makeRoundHousehold(await enterAgain(own), 'Bussard');
  await pay(await enterAgain(own), other, '600');
  await payNextDay('600');
  await payNextDay('-600');
  own.clock.advance(20 * dayMs);
  await deleteExpired(own.context);
  const states = async (of: { limit: string }): Promise<string[]> =>
    (await listBreaches(await enterAgain(own), of)).map(({ state }: { state: string }) => state);
  expect([await states(family), await states(other)]).toEqual([['closed'], ['open']]);
  own.clock.advance(1);
  await deleteExpired(own.context);
  expect([await states(family), await states(other)]).toEqual([[], ['open']]);
  own.clock.advance(400 * dayMs);
  await deleteExpired(own.context);
  expect([await states(family), await states(other)]).toEqual([[], ['open']]);
  const { body } = await (await enterAgain(own)).get(`/v1/limits/${family.limit}/status`);
  expect(body.reporting_entities[0]).toMatchObject({ state: 'compliant', since: expect.any(String) });
});

test('a breach is kept while its limit cannot be evaluated, so that its end is announced', async () => {
  const { own, family, payNextDay } = await startFamily();
  await payNextDay('600');
  const admin = await enterAgain(own);
  const yen = await makeRecord(admin, 'accounts', { entity_id: family.legalEntity, currency: 'JPY' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: family.reportingEntity, account_ids: [yen] });
  await payNextDay('1', yen);
  own.clock.advance(40 * dayMs);
  await deleteExpired(own.context);
  expect(await runSql(own.database, 'SELECT state FROM limit_state ORDER BY since')).toEqual([
    { state: 'breached' },
    { state: 'not_evaluable' },
  ]);
  expect(await isDue(own)).toBe(false);
  await pay(await enterAgain(own), { account: yen }, '-1');
  await payNextDay('-600');
  const { body } = await (await enterAgain(own)).get('/v1/events?type=limit.restored');
  expect(body.data).toHaveLength(1);
});
