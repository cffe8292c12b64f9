// All stored data of a person can be exported and erased: afterwards no table holds their name or address, and no figure has changed.

import { beforeAll, describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { listStoredRows } from '../../setup/access/client-hierarchy.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { makeInvite, makeMember, makeUser } from '../../setup/people/members.ts';
import { signIn, callerForUser } from '../../setup/people/person-caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let household: LedgerHousehold;
let other: string;
let entity: string;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLedgerHousehold(admin, 'Amsel');
  other = await admin.makeClient('Other');
  entity = await makeRecord(admin, 'reporting-entities', { client_id: household.client, name: 'Parents' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [household.euros] });
  const account_id = household.euros;
  await admin.post('/v1/transactions', { type: 'deposit', account_id, date: '2026-01-02', amount: '9' });
});

/** Names that occur nowhere else. */
const personFields = { first_name: 'Zdenka', last_name: 'Vyskočilová', email: 'Zdenka.V@Vysko.example' };
const personalTexts = ['zdenka', 'vyskočilová', 'vysko.example'];

/** Every stored value that contains one of them, also as bytes. */
async function listStoredTexts(words: readonly string[]): Promise<string[]> {
  const shapes = words.flatMap((word) => [word, Buffer.from(word).toString('hex'), JSON.stringify(word).slice(1, -1)]);
  const rows = (await listStoredRows(service.database)).map((row) => row.toLowerCase());
  return rows.filter((row) => shapes.some((shape) => row.includes(shape)));
}

/** A member of two clients who has made changes. */
async function makePerson(): Promise<string> {
  const id = await makeMember(service, household.client, {
    ...personFields,
    role: 'admin',
    reporting_entity_ids: [entity],
  });
  await makeUser(admin, other, personFields);
  await makeInvite(admin, id, { client_id: other, email: personFields.email });
  const signedIn = await signIn(service, id);
  await makeUser(signedIn, household.client, { first_name: 'Somebody' });
  await admin.patch(`/v1/users/${id}`, { last_name: personFields.last_name, role: 'advisor' });
  return id;
}

const reports = [
  (caller: Caller): Promise<Reply> => caller.get(`/v1/holdings?reporting_entity_id=${entity}`),
  (caller: Caller): Promise<Reply> => caller.get(`/v1/performance?reporting_entity_id=${entity}`),
  (caller: Caller): Promise<Reply> => caller.get(`/v1/lots?reporting_entity_id=${entity}`),
];

const erasePerson = (caller: Caller, id: string): Promise<Reply> =>
  caller.send(`/v1/users/${id}/erasure`, { method: 'POST' });

describe('the export', () => {
  test('exports everything that is stored', async () => {
    const id = await makePerson();
    const { status, body } = await admin.get(`/v1/users/${id}/export`);
    expect(status).toBe(200);
    expect(body.user).toEqual((await admin.get(`/v1/users/${id}`)).body);
    expect(body.identities).toMatchObject([{ issuer: 'https://provider-a.example', email: personFields.email }]);
    expect(body.invites).toEqual((await admin.get(`/v1/invites?user_id=${id}`)).body.data);
    expect(body.invites).toHaveLength(2);
    expect(body.sessions).toMatchObject([{ ended_at: null }]);
    expect(body.mail).toMatchObject(body.invites.map((one: any) => ({ invite_id: one.id, failure: null })));
    const lines = body.audit_log.map((one: any) => [one.subject_type, one.act, one.subject === id ? 'by' : 'about']);
    expect(lines).toContainEqual(['user', 'create', 'by']);
    expect(lines).toContainEqual(['user', 'create', 'about']);
    expect(lines).toContainEqual(['user', 'change', 'about']);
    expect(lines).toContainEqual(['invite', 'create', 'about']);
    const about = body.audit_log.find((one: any) => one.subject_id === id);
    expect(about.after).toMatchObject(personFields);
    await erasePerson(admin, id);
  });

  test('shows a token bound to a client only what it sees, without sign-in data', async () => {
    const id = await makePerson();
    const scoped = await admin.becomeApplication({ rights: ['admin'], scoped_to: other });
    const { body } = await scoped.get(`/v1/users/${id}/export`);
    expect(body.user.memberships.map((one: any) => one.client_id)).toEqual([other]);
    expect([body.identities, body.sessions]).toEqual([[], []]);
    expect(new Set(body.invites.map((one: any) => one.client_id))).toEqual(new Set([other]));
    expect(new Set(body.mail.map((one: any) => one.client_id))).toEqual(new Set([other]));
    expect(new Set(body.audit_log.map((one: any) => one.client_id))).toEqual(new Set([other]));
    await erasePerson(admin, id);
  });
});

describe('erasing a person', () => {
  test('leaves no name and no address of the person in any table, and every report unchanged', async () => {
    const id = await makePerson();
    expect((await listStoredTexts(personalTexts)).length).toBeGreaterThan(3);
    const before = await Promise.all(reports.map((report) => report(admin)));
    expect((await erasePerson(admin, id)).status).toBe(204);
    expect(await listStoredTexts(personalTexts)).toEqual([]);
    const after = await Promise.all(reports.map((report) => report(admin)));
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    expect((await admin.get(`/v1/users/${id}`)).status).toBe(404);
    expect((await admin.get(`/v1/users/${id}/export`)).status).toBe(404);
    expect((await erasePerson(admin, id)).status).toBe(404);
  });

  test('keeps the audit log, without the name of the person', async () => {
    const id = await makePerson();
    await erasePerson(admin, id);
    const lines = (await admin.get(`/v1/audit-log?subject_type=user&subject_id=${id}`)).body.data;
    expect(lines.length).toBeGreaterThan(3);
    // Lines of sign-ins name the session alone.
    for (const line of lines.filter(({ act }: { act: string }) => act !== 'sign-in')) {
      for (const version of [line.before, line.after].filter(Boolean)) {
        expect(version).toMatchObject({ id, email: null, first_name: null, last_name: null });
      }
    }
    const all = (await admin.get('/v1/audit-log?subject_type=user&act=create&limit=100')).body.data;
    expect(all.some((line: any) => line.subject === id && line.after?.first_name === 'Somebody')).toBe(true);
    const erasures = (await admin.get(`/v1/audit-log?subject_type=erasure&subject_id=${id}`)).body.data;
    expect(erasures).toMatchObject([{ act: 'create', before: null, after: { user_id: id } }]);
  });

  test('signs the person out, and revokes their tokens', async () => {
    const id = await makePerson();
    const callers = [await signIn(service, id), await callerForUser(service, id)];
    for (const signedInCaller of callers) expect((await signedInCaller.get('/v1/me')).status).toBe(200);
    await erasePerson(admin, id);
    for (const signedInCaller of callers) expect((await signedInCaller.get('/v1/me')).status).toBe(401);
  });

  test('deletes stored answers for repeated requests: a repeated request is refused', async () => {
    const headers = { 'idempotency-key': 'about Zdenka' };
    const userFields = { client_id: household.client, role: 'viewer', ...personFields };
    const other = { client_id: household.client, email: 'other@people.example', first_name: 'O', last_name: 'P' };
    const [made, of] = [
      await admin.post('/v1/users', userFields, headers),
      await admin.post('/v1/users', other, { 'idempotency-key': 'other' }),
    ];
    expect((await admin.post('/v1/users', userFields, headers)).text).toBe(made.text);
    await erasePerson(admin, made.body.id);
    const repeated = await admin.post('/v1/users', userFields, headers);
    expect([repeated.status, errorCodeOf(repeated)]).toEqual([409, 'idempotency-key-reused']);
    expect((await admin.post('/v1/users', other, { 'idempotency-key': 'other' })).text).toBe(of.text);
  });

  test('includes people who were deleted before', async () => {
    const id = await makePerson();
    await admin.delete(`/v1/users/${id}`);
    const line = async () => (await admin.get(`/v1/audit-log?subject_id=${id}&limit=1`)).body.data[0];
    expect((await line()).before).toMatchObject(personFields);
    expect((await erasePerson(admin, id)).status).toBe(204);
    expect(await listStoredTexts(personalTexts)).toEqual([]);
    const [, deleted] = (await admin.get(`/v1/audit-log?subject_id=${id}&limit=2`)).body.data;
    expect(deleted.before).toMatchObject({ first_name: null });
  });

  test('requires a token of the whole workspace: a token bound to a client gets the same refusal for every user', async () => {
    const id = await makePerson();
    const scoped = await admin.becomeApplication({ rights: ['admin'], scoped_to: other });
    for (const one of [id, '01234567-89ab-7def-8123-456789abcdef']) {
      expect(errorCodeOf(await erasePerson(scoped, one))).toBe('outside-reach');
    }
    expect((await erasePerson(await service.openWorkspace(), id)).status).toBe(404);
    expect((await admin.get(`/v1/users/${id}`)).status).toBe(200);
    await erasePerson(admin, id);
  });
});
