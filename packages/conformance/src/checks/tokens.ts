// How tokens are asked for (RFC 6749), and what happens without one.

import { inArea, type Check, type CheckOfArea } from '../check.ts';
import { expectEqual, expectTrue } from '../outcome.ts';

const tokens: readonly CheckOfArea[] = [
  {
    title: 'client credentials are exchanged as JSON, as a form, and by HTTP Basic',
    needs: [],
    async run({ api, clientId, clientSecret }) {
      const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const basic = `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const answers = [
        await api.post('/oauth/token', fields, { token: null }),
        await api.send('POST', '/oauth/token', {
          raw: new URLSearchParams(fields).toString(),
          headers: form,
          token: null,
        }),
        await api.send('POST', '/oauth/token', {
          raw: 'grant_type=client_credentials',
          headers: { ...form, authorization: basic },
          token: null,
        }),
      ];
      for (const { status, body } of answers) {
        expectEqual('status', status, 200);
        expectEqual('token_type', String(body.token_type).toLowerCase(), 'bearer');
        expectTrue('expires_in is positive', body.expires_in > 0, body.expires_in);
      }
    },
  },
  {
    title: 'a token request that RFC 6749 does not allow is 400 with its error, and no answer may be stored',
    needs: [],
    async run({ api, clientId, clientSecret }) {
      const credentials = { client_id: clientId, client_secret: clientSecret };
      const [unsupported, missing, good] = [
        await api.post('/oauth/token', { grant_type: 'password', ...credentials }, { token: null }),
        await api.post('/oauth/token', credentials, { token: null }),
        await api.post('/oauth/token', { grant_type: 'client_credentials', ...credentials }, { token: null }),
      ];
      expectEqual('another grant', [unsupported.status, unsupported.body.error], [400, 'unsupported_grant_type']);
      expectEqual('no grant', [missing.status, missing.body.error], [400, 'invalid_request']);
      for (const { headers } of [unsupported, missing, good])
        expectEqual('Cache-Control', headers.get('cache-control'), 'no-store');
    },
  },
  {
    title: 'a wrong secret is 401 with the error invalid_client of RFC 6749',
    needs: [],
    async run({ api, clientId }) {
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: 'x'.repeat(40) };
      const answer = await api.post('/oauth/token', body, { token: null });
      expectEqual('status', answer.status, 401);
      expectEqual('error', answer.body.error, 'invalid_client');
    },
  },
  {
    title: 'a request without a token, and one with a forged token, are 401 with WWW-Authenticate',
    needs: [],
    async run({ api }) {
      for (const token of [null, 'a.b.c']) {
        const { status, headers } = await api.get('/v1/clients', { token });
        expectEqual('status', status, 401);
        expectTrue('WWW-Authenticate says Bearer', headers.get('www-authenticate')?.startsWith('Bearer') === true);
      }
    },
  },
];

export const tokenChecks: readonly Check[] = inArea('tokens', tokens);
