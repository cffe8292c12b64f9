// Tests the mail of invites on a real database, with a manual clock and several nodes: sent at least once, usually once, retried for a day,
// not sent for an invite that has ended, and limited.

import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { tenantOf } from '../../tests/setup/events/event-source.ts';
import { failedOutcome, createMails, recordingMailServer, sendDue, sentOutcome } from '../../tests/setup/mail/mails.ts';
import { acceptInviteAs, verifiedIdentity, makeInvite, makeUser, newEmail } from '../../tests/setup/people/members.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../tests/setup/node/test-service.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import type { AppContext } from '../actions/core/context.ts';
import { runInTransaction, serviceAuthor } from '../actions/core/work.ts';
import { queueMail } from '../actions/people/mail.ts';
import type { SendMail } from '../actions/people/mail-queue.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { MailOutcome } from '../gateways/mailer.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import { formatInstant } from '../kit/instant.ts';
import { Database } from '../store/postgres/database.ts';
import { sql } from '../store/postgres/statement.ts';

/** One base URL for both nodes, so that tokens of one are valid on the other. */
const settings = { BASE_URL: 'http://holdfast.test', MAIL_PER_ADDRESS_HOUR: '5', MAIL_PER_ADDRESS_DAY: '20' };
const service = serviceForThisFile({ settings });
/** A second node on the same database and clock, where a workspace may send three mails an hour and four a day. */
let other: TestService;
let context: AppContext;
let admin: Caller;
let tenant: Tenant;
let client: string;

beforeAll(async () => {
  const few = { MAIL_PER_HOUR: '3', MAIL_PER_DAY: '4' };
  other = await startTestService({
    database: service.database,
    clock: service.clock,
    settings: { ...settings, ...few },
  });
});

afterAll(() => other.stop());

/** Deletes the leftovers of earlier tests. */
beforeEach(async () => {
  context = service.context;
  await runSql(service.database, 'DELETE FROM mail');
  admin = await service.openWorkspace();
  tenant = await tenantOf(admin);
  client = await admin.makeClient('Lindqvist Family');
});

/** Invites a person to the client. Returns the id of the invite. */
async function invite(email = newEmail()): Promise<string> {
  return makeInvite(admin, await makeUser(admin, client, { email }));
}

async function mailStatusOf(id: string): Promise<{ status: string; at: string; failure: string | null }> {
  return (await (await service.enter(tenant)).get(`/v1/invites/${id}`)).body.mail;
}

async function messages(): Promise<(Buffer | null)[]> {
  const rows = await runSql<{ message_sealed: Buffer | null }>(service.database, 'SELECT message_sealed FROM mail');
  return rows.map((row) => row.message_sealed);
}

function now(): string {
  return formatInstant(service.clock.now());
}

describe('the mail of an invite', () => {
  test('is queued with the invite, is sent, and then its text is deleted', async () => {
    const email = newEmail();
    const id = await invite(email);
    expect(await mailStatusOf(id)).toEqual({ status: 'queued', at: now(), failure: null });
    const [sealed] = await messages();
    for (const plain of [email, 'invites', 'Lindqvist']) expect(sealed!.includes(plain)).toBe(false);
    const { messages: received, send } = recordingMailServer();
    service.clock.advance(minuteMs);
    const mails = createMails(context, send);
    await sendDue(mails);
    expect([mails.outcomes, received.length]).toEqual([['sent'], 1]);
    expect(received[0]).toMatchObject({ to: email, subject: 'Invitation to Lindqvist Family' });
    expect(await mailStatusOf(id)).toEqual({ status: 'sent', at: now(), failure: null });
    expect(await messages()).toEqual([null]);
    await sendDue(mails);
    expect(received).toHaveLength(1);
  });

  test('contains a link whose secret is stored nowhere else', async () => {
    const id = await invite();
    const { messages: received, send } = recordingMailServer();
    await sendDue(createMails(context, send));
    const [, secret] = /^http:\/\/holdfast\.test\/invites\/([\w-]{67})$/m.exec(received[0]!.text)!;
    const [row] = await runSql<{ secret_hash: Buffer }>(
      service.database,
      'SELECT secret_hash FROM invite WHERE id = $1',
      [id],
    );
    expect(row!.secret_hash).toEqual(hash('sha256', secret!, 'buffer'));
    expect(received[0]!.html).toContain(`href="http://holdfast.test/invites/${secret}"`);
  });

  test('is sent a moment later by the node that wrote it, without a sweep over all tenants', async () => {
    await invite();
    const { messages: received, send } = recordingMailServer();
    const mails = createMails(context, send);
    await mails.processWakeUps();
    await mails.drain();
    expect(received).toHaveLength(1);
    await mails.processWakeUps();
    await mails.drain();
    expect(received).toHaveLength(1);
  });

  test('is not written if the invite is refused', async () => {
    const user = await makeUser(admin, client);
    const reply = await admin.post('/v1/invites', { user_id: user, identity_provider: 'provider_z' });
    expect([reply.status, await messages()]).toEqual([422, []]);
  });
});

test('mail that is about no invite is sent, whatever became of invites', async () => {
  const email = newEmail();
  const user = await makeUser(admin, client, { email });
  await admin.post(`/v1/invites/${await makeInvite(admin, user)}/cancellation`, {});
  const content = { subject: 'Consent ends soon', text: 'On Friday.', html: '<p>On Friday.</p>' };
  await runInTransaction(context, serviceAuthor(tenant), async (work) =>
    queueMail(work, { client: client as Id, personId: user, invite: null, to: email, content }),
  );
  const { messages: received, send } = recordingMailServer();
  await sendDue(createMails(context, send));
  expect(received).toEqual([expect.objectContaining({ to: email, ...content })]);
  expect(await messages()).toEqual([null, null]);
});

test('the newest link of an administrator is mailed, and none that was replaced', async () => {
  const [replaced, alone] = [newEmail(), newEmail()];
  for (const email of [replaced, replaced, alone])
    await admin.post('/v1/administrators', { email, first_name: 'Nora', last_name: '' });
  const { messages: received, send } = recordingMailServer();
  await sendDue(createMails(context, send));
  expect(received.map(({ to }) => to).toSorted()).toEqual([replaced, alone].toSorted());
});

describe('a mail server that does not accept a mail', () => {
  /** Advances the clock, a quarter of an hour at a time. */
  async function passHours(hours: number, mails: ReturnType<typeof createMails>): Promise<void> {
    for (let quarter = 0; quarter < 4 * hours; quarter++) {
      service.clock.advance(hourMs / 4);
      await sendDue(mails);
    }
  }

  test('is tried again after growing delays, with random jitter', async () => {
    await invite();
    const times: number[] = [];
    const { send } = recordingMailServer(() => {
      times.push(service.clock.now());
      return failedOutcome('Not now.');
    });
    const mails = createMails(context, send);
    // The longest of six waits end within 660 seconds; seven of the shortest would fit into 700.
    for (let second = 0; second <= 660 && times.length < 7; second += 5) {
      await sendDue(mails);
      service.clock.advance(5 * secondMs);
    }
    const waits = times.slice(1).map((time, index) => (time - times[index]!) / secondMs);
    expect(waits).toHaveLength(6);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(5 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(10 * 2 ** index + 5);
    }
  });

  test('until hour 23: the mail then arrives once, with the same id as at every attempt', async () => {
    const id = await invite();
    const upAt = service.clock.now() + 23 * hourMs;
    const {
      messages: received,
      attempted,
      send,
    } = recordingMailServer(() => (service.clock.now() < upAt ? failedOutcome('Not now.') : sentOutcome));
    const mails = createMails(context, send);
    await sendDue(mails);
    await passHours(24, mails);
    expect([received.length, new Set(attempted.map((outgoing) => outgoing.id)).size]).toEqual([1, 1]);
    expect((await mailStatusOf(id)).status).toBe('sent');
  });

  test('for a day: the mail is abandoned, and the invite shows that', async () => {
    const id = await invite();
    const startedAt = service.clock.now();
    const { attempted, send } = recordingMailServer(() => failedOutcome('The mail server did not answer in time.'));
    const mails = createMails(context, send);
    await sendDue(mails);
    await passHours(23, mails);
    expect((await mailStatusOf(id)).status).toBe('queued');
    await passHours(1, mails);
    const failure = 'The mail server did not answer in time.';
    expect(await mailStatusOf(id)).toEqual({ status: 'failed', at: formatInstant(startedAt + dayMs), failure });
    const attempts = attempted.length;
    await passHours(2, mails);
    expect([attempted.length, await messages()]).toEqual([attempts, [null]]);
    expect(mails.outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(1);
  });

  test('permanently: there is only one attempt', async () => {
    const id = await invite();
    const failure = 'The mail server refused the address: 550 5.1.1.';
    const { attempted, send } = recordingMailServer(() => failedOutcome(failure, { isFinal: true }));
    const mails = createMails(context, send);
    await sendDue(mails);
    await passHours(2, mails);
    expect([attempted.length, (await mailStatusOf(id)).failure, await messages()]).toEqual([1, failure, [null]]);
  });
});

describe('an invite that ends before its mail is sent', () => {
  const over = 'The invite was accepted, cancelled or expired before the mail was sent.';
  const cases: [how: string, act: (id: string, email: string) => Promise<unknown>][] = [
    ['cancelled', (id) => admin.post(`/v1/invites/${id}/cancellation`, {})],
    ['accepted', (id, email) => acceptInviteAs(service, id, verifiedIdentity(email))],
    ['expired', async () => service.clock.advance(7 * dayMs)],
  ];

  test.each(cases)('%s: the mail is not sent, and its text is deleted', async (_how, act) => {
    const email = newEmail();
    const id = await invite(email);
    await act(id, email);
    const { attempted, send } = recordingMailServer();
    await sendDue(createMails(context, send));
    expect([attempted, await messages()]).toEqual([[], [null]]);
    expect(await mailStatusOf(id)).toEqual({ status: 'failed', at: now(), failure: over });
  });

  test('because of a newer one: only the newer link is mailed', async () => {
    const user = await makeUser(admin, client);
    const invites = [await makeInvite(admin, user), await makeInvite(admin, user)];
    const { messages: received, send } = recordingMailServer();
    await sendDue(createMails(context, send));
    expect(received).toHaveLength(1);
    expect((await Promise.all(invites.map(mailStatusOf))).map(({ status }) => status)).toEqual(['failed', 'sent']);
  });

  test('because its user is deleted: mail that waits for a retry is deleted at once', async () => {
    const user = await makeUser(admin, client);
    await makeInvite(admin, user);
    const { attempted, send } = recordingMailServer(() => failedOutcome('Not now.'));
    const mails = createMails(context, send);
    await sendDue(mails);
    expect((await admin.delete(`/v1/users/${user}`)).status).toBe(204);
    await sendDue(mails);
    expect([attempted.length, await messages()]).toEqual([1, [null]]);
  });

  test('because its client is deleted', async () => {
    await invite();
    expect((await admin.delete(`/v1/clients/${client}`)).status).toBe(204);
    const { attempted, send } = recordingMailServer();
    await sendDue(createMails(context, send));
    expect([attempted, await messages()]).toEqual([[], [null]]);
  });
});

/** A mail server that does not answer until it is stopped. */
const sendUntilStopped: SendMail = (_outgoing, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve({ kind: 'stopped' });
    signal.addEventListener('abort', () => resolve({ kind: 'stopped' }));
  });

describe('several nodes', () => {
  test('send each mail once', async () => {
    for (let number = 0; number < 40; number++) await invite();
    const { messages: received, send } = recordingMailServer();
    await sendDue(createMails(context, send), createMails(other.context, send));
    expect([received.length, new Set(received.map((outgoing) => outgoing.id)).size]).toEqual([40, 40]);
  });

  test('take over mail of a node that failed; if that node was only slow, it has no further effect', async () => {
    const id = await invite();
    const { promise, resolve } = Promise.withResolvers<MailOutcome>();
    const { attempted, send: hang } = recordingMailServer(() => promise);
    const slow = createMails(context, hang);
    await slow.sweep();
    await expect.poll(() => attempted.length).toBe(1);
    const { messages: received, send } = recordingMailServer();
    const quick = createMails(other.context, send);
    service.clock.advance(2 * minuteMs - secondMs);
    await sendDue(quick);
    expect(received).toEqual([]);
    service.clock.advance(secondMs);
    await sendDue(quick);
    const mailStatus = await mailStatusOf(id);
    expect([received.length, mailStatus.status]).toEqual([1, 'sent']);
    service.clock.advance(minuteMs);
    resolve(failedOutcome('Too late.', { isFinal: true }));
    await slow.drain();
    expect([await mailStatusOf(id), slow.outcomes]).toEqual([mailStatus, ['none']]);
  });

  test('a stopped node leaves unfinished mail to the others', async () => {
    await invite();
    const hanging = createMails(context, sendUntilStopped, { stopPatienceMs: 0 });
    await hanging.sweep();
    await hanging.stop();
    const { messages: received, send } = recordingMailServer();
    await sendDue(createMails(other.context, send));
    expect(received).toHaveLength(1);
  });
});

test('a stopped node waits eight seconds for mail under way, and interrupts it then', async () => {
  await invite();
  const signals: AbortSignal[] = [];
  const mails = createMails(context, (outgoing, signal) => {
    signals.push(signal);
    return sendUntilStopped(outgoing, signal);
  });
  await mails.sweep();
  await expect.poll(() => signals.length).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = mails.stop();
  vi.advanceTimersByTime(8 * secondMs - 1);
  expect(signals[0]!.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signals[0]!.aborted).toBe(true);
  vi.useRealTimers();
  await stopped;
});

describe('the limits of mail', () => {
  test('a client may send one address five mails an hour; the sixth is refused with Retry-After and changes nothing', async () => {
    const user = await makeUser(admin, client);
    for (let number = 0; number < 5; number++) {
      await makeInvite(admin, user);
      service.clock.advance(minuteMs);
    }
    const invitesQuery = 'SELECT id, cancelled_at FROM invite WHERE person_id = $1 ORDER BY id';
    const before = await runSql(service.database, invitesQuery, [user]);
    const reply = await admin.post('/v1/invites', { user_id: user });
    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([429, 'mail-limit', '3300']);
    expect(reply.body.detail).toBe(
      'This client has sent this address 5 mails within an hour, which is the limit. Nothing was changed; try again later.',
    );
    expect(await runSql(service.database, invitesQuery, [user])).toEqual(before);
    service.clock.advance(55 * minuteMs - 1);
    expect((await admin.post('/v1/invites', { user_id: user })).status).toBe(429);
    service.clock.advance(1);
    const later = await service.enter(tenant);
    expect((await later.post('/v1/invites', { user_id: user })).status).toBe(201);
    expect((await later.post('/v1/invites', { user_id: user })).status).toBe(429);
  });

  test('a client may send one address twenty mails a day', async () => {
    const user = await makeUser(admin, client);
    const id = await makeInvite(admin, user);
    // Simulates nineteen other mails within four hours.
    await runSql(
      service.database,
      `INSERT INTO mail (workspace_id, environment, id, client_id, address_digest, created_at, sent_at)
       SELECT m.workspace_id, m.environment, 'mail' || n, m.client_id, m.address_digest, at, at
       FROM mail m, generate_series(1, 19) n, LATERAL (SELECT m.created_at + n * interval '12 minutes') t (at)
       WHERE m.invite_id = $1`,
      [id],
    );
    service.clock.advance(5 * hourMs);
    const reply = await (await service.enter(tenant)).post('/v1/invites', { user_id: user });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, String(19 * 60 * 60)]);
    expect(reply.body.detail).toContain('20 mails within a day');
  });

  test('an address in different case or with a plus tag counts as the same address, even for a new user', async () => {
    for (const email of [
      'Astrid@Flood.example',
      'astrid@flood.example',
      'ASTRID@flood.example',
      'astrid+1@FLOOD.example',
    ]) {
      const user = await makeUser(admin, client, { email });
      await makeInvite(admin, user);
      await admin.delete(`/v1/users/${user}`);
    }
    const user = await makeUser(admin, client, { email: 'astrid@flood.example' });
    await makeInvite(admin, user);
    expect((await admin.post('/v1/invites', { user_id: user })).status).toBe(429);
  });

  test('mails that are queued at the same time are counted one after the other', async () => {
    const root = await other.enter(tenant);
    const users: string[] = [];
    for (let number = 0; number < 8; number++) users.push(await makeUser(root, client));
    const replies = await Promise.all(users.map((user) => root.post('/v1/invites', { user_id: user })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
  });

  test('the operator limits the mails of a workspace per hour and per day, over all its callers', async () => {
    const root = await other.enter(tenant);
    const there = await root.makeClient('Berg Family');
    const callers = [
      await root.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client }),
      await root.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: there }),
    ] as const;
    const users = [await makeUser(callers[0], client), await makeUser(callers[1], there)];
    for (const _number of [1, 2, 3]) await makeInvite(callers[0], users[0]!);
    const hourly = await callers[1].post('/v1/invites', { user_id: users[1] });
    expect([hourly.status, hourly.body.code, hourly.headers.get('retry-after')]).toEqual([429, 'mail-limit', '3600']);
    expect(hourly.body.detail).toContain('This workspace has sent 3 mails within an hour');
    service.clock.advance(hourMs);
    const later = await other.enter(tenant);
    expect((await later.post('/v1/invites', { user_id: users[1] })).status).toBe(201);
    expect((await later.post('/v1/invites', { user_id: users[1] })).body.detail).toContain('4 mails within a day');
    const elsewhere = await other.openWorkspace();
    await makeInvite(elsewhere, await makeUser(elsewhere, await elsewhere.makeClient('Elsewhere')));
  });

  test('mail of other clients to the same address causes no refusal: it only delays mail, and no caller learns of it', async () => {
    const email = newEmail();
    const there = await admin.makeClient('Berg Family');
    const bound = {
      here: await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client }),
      there: await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: there }),
    };
    const userHere = await makeUser(bound.here, client, { email });
    const { messages: received, send } = recordingMailServer();
    const mails = createMails(context, send);
    for (let number = 0; number < 5; number++) {
      await makeInvite(bound.here, userHere);
      await sendDue(mails);
    }
    const userThere = await makeUser(bound.there, there, { email });
    const invited = await bound.there.post('/v1/invites', { user_id: userThere });
    const unknown = await bound.there.post('/v1/invites', { user_id: await makeUser(bound.there, there) });
    expect([invited.status, Object.keys(invited.body)]).toEqual([201, Object.keys(unknown.body)]);
    expect(invited.body.mail).toEqual(unknown.body.mail);
    await sendDue(mails);
    expect(received.filter(({ to }) => to === email)).toHaveLength(5);
    service.clock.advance(hourMs - 1);
    await sendDue(mails);
    expect(received.filter(({ to }) => to === email)).toHaveLength(5);
    service.clock.advance(1);
    await sendDue(mails);
    expect(received.filter(({ to }) => to === email)).toHaveLength(6);
  });

  /** Invites one address to several clients at once. */
  async function inviteToMany(clients: number): Promise<void> {
    const email = newEmail();
    for (let number = 0; number < clients; number++) {
      const oneClient = await admin.makeClient(`Client ${number}`);
      await makeInvite(admin, await makeUser(admin, oneClient, { email }), { client_id: oneClient });
    }
  }

  test('nodes that send to an address at the same time stay within its limit', async () => {
    await inviteToMany(8);
    const { messages: received, send } = recordingMailServer();
    const nodes = [createMails(context, send), createMails(other.context, send)] as const;
    await sendDue(...nodes);
    expect(received).toHaveLength(5);
    const outcomes = nodes.flatMap((node) => node.outcomes).filter((outcome) => outcome !== 'none');
    expect(outcomes.toSorted()).toEqual([...Array(3).fill('put-off'), ...Array(5).fill('sent')]);
    service.clock.advance(hourMs);
    await sendDue(createMails(context, send), createMails(other.context, send));
    expect([received.length, new Set(received.map(({ id }) => id)).size]).toEqual([8, 8]);
  });

  test('mail that the server did not accept does not count', async () => {
    await inviteToMany(6);
    const { attempted, send } = recordingMailServer(() => failedOutcome('Not now.'));
    await sendDue(createMails(context, send, { concurrency: 1 }));
    expect(attempted).toHaveLength(6);
  });

  test('mail left behind by a node does not count against its own limit', async () => {
    await inviteToMany(5);
    const { promise, resolve } = Promise.withResolvers<MailOutcome>();
    const { attempted, send: hang } = recordingMailServer(() => promise);
    const lost = createMails(context, hang);
    await lost.sweep();
    await expect.poll(() => attempted.length).toBe(5);
    service.clock.advance(2 * minuteMs);
    const { messages: received, send } = recordingMailServer();
    await sendDue(createMails(other.context, send));
    expect(received).toHaveLength(5);
    resolve(sentOutcome);
    await lost.drain();
  });

  test('all workspaces together send an address twenty mails an hour', async () => {
    const email = newEmail();
    const { messages: received, send } = recordingMailServer();
    for (let number = 0; number < 5; number++) {
      const caller = await service.openWorkspace();
      const user = await makeUser(caller, await caller.makeClient('Flood'), { email });
      const mails = createMails(context, send);
      for (let again = 0; again < 5; again++) {
        await makeInvite(caller, user);
        await sendDue(mails);
      }
    }
    expect(received.map(({ to }) => to)).toEqual(Array.from({ length: 20 }, () => email));
    service.clock.advance(hourMs);
    await sendDue(createMails(other.context, send));
    // Only the newest of the five invites of the last workspace is still open.
    expect(received).toHaveLength(21);
  });

  test('mail that would wait for more than a day is abandoned', async () => {
    const email = newEmail();
    const id = await invite(email);
    // Simulates twenty mails that were sent today.
    await runSql(
      service.database,
      `INSERT INTO mail (workspace_id, environment, id, address_digest, created_at, handed_at, sent_at)
       SELECT m.workspace_id, m.environment, 'handed' || n, m.address_digest, m.created_at, m.created_at + interval '1 second', m.created_at
       FROM mail m, generate_series(1, 20) n WHERE m.invite_id = $1`,
      [id],
    );
    service.clock.advance(2 * secondMs);
    const { attempted, send } = recordingMailServer();
    const mails = createMails(context, send);
    await sendDue(mails);
    const failure = 'The address had reached its limit of mail for a whole day.';
    expect([attempted, await mailStatusOf(id)]).toEqual([[], { status: 'failed', at: now(), failure }]);
    expect(mails.outcomes).toEqual(['failed']);
  });
});

test('the pre-auth role can read address digests and times of mail, and nothing else', async () => {
  await invite();
  const connection = { connectionString: service.database.url };
  const database = new Database({ connection, poolSize: 1, statements: 'named' });
  onTestFinished(() => database.close());
  const read = (column: string) =>
    database.readPreAuth(sql(`pre-auth/mail-${column}`, `SELECT ${column} FROM mail`), []);
  expect((await read('address_digest, created_at, handed_at')).count).toBe(1);
  for (const column of ['message_sealed', 'person_id', 'client_id', 'invite_id', 'failure'])
    await expect(read(column)).rejects.toThrow('permission denied');
});
