// Auth flows and authorities over HTTP: every step of consent, what it is refused for, what it connects, and who learns of it.

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { authorityStates, transitions, type AuthorityState } from '../../../src/model/custody/authority-state.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeMember } from '../../setup/people/members.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeCustodyHousehold, startFlow, step, type CustodyHousehold } from '../../setup/custody/custody-household.ts';
import { testNow, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let home: CustodyHousehold;

beforeAll(async () => {
  ({ admin } = service);
  home = await makeCustodyHousehold(admin);
});

const read = async (path: string): Promise<any> => (await admin.get(path)).body;
const eventsOf = async (type: string): Promise<any[]> => (await read(`/v1/events?type=${type}&limit=100`)).data;

describe('from the first file to the end of consent', () => {
  let flow: any;

  test('a flow waits for the files that the custodian expects', async () => {
    await admin.patch(`/v1/admin/custodians/${home.custodian}`, { expected_files: ['Passport', 'Mandate'] });
    const reply = await admin.post('/v1/admin/auth-flows', {
      custodian_id: home.custodian,
      legal_entity_id: home.legalEntity,
    });
    flow = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${service.addresses.baseUrl}/v1/auth-flows/${flow.id}`);
    expect(flow).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      state: 'waiting-for-files',
      purpose: 'grant',
      expected_files: ['Mandate', 'Passport'],
      missing_files: ['Mandate', 'Passport'],
      supported_consent_types: ['signed-document', 'operator'],
      consent_type: null,
      operator_id: null,
      created_at: testNow,
      granted_at: null,
      cancelled_at: null,
      client_id: home.client,
      legal_entity_id: home.legalEntity,
      custodian_id: home.custodian,
      depository_id: null,
      authority_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect(await read(`/v1/auth-flows/${flow.id}`)).toEqual(flow);
    expect(await read(`/v1/authorities/${flow.authority_id}`)).toMatchObject({
      state: 'waiting-for-files',
      connection: 'none',
      account_ids: [],
    });
  });

  test('files are stored sealed, shown without content, and downloaded as they were', async () => {
    const content = Buffer.from('%PDF a signed mandate');
    const sent = { name: 'mandate "1".pdf', media_type: 'application/pdf', content: content.toString('base64') };
    const path = `/v1/admin/auth-flows/${flow.id}/files`;
    const handedIn = await admin.post(path, { ...sent, expected_file: 'Mandate' });
    expect([handedIn.status, handedIn.body]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'mandate "1".pdf',
        expected_file: 'Mandate',
        media_type: 'application/pdf',
        size: content.length,
        digest: createHash('sha256').update(content).digest('hex'),
        created_at: testNow,
        client_id: home.client,
        auth_flow_id: flow.id,
      },
    ]);
    expect(await read(`/v1/auth-flows/${flow.id}`)).toMatchObject({
      state: 'waiting-for-files',
      missing_files: ['Passport'],
    });
    const opened = await read(`${path}/${handedIn.body.id}`);
    expect(opened).toEqual({ ...handedIn.body, content: content.toString('base64') });
    const [stored] = await runSql<any>(service.database, 'SELECT content_sealed FROM auth_flow_file WHERE id = $1', [
      handedIn.body.id,
    ]);
    expect(stored.content_sealed.includes('signed')).toBe(false);
    const wrong = await admin.post(path, { ...sent, content: 'no base64!', media_type: 'text' });
    expect(wrong.status).toBe(422);
    expect((await admin.post(path, { ...sent, expected_file: 'Other' })).body.errors[0]).toMatchObject({
      pointer: '/expected_file',
      detail: 'This is not an expected file. Expected are: "Mandate", "Passport".',
    });
    const last = await admin.post(path, { ...sent, expected_file: 'Passport' });
    expect(last.status).toBe(201);
    expect((await read(path)).data.map(({ id }: any) => id)).toEqual([handedIn.body.id, last.body.id]);
    expect(await read(`/v1/auth-flows/${flow.id}`)).toMatchObject({ state: 'waiting-for-consent', missing_files: [] });
  });

  test('an operator of the client is assigned, and nobody else', async () => {
    const operator = await makeMember(service, home.client, { role: 'admin' });
    const elsewhere = await makeMember(service, await admin.makeClient('Elsewhere'));
    expect(await step(admin, flow.id, 'assign', { operator_id: operator })).toMatchObject({
      status: 200,
      body: { operator_id: operator, state: 'waiting-for-consent' },
    });
    const refused = await step(admin, flow.id, 'assign', { operator_id: elsewhere });
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      404,
      'user-not-found',
      '/operator_id',
    ]);
  });

  test('consent goes by the operator to the custodian, and is granted', async () => {
    const unsupported = await step(admin, flow.id, 'consent', { consent_type: 'redirect' });
    expect([unsupported.status, unsupported.body.errors[0].pointer]).toEqual([422, '/consent_type']);
    const given = await step(admin, flow.id, 'consent', { consent_type: 'signed-document' });
    expect(given.body).toMatchObject({
      state: 'awaiting-operator',
      consent_type: 'signed-document',
      redirect_url: null,
    });
    expect((await step(admin, flow.id, 'submit')).body.state).toBe('awaiting-custodian');
    const past = await step(admin, flow.id, 'grant', { expires_at: '2026-11-15T12:00:00Z' });
    expect([past.status, past.body.errors[0].pointer]).toEqual([422, '/expires_at']);
    const granted = await step(admin, flow.id, 'grant', { expires_at: '2027-11-15T00:00:00Z' });
    expect(granted.body).toMatchObject({ state: 'active', granted_at: testNow });
    const authority = await read(`/v1/authorities/${flow.authority_id}`);
    expect(authority).toEqual({
      id: flow.authority_id,
      state: 'active',
      connection: 'connected',
      broken_reason: null,
      broken_at: null,
      consent_type: 'signed-document',
      created_at: testNow,
      granted_at: testNow,
      expires_at: '2027-11-15T00:00:00.000Z',
      revoked_at: null,
      client_id: home.client,
      legal_entity_id: home.legalEntity,
      custodian_id: home.custodian,
      depository_id: null,
      account_ids: [home.account],
      depository_ids: [],
    });
    const connected = await eventsOf('account.connected');
    // The account was reported when it was created at the institution, and again when the authority covered it.
    const event = [home.client, { object: await read(`/v1/accounts/${home.account}`), previous: {} }];
    expect(connected.map(({ client_id, data }) => [client_id, data])).toEqual([event, event]);
  });

  test('while it is active, client, legal entity and custodian cannot be deleted', async () => {
    for (const [path, remains] of [
      [`/v1/clients/${home.client}`, '1 custodian authority'],
      [`/v1/legal-entities/${home.legalEntity}`, '1 custodian authority'],
      [`/v1/custodians/${home.custodian}`, '1 authority'],
    ] as const) {
      const reply = await admin.delete(path);
      expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining(remains)]);
    }
  });

  test('the account keeps its custodian', async () => {
    const reply = await admin.patch(`/v1/accounts/${home.account}`, { institution: 'Another bank' });
    expect([reply.status, reply.body.code]).toEqual([409, 'different-custodian']);
  });

  test('revoking disconnects at once, and ends when the custodian has confirmed', async () => {
    const revoke = (verb: string) => admin.post(`/v1/admin/authorities/${flow.authority_id}/${verb}`, undefined);
    expect((await revoke('revoke')).body).toMatchObject({
      state: 'revoke-in-progress',
      connection: 'none',
      revoked_at: testNow,
      account_ids: [],
    });
    expect((await eventsOf('account.disconnected')).map(({ data }) => data.object.id)).toEqual([home.account]);
    expect((await read(`/v1/auth-flows/${flow.id}`)).state).toBe('revoke-in-progress');
    expect((await revoke('confirm-revocation')).body.state).toBe('revoked');
    const again = await revoke('revoke');
    expect([again.status, again.body.code, again.body.detail]).toEqual([
      409,
      'state-conflict',
      'The authority is in the state `revoked` and cannot be revoked. That is possible in: `active`.',
    ]);
  });

  test('every step has its line in the audit log', async () => {
    const lines = (await read(`/v1/audit-log?subject_id=${flow.id}&limit=100`)).data;
    expect(lines.map(({ act, after }: any) => [act, after.state])).toEqual(
      [
        ['create', 'waiting-for-files'],
        ['change', 'waiting-for-consent'],
        ['change', 'waiting-for-consent'],
        ['change', 'awaiting-operator'],
        ['change', 'awaiting-custodian'],
        ['change', 'active'],
      ].toReversed(),
    );
  });
});

describe('the states', () => {
  /** The steps that lead to each state. */
  const ways: Record<AuthorityState, readonly [verb: string, body?: object][]> = {
    'waiting-for-files': [],
    'waiting-for-consent': [],
    'awaiting-operator': [['consent', { consent_type: 'operator' }]],
    'awaiting-custodian': [['consent', { consent_type: 'operator' }], ['submit']],
    active: [
      ['consent', { consent_type: 'operator' }],
      ['grant', {}],
    ],
    'revoke-in-progress': [['consent', { consent_type: 'operator' }], ['grant', {}], ['revoke']],
    revoked: [['consent', { consent_type: 'operator' }], ['grant', {}], ['revoke'], ['confirm-revocation']],
    cancelled: [['cancel']],
  };
  const file = { name: 'x', media_type: 'text/plain', content: 'eA==' };
  const steps = [
    ['files', 'hand-in-file', file],
    ['consent', 'give-consent', { consent_type: 'operator' }],
    ['assign', 'assign-operator', { operator_id: null }],
    ['submit', 'submit', undefined],
    ['grant', 'grant', { account_ids: [] }],
    ['cancel', 'cancel', undefined],
    ['link', 'link', {}],
    ['unlink', 'unlink', {}],
    ['reconnect', 'reconnect', undefined],
    ['revoke', 'revoke', undefined],
    ['confirm-revocation', 'confirm-revocation', undefined],
  ] as const;

  test.each(authorityStates)(
    'in %s exactly the steps of the table are possible, others say where they are',
    async (state) => {
      const custodian = (await admin.post('/v1/custodians', { name: `Bank of ${state}` })).body.id;
      if (state === 'waiting-for-files')
        await admin.patch(`/v1/admin/custodians/${custodian}`, { expected_files: ['A'] });
      for (const [verb, action, body] of steps) {
        const started = await startFlow(admin, { ...home, custodian });
        for (const [way, sent] of ways[state]) await step(admin, started.id, way, sent);
        expect((await read(`/v1/authorities/${started.authority_id}`)).state).toBe(state);
        const reply = await step(admin, started.id, verb, body);
        const { from }: { readonly from: readonly AuthorityState[] } = transitions[action];
        const possible = from.map((one) => `\`${one}\``).join(', ');
        expect([verb, reply.body.code, reply.body.detail?.split('possible in: ')[1]]).toEqual(
          from.includes(state) ? [verb, undefined, undefined] : [verb, 'state-conflict', `${possible}.`],
        );
      }
    },
  );
});

describe('what an authority covers', () => {
  test('one for a depository covers it and its accounts, and keeps it from being deleted', async () => {
    const own = await makeCustodyHousehold(admin);
    const depository = (
      await admin.post('/v1/depositories', { legal_entity_id: own.legalEntity, account_ids: [own.account] })
    ).body.id;
    const reply = await admin.post('/v1/admin/auth-flows', { custodian_id: own.custodian, depository_id: depository });
    expect(reply.body).toMatchObject({ legal_entity_id: own.legalEntity, depository_id: depository });
    await step(admin, reply.body.id, 'consent', { consent_type: 'operator' });
    await step(admin, reply.body.id, 'grant', {});
    expect(await read(`/v1/authorities/${reply.body.authority_id}`)).toMatchObject({
      account_ids: [own.account],
      depository_ids: [depository],
    });
    await admin.patch(`/v1/depositories/${depository}`, { account_ids: [] });
    const refused = await admin.delete(`/v1/depositories/${depository}`);
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('1 custodian authority, 1 custodian authority that covers it'),
    ]);
    await admin.post(`/v1/admin/authorities/${reply.body.authority_id}/revoke`, undefined);
    await admin.post(`/v1/admin/authorities/${reply.body.authority_id}/confirm-revocation`, undefined);
    expect((await admin.delete(`/v1/depositories/${depository}`)).status).toBe(204);
    expect((await admin.get(`/v1/authorities/${reply.body.authority_id}`)).status).toBe(404);
  });

  test('what its grant names is covered, and nothing else', async () => {
    const own = await makeCustodyHousehold(admin);
    const make = async (path: string, body: object): Promise<string> => (await admin.post(path, body)).body.id;
    const depository = await make('/v1/depositories', { legal_entity_id: own.legalEntity });
    const place = { entity_id: own.legalEntity, currency: 'EUR', custodian_id: own.custodian };
    const second = await make('/v1/accounts', { ...place, external_identifier: 'second' });
    const covered = async (grant: object): Promise<unknown> => {
      const { authority_id: id } = await startFlow(admin, own, 'active', grant);
      const { account_ids, depository_ids } = await read(`/v1/authorities/${id}`);
      return { account_ids, depository_ids };
    };
    expect(await covered({ account_ids: [second] })).toEqual({ account_ids: [second], depository_ids: [] });
    expect(await covered({ depository_ids: [depository] })).toEqual({ account_ids: [], depository_ids: [depository] });
  });

  test('accounts are linked once, get its custodian, and are reported when they come and go', async () => {
    const own = await makeCustodyHousehold(admin);
    const account = (
      await admin.post('/v1/accounts', { entity_id: own.legalEntity, currency: 'EUR', name: 'No bank yet' })
    ).body.id;
    const one = await startFlow(admin, own, 'active');
    const another = await startFlow(admin, own, 'active');
    const link = (flow: any, verb: string, body: object) =>
      admin.post(`/v1/admin/authorities/${flow.authority_id}/${verb}`, body);
    expect((await link(one, 'link', { account_ids: [account] })).body.account_ids.toSorted()).toEqual(
      [own.account, account].toSorted(),
    );
    expect(await read(`/v1/accounts/${account}`)).toMatchObject({ custodian_id: own.custodian });
    const taken = await link(another, 'link', { account_ids: [account] });
    expect([taken.status, taken.body.code, taken.body.errors[0].pointer]).toEqual([
      409,
      'already-linked',
      '/account_ids/0',
    ]);
    const foreign = await link(one, 'link', { account_ids: [home.account] });
    expect([foreign.status, foreign.body.code]).toEqual([409, 'different-legal-entity']);
    expect((await link(one, 'link', { account_ids: [unknownId] })).body.code).toBe('account-not-found');
    const kept = (
      await admin.post('/v1/accounts', {
        entity_id: own.legalEntity,
        currency: 'EUR',
        institution: `Other ${own.client}`,
      })
    ).body.id;
    expect((await link(one, 'link', { account_ids: [kept] })).body.code).toBe('different-custodian');
    await link(one, 'unlink', { account_ids: [account] });
    const ofAccount = async (type: string) =>
      (await eventsOf(type)).filter(({ data }) => data.object.id === account).length;
    expect([await ofAccount('account.connected'), await ofAccount('account.disconnected')]).toEqual([1, 1]);
    expect((await link(another, 'link', { account_ids: [account] })).status).toBe(200);
    expect((await admin.delete(`/v1/accounts/${account}`)).status).toBe(204);
    expect(await ofAccount('account.disconnected')).toBe(2);
  });

  test('reconnecting renews an active authority, which stays active', async () => {
    const own = await makeCustodyHousehold(admin);
    const { authority_id: id } = await startFlow(admin, own, 'active');
    const renewal = (await admin.post(`/v1/admin/authorities/${id}/reconnect`, undefined)).body;
    expect(renewal).toMatchObject({ purpose: 'reconnect', state: 'waiting-for-consent', authority_id: id });
    await step(admin, renewal.id, 'consent', { consent_type: 'operator' });
    expect((await read(`/v1/authorities/${id}`)).state).toBe('active');
    await step(admin, renewal.id, 'grant', { expires_at: '2028-01-01T00:00:00Z' });
    expect(await read(`/v1/authorities/${id}`)).toMatchObject({
      state: 'active',
      expires_at: '2028-01-01T00:00:00.000Z',
      account_ids: [own.account],
    });
    const flows = (await read(`/v1/auth-flows?authority_id=${id}`)).data;
    expect(flows.map(({ purpose, state }: any) => [purpose, state])).toEqual([
      ['grant', 'active'],
      ['reconnect', 'active'],
    ]);
  });
});

test('revoking an authority cancels all flows that would renew it, however many were begun', async () => {
  const own = await makeCustodyHousehold(admin);
  const { authority_id: id } = await startFlow(admin, own, 'active');
  for (let count = 0; count < 101; count++) await admin.post(`/v1/admin/authorities/${id}/reconnect`, undefined);
  await admin.post(`/v1/admin/authorities/${id}/revoke`, undefined);
  const open = await read(`/v1/auth-flows?authority_id=${id}&state=waiting-for-consent`);
  expect(open.data).toEqual([]);
});

describe('on JSON:API', () => {
  test('flows and authorities are read below their client and by themselves, in camelCase', async () => {
    const own = await makeCustodyHousehold(admin);
    const flow = await startFlow(admin, own, 'active');
    const flows = (await read(`/api/v3/clients/${own.client}/auth-flows`)).data;
    expect(flows).toEqual([
      {
        type: 'auth-flow',
        id: flow.id,
        attributes: {
          state: 'active',
          purpose: 'grant',
          expectedFiles: [],
          missingFiles: [],
          supportedConsentTypes: ['signed-document', 'operator'],
          consentType: 'operator',
          createdAt: testNow,
          grantedAt: testNow,
          cancelledAt: null,
        },
        relationships: {
          client: { data: { type: 'client', id: own.client } },
          legalEntity: { data: { type: 'legal-entity', id: own.legalEntity } },
          custodian: { data: { type: 'custodian', id: own.custodian } },
          depository: { data: null },
          authority: { data: { type: 'authority', id: flow.authority_id } },
        },
      },
    ]);
    expect((await read(`/api/v3/auth-flows/${flow.id}`)).data).toEqual(flows[0]);
    const authorities = (await read(`/api/v3/clients/${own.client}/authorities`)).data;
    expect(authorities[0]).toMatchObject({
      type: 'authority',
      id: flow.authority_id,
      attributes: { state: 'active', connection: 'connected', consentType: 'operator', expiresAt: null },
      relationships: { accounts: { data: [{ type: 'account', id: own.account }] } },
    });
    expect((await read(`/api/v3/authorities/${flow.authority_id}`)).data).toEqual(authorities[0]);
    expect((await admin.get(`/api/v3/clients/${unknownId}/authorities`)).status).toBe(404);
  });

  test('lists are filtered by client, custodian and state', async () => {
    const own = await makeCustodyHousehold(admin);
    const flow = await startFlow(admin, own);
    const count = async (query: string): Promise<number> => (await read(`/v1/authorities?${query}`)).data.length;
    expect(await count(`client_id=${own.client}`)).toBe(1);
    expect(await count(`custodian_id=${own.custodian}&state=waiting-for-consent`)).toBe(1);
    expect(await count(`client_id=${own.client}&state=active`)).toBe(0);
    expect((await read(`/v1/auth-flows?client_id=${own.client}&state=waiting-for-consent`)).data[0].id).toBe(flow.id);
  });
});

describe('a caller without the right admin', () => {
  test('reads flows and authorities, and takes no step', async () => {
    const flow = await startFlow(admin, home);
    const writer = await admin.becomeApplication({ rights: ['read', 'write'] });
    expect((await writer.get(`/v1/auth-flows/${flow.id}`)).status).toBe(200);
    expect((await step(writer, flow.id, 'cancel')).status).toBe(403);
    expect((await writer.get(`/v1/admin/auth-flows/${flow.id}/files`)).status).toBe(403);
    expect((await writer.get(`/v1/admin/custodians/${home.custodian}`)).status).toBe(403);
  });
});
