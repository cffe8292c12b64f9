// Consent on a custodian's own pages: the person is sent there, the browser comes back once, and what was promised to the custodian is
// stored sealed.

import { beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../../../src/kit/clock.ts';
import { ConnectorFailure, type Connector } from '../../../src/model/custody/connector.ts';
import { runSql } from '../../setup/database/sql.ts';
import { Caller } from '../../setup/http/caller.ts';
import { makeCustodyHousehold, startFlow, step, type CustodyHousehold } from '../../setup/custody/custody-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { signedInBrowser } from '../../setup/people/signed-in-browser.ts';

const service = serviceForThisFile();
let admin: Caller;
let home: CustodyHousehold;

/** When the custodian says that consent ends. */
let endsAt = Date.parse('2027-01-01T00:00:00Z');

/** What happens while a consent is completed. */
let duringCompletion = async (): Promise<void> => {};

/** A custodian that grants whatever comes back with the code `yes`. */
const connector: Connector = {
  kind: 'oauth-pull',
  beginConsent: async ({ settings, state, callbackUrl }) => ({
    redirectUrl: `${settings.authorizationUrl}?${new URLSearchParams({ state, redirect_uri: callbackUrl })}`,
    pending: `verifier of ${state}`,
  }),
  async completeConsent({ pending, parameters }) {
    await duringCompletion();
    if (parameters['code'] !== 'yes') throw new ConnectorFailure('consent-refused', 'The bank says <no>.');
    if (pending !== `verifier of ${parameters['state']}`) throw new Error('another consent was completed');
    return { credentials: 'token', expiresAt: endsAt };
  },
  listAccounts: async () => [],
  async *fetchSince() {},
};

beforeAll(async () => {
  ({ admin } = service);
  (service.context.connectors as Map<string, Connector>).set('oauth-pull', connector);
  home = await makeCustodyHousehold(admin);
});

async function begin(): Promise<{ flow: any; state: string }> {
  const flow = await startFlow(admin, home);
  const { body } = await step(admin, flow.id, 'consent', { consent_type: 'redirect' });
  return { flow: body, state: new URL(body.redirect_url).searchParams.get('state')! };
}

/** A browser without a token. */
const comeBack = (parameters: Record<string, string>, path = `/connect/callback/${home.custodian}`) =>
  new Caller(admin.address, null).get(`${path}?${new URLSearchParams(parameters)}`);
const stateOf = async ({ id }: any): Promise<string> => (await admin.get(`/v1/auth-flows/${id}`)).body.state;

test('needs a connector and addresses that the service may call', async () => {
  const path = `/v1/admin/custodians/${home.custodian}`;
  await admin.patch(path, { supported_consent_types: ['redirect'] });
  const flow = await startFlow(admin, home);
  const without = await step(admin, flow.id, 'consent', { consent_type: 'redirect' });
  expect([without.status, without.body.code]).toEqual([409, 'connector-missing']);
  const wrong = await admin.patch(path, { token_url: 'ftp://bank.example' });
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/token_url']);
  const authorizationUrl = 'https://bank.example/authorize';
  const reply = await admin.patch(path, { connector: 'oauth-pull', authorization_url: authorizationUrl });
  expect([reply.status, reply.body.connector]).toEqual([200, 'oauth-pull']);
});

test('on the console is given on a page with the way to the custodian, which may be sent to the owner', async () => {
  const browser = await signedInBrowser(service, await insertAdministrator(service));
  const { id } = await startFlow(admin, home);
  const path = `/console/custody/auth-flows/${id}`;
  const page = await browser.press(await browser.open(path), 'Give consent', { consent_type: 'redirect' });
  const [, address = ''] = /<code>([^<]*)<\/code>/.exec(page.text) ?? [];
  expect([page.status, page.title]).toEqual([200, 'Consent at the custodian · Holdfast']);
  expect(address).toMatch(/^https:\/\/bank\.example\/authorize\?state=[^&]+&amp;redirect_uri=/);
  const links = [...page.text.matchAll(/<a class="button[^"]*" href="([^"]*)">([^<]*)</g)];
  expect(links.map(([, href, title]) => [title, href])).toEqual([
    ['Continue at the custodian', address],
    ['Back', path],
  ]);
});

describe('the client secret of a custodian', () => {
  const oauth_client_secret = 'what the bank has issued';
  const settings = {
    api_url: 'https://api.bank.example',
    token_url: 'https://bank.example/token',
    revocation_url: 'https://login.bank.example/revoke',
  };
  let path: string;

  beforeAll(async () => {
    path = `/v1/admin/custodians/${(await admin.post('/v1/custodians', { name: 'Bank with a secret' })).body.id}`;
    await admin.patch(path, { ...settings, oauth_client_secret });
  });

  test.each(['api_url', 'token_url', 'revocation_url'])(
    'is not sent to another host, nor are tokens, by changing %s alone',
    async (field) => {
      for (const address of ['https://elsewhere.example/token', 'https://bank.example:8443/token']) {
        const reply = await admin.patch(path, { [field]: address });
        expect([reply.status, reply.body.errors]).toEqual([
          422,
          [
            {
              code: 'missing-attribute',
              detail:
                'Send oauth_client_secret as well: the stored one was not given for this host, which gets neither it nor tokens.',
              pointer: '/oauth_client_secret',
            },
          ],
        ]);
      }
      expect((await admin.get(path)).body).toMatchObject({ ...settings, has_oauth_client_secret: true });
    },
  );

  test('is not sent there either after its addresses were taken away', async () => {
    expect((await admin.patch(path, { api_url: null, token_url: null, revocation_url: null })).status).toBe(200);
    expect((await admin.patch(path, { token_url: 'https://elsewhere.example/token' })).status).toBe(422);
    expect((await admin.patch(path, { ...settings, oauth_client_secret })).status).toBe(200);
  });

  test('is kept while the paths at its hosts, other settings and other addresses change', async () => {
    const changes = [
      { token_url: 'https://login.bank.example/token/v2', revocation_url: null },
      { api_url: 'https://api.bank.example/v2', authorization_url: 'https://person.bank.example/authorize' },
    ];
    for (const change of changes) expect((await admin.patch(path, change)).status).toBe(200);
    expect((await admin.get(path)).body.has_oauth_client_secret).toBe(true);
  });

  test('is sent to another host with the address, or removed', async () => {
    const elsewhere = { token_url: 'https://elsewhere.example/token' };
    expect((await admin.patch(path, { ...elsewhere, oauth_client_secret: 'another one' })).status).toBe(200);
    const removed = await admin.patch(path, { ...settings, oauth_client_secret: null });
    expect([removed.status, removed.body.has_oauth_client_secret]).toEqual([200, false]);
    expect((await admin.patch(path, elsewhere)).status).toBe(200);
  });
});

describe('the redirect address of a custodian', () => {
  const callbackOf = async (id: string): Promise<string> => {
    const { body } = await step(admin, id, 'consent', { consent_type: 'redirect' });
    const address = new URL(new URL(body.redirect_url).searchParams.get('redirect_uri')!);
    return address.pathname;
  };
  let household: CustodyHousehold;
  let path: string;
  let own: string;

  beforeAll(async () => {
    household = await makeCustodyHousehold(admin);
    path = `/v1/admin/custodians/${household.custodian}`;
    own = `/connect/callback/${household.custodian}`;
    const authorization_url = 'https://bank.example/authorize';
    await admin.patch(path, { connector: 'oauth-pull', supported_consent_types: ['redirect'], authorization_url });
  });

  /** A custodian that had pages for consent before this release. */
  const hasSharedAddress = () =>
    runSql(
      service.database,
      'UPDATE custodian SET uses_own_callback = false, has_shared_callback = true WHERE id = $1',
      [household.custodian],
    );

  test('is its own for a new custodian, which cannot take the shared one', async () => {
    expect((await admin.get(path)).body).toMatchObject({
      uses_own_callback: true,
      callback_url: expect.stringMatching(new RegExp(`^https?://.*${own}$`)),
      shared_callback_url: null,
    });
    expect(await callbackOf((await startFlow(admin, household)).id)).toBe(own);
    const shared = await admin.patch(path, { uses_own_callback: false });
    expect([shared.status, shared.body.errors[0].pointer]).toEqual([422, '/uses_own_callback']);
  });

  test('is the shared one for a custodian of an earlier release, until its own is registered there', async () => {
    await hasSharedAddress();
    const { body: settings } = await admin.get(path);
    expect(settings).toMatchObject({ uses_own_callback: false, callback_url: expect.stringMatching(`${own}$`) });
    expect(new URL(settings.shared_callback_url).pathname).toBe('/connect/callback');
    const { id } = await startFlow(admin, household);
    expect(await callbackOf(id)).toBe('/connect/callback');
    for (const [uses_own_callback, expected] of [
      [true, own],
      [false, '/connect/callback'],
      [true, own],
    ] as const) {
      const changed = await admin.patch(path, { uses_own_callback });
      expect([changed.status, changed.body.uses_own_callback]).toEqual([200, uses_own_callback]);
      expect(await callbackOf(id)).toBe(expected);
    }
  });

  test('accepts settings that are sent back as they were read', async () => {
    const { body, headers } = await admin.get(path);
    const { id: _, ...settings } = body;
    const reply = await admin.patch(path, settings, { 'if-match': headers.get('etag')! });
    expect([reply.status, reply.body]).toEqual([200, body]);
  });

  test('stays that of a consent that was begun before the change', async () => {
    await hasSharedAddress();
    const { id, authority_id } = await startFlow(admin, household);
    const { body } = await step(admin, id, 'consent', { consent_type: 'redirect' });
    const state = new URL(body.redirect_url).searchParams.get('state')!;
    await admin.patch(path, { uses_own_callback: true });
    expect((await comeBack({ state, code: 'yes' }, own)).status).toBe(400);
    expect((await comeBack({ state, code: 'yes' }, '/connect/callback')).status).toBe(200);
    await admin.post(`/v1/admin/authorities/${authority_id}/revoke`, undefined);
  });

  test('is shown on the console with the shared one, and changed there', async () => {
    await hasSharedAddress();
    const { callback_url, shared_callback_url } = (await admin.get(path)).body;
    const browser = await signedInBrowser(service, await insertAdministrator(service));
    const address = `/console/custodians/${household.custodian}`;
    const page = await browser.open(address);
    for (const url of [callback_url, shared_callback_url]) expect(page.text).toContain(`<code>${url}</code>`);
    const own = await browser.press(page, 'Use its own address', {});
    expect([own.status, (await admin.get(path)).body.uses_own_callback]).toEqual([200, true]);
    await browser.press(own, 'Use the shared address again', {});
    expect((await admin.get(path)).body.uses_own_callback).toBe(false);
  });
});

describe('a browser that comes back', () => {
  test('makes the authority active until the custodian says it ends, and works once', async () => {
    const { flow, state } = await begin();
    expect(flow.state).toBe('awaiting-custodian');
    const page = await comeBack({ state, code: 'yes' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await admin.get(`/v1/authorities/${flow.authority_id}`)).body).toMatchObject({
      state: 'active',
      consent_type: 'redirect',
      expires_at: '2027-01-01T00:00:00.000Z',
      account_ids: [home.account],
    });
    await admin.post(`/v1/admin/authorities/${flow.authority_id}/revoke`, undefined);
  });

  test.each([
    [0, null],
    [1, '2026-11-15T12:00:00.001Z'],
  ])('with an end that is %i ms ahead: an end that has passed already is none', async (aheadMs, expected) => {
    const { flow, state } = await begin();
    endsAt = service.clock.now() + aheadMs;
    expect((await comeBack({ state, code: 'yes' })).status).toBe(200);
    const path = `/v1/authorities/${flow.authority_id}`;
    expect((await admin.get(path)).body).toMatchObject({ state: 'active', expires_at: expected });
    await admin.post(path.replace('/v1', '/v1/admin') + '/revoke', undefined);
  });

  test('after a refusal can begin again, and learns why without markup', async () => {
    const { flow, state } = await begin();
    const page = await comeBack({ state, error: 'access_denied' });
    expect([page.status, page.text.includes('The bank says &lt;no&gt;.')]).toEqual([400, true]);
    expect(await stateOf(flow)).toBe('waiting-for-consent');
    const again = await comeBack({ state, code: 'yes' });
    expect([again.status, again.text]).toEqual([400, page.text]);
    expect(await stateOf(flow)).toBe('waiting-for-consent');
  });

  test('with an older, foreign, invented or missing state changes nothing', async () => {
    const { flow, state } = await begin();
    await step(admin, flow.id, 'consent', { consent_type: 'redirect' });
    const invented = Buffer.from('invented').toString('base64url');
    for (const wrong of [{ state }, { state: invented }, { state: state.slice(1) }, {}]) {
      expect((await comeBack({ ...wrong, code: 'yes' } as Record<string, string>)).status).toBe(400);
    }
    expect(await stateOf(flow)).toBe('awaiting-custodian');
  });

  test('twice at once asks the custodian once, which would refuse a code that it has seen', async () => {
    const { flow, state } = await begin();
    const statuses: number[] = [];
    let completionCount = 0;
    duringCompletion = async () => {
      if (++completionCount === 1) statuses.push((await comeBack({ state, code: 'yes' })).status);
    };
    statuses.push((await comeBack({ state, code: 'yes' })).status);
    duringCompletion = async () => {};
    expect([statuses, completionCount, await stateOf(flow)]).toEqual([[400, 200], 1, 'active']);
    await admin.post(`/v1/admin/authorities/${flow.authority_id}/revoke`, undefined);
  });

  test('to the address of another custodian, or to the shared one, changes nothing', async () => {
    const { flow, state } = await begin();
    const other = (await admin.post('/v1/custodians', { name: 'A bank that mixes up answers' })).body.id;
    for (const path of [`/connect/callback/${other}`, '/connect/callback', '/connect/callback/none'])
      expect([path, (await comeBack({ state, code: 'yes' }, path)).status]).toEqual([path, 400]);
    expect(await stateOf(flow)).toBe('awaiting-custodian');
    expect((await comeBack({ state, code: 'yes' })).status).toBe(200);
    await admin.post(`/v1/admin/authorities/${flow.authority_id}/revoke`, undefined);
  });

  test('later than an hour is too late', async () => {
    const { flow, state } = await begin();
    service.clock.advance(hourMs);
    expect((await comeBack({ state, code: 'yes' })).status).toBe(400);
    admin = await service.enter(service.first);
    expect(await stateOf(flow)).toBe('awaiting-custodian');
  });

  test('to the same address again sees how its consent ended, and neither asks the custodian nor changes anything', async () => {
    const { flow, state } = await begin();
    const page = await comeBack({ state, code: 'yes' });
    expect(page.text).toContain(`href="/console/custody/authorities/${flow.authority_id}#accounts"`);
    // A reload shows the same, and neither asks the custodian again nor makes anything active again.
    let completionCount = 0;
    duringCompletion = async () => void completionCount++;
    await admin.post(`/v1/admin/authorities/${flow.authority_id}/revoke`, undefined);
    service.clock.advance(2 * hourMs);
    const again = [await comeBack({ state, code: 'yes' }), await comeBack({ state, code: 'stolen' })];
    duringCompletion = async () => {};
    expect(again.map(({ status, text }) => [status, text])).toEqual([
      [200, page.text],
      [200, page.text],
    ]);
    admin = await service.enter(service.first);
    const { body } = await admin.get(`/v1/authorities/${flow.authority_id}`);
    expect([completionCount, body.state]).toEqual([0, 'revoke-in-progress']);
    const elsewhere = await comeBack({ state, code: 'yes' }, '/connect/callback');
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.text).not.toContain(flow.authority_id);
  });
});
