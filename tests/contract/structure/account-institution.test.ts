// The institution of an account is a custodian's id or its name; an unknown name creates a custodian, only once.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { comparableAnswer, newIdempotencyKey, idempotencyHeader } from '../../setup/http/repeated-request.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  faultsOf,
  makeRecord,
  makeHousehold,
  testNow,
  sendBehindLock,
  unknownId,
} from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let client: string;
let legalEntity: string;
let count = 0;

beforeAll(async () => {
  ({ admin } = service);
  ({ client, legalEntity } = await makeHousehold(admin));
});

/** Creates a custodian with a new name. */
async function makeCustodian(): Promise<{ id: string; name: string }> {
  const name = `Bank Nummer ${++count}`;
  return { id: await makeRecord(admin, 'custodians', { name }), name };
}

function create(fields: object, headers = {}): Promise<Reply> {
  return admin.post('/v1/accounts', { entity_id: legalEntity, currency: 'CHF', ...fields }, headers);
}

async function createId(fields: object): Promise<string> {
  return (await create(fields)).body.id;
}

/** A whole account with a custodian, or without one. */
function accountAt(id: string, custodian: { id: string; name: string } | null): object {
  return {
    id,
    name: 'CHF',
    external_identifier: null,
    currency: 'CHF',
    exclude_from_reporting: false,
    institution: custodian?.name ?? null,
    created_at: testNow,
    entity_id: legalEntity,
    client_id: client,
    custodian_id: custodian?.id ?? null,
    depository_ids: [],
  };
}

async function findCustodians(name: string, caller = admin): Promise<unknown[]> {
  return (await caller.get(`/v1/custodians?name=${encodeURIComponent(name)}`)).body.data;
}

async function countCustodians(caller: Caller): Promise<number> {
  return (await caller.get('/v1/custodians?limit=100')).body.data.length;
}

const noCustodian = { status: 404, code: 'custodian-not-found', detail: 'There is no such custodian.' };

describe('opening an account', () => {
  test.each([
    ['its id', ({ id }: { id: string }) => ({ institution: id })],
    ['its name', ({ name }: { name: string }) => ({ institution: name })],
    ['its name in capitals', ({ name }: { name: string }) => ({ institution: name.toUpperCase() })],
    ['its name in small letters', ({ name }: { name: string }) => ({ institution: name.toLowerCase() })],
    ['its id as custodian_id', ({ id }: { id: string }) => ({ custodian_id: id })],
  ])('at a custodian by %s shows its name and its id', async (_what, fields) => {
    const custodian = await makeCustodian();
    const lines = await countAuditEntries(service.database);
    const reply = await create(fields(custodian as any));
    expect([reply.status, reply.body]).toEqual([201, accountAt(reply.body.id, custodian)]);
    expect((await admin.get(`/v1/accounts/${reply.body.id}`)).body).toEqual(reply.body);
    expect((await countAuditEntries(service.database)) - lines).toBe(1);
  });

  test.each([
    ['null', { institution: null }],
    ['nothing', {}],
    ['custodian_id null', { custodian_id: null }],
    ['both null', { institution: null, custodian_id: null }],
  ])('with %s it has no custodian', async (_what, fields) => {
    const { status, body } = await create(fields);
    expect([status, body]).toEqual([201, accountAt(body.id, null)]);
  });

  test('at a new institution name creates a custodian, with its own entry in the audit log', async () => {
    const lines = await countAuditEntries(service.database);
    const { status, body } = await create({ institution: 'Kantonalbank Uri' });
    const made = { id: body.custodian_id, name: 'Kantonalbank Uri', created_at: testNow };
    expect([status, body]).toEqual([201, accountAt(body.id, made)]);
    expect((await admin.get(`/v1/custodians/${made.id}`)).body).toMatchObject(made);
    expect((await countAuditEntries(service.database)) - lines).toBe(2);
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${made.id}`)).body;
    expect(data).toMatchObject([
      { act: 'create', subject_type: 'custodian', client_id: null, before: null, after: made },
    ]);
    const again = await create({ institution: 'kantonalbank uri' });
    expect(again.body).toEqual(accountAt(again.body.id, made));
  });

  test('twenty at the same time at a new name create one custodian', async () => {
    const caller = await service.openWorkspace();
    const { legalEntity: entity } = await makeHousehold(caller);
    const names = ['Bank Neu', 'BANK NEU', 'bank neu'];
    const opening = Array.from({ length: 20 }, (_, index) => () => {
      const fields = { entity_id: entity, currency: 'CHF', institution: names[index % names.length] };
      return caller.post('/v1/accounts', fields, index % 2 === 0 ? {} : idempotencyHeader(newIdempotencyKey()));
    });
    // A tenant may have eight requests in flight: all of them try to create the custodian, and one of them comes first.
    const lockHold = { database: service.database, lock: 'LOCK TABLE audit_entry IN SHARE MODE', waiting: 8 };
    const replies = await sendBehindLock(lockHold, opening);
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const [made, ...others] = (await caller.get('/v1/custodians')).body.data;
    expect(others).toEqual([]);
    expect(names).toContain(made.name);
    for (const { body } of replies) {
      expect([body.custodian_id, body.institution]).toEqual([made.id, made.name]);
    }
    const lines = await caller.get('/v1/audit-log?subject_type=custodian');
    expect(lines.body.data).toHaveLength(1);
  });

  test('at an id that is not a custodian gets 404 with a pointer', async () => {
    const stranger = await makeRecord(await service.openWorkspace(), 'custodians', { name: 'Foreign Bank' });
    for (const id of [unknownId, stranger, legalEntity]) {
      expect(reportedRefusal(await create({ institution: id }))).toEqual({ ...noCustodian, pointer: '/institution' });
      expect(reportedRefusal(await create({ custodian_id: id }))).toEqual({ ...noCustodian, pointer: '/custodian_id' });
    }
    expect(await findCustodians(unknownId)).toEqual([]);
  });

  test.each([
    ['an empty name', '', 'institution must not be empty.'],
    ['white space around it', ' Bank', 'institution must not begin or end with white space.'],
    ['a name of 201 characters', 'B'.repeat(201), 'institution must have at most 200 characters.'],
    ['a number', 7, 'institution must be a string.'],
    ['an object', { name: 'Bank' }, 'institution must be a string.'],
  ])('an institution is not %s', async (_what, institution, detail) => {
    const fault = { status: 422, code: 'invalid-attribute', detail, pointer: '/institution' };
    expect(faultsOf(await create({ institution }))).toEqual([fault]);
  });

  test('an institution and the id of another custodian contradict each other', async () => {
    const [one, other] = [await makeCustodian(), await makeCustodian()];
    const id = await createId({ institution: one.id });
    const fault = {
      status: 422,
      code: 'invalid-attribute',
      detail: 'institution and custodian_id name two different custodians. Send only one of them.',
      pointer: '/institution',
    };
    const both = { institution: one.name, custodian_id: other.id };
    expect(faultsOf(await create(both))).toEqual([fault]);
    expect(faultsOf(await admin.patch(`/v1/accounts/${id}`, both))).toEqual([fault]);
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual(accountAt(id, one));
  });

  test('an account can be sent back as it was shown', async () => {
    for (const fields of [{ institution: (await makeCustodian()).name }, {}]) {
      const { body } = await create(fields);
      const reply = await admin.patch(`/v1/accounts/${body.id}`, body);
      expect([reply.status, reply.body]).toEqual([200, body]);
    }
  });

  test('an account that is refused leaves no custodian behind, with an Idempotency-Key or without', async () => {
    for (const headers of [{}, idempotencyHeader(newIdempotencyKey())]) {
      const institution = `Bank Nirgends ${++count}`;
      const refused = [
        await create({ institution, entity_id: unknownId }, headers),
        await admin.patch(`/v1/accounts/${unknownId}`, { institution }),
        await admin.patch(`/v1/accounts/${await createId({})}`, { institution }, { 'if-match': '"stale"' }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([404, 404, 412]);
      expect(await findCustodians(institution)).toEqual([]);
    }
  });

  test('a request repeated under its idempotency key creates neither account nor custodian again', async () => {
    const key = newIdempotencyKey();
    const institution = `Bank Einmal ${++count}`;
    const first = await create({ institution }, idempotencyHeader(key));
    const lines = await countAuditEntries(service.database);
    const replay = await create({ institution }, idempotencyHeader(key));
    expect([first.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(comparableAnswer(replay)).toEqual(comparableAnswer(first));
    expect(await findCustodians(institution)).toHaveLength(1);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });
});

describe('an existing account', () => {
  test.each([
    ['its id', ({ id }: { id: string }) => ({ institution: id })],
    ['its name', ({ name }: { name: string }) => ({ institution: name })],
    ['its name in another case', ({ name }: { name: string }) => ({ institution: name.toUpperCase() })],
    ['its id as custodian_id', ({ id }: { id: string }) => ({ custodian_id: id })],
  ])('is moved to another custodian by %s; with the current one nothing changes', async (_what, fields) => {
    const [from, to] = [await makeCustodian(), await makeCustodian()];
    const id = await createId({ institution: from.id });
    const lines = await countAuditEntries(service.database);
    const same = await admin.patch(`/v1/accounts/${id}`, fields(from as any));
    expect([same.status, same.body]).toEqual([200, accountAt(id, from)]);
    expect(await countAuditEntries(service.database)).toBe(lines);
    const moved = await admin.patch(`/v1/accounts/${id}`, fields(to as any));
    expect([moved.status, moved.body]).toEqual([200, accountAt(id, to)]);
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual(moved.body);
    const [line] = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body.data;
    expect([line.act, line.before.custodian_id, line.after.custodian_id]).toEqual(['change', from.id, to.id]);
  });

  test.each([{ institution: null }, { custodian_id: null }])('is removed from its custodian by %o', async (cleared) => {
    const custodian = await makeCustodian();
    const id = await createId({ institution: custodian.id });
    expect((await admin.patch(`/v1/accounts/${id}`, { name: 'CHF' })).body).toEqual(accountAt(id, custodian));
    expect((await admin.patch(`/v1/accounts/${id}`, cleared)).body).toEqual(accountAt(id, null));
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual(accountAt(id, null));
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(`/v1/accounts/${id}`, cleared)).status).toBe(200);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('moved to a new name creates a custodian', async () => {
    const id = await createId({});
    const { status, body } = await admin.patch(`/v1/accounts/${id}`, { institution: 'Bank Nova' });
    expect([status, body]).toEqual([200, accountAt(id, { id: body.custodian_id, name: 'Bank Nova' })]);
    const made = { id: body.custodian_id, name: 'Bank Nova', created_at: testNow };
    expect(await findCustodians('Bank Nova')).toMatchObject([made]);
  });

  test('cannot be moved to an id that is not a custodian', async () => {
    const custodian = await makeCustodian();
    const id = await createId({ institution: custodian.id });
    for (const field of ['institution', 'custodian_id']) {
      const reply = await admin.patch(`/v1/accounts/${id}`, { [field]: unknownId });
      expect(reportedRefusal(reply)).toEqual({ ...noCustodian, pointer: `/${field}` });
    }
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual(accountAt(id, custodian));
  });

  test('shows the new name when its custodian is renamed, in itself, in lists and in its tag', async () => {
    const custodian = await makeCustodian();
    const made = await create({ institution: custodian.id });
    const path = `/v1/accounts/${made.body.id}`;
    const name = `Bank Umbenannt ${++count}`;
    await admin.patch(`/v1/custodians/${custodian.id}`, { name });
    const renamed = accountAt(made.body.id, { ...custodian, name });
    const read = await admin.get(path, { 'if-none-match': made.headers.get('etag')! });
    expect([read.status, read.body]).toEqual([200, renamed]);
    const list = await admin.get(`/v1/accounts?custodian_id=${custodian.id}`);
    expect(list.body).toEqual({ data: [renamed], has_more: false });
    expect((await create({ institution: name })).body.custodian_id).toBe(custodian.id);
    expect((await create({ institution: custodian.name })).body.custodian_id).not.toBe(custodian.id);
  });
});

describe('a token bound to one client', () => {
  test('can name an existing custodian and creates none', async () => {
    const scoped = await admin.becomeApplication({ scoped_to: client });
    const custodian = await makeCustodian();
    const fields = { entity_id: legalEntity, currency: 'CHF' };
    const known = await scoped.post('/v1/accounts', { ...fields, institution: custodian.name });
    expect([known.status, known.body]).toEqual([201, accountAt(known.body.id, custodian)]);
    const before = await countCustodians(scoped);
    const path = `/v1/accounts/${known.body.id}`;
    const replies = [
      await scoped.post('/v1/accounts', { ...fields, institution: 'Bank der Familie' }),
      await scoped.patch(path, { institution: 'Bank der Familie' }),
    ];
    for (const reply of replies)
      expect(reportedRefusal(reply)).toEqual({
        status: 403,
        code: 'outside-reach',
        detail:
          'There is no custodian called "Bank der Familie", and a token bound to one client cannot create one: all clients share them. Ask an administrator of the workspace to add it.',
        pointer: '/institution',
      });
    expect((await scoped.get(path)).body).toEqual(accountAt(known.body.id, custodian));
    expect(await countCustodians(scoped)).toBe(before);
  });
});

test('an account at an institution is reported as connected, as v1 shows it, and one without is not', async () => {
  await admin.post('/v1/webhooks', { url: 'https://receiver.example/', events: ['account.connected'] });
  const { name } = await makeCustodian();
  const made = await create({ institution: name });
  const plain = await createId({});
  const { data } = (await admin.get('/v1/events?type=account.connected&limit=100')).body;
  const of = (id: string): object[] => data.filter((event: any) => event.data.object.id === id);
  expect(of(made.body.id)).toMatchObject([{ client_id: client, data: { object: made.body } }]);
  expect(of(plain)).toEqual([]);
});
