// Signs people in with OpenID Connect: the code flow with PKCE, state and nonce. Discovers each provider when it is first needed, so
// that an unavailable provider does not affect the others.

import * as oidc from 'openid-client';
import { defined } from '../kit/assert.ts';
import { hourMs, type Clock } from '../kit/clock.ts';
import { traced } from '../kit/tracing/span.ts';
import type { ProviderKey, VerifiedIdentity } from '../model/people/identity.ts';

export interface ProviderSettings {
  readonly key: ProviderKey;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The name shown to people. */
  readonly name: string;
}

/** `declined`: the person cancelled. `away`: no usable response. `refused`: the response is invalid. */
type ProviderFaultKind = 'declined' | 'away' | 'refused';

export class ProviderFault extends Error {
  readonly kind: ProviderFaultKind;

  constructor(kind: ProviderFaultKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderFault';
    this.kind = kind;
  }
}

/** Kept secret until the person returns from the provider. */
export interface SignInState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface IdentityProvidersOptions {
  readonly providers: readonly ProviderSettings[];
  /** Allows providers without TLS, for development. */
  readonly allowsPlainHttp: boolean;
  readonly clock: Clock;
}

/** How long an identity provider may take to answer. */
const timeoutSeconds = 10;
const clockToleranceSeconds = 30;
/** How long what an identity provider says of itself is used. */
const discoveryTtlMs = hourMs;
const scope = 'openid email profile';

interface Discovered {
  readonly at: number;
  readonly configuration: oidc.Configuration;
}

export class IdentityProviders {
  readonly #options: IdentityProvidersOptions;
  readonly #discovered = new Map<ProviderKey, Discovered>();

  constructor(options: IdentityProvidersOptions) {
    this.#options = options;
  }

  list(): readonly Pick<ProviderSettings, 'key' | 'name'>[] {
    return this.#options.providers.map(({ key, name }) => ({ key, name }));
  }

  has(key: ProviderKey): boolean {
    return this.#options.providers.some((provider) => provider.key === key);
  }

  getName(key: ProviderKey): string {
    return this.#getSettings(key).name;
  }

  /** Returns the provider's address to redirect to. `another` lets the person choose another account than the remembered one. */
  async beginSignIn(
    key: ProviderKey,
    { redirectUri, as }: { redirectUri: string; as: 'anyone' | 'another' },
  ): Promise<{ readonly address: string; readonly signInState: SignInState }> {
    const configuration = await this.#discover(key);
    const signInState = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const address = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope,
      state: signInState.state,
      nonce: signInState.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(signInState.verifier),
      code_challenge_method: 'S256',
      ...(as === 'another' ? { prompt: promptForAnother(configuration.serverMetadata()) } : {}),
    });
    return { address: address.href, signInState };
  }

  /** Verifies the identity from the address that the provider redirected to. */
  async completeSignIn(
    key: ProviderKey,
    address: URL,
    { state, nonce, verifier }: SignInState,
  ): Promise<VerifiedIdentity> {
    const configuration = await this.#discover(key);
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return toVerifiedIdentity(key, await readClaims(configuration, tokens));
    } catch (error) {
      throw toProviderFault(error);
    }
  }

  #getSettings(key: ProviderKey): ProviderSettings {
    const found = this.#options.providers.find((provider) => provider.key === key);
    if (found === undefined) throw new ProviderFault('refused', `${key} is not configured.`);
    return found;
  }

  async #discover(key: ProviderKey): Promise<oidc.Configuration> {
    const settings = this.#getSettings(key);
    const now = this.#options.clock.now();
    const cached = this.#discovered.get(key);
    if (cached !== undefined && Math.abs(now - cached.at) < discoveryTtlMs) return cached.configuration;
    try {
      const configuration = await this.#fetchConfiguration(settings);
      this.#discovered.set(key, { at: now, configuration });
      return configuration;
    } catch (error) {
      // Falls back to the expired configuration, which usually still works.
      if (cached !== undefined) return cached.configuration;
      throw new ProviderFault('away', `The configuration of ${settings.issuer} could not be fetched.`, error);
    }
  }

  #fetchConfiguration({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
    const insecure = this.#options.allowsPlainHttp ? [oidc.allowInsecureRequests] : [];
    const metadata = { client_secret: clientSecret, [oidc.clockTolerance]: clockToleranceSeconds };
    return oidc.discovery(new URL(issuer), clientId, metadata, clientAuthentication(clientSecret), {
      execute: [...insecure, oidc.enableNonRepudiationChecks],
      timeout: timeoutSeconds,
      [oidc.customFetch]: fetchTraced,
    });
  }
}

/** Says to the provider which trace a call belongs to, if it is recorded. */
const fetchTraced: oidc.CustomFetch = (url, options) =>
  traced(
    'identity provider',
    { kind: 'client', attributes: { 'http.request.method': options.method } },
    async (span) => {
      const headers = span === undefined ? options.headers : { ...options.headers, traceparent: span.traceparent };
      const response = await fetch(url, { ...options, headers, body: options.body ?? null });
      span?.set({ 'http.response.status_code': response.status });
      return response;
    },
  );

/** Authenticates as the provider's metadata asks; by default with HTTP Basic, as the specification says. */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers);
  };
}

/** Asks for a choice of accounts; providers that do not support it are asked for a new login. */
function promptForAnother(server: oidc.ServerMetadata): string {
  const prompts = server['prompt_values_supported'];
  return Array.isArray(prompts) && !prompts.includes('select_account') ? 'login' : 'select_account';
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

/** Some providers put the e-mail address into the token, others only into the user info. */
async function readClaims(
  configuration: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): Promise<Claims> {
  const claims = defined(tokens.claims(), 'an ID token was required');
  if (claims['email'] !== undefined) return claims;
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const userInfo = await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { ...userInfo, iss: claims.iss, sub: claims.sub };
}

function toVerifiedIdentity(provider: ProviderKey, claims: Claims): VerifiedIdentity {
  const { iss, sub, email, email_verified: isVerified, name } = claims;
  if (typeof email !== 'string' || email === '')
    throw new ProviderFault('refused', 'The provider returned no e-mail address.');
  return {
    provider,
    issuer: iss,
    subject: sub,
    email,
    // Some providers send it as a string.
    emailVerified: isVerified === true || isVerified === 'true',
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  };
}

const declinedErrors = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required']);
const unavailableErrors = new Set(['temporarily_unavailable', 'server_error']);

function toProviderFault(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    if (declinedErrors.has(error.error)) return new ProviderFault('declined', error.error, error);
    return new ProviderFault(
      unavailableErrors.has(error.error) ? 'away' : 'refused',
      safeErrorCode(error.error),
      error,
    );
  }
  // Only from answers with 4xx.
  if (error instanceof oidc.ResponseBodyError) return new ProviderFault('refused', safeErrorCode(error.error), error);
  const { code = '', message } = error as { code?: string; message: string };
  // A failed connection is a TypeError without a code.
  const isUnavailable = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || isFetchFailure(error);
  return new ProviderFault(isUnavailable ? 'away' : 'refused', code === '' ? message : code, error);
}

/** Anyone can write an error code into the address, so only short identifiers are passed on. */
function safeErrorCode(error: string): string {
  return /^\w{1,40}$/.test(error) ? error : 'error';
}

function isFetchFailure(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}
