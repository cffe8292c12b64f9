// A client that is moved below another takes along what tokens see of it and of everything below it, at once, on every node.

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { clientChange, refusalOf, toParent } from '../../setup/structure/client-document.ts';
import { ask, everyRight, Household, isOfAll, listStored, wordsOf } from '../../setup/access/client-hierarchy.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const settings = { BASE_URL: 'http://holdfast.test' };
let nodes: readonly [TestService, TestService];
/** The clients it is moved between, itself, and two below it, each with one thing of every kind. */
let from: Household;
let to: Household;
let moved: Household;
let below: Household;
let deeper: Household;
/** Callers that are bound to them, with tokens that are never renewed. */
let ofFrom: Caller;
let ofTo: Caller;
let ofMoved: Caller;
let ofBelow: Caller;

beforeAll(async () => {
  const first = await startTestService({ settings });
  nodes = [first, await startTestService({ settings, database: first.database, clock: first.clock })];
  const { admin } = first;
  from = await Household.found(admin, 'Aldous');
  to = await Household.found(admin, 'Brennan');
  moved = await Household.found(admin, 'Castell', from);
  below = await Household.found(admin, 'Dorian', moved);
  deeper = await Household.found(admin, 'Eberle', below);
  const bound = ({ client }: Household) => admin.become({ rights: everyRight, scoped_to: client });
  [ofFrom, ofTo, ofMoved, ofBelow] = [await bound(from), await bound(to), await bound(moved), await bound(below)];
});

afterAll(async () => {
  await nodes[1].stop();
  await nodes[0].stop();
});

type NodeNumber = 0 | 1;

/** One node is told on v1, the other on JSON:API. */
async function moveTo({ client }: Household, node: NodeNumber): Promise<void> {
  const { admin } = nodes[node];
  const { status } =
    node === 0
      ? await admin.patch(`/v1/clients/${moved.client}`, { parent_id: client })
      : await admin.patch(`/api/v2/clients/${moved.client}`, clientChange(moved.client, toParent(client)));
  expect(status).toBe(200);
}

beforeEach(() => moveTo(from, 0));

/** The same token on each node, first on the one that the move did not come through. */
function everywhere(caller: Caller, node: NodeNumber): Caller[] {
  const addresses = nodes.map(({ admin }) => admin.address);
  return (node === 0 ? addresses.toReversed() : addresses).map((address) => caller.at(address));
}

/** What all clients share does not move. The ledger's wires differ in words alone: v1 stands for all. */
function isMoved(operation: Operation): boolean {
  const { resource, wire, bulk } = operation;
  if (resource === undefined || wire.name === 'plain' || bulk || isOfAll(operation)) return false;
  if (resource.table === 'series_point') return false;
  return wire.name === 'v1' || !['transaction', 'historical_holding', 'instrument'].includes(resource.table);
}

function named(wanted: (operation: Operation) => boolean): [id: string, operation: Operation][] {
  const ofClients = operations.filter(isMoved);
  return ofClients.filter(wanted).map((operation) => [operation.id, operation]);
}

const isRead = ({ mode }: Operation): boolean => mode === 'read';
const isWrite = ({ mode }: Operation): boolean => mode === 'write';

/** A read as somebody makes it of a household's things, with all pages of a list in one answer. */
async function look(caller: Caller, operation: Operation, household: Household): Promise<Reply> {
  const isPaged = operation.wire.name === 'v1' && operation.id.endsWith('.list');
  if (!isPaged) return ask(caller, operation, household);
  const path = operation.path.replace('{id}', household.thingFor(operation));
  let page = await caller.get(`${path}?limit=100`);
  let text = page.text;
  while (page.body?.has_more) {
    page = await caller.get(`${path}?limit=100&cursor=${page.body.next_cursor}`);
    text += page.text;
  }
  return { ...page, text };
}

function shownOf(household: Household, reply: Reply): string[] {
  return household.marks().filter((mark) => wordsOf(reply).includes(mark));
}

/** What a caller is shown of the moved client and of those below it, on each node. */
async function sightOf(caller: Caller, operation: Operation, node: NodeNumber): Promise<string[]> {
  const sights: string[] = [];
  for (const at of everywhere(caller, node)) {
    for (const household of [deeper, below, moved]) {
      const reply = await look(at, operation, household);
      const isShown = reply.text.includes(household.idOf(operation.resource!.type));
      const isHidden = shownOf(household, reply).length === 0;
      sights.push(`${reply.status} ${isShown ? 'seen' : isHidden ? 'hidden' : 'half hidden'}`);
    }
  }
  return sights;
}

function successOf({ answers }: Operation): number {
  return Number(Object.keys(answers).findLast((status) => status.startsWith('2')));
}

const onceOnly = [
  'v1.delivery.replay',
  'v1.user.disable',
  'v1.user.enable',
  'v1.invite.cancel',
  'json-api.invite.cancel',
];

/** What can be done to a thing once. */
const isOnce = ({ id, method }: Operation): boolean => method === 'DELETE' || onceOnly.includes(id);

const seen = Array<string>(6).fill('200 seen');

function hidden({ path }: Operation): string[] {
  return Array<string>(6).fill(path.includes('{') ? '404 hidden' : '200 hidden');
}

describe('a client with all that it has, moved from below one client to below another', () => {
  test.each(named(isRead))('%s follows it there and back', async (_id, operation) => {
    expect(await sightOf(ofFrom, operation, 0)).toEqual(seen);
    expect(await sightOf(ofTo, operation, 0)).toEqual(hidden(operation));
    await moveTo(to, 0);
    expect(await sightOf(ofFrom, operation, 0)).toEqual(hidden(operation));
    expect(await sightOf(ofTo, operation, 0)).toEqual(seen);
    await moveTo(from, 1);
    expect(await sightOf(ofTo, operation, 1)).toEqual(hidden(operation));
    expect(await sightOf(ofFrom, operation, 1)).toEqual(seen);
  });

  test.each(named(isRead))('%s of those it left tells nothing of it', async (_id, operation) => {
    await moveTo(to, 1);
    for (const caller of everywhere(ofFrom, 1)) {
      const reply = await look(caller, operation, from);
      expect(reply.status).toBe(200);
      expect([moved, below, deeper].flatMap((household) => shownOf(household, reply))).toEqual([]);
    }
  });

  test.each(named(isWrite))('%s is for those it came to, and not for those it left', async (_id, operation) => {
    await moveTo(to, 0);
    const { database } = nodes[0];
    const tries: [at: Caller, household: Household, thing: string][] = [];
    for (const household of [moved, below, deeper]) {
      for (const at of everywhere(ofFrom, 0)) {
        const thing = isOnce(operation)
          ? await household.make(operation.resource!.type)
          : household.thingFor(operation);
        tries.push([at, household, thing]);
      }
    }
    const before = await listStored(database);
    for (const [at, household, thing] of tries) {
      const { status } = await ask(at, operation, household, thing);
      expect([household.family, status]).toEqual([household.family, 404]);
    }
    expect(await listStored(database)).toEqual(before);
    for (const [{ address }, household, thing] of tries) {
      const { status } = await ask(ofTo.at(address), operation, household, thing);
      expect([household.family, status]).toEqual([household.family, successOf(operation)]);
    }
  });

  test('a list that is half read goes on without it', async () => {
    const { body } = await ofFrom.get('/v1/accounts?limit=1');
    await moveTo(to, 1);
    const rest = await ofFrom.get(`/v1/accounts?limit=100&cursor=${body.next_cursor}`);
    expect(rest.status).toBe(200);
    expect([moved, below, deeper].flatMap((household) => shownOf(household, rest))).toEqual([]);
  });

  test('the audit log tells those it came to nothing of those it left', async () => {
    await moveTo(to, 0);
    const log = await ofTo.get(`/v1/audit-log?subject_id=${moved.client}`);
    expect(log.body.data[0]).toMatchObject({ act: 'change', after: { id: moved.client } });
    expect(shownOf(from, log)).toEqual([]);
  });
});

describe('tokens bound to what is moved', () => {
  const isLog = ({ id }: Operation): boolean => id === 'v1.audit-entry.list';
  const reads = operations.filter((one) => isMoved(one) && isRead(one) && !isLog(one));

  async function answersTo(caller: Caller, household: Household): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const at of everywhere(caller, 0)) {
      for (const operation of reads) {
        const { status, text } = await look(at, operation, household);
        answers[`${at.address} ${operation.id}`] = `${status} ${text}`;
      }
    }
    return answers;
  }

  test('one of the client itself is answered as before', async () => {
    const before = await answersTo(ofMoved, moved);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    await moveTo(to, 0);
    expect(await answersTo(ofMoved, moved)).toEqual(before);
    expect((await ofMoved.get(`/v1/clients/${moved.client}`)).body.parent_id).toBeNull();
  });

  test('one of a client below it is answered as before', async () => {
    const before = await answersTo(ofBelow, below);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    await moveTo(to, 1);
    expect(await answersTo(ofBelow, below)).toEqual(before);
  });

  test('both go on writing', async () => {
    await moveTo(to, 0);
    for (const at of [...everywhere(ofMoved, 0), ...everywhere(ofBelow, 0)]) {
      const made = await at.post('/v1/legal-entities', { name: 'Made after', client_id: below.client });
      expect(made.status).toBe(201);
    }
  });
});

describe('what is under way when the move is committed', () => {
  /** Holds something in the database, so that whoever needs it waits. */
  async function hold(statement: string): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: nodes[0].database.url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('BEGIN');
    await holder.query(statement);
    return async () => void (await holder.query('COMMIT'));
  }

  async function untilWaiting(many: number): Promise<void> {
    const text = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await vi.waitUntil(async () => (await runSql(nodes[0].database, text)).length === many, {
      timeout: 10_000,
      interval: 5,
    });
  }

  const isOfClient = ({ resource }: Operation): boolean => resource!.type === 'client';

  /** The examples of these name links. */
  const writesLinks = ({ resource, method, body }: Operation): boolean =>
    body !== undefined &&
    (method === 'PATCH' ? ['account', 'portfolio', 'user'] : ['account', 'portfolio']).includes(resource!.type);

  /** Whoever books counts the rows of the client, and whoever uploads the uploads. */
  const books = ({ resource }: Operation): boolean => ['transaction', 'historical_holding'].includes(resource!.table);

  /** What an operation writes into first. */
  const tableOf = ({ id, resource }: Operation): string =>
    id === 'v1.webhook.test' ? 'delivery' : resource!.type === 'user' ? 'membership' : resource!.table;

  /** The example of a change is what the thing was made with, and would change nothing. */
  const otherwise: Readonly<Record<string, object>> = {
    'v1.historical-holding.change': { market_value: '1' },
    'v1.webhook.change': { events: ['holding.valued'] },
    'v1.user.change': { first_name: 'Otherwise' },
    'json-api.user.change': { first_name: 'Otherwise' },
  };

  async function makeOtherwise({ id, group }: Operation, thing: string): Promise<void> {
    const { admin } = nodes[0];
    if (otherwise[id] !== undefined) await admin.patch(`/v1/${group}/${thing}`, otherwise[id]);
    if (id === 'v1.user.enable') await admin.post(`/v1/users/${thing}/disable`, undefined);
  }

  const isWaitedFor = (one: Operation): boolean => writesLinks(one) || books(one);

  test.each(named((one) => isWrite(one) && isWaitedFor(one)))(
    '%s is waited for by the move',
    async (_id, operation) => {
      const { type } = operation.resource!;
      const thing = operation.method === 'POST' ? below.thingFor(operation) : await below.make(type);
      await makeOtherwise(operation, thing);
      const release = await hold(`LOCK TABLE ${tableOf(operation)} IN SHARE MODE`);
      const pending = ask(ofFrom, operation, below, thing);
      await untilWaiting(1);
      const move = moveTo(to, 1);
      await untilWaiting(2);
      await release();
      expect((await pending).status).toBe(successOf(operation));
      await move;
      expect((await ask(ofFrom, operation, below, thing)).status).toBe(404);
    },
  );

  test.each(named((one) => isWrite(one) && !isOfClient(one) && !isWaitedFor(one)))(
    '%s through those it left is refused, and nothing of it remains',
    async (_id, operation) => {
      const { database } = nodes[0];
      const { type } = operation.resource!;
      const isOfMade = operation.method !== 'POST' || isOnce(operation);
      const thing = isOfMade ? await below.make(type) : below.thingFor(operation);
      await makeOtherwise(operation, thing);
      const release = await hold(`LOCK TABLE ${tableOf(operation)} IN SHARE MODE`);
      const pending = ask(ofFrom, operation, below, thing);
      await untilWaiting(1);
      await moveTo(to, 1);
      const before = await listStored(database);
      await release();
      const { status, text } = await pending;
      expect(`${status} ${text}`).toMatch(/^404 .*-not-found/s);
      expect(await listStored(database)).toEqual(before);
    },
  );

  test.each(named((one) => isWrite(one) && isOfClient(one)))(
    '%s through those it left is refused, and nothing of it remains',
    async (_id, operation) => {
      const { admin, database } = nodes[0];
      const thing = operation.method === 'DELETE' ? await moved.make('client') : moved.client;
      const { name } = (await admin.get(`/v1/clients/${thing}`)).body;
      const release = await hold(`SELECT FROM client WHERE id = '${thing}' FOR UPDATE`);
      const move = moveTo(to, 1);
      await untilWaiting(1);
      const pending = ask(ofFrom, operation, moved, thing);
      await untilWaiting(2);
      await release();
      await move;
      const reply = await pending;
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'client-not-found' });
      expect((await admin.get(`/v1/clients/${thing}`)).body.name).toBe(name);
      const lines = 'SELECT FROM audit_entry WHERE request_id = $1';
      expect(await runSql(database, lines, [reply.headers.get('x-request-id')])).toEqual([]);
    },
  );

  test('a tree is answered whole, as of before', async () => {
    const path = `/v1/clients/${from.client}/tree`;
    const expected = await ofFrom.get(path);
    expect(expected.text).toContain(deeper.idOf('portfolio'));
    const release = await hold('LOCK TABLE portfolio IN ACCESS EXCLUSIVE MODE');
    const pending = ofFrom.get(path);
    await untilWaiting(1);
    await moveTo(to, 1);
    await release();
    expect((await pending).text).toBe(expected.text);
    expect((await ofFrom.get(path)).text).not.toContain(moved.client);
  });

  test('none of this was a defect', () => {
    expect(nodes.flatMap(({ log }) => log.filter((line) => line.includes('"defect"')))).toEqual([]);
  });
});
