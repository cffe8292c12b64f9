// When a client moves below another, the access of tokens to it and to everything below it changes at once, on every node.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { clientChangeDocument, reportedRefusal, parentRelationship } from '../../setup/structure/client-document.ts';
import {
  sendOperation,
  allRights,
  FullClient,
  isCustodyStep,
  isSharedByAll,
  digestStoredRows,
  replyText,
} from '../../setup/access/client-hierarchy.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';
import { awaitLockWaits } from '../../setup/database/lock-waits.ts';
import { runSql } from '../../setup/database/sql.ts';
import { LockHolder } from '../../setup/database/database-parts.ts';

const settings = { BASE_URL: 'http://holdfast.test' };
let nodes: readonly [TestService, TestService];
/** The old and the new parent, the moved client, and two clients below it, each with one record of every type. */
let from: FullClient;
let to: FullClient;
let moved: FullClient;
let below: FullClient;
let deeper: FullClient;
/** Callers bound to these clients, with tokens that are never renewed. */
let fromCaller: Caller;
let toCaller: Caller;
let movedCaller: Caller;
let belowCaller: Caller;

beforeAll(async () => {
  const first = await startTestService({ settings });
  nodes = [first, await startTestService({ settings, database: first.database, clock: first.clock })];
  const { admin } = first;
  from = await FullClient.create(admin, 'Aldous');
  to = await FullClient.create(admin, 'Brennan');
  moved = await FullClient.create(admin, 'Castell', from);
  below = await FullClient.create(admin, 'Dorian', moved);
  deeper = await FullClient.create(admin, 'Eberle', below);
  const bound = ({ client }: FullClient) => admin.becomeApplication({ rights: allRights, scoped_to: client });
  [fromCaller, toCaller, movedCaller, belowCaller] = [
    await bound(from),
    await bound(to),
    await bound(moved),
    await bound(below),
  ];
});

afterAll(async () => {
  await nodes[1].stop();
  await nodes[0].stop();
});

type NodeNumber = 0 | 1;

/** Moves over v1 on one node and over JSON:API on the other. */
async function moveTo({ client }: FullClient, node: NodeNumber): Promise<void> {
  const { admin } = nodes[node];
  const { status } =
    node === 0
      ? await admin.patch(`/v1/clients/${moved.client}`, { parent_id: client })
      : await admin.patch(
          `/api/v2/clients/${moved.client}`,
          clientChangeDocument(moved.client, parentRelationship(client)),
        );
  expect(status).toBe(200);
}

/** The same token on each node, first on the node that did not receive the move. */
function onBothNodes(caller: Caller, node: NodeNumber): Caller[] {
  const addresses = nodes.map(({ admin }) => admin.address);
  return (node === 0 ? addresses.toReversed() : addresses).map((address) => caller.atAddress(address));
}

/** Records shared by all clients do not move, nor do the administrators of the workspace. The ledger wires differ only in their field names, so v1 represents them. */
function isMoved(operation: Operation): boolean {
  const { resource, wire, bulk } = operation;
  if (resource === undefined || wire.name === 'plain' || bulk || isSharedByAll(operation)) return false;
  if (isSandboxOnly(operation)) return false;
  if (['series_point', 'workspace_administrator'].includes(resource.table)) return false;
  return wire.name === 'v1' || !['transaction', 'historical_holding', 'instrument'].includes(resource.table);
}

function operationsBy(wanted: (operation: Operation) => boolean): [id: string, operation: Operation][] {
  const ofClients = operations.filter(isMoved);
  return ofClients.filter(wanted).map((operation) => [operation.id, operation]);
}

const isRead = ({ mode }: Operation): boolean => mode === 'read';
const isWrite = ({ mode }: Operation): boolean => mode === 'write';

/** Sends a read of a household's records and joins all pages of a list into one answer. */
async function tryOperation(caller: Caller, operation: Operation, household: FullClient): Promise<Reply> {
  const isPaged = operation.wire.name === 'v1' && operation.id.endsWith('.list') && 'limit' in operation.query;
  if (!isPaged) return sendOperation(caller, operation, household);
  const path = operation.path.replace('{id}', household.recordIdFor(operation));
  let page = await caller.get(`${path}?limit=100`);
  let text = page.text;
  while (page.body?.has_more) {
    page = await caller.get(`${path}?limit=100&cursor=${page.body.next_cursor}`);
    text += page.text;
  }
  return { ...page, text };
}

function shownIdentifiers(household: FullClient, reply: Reply): string[] {
  return household.identifyingTexts().filter((identifier) => replyText(reply).includes(identifier));
}

/** They name no import, and the imports of these clients wait for nothing. */
const partsOfImports: readonly string[] = ['v1.import.waiting', 'v1.import.problems', 'v1.import.accounts'];

/** What a caller sees of the moved client and of the lowest below it, on each node. */
async function visibilityOf(caller: Caller, operation: Operation, node: NodeNumber): Promise<string[]> {
  const outcomes: string[] = [];
  for (const at of onBothNodes(caller, node)) {
    for (const household of [deeper, moved]) {
      const reply = await tryOperation(at, operation, household);
      const isShown =
        operation.id === 'v1.import.rows'
          ? reply.body?.data?.length > 0
          : partsOfImports.includes(operation.id)
            ? reply.status === 200
            : reply.text.includes(household.idOf(operation.resource!.type));
      const isHidden = shownIdentifiers(household, reply).length === 0;
      outcomes.push(`${reply.status} ${isShown ? 'seen' : isHidden ? 'hidden' : 'half hidden'}`);
    }
  }
  return outcomes;
}

function successStatus({ responses: answers }: Operation): number {
  return Number(Object.keys(answers).findLast((status) => status.startsWith('2')));
}

const singleUseOperations = [
  'v1.delivery.replay',
  'v1.user.disable',
  'v1.user.enable',
  'v1.invite.cancel',
  'json-api.invite.cancel',
];

/** Operations that work only once on a record. */
const isSingleUse = ({ id, method }: Operation): boolean => method === 'DELETE' || singleUseOperations.includes(id);

/** A record of the household on which the operation is possible. */
async function recordToTry(operation: Operation, household: FullClient): Promise<string> {
  if (isCustodyStep(operation)) return household.makeFor(operation);
  return isSingleUse(operation) ? household.make(operation.resource!.type) : household.recordIdFor(operation);
}

const allSeen = Array<string>(4).fill('200 seen');

function allHidden({ path }: Operation): string[] {
  return Array<string>(4).fill(path.includes('{') ? '404 hidden' : '200 hidden');
}

describe('a client with all its records, moved from one parent to another', () => {
  const moves: [
    when: string,
    move: () => Promise<void>,
    node: NodeNumber,
    parents: () => [now: Caller, before: Caller],
  ][] = [
    ['after the move', () => moveTo(to, 0), 0, () => [toCaller, fromCaller]],
    ['after the move back', () => moveTo(from, 1), 1, () => [fromCaller, toCaller]],
  ];

  describe.each(moves)('%s', (_when, move, node, parents) => {
    beforeAll(move);

    test.each(operationsBy(isRead))('%s shows it under its current parent', async (_id, operation) => {
      const [now, before] = parents();
      expect(await visibilityOf(now, operation, node)).toEqual(allSeen);
      expect(await visibilityOf(before, operation, node)).toEqual(allHidden(operation));
    });
  });

  describe('after a move over JSON:API', () => {
    beforeAll(async () => {
      await moveTo(from, 0);
      await moveTo(to, 1);
    });

    test.each(operationsBy(isRead))(
      '%s by tokens of its former parents shows nothing of it',
      async (_id, operation) => {
        for (const caller of onBothNodes(fromCaller, 1)) {
          const reply = await tryOperation(caller, operation, from);
          expect(reply.status).toBe(200);
          const left = [moved, below, deeper];
          // A webhook's deliveries name what it was sent before the move by the ids of the events, and say nothing else about them.
          const eventIds = operation.id === 'v1.delivery.list' ? left.map((household) => household.idOf('event')) : [];
          const shown = left.flatMap((household) => shownIdentifiers(household, reply));
          expect(shown.filter((identifier) => !eventIds.includes(identifier))).toEqual([]);
        }
      },
    );

    test.each(operationsBy(isWrite))(
      '%s is allowed for tokens of its new parents, and not for those of its former parents',
      async (_id, operation) => {
        await moveTo(to, 1); // the operation before may have moved it
        const { database } = nodes[0];
        const attempts: [at: Caller, household: FullClient, recordId: string][] = [];
        for (const household of [moved, deeper]) {
          for (const at of onBothNodes(fromCaller, 1)) {
            attempts.push([at, household, await recordToTry(operation, household)]);
          }
        }
        const before = await digestStoredRows(database);
        for (const [at, household, recordId] of attempts) {
          const { status } = await sendOperation(at, operation, household, recordId);
          expect([household.family, status]).toEqual([household.family, 404]);
        }
        expect(await digestStoredRows(database)).toEqual(before);
        for (const [{ address }, household, recordId] of attempts) {
          const { status } = await sendOperation(toCaller.atAddress(address), operation, household, recordId);
          expect([household.family, status]).toEqual([household.family, successStatus(operation)]);
        }
      },
    );
  });

  test('a partly read list continues without it', async () => {
    await moveTo(from, 0);
    const { body } = await fromCaller.get('/v1/accounts?limit=1');
    await moveTo(to, 1);
    const rest = await fromCaller.get(`/v1/accounts?limit=100&cursor=${body.next_cursor}`);
    expect(rest.status).toBe(200);
    expect([moved, below, deeper].flatMap((household) => shownIdentifiers(household, rest))).toEqual([]);
  });

  test('the audit log shows its new parents nothing of the former ones', async () => {
    await moveTo(from, 0);
    await moveTo(to, 0);
    const log = await toCaller.get(`/v1/audit-log?subject_id=${moved.client}`);
    expect(log.body.data[0]).toMatchObject({ act: 'change', after: { id: moved.client } });
    expect(shownIdentifiers(from, log)).toEqual([]);
  });
});

describe('tokens bound to moved clients', () => {
  beforeEach(() => moveTo(from, 0));

  const isLog = ({ id }: Operation): boolean => id === 'v1.audit-entry.list';
  const reads = operations.filter((one) => isMoved(one) && isRead(one) && !isLog(one));

  async function answersTo(caller: Caller, household: FullClient): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const at of onBothNodes(caller, 0)) {
      for (const operation of reads) {
        const { status, text } = await tryOperation(at, operation, household);
        answers[`${at.address} ${operation.id}`] = `${status} ${text}`;
      }
    }
    return answers;
  }

  test('a token of the client itself works as before', async () => {
    const before = await answersTo(movedCaller, moved);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    await moveTo(to, 0);
    expect(await answersTo(movedCaller, moved)).toEqual(before);
    expect((await movedCaller.get(`/v1/clients/${moved.client}`)).body.parent_id).toBeNull();
  });

  test('a token of a client below it works as before', async () => {
    const before = await answersTo(belowCaller, below);
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    await moveTo(to, 1);
    expect(await answersTo(belowCaller, below)).toEqual(before);
  });

  test('both can still write', async () => {
    await moveTo(to, 0);
    for (const at of [...onBothNodes(movedCaller, 0), ...onBothNodes(belowCaller, 0)]) {
      const made = await at.post('/v1/legal-entities', { name: 'Made after', client_id: below.client });
      expect(made.status).toBe(201);
    }
  });
});

describe('requests in progress when the move is committed', () => {
  beforeEach(() => moveTo(from, 0));

  /** Holds a lock in the database, so that others wait for it. */
  async function hold(statement: string): Promise<() => Promise<void>> {
    const holder = await LockHolder.open(nodes[0].database);
    await holder.query(statement);
    return () => holder.release();
  }

  const isOfClient = ({ resource }: Operation): boolean => resource!.type === 'client';

  /** The examples of these operations contain links. */
  const writesLinks = ({ resource, body }: Operation): boolean =>
    body !== undefined && ['account', 'portfolio', 'user'].includes(resource!.type);

  /** Bookings update the client's transaction counter, uploads its upload counter. */
  const books = ({ id, resource }: Operation): boolean =>
    ['transaction', 'historical_holding'].includes(resource!.table) ||
    ['v1.import.book', 'v1.import.undo'].includes(id);

  const writtenFirst: Readonly<Record<string, string>> = {
    'v1.webhook.test': 'delivery',
    'v1.authority.reconnect': 'auth_flow',
  };

  /** The first table that an operation writes to. */
  const tableOf = ({ id, resource }: Operation): string =>
    writtenFirst[id] ?? (resource!.type === 'user' ? 'membership' : resource!.table);

  /** The example of a change equals the record's current values and would change nothing. */
  const otherwise: Readonly<Record<string, object>> = {
    'v1.historical-holding.change': { market_value: '1' },
    'v1.webhook.change': { events: ['holding.valued'] },
    'v1.user.change': { first_name: 'Otherwise' },
    'json-api.user.change': { first_name: 'Otherwise' },
  };

  async function makeOtherwise({ id, group }: Operation, recordId: string): Promise<void> {
    const { admin } = nodes[0];
    if (id === 'v1.identifier-mapping.change')
      await admin.patch(`/v1/${group}/${recordId}`, { instrument_id: await below.make('instrument') });
    if (otherwise[id] !== undefined) await admin.patch(`/v1/${group}/${recordId}`, otherwise[id]);
    if (id === 'v1.user.enable') await admin.post(`/v1/users/${recordId}/disable`, undefined);
  }

  const hasWaiter = (one: Operation): boolean => writesLinks(one) || books(one);

  test.each(operationsBy((one) => isWrite(one) && hasWaiter(one)))('the move waits for %s', async (_id, operation) => {
    const { type } = operation.resource!;
    const recordId = isCustodyStep(operation)
      ? await below.makeFor(operation)
      : operation.method === 'POST'
        ? below.recordIdFor(operation)
        : await below.make(type);
    await makeOtherwise(operation, recordId);
    const release = await hold(`LOCK TABLE ${tableOf(operation)} IN SHARE MODE`);
    const pending = sendOperation(fromCaller, operation, below, recordId);
    await awaitLockWaits(nodes[0].database, 1);
    const move = moveTo(to, 1);
    await awaitLockWaits(nodes[0].database, 2);
    await release();
    expect((await pending).status).toBe(successStatus(operation));
    await move;
    expect((await sendOperation(fromCaller, operation, below, recordId)).status).toBe(404);
  });

  test.each(operationsBy((one) => isWrite(one) && !isOfClient(one) && !hasWaiter(one)))(
    '%s through its former parents is refused and leaves nothing behind',
    async (_id, operation) => {
      const { database } = nodes[0];
      const { type } = operation.resource!;
      const isOfMade = operation.method !== 'POST' && !isCustodyStep(operation);
      const recordId = isOfMade ? await below.make(type) : await recordToTry(operation, below);
      await makeOtherwise(operation, recordId);
      const release = await hold(`LOCK TABLE ${tableOf(operation)} IN SHARE MODE`);
      const pending = sendOperation(fromCaller, operation, below, recordId);
      await awaitLockWaits(nodes[0].database, 1);
      await moveTo(to, 1);
      const before = await digestStoredRows(database);
      await release();
      const { status, text } = await pending;
      expect(`${status} ${text}`).toMatch(/^404 .*-not-found/s);
      expect(await digestStoredRows(database)).toEqual(before);
    },
  );

  test.each(operationsBy((one) => isWrite(one) && isOfClient(one)))(
    '%s through its former parents is refused and leaves nothing behind',
    async (_id, operation) => {
      const { admin, database } = nodes[0];
      const recordId = operation.method === 'DELETE' ? await moved.make('client') : moved.client;
      const { name } = (await admin.get(`/v1/clients/${recordId}`)).body;
      const release = await hold(`SELECT FROM client WHERE id = '${recordId}' FOR UPDATE`);
      const move = moveTo(to, 1);
      await awaitLockWaits(nodes[0].database, 1);
      const pending = sendOperation(fromCaller, operation, moved, recordId);
      await awaitLockWaits(nodes[0].database, 2);
      await release();
      await move;
      const reply = await pending;
      expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: 'client-not-found' });
      expect((await admin.get(`/v1/clients/${recordId}`)).body.name).toBe(name);
      const lines = 'SELECT FROM audit_entry WHERE request_id = $1';
      expect(await runSql(database, lines, [reply.headers.get('x-request-id')])).toEqual([]);
    },
  );

  test.each(operationsBy(({ id }) => ['v1.import.book', 'v1.import.undo'].includes(id)))(
    '%s that comes while the client moves away is refused and leaves nothing behind',
    async (_id, operation) => {
      const { database } = nodes[0];
      const recordId = await below.makeFor(operation);
      const release = await hold(`SELECT FROM client WHERE id = '${below.client}' FOR UPDATE`);
      const move = moveTo(to, 1);
      await awaitLockWaits(database, 1);
      const pending = sendOperation(fromCaller, operation, below, recordId);
      await awaitLockWaits(database, 2);
      await release();
      await move;
      expect(reportedRefusal(await pending)).toMatchObject({ status: 404 });
      const { body } = await nodes[0].admin.get(`/v1/imports/${recordId}`);
      expect([body.state, body.undone]).toEqual(['booked', null]);
    },
  );

  test('a tree is complete, in its state before the move', async () => {
    const path = `/v1/clients/${from.client}/tree`;
    const expected = await fromCaller.get(path);
    expect(expected.text).toContain(deeper.idOf('portfolio'));
    const release = await hold('LOCK TABLE portfolio IN ACCESS EXCLUSIVE MODE');
    const pending = fromCaller.get(path);
    await awaitLockWaits(nodes[0].database, 1);
    await moveTo(to, 1);
    await release();
    expect((await pending).text).toBe(expected.text);
    expect((await fromCaller.get(path)).text).not.toContain(moved.client);
  });

  test('no defect was logged during these tests', () => {
    expect(nodes.flatMap(({ log }) => log.filter((line) => line.includes('"defect"')))).toEqual([]);
  });
});
