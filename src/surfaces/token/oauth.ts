// What the token flows share: reading a token request strictly, and OAuth's way of answering (RFC 6749, section 5).

import { JsonFault, parseJson, readUtf8 } from '../../kit/json.ts';
import { isObject } from '../http/operation/declared-fields.ts';
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
  return (contentType ?? '').split(';')[0]!.trim().toLowerCase();
}

export function readForm(body: Buffer): TokenFields {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(readText(body))) {
    if (Object.hasOwn(fields, name)) throw new TokenRefusal('invalid_request', `${name} is sent twice.`);
    fields[name] = value;
  }
  return fields;
}

export function readJsonFields(body: Buffer): TokenFields {
  try {
    const value = parseJson(readText(body));
    if (!isObject(value)) throw new TokenRefusal('invalid_request', 'The body must be a JSON object.');
    for (const [name, field] of Object.entries(value)) {
      if (typeof field !== 'string') throw new TokenRefusal('invalid_request', `${name} must be a string.`);
    }
    return value as TokenFields;
  } catch (error) {
    if (error instanceof JsonFault) throw new TokenRefusal('invalid_request', error.message);
    throw error;
  }
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

/** Answers with a token, or as RFC 6749 refuses one. */
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
    // HTTP wants a challenge with every 401; there is no scheme here but the one that tokens are used with.
    return jsonResponse(401, body, { ...noStore, 'www-authenticate': 'Bearer error="invalid_client"' });
  }
}

/** A body in a media type that no flow here takes. */
export function wrongMediaType(accepted: string): Refusal {
  return new Refusal('unsupported-media-type', `A token request is sent as ${accepted}.`);
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
    access_token: { type: 'string', description: 'To be sent as `Authorization: Bearer …` on v1, v2 and v3.' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
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
    description: 'The application is not known, or its secret is wrong.',
    schema: refusalSchema,
    headers: { 'WWW-Authenticate': 'A challenge, as HTTP wants it.' },
  },
};

export const assertionFormSchema = {
  type: 'object',
  required: ['grant_type', 'assertion'],
  properties: {
    grant_type: { const: jwtBearer },
    assertion: { type: 'string', description: 'The signed JWT. Each is good for one token.' },
    environment: {
      enum: ['production', 'sandbox'],
      description: 'Optional; refused unless it is the one the key is of.',
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
      description: 'Optional; refused unless it is the one the application is of.',
    },
  },
};

export function unsupportedGrant(accepted: string): TokenRefusal {
  return new TokenRefusal('unsupported_grant_type', `The grant_type served here is ${accepted}.`);
}
