// Tests which rows count as waiting in each queue, and since when, beside rows of the same tables that wait for nobody.

import { beforeAll, expect, test } from 'vitest';
import { connectHousehold } from '../../../tests/setup/custody/connected-household.ts';
import { startTestSandbox } from '../../../tests/setup/custody/sandbox.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { emitEvents, tenantOf } from '../../../tests/setup/events/event-source.ts';
import { makeInvite, makeUser } from '../../../tests/setup/people/members.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { chainAuditLines } from '../../actions/access/audit-chain.ts';
import { fanOutEvents } from '../../actions/events/delivery-queue.ts';
import { minuteMs } from '../../kit/clock.ts';
import { firstIdAt } from '../../kit/id.ts';
import { queueNames, type QueueName } from './queue-levels.ts';

const service = serviceForThisFile();
let workspaceId: string;
/** When what waits began to wait. */
let begunAt: number;

/** What waits in each queue, and for how many minutes its oldest has waited. */
async function levels(): Promise<Record<QueueName, readonly [count: number, minutes: number | null]>> {
  const now = service.clock.now();
  const listed = await service.context.stores.preAuth.listQueueLevels(now);
  const minutes = (at: number | null): number | null => (at === null ? null : Math.round((now - at) / minuteMs));
  const entries = listed.map(({ queue, count, oldestAt }) => [queue, [count, minutes(oldestAt)]]);
  return Object.fromEntries(entries);
}

const nothing = Object.fromEntries(queueNames.map((name) => [name, [0, null]]));

beforeAll(async () => {
  const sandbox = await startTestSandbox(service.clock);
  const admin = await service.openWorkspace();
  const tenant = await tenantOf(admin);
  ({ workspaceId } = tenant);
  const household = await connectHousehold(service, { caller: admin, origin: sandbox.origin });
  const broken = { caller: admin, origin: sandbox.origin, bank: 'harbor', customer: 'holding' };
  const authorities = [await connectHousehold(service, broken), await connectHousehold(service, broken)];
  await sandbox.stop();
  const webhook = { url: 'https://hooks.example.com/', events: ['limit.breached'] };
  const { id: disabled } = (await admin.post('/v1/webhooks', webhook)).body;
  await admin.post('/v1/webhooks', webhook);
  await makeInvite(admin, await makeUser(admin, household.client, { email: 'sent@amsel.example' }));
  await runSql(service.database, `UPDATE mail SET next_attempt_at = NULL, message_sealed = NULL, sent_at = created_at`);
  await runSql(service.database, `DELETE FROM round_mark; DELETE FROM shared_round_mark; DELETE FROM outbox`);
  await chainAuditLines(service.context);
  service.clock.advance(10 * minuteMs);
  begunAt = service.clock.now();
  // Handed out to two webhooks, one of which is disabled, and one more event that is not handed out.
  await emitEvents(service.context, tenant, { clients: 1, perClient: 1 });
  await fanOutEvents(service.context, tenant);
  await emitEvents(service.context, tenant, { clients: 1, perClient: 1 });
  const later = await service.enter(tenant);
  await later.patch(`/v1/webhooks/${disabled}`, { state: 'disabled' });
  await makeInvite(later, await makeUser(later, household.client, { email: 'waits@amsel.example' }));
  const insertRun = (id: string, state: string, more: string): Promise<unknown> =>
    runSql(
      service.database,
      `INSERT INTO feed_run (workspace_id, environment, id, client_id, authority_id, custodian_id, connector, state, due_at, attempts, ${more.split(' = ')[0]})
       SELECT workspace_id, environment, $2, client_id, id, custodian_id, 'oauth-pull', $3, $4, 1, ${more.split(' = ')[1]}
       FROM authority WHERE id = $1`,
      [
        id.startsWith('d') ? household.authority : authorities[Number(id[0])]!.authority,
        id.padEnd(24, '0'),
        state,
        new Date(begunAt),
      ],
    );
  await insertRun('d0', 'waiting', 'lease_until = NULL');
  await insertRun('d1', 'finished', `finished_at = '2026-01-01'`);
  await insertRun('0', 'running', `lease_until = '2030-01-01'`);
  await runSql(
    service.database,
    `UPDATE authority SET broken_at = $1, broken_reason = 'Gone.', state = CASE WHEN id = $2 THEN 'revoked' ELSE state END
     WHERE id = ANY ($3)`,
    [new Date(begunAt), authorities[0]!.authority, authorities.map(({ authority }) => authority)],
  );
  for (const [id, reportedAt] of [
    ['a', begunAt],
    ['b', begunAt - 1],
  ] as const)
    await runSql(
      service.database,
      `INSERT INTO import_work (workspace_id, environment, import_id, act, done_count, started_at, reported_at)
       VALUES ($1, 'production', $2, 'book', 0, $3, $4)`,
      [workspaceId, id.repeat(24), new Date(begunAt), new Date(reportedAt)],
    );
  await runSql(
    service.database,
    'DELETE FROM round_mark; DELETE FROM shared_round_mark; DELETE FROM unchained_audit_entry',
  );
  await runSql(
    service.database,
    `INSERT INTO round_mark (workspace_id, environment, client_id, causes, since) VALUES ($1, 'production', $2, '{day}', $3)`,
    [workspaceId, household.client, new Date(begunAt)],
  );
  await runSql(
    service.database,
    `INSERT INTO shared_round_mark (workspace_id, environment, concerns, cause, since) VALUES ($1, 'production', 'all', 'day', $2)`,
    [workspaceId, new Date(begunAt)],
  );
  await runSql(
    service.database,
    `INSERT INTO unchained_audit_entry (workspace_id, environment, entry_id) VALUES ($1, 'production', $2)`,
    [workspaceId, firstIdAt(begunAt)],
  );
  service.clock.advance(5 * minuteMs);
});

test('only what can go on counts, with the time that its oldest has waited', async () => {
  expect(await levels()).toEqual({
    outbox: [1, 5],
    deliveries: [1, 5],
    rounds: [2, 5],
    mails: [1, 5],
    feeds: [1, 5],
    imports: [1, 5],
    'audit-lines': [1, 5],
    'feeds-broken': [1, 5],
  });
});

test('a delivery that waits for its next attempt counts, and is not overdue', async () => {
  await runSql(service.database, 'UPDATE delivery_queue SET due_at = $1', [new Date(service.clock.now() + 1)]);
  expect((await levels()).deliveries).toEqual([1, null]);
  await runSql(service.database, 'UPDATE delivery_queue SET due_at = $1', [new Date(service.clock.now())]);
  expect((await levels()).deliveries).toEqual([1, 0]);
});

test('an import that its node has not reported for more than five minutes is not under way', async () => {
  service.clock.advance(1);
  expect((await levels()).imports).toEqual([0, null]);
});

test('what waits in a suspended workspace waits on purpose', async () => {
  await runSql(service.database, `UPDATE workspace SET state = 'suspended' WHERE workspace_id = $1`, [workspaceId]);
  expect(await levels()).toEqual(nothing);
});
