// Token requests that violate RFC 6749 and 7523, and flow C credentials that get no token.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  issuedToken,
  signAssertion,
  requestToken,
  jwtBearerGrantType,
  makeEcPair,
  refusedTokenResponse,
  registerEc,
  registerRsa,
  sendForm,
  tokenResponse,
  type FormFields,
  type Signer,
} from '../../setup/access/assertion.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
const known = {
  grant_type: 'client_credentials',
  client_id: 'test-admin',
  client_secret: 'a secret for tests that is long enough',
};
const bothGrants = `client_credentials or ${jwtBearerGrantType}`;
let open: Caller;
let key: Signer;

beforeAll(async () => {
  open = service.admin.withToken(null);
  key = await registerEc(service.admin);
});

describe('a form', () => {
  test.each([
    ['without a grant_type', [['assertion', 'x']], 'invalid_request', 'grant_type is required.'],
    [
      'with an empty grant_type',
      [
        ['grant_type', ''],
        ['assertion', 'x'],
      ],
      'invalid_request',
      'grant_type is required.',
    ],
    ['without an assertion', [['grant_type', jwtBearerGrantType]], 'invalid_request', 'assertion is required.'],
    [
      'with two assertions',
      [
        ['grant_type', jwtBearerGrantType],
        ['assertion', 'x'],
        ['assertion', 'x'],
      ],
      'invalid_request',
      'assertion must be sent only once.',
    ],
    [
      'with two grants',
      [
        ['grant_type', jwtBearerGrantType],
        ['grant_type', jwtBearerGrantType],
        ['assertion', 'x'],
      ],
      'invalid_request',
      'grant_type must be sent only once.',
    ],
  ] as [string, [string, string][], string, string][])(
    '%s is refused by flows A and B',
    async (_, fields, error, description) => {
      for (const path of ['/v2/auth/token', '/oauth/token']) {
        expect(tokenResponse(await sendForm(open, path, fields))).toEqual(refusedTokenResponse(error, description));
      }
    },
  );

  test('for a password is refused with the grants that each path supports', async () => {
    const fields = { grant_type: 'password', username: 'x', password: 'x' };
    const supported = { '/v2/auth/token': jwtBearerGrantType, '/oauth/token': bothGrants };
    for (const [path, grants] of Object.entries(supported)) {
      const refused = refusedTokenResponse('unsupported_grant_type', `The grant_type must be ${grants}.`);
      expect(tokenResponse(await sendForm(open, path, fields))).toEqual(refused);
    }
  });

  test('for client credentials is refused by flow A', async () => {
    const reply = await sendForm(open, '/v2/auth/token', known);
    const description = `The grant_type must be ${jwtBearerGrantType}.`;
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('unsupported_grant_type', description));
  });

  test('may have members that mean nothing here', async () => {
    const reply = await sendForm(open, '/oauth/token', {
      ...known,
      audience: 'https://elsewhere.example',
      resource: '',
    });
    expect(tokenResponse(reply)).toEqual(issuedToken);
  });

  test('treats an empty field as one that was not sent', async () => {
    const reply = await sendForm(open, '/oauth/token', { ...known, environment: '', scope: '', assertion: '' });
    expect([reply.status, reply.body.scope]).toEqual([200, 'read write admin']);
  });
});

describe('flow C', () => {
  const unknown = 'There is no application with this client_id and client_secret.';

  test.each([
    ['a wrong secret', { client_secret: 'another secret' }, 'invalid_client', unknown],
    [
      'a secret that only begins the same',
      { client_secret: 'a secret for tests that is long enough ' },
      'invalid_client',
      unknown,
    ],
    ['an unknown application', { client_id: 'nobody' }, 'invalid_client', unknown],
    ['an application in upper case', { client_id: 'TEST-ADMIN' }, 'invalid_client', unknown],
    ['no secret', { client_secret: undefined }, 'invalid_request', 'client_secret is required.'],
    ['an empty secret', { client_secret: '' }, 'invalid_request', 'client_secret is required.'],
    ['no application', { client_id: undefined }, 'invalid_request', 'client_id is required.'],
    ['no grant', { grant_type: undefined }, 'invalid_request', 'grant_type is required.'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type', `The grant_type must be ${bothGrants}.`],
    ['the grant of an assertion', { grant_type: jwtBearerGrantType }, 'invalid_request', 'assertion is required.'],
    ['a number as the secret', { client_secret: 7 }, 'invalid_request', 'client_secret must be a string.'],
    ['a list as the application', { client_id: ['test-admin'] }, 'invalid_request', 'client_id must be a string.'],
    ['null as the scope', { scope: null }, 'invalid_request', 'scope must be a string.'],
  ])('refuses %s', async (_, other, error, description) => {
    expect(tokenResponse(await open.post('/oauth/token', { ...known, ...other }))).toEqual(
      refusedTokenResponse(error, description),
    );
  });

  test.each([
    ['a member sent twice', '{"client_id":"a","client_id":"b"}', "The member 'client_id' appears twice at offset 17."],
    ['a list', '[]', 'The body must be a JSON object.'],
    ['a number', '7', 'The body must be a JSON object.'],
    ['a form', 'grant_type=client_credentials', "Unexpected 'g' at offset 0."],
    ['nothing', '', expect.any(String)],
    ['text that is not UTF-8', Buffer.from([0x7b, 0xff]), 'The text is not UTF-8 at byte 1.'],
  ])('refuses %s as a body', async (_, raw, description) => {
    const reply = await open.send('/oauth/token', {
      method: 'POST',
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_request', description));
  });

  test('refuses the id of a key', async () => {
    const reply = await open.post('/oauth/token', { ...known, client_id: key.kid });
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_client', unknown));
  });
});

describe('HTTP Basic', () => {
  const grant = { grant_type: 'client_credentials' };
  const plus = known.client_secret.replaceAll(' ', '+');
  const malformed = 'HTTP Basic must carry base64 of client_id:client_secret, both percent-encoded as in a form.';
  const twice = 'Send the client credentials either by HTTP Basic or in the body, not in both.';

  function sendBasic(credentials: string, fields: FormFields = grant): Promise<Reply> {
    const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
    return open.post('/oauth/token', fields, headers);
  }

  test('carries the credentials encoded as in a form', async () => {
    for (const credentials of [`test-admin:${plus}`, `%74est-admin:${plus.replaceAll('+', '%20')}`]) {
      expect(tokenResponse(await sendBasic(credentials))).toEqual(issuedToken);
    }
    const repeated = { ...grant, client_id: 'test-admin' };
    expect(tokenResponse(await sendBasic(`test-admin:${plus}`, repeated))).toEqual(issuedToken);
  });

  test('is challenged for after a wrong secret, as everywhere', async () => {
    const wrong = { ...known, client_secret: 'wrong' };
    for (const reply of [await sendBasic('test-admin:wrong'), await open.post('/oauth/token', wrong)]) {
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client']);
      expect(reply.headers.get('www-authenticate')).toBe('Basic realm="token", charset="UTF-8"');
    }
  });

  test.each([
    ['a secret in the body too', 'test-admin:x', { ...grant, client_secret: 'x' }, twice],
    ['another application in the body', 'test-admin:x', { ...grant, client_id: 'other' }, twice],
    ['no colon', 'test-admin', grant, malformed],
    ['no application', ':secret', grant, malformed],
    ['no secret', 'test-admin:', grant, malformed],
    ['a broken percent encoding', 'test-admin:100%', grant, malformed],
    ['no base64', undefined, grant, malformed],
  ])('with %s is refused', async (_, credentials, fields, description) => {
    const reply =
      credentials === undefined
        ? await open.post('/oauth/token', fields, { authorization: 'Basic ?' })
        : await sendBasic(credentials, fields);
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_request', description));
  });
});

describe('a scope', () => {
  const reader = async (scope: string): Promise<Reply> => {
    const { body } = await service.admin.post('/v1/applications', { name: 'Reader', rights: ['read', 'write'] });
    const { client_id, client_secret } = body;
    return open.post('/oauth/token', { grant_type: 'client_credentials', client_id, client_secret, scope });
  };

  test.each([
    ['read', 'read'],
    ['write', 'write'],
    ['write  read read', 'read write'],
  ])('of %j narrows the token to %j, and the answer says so', async (scope, granted) => {
    const { status, body } = await reader(scope);
    expect([status, body.scope]).toEqual([200, granted]);
    const me = await open.withToken(body.access_token).get('/v1/me');
    expect(me.body.rights).toEqual(granted.split(' '));
  });

  test.each(['admin', 'read admin', 'READ', 'read,write', 'openid'])(
    'of %j is beyond the rights and refused',
    async (scope) => {
      const description = 'The scope of a token for this application, key or user can be no more than: read write.';
      expect(tokenResponse(await reader(scope))).toEqual(refusedTokenResponse('invalid_scope', description));
    },
  );

  test('narrows the tokens of keys, in flow A and in flow B', async () => {
    for (const register of [registerRsa, registerEc]) {
      const signer = await register(service.admin);
      const input = { now: service.clock.now(), audience: service.addresses.baseUrl };
      const reply = await requestToken(signer, open, signAssertion(signer, input), { scope: 'read' });
      expect([reply.status, reply.body.scope]).toEqual([200, 'read']);
      expect((await open.withToken(reply.body.access_token).get('/v1/me')).body.rights).toEqual(['read']);
      const beyond = await requestToken(signer, open, signAssertion(signer, input), { scope: 'admin' });
      expect([beyond.status, beyond.body.error]).toEqual([400, 'invalid_scope']);
    }
  });
});

test('both grants are read as a form and as JSON', async () => {
  const input = { now: service.clock.now(), audience: service.addresses.authUrl };
  const grants = [() => known, () => ({ grant_type: jwtBearerGrantType, assertion: signAssertion(key, input) })];
  for (const grant of grants) {
    expect(tokenResponse(await open.post('/oauth/token', grant()))).toEqual(issuedToken);
    expect(tokenResponse(await sendForm(open, '/oauth/token', grant()))).toEqual(issuedToken);
  }
});

test('refused secrets and assertions are not logged', async () => {
  const secret = `hfs_${randomUUID()}`;
  const assertionInput = { now: service.clock.now(), audience: service.addresses.authUrl };
  const assertion = signAssertion({ ...key, ...makeEcPair() }, assertionInput);
  await open.post('/oauth/token', { grant_type: 'client_credentials', client_id: 'test-admin', client_secret: secret });
  await requestToken(key, open, assertion);
  expect(service.log.filter((line) => line.includes('/oauth/token')).length).toBeGreaterThan(2);
  expect(service.log.filter((line) => line.includes(secret) || line.includes(assertion.slice(-40)))).toEqual([]);
});

describe('a token endpoint', () => {
  const form = 'application/x-www-form-urlencoded';

  test.each([
    ['/v2/auth/token', 'application/json', form],
    ['/v2/auth/token', 'text/plain', form],
    ['/v2/auth/token', 'multipart/form-data; boundary=x', form],
    ['/oauth/token', 'text/plain', `${form} or application/json`],
    ['/oauth/token', 'application/vnd.api+json', `${form} or application/json`],
  ])('%s refuses %s in the form of RFC 6749', async (path, type, accepted) => {
    const reply = await open.send(path, { method: 'POST', raw: '{}', headers: { 'content-type': type } });
    const description = `Send the token request as ${accepted}.`;
    expect(tokenResponse(reply)).toEqual({ ...refusedTokenResponse('invalid_request', description), status: 415 });
  });

  test.each(['/v2/auth/token', '/oauth/token'])('%s accepts only POST', async (path) => {
    const { status, headers } = await open.get(path);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each(['/v2/auth/token', '/oauth/token'])('%s accepts a body of 16 KB and no more', async (path) => {
    const headers = { 'content-type': form };
    const sendBytes = (bytes: number): Promise<Reply> =>
      open.send(path, { method: 'POST', raw: 'grant_type=password&filler='.padEnd(bytes, 'x'), headers });
    const longest = await sendBytes(16_384);
    expect([longest.status, longest.body.error]).toEqual([400, 'unsupported_grant_type']);
    const refused = refusedTokenResponse('invalid_request', 'The body is larger than this path accepts.');
    expect(tokenResponse(await sendBytes(16_385))).toEqual({ ...refused, status: 413 });
  });
});
