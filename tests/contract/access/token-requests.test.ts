// Token requests that violate RFC 6749 and 7523, and flow C credentials that get no token.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  signAssertion,
  requestToken,
  jwtBearerGrantType,
  makeEcPair,
  refusedTokenResponse,
  registerEc,
  sendForm,
  tokenResponse,
  type Signer,
} from '../../setup/access/assertion.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
let open: Caller;
let key: Signer;

beforeAll(async () => {
  open = service.admin.withToken(null);
  key = await registerEc(service.admin);
});

describe('a form', () => {
  const served = `The grant_type must be ${jwtBearerGrantType}.`;

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
    [
      'with a password',
      [
        ['grant_type', 'password'],
        ['assertion', 'x'],
      ],
      'unsupported_grant_type',
      served,
    ],
    [
      'with client credentials',
      [
        ['grant_type', 'client_credentials'],
        ['assertion', 'x'],
      ],
      'unsupported_grant_type',
      served,
    ],
  ] as [string, [string, string][], string, string][])(
    '%s is refused by flows A and B',
    async (_, fields, error, description) => {
      for (const path of ['/v2/auth/token', '/oauth/token']) {
        expect(tokenResponse(await sendForm(open, path, fields))).toEqual(refusedTokenResponse(error, description));
      }
    },
  );
});

describe('flow C', () => {
  const known = { grant_type: 'client_credentials', client_id: 'test-admin', client_secret: 'a secret for tests' };
  const unknown = 'There is no application with this client_id and client_secret.';

  test.each([
    ['a wrong secret', { client_secret: 'another secret' }, 'invalid_client', unknown],
    ['a secret that only begins the same', { client_secret: 'a secret for tests ' }, 'invalid_client', unknown],
    ['an unknown application', { client_id: 'nobody' }, 'invalid_client', unknown],
    ['an application in upper case', { client_id: 'TEST-ADMIN' }, 'invalid_client', unknown],
    ['no secret', { client_secret: undefined }, 'invalid_request', 'client_secret is required.'],
    ['an empty secret', { client_secret: '' }, 'invalid_request', 'client_secret is required.'],
    ['no application', { client_id: undefined }, 'invalid_request', 'client_id is required.'],
    ['no grant', { grant_type: undefined }, 'invalid_request', 'grant_type is required.'],
    [
      'another grant',
      { grant_type: 'password' },
      'unsupported_grant_type',
      'The grant_type must be client_credentials.',
    ],
    [
      'the grant of an assertion',
      { grant_type: jwtBearerGrantType },
      'unsupported_grant_type',
      'The grant_type must be client_credentials.',
    ],
    ['a number as the secret', { client_secret: 7 }, 'invalid_request', 'client_secret must be a string.'],
    ['a list as the application', { client_id: ['test-admin'] }, 'invalid_request', 'client_id must be a string.'],
    ['null in an unused field', { scope: null }, 'invalid_request', 'scope must be a string.'],
  ])('refuses %s', async (_, other, error, description) => {
    expect(tokenResponse(await open.post('/oauth/token', { ...known, ...other }))).toEqual(
      refusedTokenResponse(error, description),
    );
  });

  test.each([
    ['a member sent twice', '{"client_id":"a","client_id":"b"}', 'The member "client_id" appears twice at offset 17.'],
    ['a list', '[]', 'The body must be a JSON object.'],
    ['a number', '7', 'The body must be a JSON object.'],
    ['a form', 'grant_type=client_credentials', 'Unexpected "g" at offset 0.'],
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
    ['/oauth/token', 'text/plain', `${form} (flow B) or application/json (flow C)`],
    ['/oauth/token', 'application/vnd.api+json', `${form} (flow B) or application/json (flow C)`],
  ])('%s does not accept %s', async (path, type, taken) => {
    const { status, body } = await open.send(path, { method: 'POST', raw: '{}', headers: { 'content-type': type } });
    const { code, detail } = body.errors?.[0] ?? body;
    expect([status, code, detail]).toEqual([415, 'unsupported-media-type', `Send the token request as ${taken}.`]);
  });

  test.each(['/v2/auth/token', '/oauth/token'])('%s accepts only POST', async (path) => {
    const { status, headers } = await open.get(path);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each(['/v2/auth/token', '/oauth/token'])('%s accepts no body of more than 1 MiB', async (path) => {
    const assertion = 'a'.repeat(1024 * 1024);
    expect((await sendForm(open, path, { grant_type: jwtBearerGrantType, assertion })).status).toBe(413);
  });
});
