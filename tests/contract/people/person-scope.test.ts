// What a person can access, in a session or through a token: every served operation, on granted records, on other records of their
// client, and on those of another client. Generated from the operations, so that no path is left out.

import { beforeAll, describe, expect, test } from 'vitest';
import { isRoleAtLeast, roles, type Role } from '../../../src/model/people/role.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import {
  sendOperation,
  requiresRecord,
  FullClient,
  digestStoredRows,
  replyText,
} from '../../setup/access/client-hierarchy.ts';
import { insertPerson, signIn, callerForUser } from '../../setup/people/person-caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
/** The client at which they have their role and may read the reporting entity. */
let own: FullClient;
/** A client at which they have the role too, but may read nothing. */
let ungranted: FullClient;
let stranger: FullClient;
const people: Record<string, Caller> = {};

/** Every request of a person extends the session. */
function withoutSessions(tables: Awaited<ReturnType<typeof digestStoredRows>>): typeof tables {
  return tables.filter(({ table }) => table !== 'session');
}

beforeAll(async () => {
  const { admin } = service;
  own = await FullClient.create(admin, 'Castell');
  ungranted = await FullClient.create(admin, 'Dorian');
  stranger = await FullClient.create(admin, 'Gallus');
  for (const role of roles) {
    const id = await insertPerson(service, {
      name: [role, 'Muster'],
      memberships: [
        { client: own.client, role, grants: [own.idOf('reporting-entity')] },
        { client: ungranted.client, role },
      ],
    });
    people[`${role}, signed in`] = await signIn(service, id);
    people[`${role}, through a key`] = await callerForUser(service, id);
  }
});

const kinds = roles.flatMap((role) => ['signed in', 'through a key'].map((way) => [`${role}, ${way}`, role] as const));

const isOpenToRole = ({ people: needed }: Operation, role: Role): boolean =>
  needed !== undefined && isRoleAtLeast(role, needed);

function operationsBy(wanted: (operation: Operation) => boolean): [id: string, operation: Operation][] {
  return operations.filter(wanted).map((operation) => [operation.id, operation]);
}

function shownIdentifiers(reply: Reply, households: readonly FullClient[]): string[] {
  return households
    .flatMap((one) => one.identifyingTexts())
    .filter((identifier) => replyText(reply).includes(identifier));
}

/** A restatement without the changes behind it: a person sees only those that concern the reporting entity. */
function figuresOf({ data: _data, counts: _counts, has_more: _more, next_cursor: _cursor, ...figures }: any): object {
  return figures;
}

describe('an admin of one client', () => {
  const ofAdmins = operationsBy(({ people: needed }) => needed === 'admin');
  let admin: Caller;

  beforeAll(async () => {
    const grants = [own.idOf('reporting-entity')];
    const id = await insertPerson(service, { memberships: [{ client: own.client, role: 'admin', grants }] });
    admin = await signIn(service, id);
  });

  test('manages the people of that client, and accepts its breaks', () => {
    expect(ofAdmins.map(([id]) => id).toSorted()).toEqual([
      'v1.client.list',
      'v1.client.read',
      'v1.invite.cancel',
      'v1.invite.create',
      'v1.invite.list',
      'v1.invite.read',
      'v1.reconciliation-break.change',
      'v1.user.change',
      'v1.user.create',
      'v1.user.delete',
      'v1.user.disable',
      'v1.user.enable',
      'v1.user.list',
      'v1.user.read',
    ]);
  });

  test.each(ofAdmins)('%s is allowed', async (id, operation) => {
    const isOnce = id.endsWith('delete') || id.endsWith('cancel');
    const recordId = isOnce ? await own.make(operation.resource!.type) : own.recordIdFor(operation);
    const reply = await sendOperation(admin, operation, own, recordId);
    const { responses: answers } = operation;
    expect([reply.status, reply.text]).toEqual([Math.max(...Object.keys(answers).map(Number)), reply.text]);
    expect(shownIdentifiers(reply, [ungranted, stranger])).toEqual([]);
  });

  test.each(ofAdmins.filter(([, operation]) => operation.path.includes('{') || operation.method === 'POST'))(
    '%s of another client’s record gets 404 and changes nothing',
    async (_id, operation) => {
      const before = await digestStoredRows(service.database);
      const reply = await sendOperation(admin, operation, stranger);
      expect(reply.status).toBe(404);
      expect(shownIdentifiers(reply, [ungranted, stranger])).toEqual([]);
      expect(withoutSessions(await digestStoredRows(service.database))).toEqual(withoutSessions(before));
    },
  );

  test('grants only what they may read themselves, and leaves other grants unchanged', async () => {
    const hidden = await own.make('reporting-entity');
    const fields = { email: 'g@people.test', first_name: 'G', last_name: 'H', client_id: own.client };
    const { body } = await service.admin.post('/v1/users', { ...fields, reporting_entity_ids: [hidden] });
    const path = `/v1/users/${body.id}`;
    expect((await admin.get(path)).body.reporting_entity_ids).toEqual([]);
    expect((await admin.patch(path, { reporting_entity_ids: [hidden] })).status).toBe(404);
    const granted = await admin.patch(path, { reporting_entity_ids: [own.idOf('reporting-entity')] });
    expect(granted.body.reporting_entity_ids).toEqual([own.idOf('reporting-entity')]);
    const all = (await service.admin.get(path)).body.reporting_entity_ids;
    expect(all.toSorted()).toEqual([own.idOf('reporting-entity'), hidden].toSorted());
    expect((await admin.patch(path, { reporting_entity_ids: [] })).status).toBe(200);
    expect((await service.admin.get(path)).body.reporting_entity_ids).toEqual([hidden]);
  });

  test('cannot change the address of a user, whether or not the user is known to other clients', async () => {
    const reply = await admin.patch(`/v1/users/${own.idOf('user')}`, { email: 'other@people.test' });
    expect([reply.status, errorCodeOf(reply)]).toEqual([403, 'outside-reach']);
  });
});

test('the operations that people can use, and their minimum roles', () => {
  const open = operations.flatMap(({ id, people: role }) => (role === undefined ? [] : [`${role}: ${id}`]));
  expect(open.filter((one) => !one.startsWith('admin')).toSorted()).toEqual([
    'advisor: json-api.instrument-holding.report',
    'advisor: plain.instrument-holding.report',
    'advisor: plain.limit.status',
    'advisor: plain.limit.status-of-client',
    'advisor: v1.activity.report',
    'advisor: v1.data-quality.report',
    'advisor: v1.explanation.report',
    'advisor: v1.limit-breach.list',
    'advisor: v1.limit-breach.read',
    'advisor: v1.limit.check',
    'advisor: v1.limit.list',
    'advisor: v1.limit.read',
    'advisor: v1.limit.status',
    'advisor: v1.lot.report',
    'advisor: v1.realised-gain.report',
    'advisor: v1.reconciliation-break.list',
    'advisor: v1.reconciliation-break.read',
    'advisor: v1.reconciliation.report',
    'advisor: v1.restatement.report',
    'advisor: v1.transaction.versions',
    'viewer: json-api.performance.report',
    'viewer: json-api.private-market-performance.report',
    'viewer: json-api.reporting-entity.list',
    'viewer: json-api.reporting-entity.read',
    'viewer: json-api.summarized-performance.report',
    'viewer: plain.holding.report',
    'viewer: plain.performance.report',
    'viewer: plain.private-market-performance.report',
    'viewer: v1.allocation.report',
    'viewer: v1.holding.report',
    'viewer: v1.me.end-session',
    'viewer: v1.me.list-sessions',
    'viewer: v1.me.read',
    'viewer: v1.performance.report',
    'viewer: v1.private-market-performance.report',
    'viewer: v1.reporting-entity.list',
    'viewer: v1.reporting-entity.read',
  ]);
  const ofAdmins = operations.filter(({ people: role }) => role === 'admin').map(({ group }) => group);
  expect([...new Set(ofAdmins)].toSorted()).toEqual(['clients', 'invites', 'reconciliation-breaks', 'users']);
});

describe.each(kinds)('%s', (name, role) => {
  test('is refused all other operations, which change nothing', async () => {
    const closed = operations.filter((operation) => !isOpenToRole(operation, role));
    expect(closed.length).toBeGreaterThan(150);
    const before = await digestStoredRows(service.database);
    for (const [index, operation] of closed.entries()) {
      for (const household of [own, index % 2 === 0 ? ungranted : stranger]) {
        const reply = await sendOperation(people[name]!, operation, household);
        expect([operation.id, reply.status, errorCodeOf(reply)]).toEqual([operation.id, 403, 'right-missing']);
        expect(shownIdentifiers(reply, [own, ungranted, stranger])).toEqual([]);
      }
    }
    expect(withoutSessions(await digestStoredRows(service.database))).toEqual(withoutSessions(before));
  });

  const reports = operationsBy(
    ({ threadKey: thread, people: needed }) => thread !== undefined && needed !== undefined,
  ).filter(([, operation]) => isOpenToRole(operation, role));

  test.each(reports)('%s shows only what was granted', async (_id, operation) => {
    const reply = await sendOperation(people[name]!, operation, own);
    expect([operation.id, reply.status]).toEqual([operation.id, 200]);
    expect(shownIdentifiers(reply, [ungranted, stranger])).toEqual([]);
  });

  test.each(reports)('%s has the same answer as for a workspace token', async (_id, operation) => {
    const [person, token] = [
      (await sendOperation(people[name]!, operation, own)).body,
      (await sendOperation(service.admin, operation, own)).body,
    ];
    const sameFor = operation.id === 'v1.restatement.report' ? figuresOf : (body: any): object => body;
    expect(sameFor(person)).toEqual(sameFor(token));
  });

  test.each(reports.filter(([, operation]) => requiresRecord(operation)))(
    '%s gets 404 for what was not granted',
    async (_id, operation) => {
      const [other, foreign] = [
        await sendOperation(people[name]!, operation, ungranted),
        await sendOperation(people[name]!, operation, stranger),
      ];
      // Members see the limits of the whole client, but only with the reporting entities that they may read: none here. So with
      // lines of reconciliation: those of places that these cover.
      const isReconciliation = operation.id === 'v1.reconciliation.report';
      const isOfClient = isReconciliation || operation.id === 'plain.limit.status-of-client';
      expect([operation.id, other.status]).toEqual([operation.id, isOfClient ? 200 : 404]);
      const noLines = { data: [], counts: { lines: 0, differences: 0 } };
      const { data, counts } = isReconciliation ? other.body : noLines;
      expect({ data, counts }).toEqual(noLines);
      expect([operation.id, foreign.status]).toEqual([operation.id, 404]);
      expect(replyText(other)).not.toContain(ungranted.idOf('reporting-entity'));
      expect(shownIdentifiers(foreign, [own, ungranted, stranger])).toEqual([]);
    },
  );

  test('lists the reporting entities that were granted', async () => {
    const ids = async (path: string): Promise<string[]> =>
      (await people[name]!.get(path)).body.data.map(({ id }: { id: string }) => id);
    const entity = own.idOf('reporting-entity');
    expect(await ids('/v1/reporting-entities')).toEqual([entity]);
    expect(await ids(`/v1/reporting-entities?client_id=${ungranted.client}`)).toEqual([]);
    expect(await ids(`/api/v2/clients/${own.client}/reporting-entities`)).toEqual([entity]);
    expect(await ids(`/api/v2/clients/${ungranted.client}/reporting-entities`)).toEqual([]);
    expect((await people[name]!.get(`/api/v2/clients/${stranger.client}/reporting-entities`)).status).toBe(404);
    for (const [household, status] of [
      [own, 200],
      [ungranted, 404],
      [stranger, 404],
    ] as const) {
      for (const path of ['/v1', '/api/v2']) {
        const reply = await people[name]!.get(`${path}/reporting-entities/${household.idOf('reporting-entity')}`);
        expect(reply.status).toBe(status);
      }
    }
  });

  test('/v1/me names them', async () => {
    const { body } = await people[name]!.get('/v1/me');
    expect(body.credential_id === null).toBe(name.endsWith('signed in'));
    const memberships = [own.client, ungranted.client].toSorted().map((client_id) => ({ client_id, role }));
    expect(body).toEqual({
      workspace_id: service.first.workspaceId,
      environment: 'production',
      sub: body.user.id,
      credential_id: body.credential_id,
      rights: role === 'admin' ? ['read', 'write', 'admin'] : ['read'],
      scoped_to: null,
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        email: `${role}.muster@people.test`,
        name: `${role} Muster`,
        workspace_administrator: false,
        memberships,
        reporting_entity_ids: [own.idOf('reporting-entity')],
      },
    });
  });
});
