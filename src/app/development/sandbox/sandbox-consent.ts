// The OAuth 2 server of the sandbox's banks: a page on which a customer consents, and the paths for tokens, their refresh and revocation.

import { html, type Html } from '../../../kit/html.ts';
import type { SandboxBank } from './sandbox-banks.ts';
import type { SandboxTokens, TokenPair } from './sandbox-tokens.ts';

/** Everybody may know it: the sandbox is for development, and listens on this machine only. */
export const sandboxClient = { id: 'holdfast', secret: 'sandbox-secret' } as const;

/** What the sandbox answers. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonResponse(status: number, body: object): SandboxResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

function pageResponse(status: number, page: Html): SandboxResponse {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" };
  return { status, headers, body: page.text };
}

/** RFC 8414. */
export function serverMetadata(origin: string, { key }: SandboxBank): SandboxResponse {
  const base = `${origin}/${key}`;
  return jsonResponse(200, {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    revocation_endpoint: `${base}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
  });
}

const carriedParameters = ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method'] as const;

/** What is wrong with a request for consent; undefined if nothing is. */
function authorizationFault(query: URLSearchParams): string | undefined {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== sandboxClient.id) return 'The client is not known here.';
  if (!/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\//.test(redirectUri))
    return 'redirect_uri must be on this machine.';
  if (query.get('code_challenge_method') !== 'S256' || (query.get('code_challenge') ?? '').length < 43)
    return 'PKCE with S256 is required.';
  return undefined;
}

/** The page on which a person chooses as which customer to consent. */
export function showConsentPage(bank: SandboxBank, query: URLSearchParams): SandboxResponse {
  const fault = authorizationFault(query);
  if (fault !== undefined)
    return pageResponse(
      400,
      html`<!doctype html><title>${bank.name}</title>
        <p>${fault}</p>`,
    );
  const fields = carriedParameters.map(
    (name) => html`<input type="hidden" name="${name}" value="${query.get(name) ?? ''}" />`,
  );
  const hint = query.get('login_hint');
  const choices = bank.customers.map(({ key, name }) => {
    const checked = key === hint ? html`checked` : html``;
    return html`<p>
      <label><input type="radio" name="customer" value="${key}" required ${checked} /> ${name}</label>
    </p>`;
  });
  return pageResponse(
    200,
    html`<!doctype html>
      <html lang="en">
        <title>${bank.name} (sandbox)</title>
        <h1>${bank.name}</h1>
        <p>Holdfast asks to read accounts, positions, prices and transactions. This bank is invented.</p>
        <form method="post">
          ${fields} ${choices}
          <p>
            <label>For <input name="consent_days" type="number" min="1" max="36500" value="90" /> days</label>
          </p>
          <p>
            <button name="decision" value="allow">Allow</button>
            <button name="decision" value="deny" formnovalidate>Deny</button>
          </p>
        </form>
      </html>`,
  );
}

/** Sends the browser back with a code, or with the customer's refusal. */
export function answerConsentPage(
  { bank, origin, tokens }: { bank: SandboxBank; origin: string; tokens: SandboxTokens },
  form: URLSearchParams,
): SandboxResponse {
  const fault = authorizationFault(form);
  const customer = bank.customers.find(({ key }) => key === form.get('customer'));
  const isAllowed = form.get('decision') === 'allow';
  const consentDays = Number(form.get('consent_days') ?? '90');
  if (fault !== undefined || (isAllowed && customer === undefined) || !(consentDays > 0 && consentDays <= 36_500))
    return pageResponse(
      400,
      html`<!doctype html><title>${bank.name}</title>
        <p>${fault ?? 'Choose a customer and days.'}</p>`,
    );
  const redirectUri = form.get('redirect_uri') ?? '';
  const target = new URL(redirectUri);
  if (isAllowed && customer !== undefined) {
    const subject = { bank: bank.key, customer: customer.key, clientId: sandboxClient.id, consentDays };
    target.searchParams.set(
      'code',
      tokens.issueCode(subject, { challenge: form.get('code_challenge') ?? '', redirectUri }),
    );
  } else target.searchParams.set('error', 'access_denied');
  const state = form.get('state');
  if (state !== null) target.searchParams.set('state', state);
  target.searchParams.set('iss', `${origin}/${bank.key}`);
  return { status: 303, headers: { location: target.href }, body: '' };
}

/** HTTP Basic carries both parts form-encoded (RFC 6749, section 2.3.1). */
function isOurClient(authorization: string, form: URLSearchParams): boolean {
  const basic = Buffer.from(authorization.replace(/^basic /i, ''), 'base64')
    .toString()
    .split(':', 2);
  const [id, secret] = form.has('client_secret')
    ? [form.get('client_id'), form.get('client_secret')]
    : basic.map(formDecoded);
  return id === sandboxClient.id && secret === sandboxClient.secret;
}

function formDecoded(text: string): string | null {
  return new URLSearchParams(`text=${text}`).get('text');
}

function tokenResponse(tokens: TokenPair | undefined): SandboxResponse {
  if (tokens === undefined)
    return jsonResponse(400, {
      error: 'invalid_grant',
      error_description: 'The consent has ended, or was never given.',
    });
  const { accessToken, refreshToken, expiresInSeconds, consent } = tokens;
  return jsonResponse(200, {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    consent_expires_at: new Date(consent.expiresAt).toISOString(),
  });
}

/** Answers a request for tokens. */
export function answerTokenRequest(
  tokens: SandboxTokens,
  authorization: string,
  form: URLSearchParams,
): SandboxResponse {
  if (!isOurClient(authorization, form)) return jsonResponse(401, { error: 'invalid_client' });
  if (form.get('grant_type') === 'refresh_token') return tokenResponse(tokens.refresh(form.get('refresh_token') ?? ''));
  if (form.get('grant_type') !== 'authorization_code') return jsonResponse(400, { error: 'unsupported_grant_type' });
  const bound = { verifier: form.get('code_verifier') ?? '', redirectUri: form.get('redirect_uri') ?? '' };
  return tokenResponse(tokens.redeemCode(form.get('code') ?? '', bound));
}

/** RFC 7009: the answer is the same for a token that is not known. */
export function answerRevocation(tokens: SandboxTokens, authorization: string, form: URLSearchParams): SandboxResponse {
  if (!isOurClient(authorization, form)) return jsonResponse(401, { error: 'invalid_client' });
  tokens.revoke(form.get('token') ?? '');
  return { status: 200, headers: {}, body: '' };
}
