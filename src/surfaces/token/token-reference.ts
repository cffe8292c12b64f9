// Describes the bodies of token requests and of their responses, for the API reference.

import { environments } from '../../model/access/scope.ts';
import type { OpenResponseDescription } from '../http/operation/open-operation.ts';
import { clientCredentials, jwtBearer } from './oauth.ts';

const refusalSchema = {
  title: 'TokenRefusal',
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: {
      enum: [
        'invalid_request',
        'invalid_client',
        'invalid_grant',
        'invalid_scope',
        'unauthorized_client',
        'unsupported_grant_type',
        'temporarily_unavailable',
      ],
    },
    error_description: { type: 'string' },
  },
  additionalProperties: false,
};

const tokenSchema = {
  title: 'AccessToken',
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  properties: {
    access_token: { type: 'string', description: 'Send it as `Authorization: Bearer …` on v1, v2 and v3.' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Lifetime in seconds.' },
    scope: { type: 'string', description: 'The rights of the token, separated by spaces, such as `read write`.' },
  },
  additionalProperties: false,
};

/** A request for a token counts like any other. */
export const tokenCost =
  'one request of the budget of the application or key. A token is valid for an hour: keep it, and get another one shortly before it ends';

const scopeRefused =
  '`invalid_scope` (400): More rights are asked for than the application or key has. Ask for fewer, or for none: then the token has all of them.';
const tooMany =
  '`temporarily_unavailable` (429): The budget is used up, or too many requests have failed. Wait as long as `Retry-After` says.';

const assertionRefused =
  '`invalid_grant` (400): The assertion has expired, was used before, is for another address or is not signed by its key. `error_description` says which: sign a new one.';
export const assertionRefusals: readonly string[] = [assertionRefused, scopeRefused, tooMany];
export const credentialsRefusals: readonly string[] = [
  '`invalid_client` (401): There is no application with this id and secret. Check both; the secret was shown only when the application was created.',
  assertionRefused,
  scopeRefused,
  tooMany,
];

function refusal(description: string, headers: OpenResponseDescription['headers'] = {}): OpenResponseDescription {
  return { description, schema: refusalSchema, headers };
}

const retryAfter = { 'Retry-After': 'How many seconds to wait.' };

export const assertionResponses: Readonly<Record<number, OpenResponseDescription>> = {
  200: { description: 'An access token.', schema: tokenSchema },
  400: refusal('The request or the assertion is refused.'),
  413: refusal('The body is larger than 16 KB.'),
  415: refusal('The body has another media type.'),
  429: refusal('The request budget is used up, or too many requests from here have failed.', retryAfter),
  503: refusal('The service is stopping, or cannot reach its database. Send the request again.', retryAfter),
};

export const credentialsResponses: Readonly<Record<number, OpenResponseDescription>> = {
  ...assertionResponses,
  401: refusal('Unknown application, or wrong secret.', { 'WWW-Authenticate': 'The challenge that HTTP requires.' }),
};

const scope = {
  type: 'string',
  description:
    'Optional: the rights that the token shall have, separated by spaces (`read`, `write`, `admin`). Without it, the token has all rights of the application or key; with more than these, the request is refused with `invalid_scope`.',
};

export const assertionSchema = {
  title: 'AssertionGrant',
  type: 'object',
  required: ['grant_type', 'assertion'],
  properties: {
    grant_type: { const: jwtBearer },
    assertion: { type: 'string', description: 'The signed JWT. Each can be exchanged only once.' },
    scope,
    environment: { enum: environments, description: 'Optional. Refused unless it is the environment of the key.' },
  },
};

const credentialsSchema = {
  title: 'CredentialsGrant',
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { const: clientCredentials },
    client_id: { type: 'string', description: 'Required, unless the credentials are sent by HTTP Basic.' },
    client_secret: { type: 'string', description: 'Required, unless the credentials are sent by HTTP Basic.' },
    scope,
    environment: {
      enum: environments,
      description: 'Optional. Refused unless it is the environment of the application.',
    },
  },
};

export const eitherGrantSchema = {
  oneOf: [credentialsSchema, assertionSchema],
  discriminator: { propertyName: 'grant_type' },
};
