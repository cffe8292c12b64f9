// An OAuth client library gets tokens at /oauth/token in every way that RFC 6749 and RFC 7523 give it.

import {
  allowInsecureRequests,
  clientCredentialsGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  genericGrantRequest,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type ClientAuth,
} from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../../src/actions/access/credential.ts';
import { runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { rights } from '../../../src/model/access/scope.ts';
import { jwtBearerGrantType, registerEc, signAssertion } from '../../setup/access/assertion.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
/** Characters that HTTP Basic and forms each treat in their own way. */
const clientId = 'chosen:id+%41';
const clientSecret = 'a secret: with %41, + and & in it';

beforeAll(async () => {
  const { context, first } = service;
  await runInTransaction(context, serviceAuthor(first), (work) =>
    createApplication(work, { name: 'Chosen', rights }, { clientId, clientSecret }),
  );
});

function configure(authentication: ClientAuth, id = clientId): Configuration {
  const { baseUrl } = service.addresses;
  const server = { issuer: baseUrl, token_endpoint: `${baseUrl}/oauth/token` };
  const configuration = new Configuration(server, id, undefined, authentication);
  allowInsecureRequests(configuration);
  return configuration;
}

const withPost = (secret = clientSecret): Configuration => configure(ClientSecretPost(secret));
const withBasic = (secret = clientSecret): Configuration => configure(ClientSecretBasic(secret));
const ways = [
  { way: 'ClientSecretPost', withSecret: withPost },
  { way: 'ClientSecretBasic', withSecret: withBasic },
];

async function rightsOf(token: string): Promise<string[]> {
  return (await service.admin.withToken(token).get('/v1/me')).body.rights;
}

describe.each(ways)('$way', ({ withSecret }) => {
  test('gets a token for client credentials that opens the service', async () => {
    const { access_token: token, token_type: type, scope } = await clientCredentialsGrant(withSecret());
    expect([type, scope]).toEqual(['bearer', 'read write admin']);
    expect(await rightsOf(token)).toEqual(['read', 'write', 'admin']);
  });

  test('gets a token with no more than the scope it asks for', async () => {
    const { access_token: token, scope } = await clientCredentialsGrant(withSecret(), { scope: 'write read' });
    expect(scope).toBe('read write');
    expect(await rightsOf(token)).toEqual(['read', 'write']);
    const { status } = await service.admin.withToken(token).post('/v1/applications', { name: 'Not with this token' });
    expect(status).toBe(403);
  });

  test('gets a refusal that the library understands', async () => {
    const beyond = await clientCredentialsGrant(withSecret(), { scope: 'read everything' }).catch((error) => error);
    expect(beyond).toBeInstanceOf(ResponseBodyError);
    expect(beyond).toMatchObject({ status: 400, error: 'invalid_scope' });
    const wrong = await clientCredentialsGrant(withSecret('wrong')).catch((error) => error);
    expect(wrong).toBeInstanceOf(WWWAuthenticateChallengeError);
    expect(wrong).toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'token', charset: 'UTF-8' } }],
    });
  });
});

describe('the jwt-bearer grant', () => {
  async function assertion(): Promise<string> {
    const key = await registerEc(service.admin);
    return signAssertion(key, { now: service.clock.now(), audience: service.addresses.authUrl });
  }

  test('gets a token without client authentication', async () => {
    const parameters = { assertion: await assertion(), scope: 'read' };
    const granted = await genericGrantRequest(configure(None(), 'anything'), jwtBearerGrantType, parameters);
    expect([granted.scope, await rightsOf(granted.access_token)]).toEqual(['read', ['read']]);
  });

  test.each(ways)('gets a token with $way, if the secret is right', async ({ withSecret }) => {
    const granted = await genericGrantRequest(withSecret(), jwtBearerGrantType, { assertion: await assertion() });
    expect(granted.scope).toBe('read write');
    const wrong = genericGrantRequest(withSecret('wrong'), jwtBearerGrantType, { assertion: await assertion() });
    await expect(wrong).rejects.toMatchObject({ status: 401 });
  });

  test('is refused to an application of another workspace', async () => {
    const stranger = await service.openWorkspace();
    const { body } = await stranger.post('/v1/applications', { name: 'Of a stranger' });
    const configuration = configure(ClientSecretBasic(body.client_secret), body.client_id);
    const refused = genericGrantRequest(configuration, jwtBearerGrantType, { assertion: await assertion() });
    await expect(refused).rejects.toMatchObject({ status: 400, error: 'invalid_grant' });
  });
});
