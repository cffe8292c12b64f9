// Reads token requests strictly, and writes OAuth's responses (RFC 6749, section 5).

import { isJsonObject, JsonFault, parseJson, readUtf8 } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { TokenRefusal, type IssuedToken } from '../../actions/access/token.ts';
import {
  jsonResponse,
  type OpenResponseDescription,
  type ParsedOpenRequest,
} from '../http/operation/open-operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const formType = 'application/x-www-form-urlencoded';
export const jsonType = 'application/json';

/** The fields of a token request: each a string, each sent once. */
export type TokenFields = Readonly<Record<string, string>>;

export function bareMediaType(contentType: string | undefined): string {
  return (contentType ?? '').replace(/;.*/s, '').trim().toLowerCase();
}

export function readForm(body: Buffer): TokenFields {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(readText(body))) {
    if (Object.hasOwn(fields, name)) throw new TokenRefusal('invalid_request', `${name} must be sent only once.`);
    fields[name] = value;
  }
  return fields;
}

export function readJsonFields(body: Buffer): TokenFields {
  try {
    const value = parseJson(readText(body));
    if (!isJsonObject(value)) throw new TokenRefusal('invalid_request', 'The body must be a JSON object.');
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, requireText(name, field)]));
  } catch (error) {
    if (error instanceof JsonFault) throw new TokenRefusal('invalid_request', error.message);
    throw error;
  }
}

function requireText(name: string, field: unknown): string {
  if (typeof field === 'string') return field;
  throw new TokenRefusal('invalid_request', `${name} must be a string.`);
}

function readText(body: Buffer): string {
  try {
    return readUtf8(body);
  } catch (error) {
    if (error instanceof JsonFault) throw new TokenRefusal('invalid_request', error.message);
    throw error;
  }
}

export function requireField(fields: TokenFields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === '') throw new TokenRefusal('invalid_request', `${name} is required.`);
  return value;
}

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Responds with a token, or with an error as RFC 6749 defines it. */
export async function tokenResponse(
  parsed: ParsedOpenRequest,
  exchange: (parsed: ParsedOpenRequest) => Promise<IssuedToken>,
): Promise<RenderedResponse> {
  try {
    const { accessToken, expiresInSeconds } = await exchange(parsed);
    return jsonResponse(
      200,
      { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds },
      noStore,
    );
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error;
    const body = { error: error.code, error_description: error.message };
    if (error.code !== 'invalid_client') return jsonResponse(400, body, noStore);
    // HTTP requires a challenge with every 401, and Bearer is the only scheme of this service.
    return jsonResponse(401, body, { ...noStore, 'www-authenticate': 'Bearer error="invalid_client"' });
  }
}

/** For a body in a media type that no flow accepts. */
export function wrongMediaType(accepted: string): Refusal {
  return new Refusal('unsupported-media-type', `Send the token request as ${accepted}.`);
}

const refusalSchema = {
  title: 'TokenRefusal',
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: {
      enum: ['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type'],
    },
    error_description: { type: 'string' },
  },
  additionalProperties: false,
};

const tokenSchema = {
  title: 'AccessToken',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: { type: 'string', description: 'Send it as `Authorization: Bearer …` on v1, v2 and v3.' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Lifetime in seconds.' },
  },
  additionalProperties: false,
};

export const assertionResponses: Readonly<Record<number, OpenResponseDescription>> = {
  200: { description: 'An access token.', schema: tokenSchema },
  400: { description: 'The request or the assertion is refused.', schema: refusalSchema },
};

export const credentialsResponses: Readonly<Record<number, OpenResponseDescription>> = {
  ...assertionResponses,
  401: {
    description: 'Unknown application, or wrong secret.',
    schema: refusalSchema,
    headers: { 'WWW-Authenticate': 'The challenge that HTTP requires.' },
  },
};

export const assertionFormSchema = {
  type: 'object',
  required: ['grant_type', 'assertion'],
  properties: {
    grant_type: { const: jwtBearer },
    assertion: { type: 'string', description: 'The signed JWT. Each can be exchanged only once.' },
    environment: {
      enum: ['production', 'sandbox'],
      description: 'Optional. Refused unless it is the environment of the key.',
    },
  },
};

export const credentialsSchema = {
  type: 'object',
  required: ['grant_type', 'client_id', 'client_secret'],
  properties: {
    grant_type: { const: 'client_credentials' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
    environment: {
      enum: ['production', 'sandbox'],
      description: 'Optional. Refused unless it is the environment of the application.',
    },
  },
};

export function unsupportedGrant(accepted: string): TokenRefusal {
  return new TokenRefusal('unsupported_grant_type', `The grant_type must be ${accepted}.`);
}
