// Reads token requests strictly, and writes OAuth's responses (RFC 6749, section 5).

import { isJsonObject, JsonFault, parseJson, readUtf8 } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { TokenRefusal, type IssuedToken } from '../../actions/access/token.ts';
import { jsonResponse, type ParsedOpenRequest } from '../http/operation/open-operation.ts';
import type { Problem } from '../http/operation/problem.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const clientCredentials = 'client_credentials';
export const formType = 'application/x-www-form-urlencoded';
export const jsonType = 'application/json';

const fieldNames = ['grant_type', 'assertion', 'client_id', 'client_secret', 'scope', 'environment'] as const;
type FieldName = (typeof fieldNames)[number];

/** The fields of a token request, each sent once. An empty one counts as not sent, as RFC 6749 has it, and others are ignored. */
export type TokenFields = Readonly<Partial<Record<FieldName, string>>>;

function bareMediaType(contentType: string | undefined): string {
  return (contentType ?? '').replace(/;.*/s, '').trim().toLowerCase();
}

/** Reads the fields of a body in one of the media types that the path accepts. */
export function readFields({ contentType, body }: ParsedOpenRequest, accepted: readonly string[]): TokenFields {
  const mediaType = bareMediaType(contentType);
  if (!accepted.includes(mediaType)) {
    throw new Refusal('unsupported-media-type', `Send the token request as ${accepted.join(' or ')}.`);
  }
  return mediaType === formType ? readForm(body) : readJsonFields(body);
}

function readForm(body: Buffer): TokenFields {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(readText(body))) {
    if (fields.has(name)) throw new TokenRefusal('invalid_request', `${name} must be sent only once.`);
    fields.set(name, value);
  }
  return knownFields((name) => fields.get(name));
}

function readJsonFields(body: Buffer): TokenFields {
  try {
    const value = parseJson(readText(body));
    if (!isJsonObject(value)) throw new TokenRefusal('invalid_request', 'The body must be a JSON object.');
    return knownFields((name) => value[name]);
  } catch (error) {
    if (error instanceof JsonFault) throw new TokenRefusal('invalid_request', error.message);
    throw error;
  }
}

function knownFields(read: (name: FieldName) => unknown): TokenFields {
  const fields: Partial<Record<FieldName, string>> = {};
  for (const name of fieldNames) {
    const value = read(name);
    if (value === undefined || value === '') continue;
    if (typeof value !== 'string') throw new TokenRefusal('invalid_request', `${name} must be a string.`);
    fields[name] = value;
  }
  return fields;
}

function readText(body: Buffer): string {
  try {
    return readUtf8(body);
  } catch (error) {
    if (error instanceof JsonFault) throw new TokenRefusal('invalid_request', error.message);
    throw error;
  }
}

export function requireField(fields: TokenFields, name: FieldName): string {
  const value = fields[name];
  if (value === undefined) throw new TokenRefusal('invalid_request', `${name} is required.`);
  return value;
}

export function unsupportedGrant(accepted: readonly string[]): TokenRefusal {
  return new TokenRefusal('unsupported_grant_type', `The grant_type must be ${accepted.join(' or ')}.`);
}

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
/** HTTP requires a challenge with every 401, and RFC 6749 names this scheme for clients. */
const challenge = { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' };

export function tokenResponse({ accessToken, expiresInSeconds, rights }: IssuedToken): RenderedResponse {
  const token = { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds };
  return jsonResponse(200, { ...token, scope: rights.join(' ') }, noStore);
}

export function refusedResponse({ code, message }: TokenRefusal): RenderedResponse {
  const isUnknownClient = code === 'invalid_client';
  return errorResponse(isUnknownClient ? 401 : 400, code, {
    description: message,
    headers: isUnknownClient ? challenge : {},
  });
}

/** For a refusal that waiting helps against. */
export function throttledResponse({ message, retryAfterSeconds = 1 }: Refusal): RenderedResponse {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return errorResponse(429, 'temporarily_unavailable', { description: message, headers });
}

/** Renders what the server itself refuses in OAuth's form. A defect, and a path that this host does not serve, are left to the wire. */
export function showTokenProblem({ status, code, detail, headers }: Problem): RenderedResponse | undefined {
  if (code === 'path-not-found' || status === 500) return undefined;
  const error = status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request';
  return errorResponse(status, error, { description: detail, headers });
}

function errorResponse(
  status: number,
  error: string,
  { description, headers }: { readonly description: string; readonly headers: Readonly<Record<string, string>> },
): RenderedResponse {
  const body = { error, error_description: describable(description) };
  return jsonResponse(status, body, { ...noStore, ...headers });
}

/** RFC 6749 allows printable ASCII in a description, without the double quote and the backslash. */
function describable(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?');
}
