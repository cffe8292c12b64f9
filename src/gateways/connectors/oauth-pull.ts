// The connector that fetches over HTTPS with OAuth 2: authorisation code with PKCE, refresh and revocation, and the custodian API of
// docs/sandbox-custodian.md.

import * as oauth from 'openid-client';
import { minuteMs, secondMs, type Clock } from '../../kit/clock.ts';
import { keysOf } from '../../kit/keys.ts';
import { isJsonObject, JsonFault, parseJson, readUtf8, type Json, type JsonObject } from '../../kit/json.ts';
import {
  ConnectorFailure,
  secretOrigins,
  type BeginConsent,
  type BegunConsent,
  type CompleteConsent,
  type CompletedConsent,
  type Connector,
  type ConnectorAccess,
  type ConnectorAccount,
  type ConnectorSettings,
  type FetchedPage,
  type FetchSince,
  type MissingSetting,
} from '../../model/custody/connector.ts';
import type { CustodianHttp, CustodianRequest, CustodianResponse } from './custodian-http.ts';
import { readCustodianItem } from './custodian-items.ts';

const tokenBytesMax = 256 * 1024;
/** The longest answer of a custodian. */
const pageBytesMax = 8 * 1024 * 1024;
const itemsPerPage = 500;
/** How many pages one run fetches: half a million items. */
const pagesPerRunMax = 1_000;
const accountsMax = 10_000;
const cursorLengthMax = 1_000;
/** How deep an answer is nested at most. */
const answerDepthMax = 8;
/** How much is kept of a text about an account. */
const accountTextLengthMax = 200;
/** Tokens are renewed this long before they end. */
const renewalMarginMs = minuteMs;

/** Without these nobody can consent, or nothing can be fetched. */
const neededSettings = {
  authorizationUrl: 'authorization_url, the page of the custodian on which people consent',
  tokenUrl: 'token_url, where a consent is exchanged for tokens',
  apiUrl: 'api_url, where the data is fetched from',
  oauthClientId: 'oauth_client_id, by which the custodian knows this service',
} as const;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: number | null;
  /** The only origins that they may be sent to. */
  readonly origins: readonly string[];
}

/** Credentials of earlier releases name no origins. */
type StoredTokens = Omit<Tokens, 'origins'> & Partial<Pick<Tokens, 'origins'>>;

/** What is kept while consent is being given. */
interface Pending {
  readonly verifier: string;
  readonly state: string;
  /** Links of earlier releases, which were open for an hour at most, name none. */
  readonly origins?: readonly string[];
}

/** Whom the connector talks to: by which settings, and where it may send what consent has given. */
interface Peer {
  readonly settings: ConnectorSettings;
  readonly signal: AbortSignal;
  readonly origins: readonly string[];
}

export interface OauthPullOptions {
  readonly http: CustodianHttp;
  readonly clock: Clock;
}

export class OauthPullConnector implements Connector {
  readonly kind = 'oauth-pull';
  readonly #http: CustodianHttp;
  readonly #clock: Clock;

  constructor({ http, clock }: OauthPullOptions) {
    this.#http = http;
    this.#clock = clock;
  }

  listMissing(settings: Pick<ConnectorSettings, keyof typeof neededSettings>): readonly MissingSetting[] {
    return keysOf(neededSettings)
      .filter((field) => settings[field] === null)
      .map((field) => ({ field, detail: `oauth-pull needs ${neededSettings[field]}.` }));
  }

  async beginConsent({ settings, signal, state, callbackUrl }: BeginConsent): Promise<BegunConsent> {
    const verifier = oauth.randomPKCECodeVerifier();
    const origins = secretOrigins(settings);
    const address = oauth.buildAuthorizationUrl(this.#configuration({ settings, signal, origins }), {
      redirect_uri: callbackUrl,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(settings.oauthScope === null ? {} : { scope: settings.oauthScope }),
    });
    const kept: Pending = { verifier, state, origins };
    return { redirectUrl: address.href, pending: JSON.stringify(kept) };
  }

  async completeConsent(complete: CompleteConsent): Promise<CompletedConsent> {
    const { settings, signal, callbackUrl, pending, parameters } = complete;
    const { verifier, state, origins = [] }: Pending = JSON.parse(pending);
    requireOrigins(secretOrigins(settings), origins);
    const address = new URL(callbackUrl);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    if (settings.oauthIssuer === null) {
      requireOwnIssuer(settings, parameters['iss']);
      address.searchParams.delete('iss');
    }
    try {
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const answer = await oauth.authorizationCodeGrant(
        this.#configuration({ settings, signal, origins }),
        address,
        checks,
      );
      const expiresAt = Date.parse(String(answer['consent_expires_at']));
      return {
        credentials: JSON.stringify(this.#toTokens(answer, { refreshToken: null, origins })),
        expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
      };
    } catch (error) {
      throw toFailure(error, 'consent-refused');
    }
  }

  async listAccounts(access: ConnectorAccess): Promise<readonly ConnectorAccount[]> {
    const { accounts } = await this.#get(await openSession(access), 'accounts');
    if (!Array.isArray(accounts) || accounts.length > accountsMax) throw invalidAnswer('It lists no accounts.');
    return accounts.map(readAccount);
  }

  /** One request for each page; what was fetched goes on from the cursor of the custodian. */
  async *fetchSince(access: ConnectorAccess, { mark }: FetchSince): AsyncIterable<FetchedPage> {
    const session = await openSession(access);
    let cursor = mark;
    let line = 0;
    const seen = new Set<string | null>([mark]);
    for (let page = 0; page < pagesPerRunMax; page++) {
      const query = new URLSearchParams({ limit: String(itemsPerPage), ...(cursor === null ? {} : { after: cursor }) });
      const answer = await this.#get(session, `changes?${query}`);
      const { items, cursor: next, has_more: hasMore } = answer;
      if (!Array.isArray(items) || items.length > itemsPerPage || typeof hasMore !== 'boolean')
        throw invalidAnswer('It lists no changes.');
      if (typeof next !== 'string' || next === '' || next.length > cursorLengthMax)
        throw invalidAnswer('It names no cursor.');
      if (hasMore && seen.has(next)) throw invalidAnswer('Its cursor leads back to a page that was fetched before.');
      seen.add(next);
      const firstLine = line + 1;
      yield { items: items.map((item, index) => readCustodianItem(item, firstLine + index)), mark: next };
      line += items.length;
      cursor = next;
      if (!hasMore) return;
    }
    const detail = `The custodian has more than ${pagesPerRunMax} pages. They were booked, and the next attempt goes on behind them.`;
    throw new ConnectorFailure('invalid-answer', detail);
  }

  async revoke(access: ConnectorAccess): Promise<void> {
    if (access.settings.revocationUrl === null) return;
    const { peer, tokens } = await openSession(access);
    try {
      await oauth.tokenRevocation(this.#configuration(peer), tokens.refreshToken ?? tokens.accessToken);
    } catch (error) {
      throw toFailure(error, 'invalid-answer');
    }
  }

  /** Renews tokens that are over, and those that the custodian refuses, once. */
  async #get(session: AccessSession, path: string): Promise<JsonObject> {
    const { expiresAt } = session.tokens;
    const isOver = expiresAt !== null && expiresAt - renewalMarginMs <= this.#clock.now();
    if (isOver && session.tokens.refreshToken !== null) await this.#renew(session);
    let response = await this.#call(session, path);
    if (response.status === 401 && session.tokens.refreshToken !== null) {
      await this.#renew(session);
      response = await this.#call(session, path);
    }
    return readAnswer(response);
  }

  #call({ access, peer, tokens }: AccessSession, path: string): Promise<CustodianResponse> {
    const base = needAddress(access.settings.apiUrl, 'api_url').replace(/(?<!\/)\/+$/, '');
    return this.#send(peer, {
      url: `${base}/${path}`,
      method: 'GET',
      headers: { accept: 'application/json', authorization: `Bearer ${tokens.accessToken}` },
      bytesMax: pageBytesMax,
    });
  }

  /** Every request of the connector goes through here. Sends it only where consent was given for. */
  #send({ signal, origins }: Peer, request: Omit<CustodianRequest, 'signal'>): Promise<CustodianResponse> {
    requireOrigins([new URL(request.url).origin], origins);
    return this.#http.send({ ...request, signal });
  }

  /** Stores the new tokens before they are used: the old ones may be invalid from now on. */
  async #renew(session: AccessSession): Promise<void> {
    const { access, peer, tokens } = session;
    if (tokens.refreshToken === null) return;
    try {
      const answer = await oauth.refreshTokenGrant(this.#configuration(peer), tokens.refreshToken);
      session.tokens = this.#toTokens(answer, tokens);
    } catch (error) {
      throw toFailure(error, 'credentials-broken');
    }
    await access.saveCredentials(JSON.stringify(session.tokens));
  }

  #toTokens(answer: oauth.TokenEndpointResponse, former: Pick<Tokens, 'refreshToken' | 'origins'>): Tokens {
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? former.refreshToken,
      expiresAt: answer.expires_in === undefined ? null : this.#clock.now() + answer.expires_in * secondMs,
      origins: former.origins,
    };
  }

  #configuration(peer: Peer): oauth.Configuration {
    const { settings } = peer;
    const { oauthIssuer, oauthClientId, oauthClientSecret, authorizationUrl, tokenUrl, revocationUrl } = settings;
    const tokenEndpoint = needAddress(tokenUrl, 'token_url');
    const server = {
      issuer: oauthIssuer ?? new URL(tokenEndpoint).origin,
      authorization_response_iss_parameter_supported: oauthIssuer !== null,
      authorization_endpoint: needAddress(authorizationUrl, 'authorization_url'),
      token_endpoint: tokenEndpoint,
      ...(revocationUrl === null ? {} : { revocation_endpoint: revocationUrl }),
    };
    const authentication = oauthClientSecret === null ? oauth.None() : oauth.ClientSecretBasic(oauthClientSecret);
    const clientId = needAddress(oauthClientId, 'oauth_client_id');
    const configuration = new oauth.Configuration(server, clientId, {}, authentication);
    // The addresses themselves decide whether plain HTTP is allowed, at every call.
    if (this.#http.allowPrivate) oauth.allowInsecureRequests(configuration);
    configuration[oauth.customFetch] = (url, { method, headers, body }) =>
      this.#fetch(peer, { url, method, headers, body: body?.toString() });
    return configuration;
  }

  async #fetch(
    peer: Peer,
    {
      url,
      method,
      headers,
      body,
    }: Pick<CustodianRequest, 'url' | 'body'> & { method: string; headers: Record<string, string> },
  ): Promise<Response> {
    const response = await this.#send(peer, {
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      body,
      bytesMax: tokenBytesMax,
    });
    const { status } = response;
    if (status >= 500) throw new ConnectorFailure('unavailable', `The custodian answered with status ${status}.`);
    return new Response(response.body.toString('utf8'), { status, headers: response.headers });
  }
}

/** The tokens of one run, which change when they are renewed. */
interface AccessSession {
  readonly access: ConnectorAccess;
  readonly peer: Peer;
  tokens: Tokens;
}

/** Binds tokens of an earlier release to where they could be sent when consent was given. */
async function openSession(access: ConnectorAccess): Promise<AccessSession> {
  const stored: StoredTokens = JSON.parse(access.credentials);
  const { settings, signal } = access;
  const origins = stored.origins ?? (await access.originsAtConsent());
  const tokens = { ...stored, origins };
  if (stored.origins === undefined) await access.saveCredentials(JSON.stringify(tokens));
  return { access, peer: { settings, signal, origins }, tokens };
}

/** A custodian that names itself without having announced it is believed at the origin of its own pages only. */
function requireOwnIssuer({ authorizationUrl }: ConnectorSettings, issuer: string | undefined): void {
  if (issuer === undefined) return;
  const origin = URL.canParse(issuer) ? new URL(issuer).origin : undefined;
  if (origin === new URL(needAddress(authorizationUrl, 'authorization_url')).origin) return;
  const detail =
    'The answer names another issuer than the custodian whose pages were opened. If it is the right one, set it as oauth_issuer.';
  throw new ConnectorFailure('consent-refused', detail);
}

function requireOrigins(wanted: readonly string[], permitted: readonly string[]): void {
  const foreign = wanted.filter((origin) => !permitted.includes(origin));
  if (foreign.length === 0) return;
  const detail = `Consent was not given for ${foreign.join(', ')}, which the settings of the custodian name now. Nothing was sent there. Give consent once more.`;
  throw new ConnectorFailure('address-changed', detail);
}

function needAddress(value: string | null, setting: string): string {
  if (value === null) throw new ConnectorFailure('unavailable', `The setting ${setting} of the custodian is missing.`);
  return value;
}

function invalidAnswer(detail: string): ConnectorFailure {
  return new ConnectorFailure('invalid-answer', `The answer of the custodian cannot be read. ${detail}`);
}

function readAnswer({ status, body }: CustodianResponse): JsonObject {
  if (status === 401 || status === 403)
    throw new ConnectorFailure('credentials-broken', `The custodian refuses access (status ${status}).`);
  if (status !== 200) throw new ConnectorFailure('unavailable', `The custodian answered with status ${status}.`);
  try {
    const answer = parseJson(readUtf8(body), { depthMax: answerDepthMax });
    if (isJsonObject(answer)) return answer;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw invalidAnswer(error.message);
  }
  throw invalidAnswer('It is not an object.');
}

function readAccount(value: Json): ConnectorAccount {
  const text = (one: Json | undefined): string | null =>
    typeof one === 'string' && one !== '' ? one.slice(0, accountTextLengthMax) : null;
  const fields = isJsonObject(value) ? value : {};
  const number = text(fields['number']);
  if (number === null) throw invalidAnswer('An account has no number.');
  const kind = fields['kind'] === 'depository' ? 'depository' : 'account';
  return { kind, number, name: text(fields['name']), currency: text(fields['currency']) };
}

/** Only short identifiers of errors are passed on: anyone can write them into the address. */
function safeCode(code: string): string {
  return /^\w{1,40}$/.test(code) ? code : 'error';
}

/** `whenRefused` is what an error of the OAuth server means here. */
function toFailure(
  error: unknown,
  whenRefused: 'consent-refused' | 'credentials-broken' | 'invalid-answer',
): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof ConnectorFailure) return cause;
  if (error instanceof oauth.AuthorizationResponseError)
    return new ConnectorFailure('consent-refused', `Consent was not given: ${safeCode(error.error)}.`, error);
  if (error instanceof oauth.ResponseBodyError) {
    const isRefused = error.error !== 'temporarily_unavailable' && error.error !== 'invalid_client';
    const detail = `The custodian refused: ${safeCode(error.error)}.`;
    return new ConnectorFailure(isRefused ? whenRefused : 'unavailable', detail, error);
  }
  return new ConnectorFailure(
    'invalid-answer',
    'The custodian gave no usable answer to the request for a token.',
    error,
  );
}
