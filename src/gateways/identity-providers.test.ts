// Checks requests to identity providers and the handling of their responses, with those for development and with a stub.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Browser } from '../../tests/setup/people/cookie-browser.ts';
import { enterIdentity } from '../../tests/setup/people/identity-providers.ts';
import { startDevelopmentProviders, type DevelopmentProviders } from '../app/development/provider-process.ts';
import { hourMs, systemClock } from '../kit/clock.ts';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { IdentityProviders, type SignInState } from './identity-providers.ts';

const redirectUri = 'http://127.0.0.1:9/sign-in/callback';

describe('an identity', () => {
  let development: DevelopmentProviders;
  let providers: IdentityProviders;

  beforeAll(async () => {
    development = await startDevelopmentProviders({ isProduction: false });
    await development.serve(redirectUri);
    providers = new IdentityProviders({ providers: development.providers, allowsPlainHttp: true, clock: systemClock });
  });
  afterAll(() => development.stop());

  /** Signs in and returns the address that the provider redirects to. */
  async function signInAtProvider(
    email: string,
    name: string,
  ): Promise<{ readonly callbackUrl: URL; readonly signInState: SignInState }> {
    const { address, signInState } = await providers.beginSignIn('provider_a', { redirectUri, as: 'anyone' });
    const browser = new Browser();
    const page = await browser.open(address);
    await expect(enterIdentity(browser, page, { email, name })).rejects.toThrow('ECONNREFUSED');
    return { callbackUrl: new URL(browser.visited.at(-1)!), signInState };
  }

  test('comes from the provider, with its subject', async () => {
    const { callbackUrl, signInState } = await signInAtProvider('Astrid@Lindqvist.example', 'Astrid');
    expect(await providers.completeSignIn('provider_a', callbackUrl, signInState)).toEqual({
      provider: 'provider_a',
      issuer: development.providers[0]!.issuer,
      subject: expect.stringMatching(/^[0-9a-f]{24}$/),
      email: 'Astrid@Lindqvist.example',
      emailVerified: true,
      name: 'Astrid',
    });
  });

  test.each(['state', 'nonce', 'verifier'] as const)(
    'is refused if the %s differs from the one the sign-in began with',
    async (part) => {
      const { callbackUrl, signInState } = await signInAtProvider('astrid@lindqvist.example', '');
      const other = { ...signInState, [part]: 'x'.repeat(43) };
      await expect(providers.completeSignIn('provider_a', callbackUrl, other)).rejects.toMatchObject({
        kind: 'refused',
      });
    },
  );

  test('is refused from a provider other than the one the sign-in began with', async () => {
    const { callbackUrl, signInState } = await signInAtProvider('astrid@lindqvist.example', '');
    await expect(providers.completeSignIn('provider_b', callbackUrl, signInState)).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  test.each([
    ['access_denied', 'declined'],
    ['temporarily_unavailable', 'away'],
    ['invalid_scope', 'refused'],
  ])('is missing when the provider responds %s: %s', async (error, kind) => {
    const { signInState } = await providers.beginSignIn('provider_a', { redirectUri, as: 'anyone' });
    const answer = { error, state: signInState.state, iss: development.providers[0]!.issuer };
    const callbackUrl = new URL(`${redirectUri}?${new URLSearchParams(answer)}`);
    await expect(providers.completeSignIn('provider_a', callbackUrl, signInState)).rejects.toMatchObject({
      kind,
      message: error,
    });
  });

  test('shows no error text from the address, which anyone could have written', async () => {
    const { signInState } = await providers.beginSignIn('provider_a', { redirectUri, as: 'anyone' });
    const answer = {
      error: 'Astrid Lindqvist, astrid@lindqvist.example',
      state: signInState.state,
      iss: development.providers[0]!.issuer,
    };
    const callbackUrl = new URL(`${redirectUri}?${new URLSearchParams(answer)}`);
    await expect(providers.completeSignIn('provider_a', callbackUrl, signInState)).rejects.toMatchObject({
      kind: 'refused',
      message: 'error',
    });
  });
});

describe('a provider', () => {
  let requestCount = 0;
  let server: Server;
  let issuer: string;
  const more: Record<string, unknown> = {};
  /** What it answers a request for a token, and how that was authenticated. */
  let tokenAnswer: { readonly status: number; readonly error: string } | undefined;
  let authorization: string | undefined;

  beforeAll(async () => {
    server = createServer((request, response) => {
      requestCount++;
      response.setHeader('content-type', 'application/json');
      if (tokenAnswer !== undefined && request.url === '/token') {
        authorization = request.headers.authorization;
        response.writeHead(tokenAnswer.status).end(JSON.stringify({ error: tokenAnswer.error }));
        return;
      }
      const answer = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      };
      response.end(JSON.stringify({ ...answer, ...more }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  function withClock(clock: ManualClock, allowsPlainHttp = true): IdentityProviders {
    const settings = { key: 'provider_a', issuer, clientId: 'holdfast', clientSecret: 'hush', name: 'A' } as const;
    return new IdentityProviders({ providers: [settings], allowsPlainHttp, clock });
  }

  const beginSignIn = async (
    providers: IdentityProviders,
    as: 'anyone' | 'another' = 'anyone',
  ): Promise<URLSearchParams> =>
    new URL((await providers.beginSignIn('provider_a', { redirectUri, as })).address).searchParams;

  test('is discovered once an hour; the last configuration is used while it is unavailable', async () => {
    const clock = new ManualClock('2026-11-15T12:00:00Z');
    const providers = withClock(clock);
    requestCount = 0;
    await beginSignIn(providers);
    clock.advance(hourMs - 1);
    await beginSignIn(providers);
    expect(requestCount).toBe(1);
    clock.advance(1);
    await beginSignIn(providers);
    expect(requestCount).toBe(2);
    clock.advance(hourMs);
    more['issuer'] = 'http://somebody-else.example';
    onTestFinished(() => void delete more['issuer']);
    expect((await beginSignIn(providers)).get('redirect_uri')).toBe(redirectUri);
  });

  test('is refused if its issuer is not the configured one', async () => {
    more['issuer'] = 'http://somebody-else.example';
    onTestFinished(() => void delete more['issuer']);
    await expect(beginSignIn(withClock(new ManualClock(0)))).rejects.toMatchObject({ kind: 'away' });
  });

  test('is refused without TLS, unless that is allowed', async () => {
    await expect(beginSignIn(withClock(new ManualClock(0), false))).rejects.toMatchObject({ kind: 'away' });
  });

  test.each([
    [400, 'invalid_grant', 'refused', 'invalid_grant'],
    [499, 'invalid_grant', 'refused', 'invalid_grant'],
    [500, 'server_error', 'away', 'OAUTH_RESPONSE_IS_NOT_CONFORM'],
    [400, 'e'.repeat(100), 'refused', 'error'],
  ])('that answers a code with %d and %s is %s', async (status, error, kind, message) => {
    const providers = withClock(new ManualClock(0));
    const { signInState } = await providers.beginSignIn('provider_a', { redirectUri, as: 'anyone' });
    const callbackUrl = new URL(`${redirectUri}?${new URLSearchParams({ code: 'a', state: signInState.state })}`);
    tokenAnswer = { status, error };
    onTestFinished(() => void (tokenAnswer = undefined));
    const ended = providers.completeSignIn('provider_a', callbackUrl, signInState);
    await expect(ended).rejects.toMatchObject({ kind, message });
    // It names no way to authenticate: HTTP Basic is the usual one.
    expect(authorization).toBe(`Basic ${Buffer.from('holdfast:hush').toString('base64')}`);
  });

  test('gets a code request with a new challenge and new secrets each time', async () => {
    const providers = withClock(new ManualClock(0));
    const [one, other] = [await beginSignIn(providers), await beginSignIn(providers)];
    expect(Object.fromEntries(one)).toMatchObject({
      response_type: 'code',
      client_id: 'holdfast',
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.get(name)).not.toBe(other.get(name));
    }
    expect(one.has('prompt')).toBe(false);
  });

  test('lets the person choose an account, or log in again if it has no account choice', async () => {
    expect((await beginSignIn(withClock(new ManualClock(0)), 'another')).get('prompt')).toBe('select_account');
    more['prompt_values_supported'] = ['none', 'login'];
    onTestFinished(() => void delete more['prompt_values_supported']);
    expect((await beginSignIn(withClock(new ManualClock(0)), 'another')).get('prompt')).toBe('login');
  });
});
