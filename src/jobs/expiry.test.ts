// Tests that expired rows are deleted in every workspace, and nothing before its time.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signAssertion, requestToken, registerEc, type Signer } from '../../tests/setup/access/assertion.ts';
import { Caller } from '../../tests/setup/http/caller.ts';
import {
  webhookAnswer,
  deliverAllDue,
  createDeliveries,
  connectionRefused,
} from '../../tests/setup/events/deliveries.ts';
import { emitEvents, tenantOf } from '../../tests/setup/events/event-source.ts';
import { createMails, recordingMailServer, sendDue } from '../../tests/setup/mail/mails.ts';
import { makeInvite, makeUser } from '../../tests/setup/people/members.ts';
import { serviceForThisFile, serviceForThisTest, type TestService } from '../../tests/setup/node/test-service.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../kit/clock.ts';
import { deleteExpired, dropInBatches } from './expiry.ts';

const service = serviceForThisFile();
let signer: Signer;

beforeAll(async () => {
  signer = await registerEc(service.admin);
});

async function token(node: TestService): Promise<Caller> {
  return Caller.withCredentials(node.admin.address, node.first);
}

async function count(table: string): Promise<number> {
  return (await runSql(service.database, `SELECT FROM ${table}`)).length;
}

beforeEach(async () => {
  service.clock.advance(dayMs + minuteMs);
  await deleteExpired(service.context);
});

test('a used assertion is stored until it has expired', async () => {
  const assertion = signAssertion(signer, { now: service.clock.now(), audience: service.addresses.authUrl });
  expect((await requestToken(signer, service.admin, assertion)).status).toBe(200);
  service.clock.advance(60 * secondMs);
  expect(await deleteExpired(service.context)).toBe(0);
  expect((await requestToken(signer, service.admin, assertion)).status).toBe(400);
  service.clock.advance(31 * secondMs);
  expect(await deleteExpired(service.context)).toBe(1);
  expect(await count('used_assertion')).toBe(0);
  expect((await requestToken(signer, service.admin, assertion)).status).toBe(400);
});

test('a stored answer is replayed for a day and then deleted', async () => {
  const admin = await token(service);
  const send = (caller: Caller) => caller.post('/v1/clients', { name: 'Once' }, { 'idempotency-key': 'expiry' });
  const { body } = await send(admin);
  service.clock.advance(dayMs);
  expect(await deleteExpired(service.context)).toBe(0);
  service.clock.advance(1);
  expect(await deleteExpired(service.context)).toBe(1);
  expect(await count('idempotent_answer')).toBe(0);
  expect((await send(await token(service))).body.id).not.toBe(body.id);
});

test('a signing key is kept until the last token it signed has expired, and the newest forever', async () => {
  const own = await serviceForThisTest();
  own.clock.advance(30 * dayMs - minuteMs);
  const last = await token(own);
  own.clock.advance(minuteMs);
  const first = await token(own);
  expect((await runSql(own.database, 'SELECT FROM signing_key')).length).toBe(2);
  own.clock.advance(hourMs - 2 * minuteMs);
  expect(await deleteExpired(own.context)).toBe(0);
  const statuses = [await last.get('/v1/me'), await first.get('/v1/me')].map(({ status }) => status);
  expect(statuses).toEqual([200, 200]);
  own.clock.advance(hourMs + 2 * minuteMs);
  expect(await deleteExpired(own.context)).toBe(0);
  own.clock.advance(1);
  expect(await deleteExpired(own.context)).toBe(1);
  own.clock.advance(400 * dayMs);
  expect(await deleteExpired(own.context)).toBe(0);
  expect((await runSql(own.database, 'SELECT FROM signing_key')).length).toBe(1);
});

test('how many requests a day had is kept for 761 days, so that two years can be compared', async () => {
  const own = await serviceForThisTest();
  const { workspace_id: workspace } = (await own.admin.get('/v1/me')).body;
  const dayAgo = (days: number): string => new Date(own.clock.now() - days * dayMs).toISOString().slice(0, 10);
  const days = [0, 760, 761, 762].map(dayAgo);
  await runSql(
    own.database,
    `INSERT INTO request_count SELECT $1, 'production', day::date, 1, 0, 0 FROM unnest($2::text[]) day
     ON CONFLICT DO NOTHING`,
    [workspace, days],
  );
  expect(await deleteExpired(own.context)).toBe(1);
  const kept = await runSql<{ day: string }>(own.database, 'SELECT day::text FROM request_count ORDER BY day DESC');
  expect(kept.map(({ day }) => day)).toEqual(days.slice(0, 3));
});

test('mail of a deleted invite is kept for two days, and other mail as long as its invite', async () => {
  const admin = await service.openWorkspace();
  const [client, other] = [await admin.makeClient('Lindqvist Family'), await admin.makeClient('Short-lived')];
  const [remaining, removed] = [await makeUser(admin, client), await makeUser(admin, other)];
  for (const user of [remaining, removed]) await makeInvite(admin, user);
  await admin.delete(`/v1/clients/${other}`);
  await sendDue(createMails(service.context, recordingMailServer().send));
  service.clock.advance(2 * dayMs);
  await deleteExpired(service.context);
  expect(await count('mail')).toBe(2);
  service.clock.advance(1);
  expect([await deleteExpired(service.context), await count('mail')]).toEqual([1, 1]);
});

test('every environment is cleaned up, even if the cleanup of another one fails', async () => {
  const strangers = [await service.openWorkspace(), await service.openWorkspace('sandbox')];
  const admins = [await token(service), ...strangers];
  for (const admin of admins) await admin.post('/v1/clients', { name: 'Once' }, { 'idempotency-key': 'everywhere' });
  service.clock.advance(dayMs + 1);
  await runSql(
    service.database,
    `CREATE TABLE pin AS SELECT workspace_id, environment, key_hash FROM idempotent_answer ORDER BY workspace_id LIMIT 1;
     ALTER TABLE pin ADD FOREIGN KEY (workspace_id, environment, key_hash) REFERENCES idempotent_answer`,
  );
  await expect(deleteExpired(service.context)).rejects.toThrow('Expired rows of 1 environments could not be deleted.');
  expect(await count('idempotent_answer')).toBe(1);
  await runSql(service.database, 'DROP TABLE pin');
  expect(await deleteExpired(service.context)).toBe(1);
  expect(await count('idempotent_answer')).toBe(0);
});

test('one run deletes at most 200 batches of a kind, none after the last, and none once the node stops', async () => {
  const stopping = new AbortController();
  /** How many rows are deleted of what has so many batches of ten rows. */
  const deleteBatches = async (batches: number, stopAfter = Infinity): Promise<number> => {
    let left = batches;
    const drop = async () => {
      left -= 1;
      if (batches - left === stopAfter) stopping.abort();
      return { count: 10, hasMore: left > 0 };
    };
    return dropInBatches(drop, stopping.signal);
  };
  const deleted = [await deleteBatches(1), await deleteBatches(3), await deleteBatches(1_000)];
  expect([...deleted, await deleteBatches(1_000, 5), await deleteBatches(1)]).toEqual([10, 30, 2_000, 50, 0]);
});

describe('events', () => {
  const settings = { EVENT_RETENTION_DAYS: '30' };

  /** A node with a webhook and a receiver, and counts of events, deliveries and attempts. */
  async function startWithWebhook() {
    const own = await serviceForThisTest({ settings });
    const tenant = await tenantOf(own.admin);
    const webhook = { url: 'https://hooks.example.com/', events: ['limit.breached'] };
    const { id } = (await own.admin.post('/v1/webhooks', webhook)).body;
    const deliver = (answer = webhookAnswer(204)) =>
      deliverAllDue(
        own.context,
        createDeliveries(own.context, async () => answer),
      );
    const makeTestEvents = (clients: number, others: string[] = []) =>
      emitEvents(own.context, tenant, { clients, perClient: 1 }, others);
    const counts = async (): Promise<number[]> => {
      const [row] = await runSql<Record<string, number>>(
        own.database,
        `SELECT (SELECT count(*)::int FROM event) AS e, (SELECT count(*)::int FROM delivery) AS d,
           (SELECT count(*)::int FROM delivery_attempt) + (SELECT count(attempt_at)::int FROM delivery) AS a`,
      );
      return [row!['e']!, row!['d']!, row!['a']!];
    };
    return { own, id, deliver, tell: makeTestEvents, counts };
  }

  test('are kept for the configured number of days, and their deliveries for as many days after they ended', async () => {
    const { own, deliver, tell: makeTestEvents, counts } = await startWithWebhook();
    await makeTestEvents(3);
    own.clock.advance(dayMs);
    await deliver();
    own.clock.advance(30 * dayMs);
    await deleteExpired(own.context);
    expect(await counts()).toEqual([3, 3, 3]);
    own.clock.advance(1);
    await deleteExpired(own.context);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test('that are not delivered yet are kept until they have arrived', async () => {
    const { own, id, deliver, tell: makeTestEvents, counts } = await startWithWebhook();
    await makeTestEvents(2);
    await deliver(webhookAnswer(410));
    await makeTestEvents(1);
    own.clock.advance(400 * dayMs);
    await deleteExpired(own.context);
    expect(await counts()).toEqual([3, 2, 2]);
    const later = await token(own);
    await later.patch(`/v1/webhooks/${id}`, { state: 'enabled' });
    await deliver();
    await deleteExpired(own.context);
    expect(await counts()).toEqual([3, 3, 5]);
    expect((await later.get(`/v1/webhooks/${id}/deliveries?state=delivered`)).body.data).toHaveLength(3);
  });

  test('whose delivery was abandoned can be replayed until they are deleted, counted from when it was abandoned', async () => {
    const { own, id, deliver, tell: makeTestEvents, counts } = await startWithWebhook();
    await makeTestEvents(1);
    await deliver(connectionRefused);
    own.clock.advance(dayMs);
    await deliver(connectionRefused);
    own.clock.advance(30 * dayMs);
    await deleteExpired(own.context);
    const since = { since: '2026-01-01T00:00:00Z' };
    const replayed = await (await token(own)).post(`/v1/webhooks/${id}/replay-dead-letters`, since);
    expect(replayed.body).toEqual({ replayed_count: 1 });
    own.clock.advance(dayMs);
    await deleteExpired(own.context);
    await deliver();
    expect(await counts()).toEqual([1, 1, 3]);
    own.clock.advance(30 * dayMs + 1);
    expect(await deleteExpired(own.context)).toBeGreaterThanOrEqual(2);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test('without a subscriber are deleted by age, in small batches', async () => {
    const { own, id, deliver, tell: makeTestEvents, counts } = await startWithWebhook();
    await own.admin.delete(`/v1/webhooks/${id}`);
    await makeTestEvents(
      0,
      Array.from({ length: 2_500 }, () => 'a'.repeat(24)),
    );
    await deliver();
    own.clock.advance(30 * dayMs - 1);
    await makeTestEvents(1);
    await deliver();
    own.clock.advance(2);
    expect(await deleteExpired(own.context)).toBeGreaterThanOrEqual(2_500);
    expect(await counts()).toEqual([1, 0, 0]);
  });
});
