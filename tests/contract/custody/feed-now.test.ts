// A feed that is run now: it goes through the queue, once at a time and at most once a minute, and says why where it cannot.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeFeedRun } from '../../../src/actions/feeds/feed-run.ts';
import { hourMs, minuteMs, secondMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { runSql } from '../../setup/database/sql.ts';
import { connectHousehold, makeFeedWorker, type ConnectedHousehold } from '../../setup/custody/connected-household.ts';
import { startTestSandbox, type RunningSandbox } from '../../setup/custody/sandbox.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
});
afterAll(() => sandbox.stop());

interface Connected {
  readonly caller: Caller;
  readonly household: ConnectedHousehold;
}

async function connect(): Promise<Connected> {
  sandbox.custodian.setOutage('sonnenberg', 'none');
  const caller = await service.openWorkspace();
  return { caller, household: await connectHousehold(service, { caller, origin: sandbox.origin }) };
}

const runNow = (caller: Caller, id: string) => caller.post(`/v1/feeds/${id}/run`, undefined);
const listRuns = async (caller: Caller): Promise<any[]> => (await caller.get('/v1/feeds')).body.data;

test('a feed that has never run begins, and the answer leads to its run', async () => {
  const { caller, household } = await connect();
  const { status, body, headers } = await runNow(caller, household.authority);
  const now = new Date(service.clock.now()).toISOString();
  expect([status, body]).toMatchObject([
    202,
    { state: 'waiting', due_at: now, attempts: 0, authority_id: household.authority },
  ]);
  expect(headers.get('location')).toMatch(new RegExp(`/v1/feeds/${body.id}$`));
  // Asking again before a node has taken it changes nothing.
  expect([await runNow(caller, household.authority), await listRuns(caller)]).toMatchObject([
    { status: 202, body },
    [{ id: body.id }],
  ]);
  await makeFeedWorker(service).runAll();
  expect((await caller.get(`/v1/feeds/${body.id}`)).body).toMatchObject({ state: 'finished', attempts: 1 });
});

test('the next run is brought forward, by the id of any run of the feed, a minute after the last one began', async () => {
  const { caller, household } = await connect();
  await makeFeedWorker(service).runAll();
  const [next, last] = await listRuns(caller);
  service.clock.advance(minuteMs - 1);
  const refused = await runNow(caller, last.id);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'feed-just-ran', '1']);
  expect(refused.body.detail).toBe('The custodian was visited less than a minute ago. Run the feed again in 1 second.');
  service.clock.advance(1);
  const begun = await runNow(caller, last.id);
  expect([begun.status, begun.body.id]).toEqual([202, next.id]);
  await makeFeedWorker(service).runAll();
  expect((await caller.get(`/v1/feeds/${next.id}`)).body).toMatchObject({ state: 'finished', attempts: 1 });
  expect((await listRuns(caller))[0]).toMatchObject({
    state: 'waiting',
    due_at: new Date(service.clock.now() + hourMs).toISOString(),
    authority_id: household.authority,
  });
});

test('a custodian that fails is not asked more often than once a minute either', async () => {
  const { caller, household } = await connect();
  sandbox.custodian.setOutage('sonnenberg', 'errors');
  await makeFeedWorker(service).runAll();
  service.clock.advance(30 * secondMs);
  const refused = await runNow(caller, household.authority);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
});

test('a run that is under way is refused, and no second one begins', async () => {
  const { caller, household } = await connect();
  const wanted = { tenant: await tenantOf(caller), authority: household.authority as Id };
  const taken = (await takeFeedRun(service.context, wanted))!;
  const refused = await runNow(caller, household.authority);
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'feed-running',
    `The run ${taken.run.id} of this feed is under way. Nothing else was begun.`,
  ]);
  expect(await listRuns(caller)).toHaveLength(1);
});

test('two who ask at the same time get the same run', async () => {
  const { caller, household } = await connect();
  const replies = await Promise.all([1, 2, 3].map(() => runNow(caller, household.authority)));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(await listRuns(caller)).toHaveLength(1);
});

test.each([
  [
    'was revoked',
    `UPDATE authority SET state = 'revoked' WHERE id = $1`,
    'The authority is `revoked`. Data comes in only while it is `active`.',
  ],
  [
    'is broken',
    `UPDATE authority SET broken_at = now(), broken_reason = 'The bank is gone.' WHERE id = $1`,
    'The custodian no longer accepts the consent: The bank is gone. Renew the consent, and the feed goes on where it stopped.',
  ],
  [
    'has expired',
    `UPDATE authority SET expires_at = '2026-01-01' WHERE id = $1`,
    'The consent has ended. Renew the consent, and the feed goes on where it stopped.',
  ],
  [
    'has no credentials',
    'UPDATE authority SET credentials_sealed = NULL WHERE id = $1',
    'The consent has no credentials, because it was not given on the pages of the custodian. Renew the consent there.',
  ],
  [
    'is at a custodian without a connector',
    'UPDATE custodian SET connector = NULL WHERE id = (SELECT custodian_id FROM authority WHERE id = $1)',
    'The custodian has no connector. An administrator sets one in the settings of the custodian.',
  ],
])('the feed of an authority that %s cannot run, and says why', async (_how, change, detail) => {
  const { caller, household } = await connect();
  await runSql(service.database, change, [household.authority]);
  const { status, body } = await runNow(caller, household.authority);
  expect([status, body.code, body.detail]).toEqual([409, 'feed-not-possible', detail]);
  expect(await listRuns(caller)).toEqual([]);
});

test('a feed of another client or workspace does not exist, and a token that only reads runs none', async () => {
  const { caller, household } = await connect();
  const stranger = await makeRecord(caller, 'clients', { name: 'Stranger' });
  const scoped = await caller.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: stranger });
  const elsewhere = await service.openWorkspace();
  for (const by of [scoped, elsewhere]) {
    const reply = await runNow(by, household.authority);
    expect([reply.status, reply.body.code]).toEqual([404, 'feed-run-not-found']);
  }
  const reader = await caller.becomeApplication({ rights: ['read'] });
  expect((await runNow(reader, household.authority)).status).toBe(403);
  expect(await listRuns(caller)).toEqual([]);
});
