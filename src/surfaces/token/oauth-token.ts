// Serves /oauth/token: flow B (an assertion signed with a P-256 key, RFC 7523) on the token host, flow C (client credentials) on the v1
// host, and both where the two share an address. The grant tells them apart, and each is read as a form or as JSON.

import type { AppContext } from '../../actions/core/context.ts';
import {
  exchangeAssertion,
  exchangeCredentials,
  nameInAssertion,
  type IssuedToken,
} from '../../actions/access/token.ts';
import type { HostName } from '../http/negotiation/hosts.ts';
import { pathNotFound } from '../http/pipeline/admission.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import { findClientCredentials, requireClientCredentials } from './client-authentication.ts';
import {
  clientCredentials,
  formType,
  jsonType,
  jwtBearer,
  readFields,
  requireField,
  showTokenProblem,
  unsupportedGrant,
  type TokenFields,
} from './oauth.ts';
import { respondToTokenRequest, tokenBodyBytesMax, type TokenAdmission, type TokenParts } from './token-endpoint.ts';
import { credentialsRefusals, credentialsResponses, eitherGrantSchema, tokenCost } from './token-reference.ts';

interface TokenRequest {
  readonly fields: TokenFields;
  readonly authorization: string | undefined;
  readonly admission: TokenAdmission;
}

interface Grant {
  readonly host: HostName;
  exchange(context: AppContext, request: TokenRequest): Promise<IssuedToken>;
}

const grants: ReadonlyMap<string, Grant> = new Map([
  [
    clientCredentials,
    {
      host: 'base',
      exchange: async (context, { fields, authorization, admission }) => {
        const client = requireClientCredentials(authorization, fields);
        admission.identify(client.clientId);
        const { scope, environment } = fields;
        return exchangeCredentials(context, { client, scope, environment, admit: admission.admit });
      },
    },
  ],
  [
    jwtBearer,
    {
      host: 'auth',
      exchange: async (context, { fields, authorization, admission }) => {
        const client = findClientCredentials(authorization, fields);
        const { scope, environment } = fields;
        const assertion = requireField(fields, 'assertion');
        admission.identify(client?.clientId ?? nameInAssertion(assertion, 'ec'));
        const { admit } = admission;
        return exchangeAssertion(context, { flow: 'ec', assertion, client, scope, environment, admit });
      },
    },
  ],
] satisfies [string, Grant][]);

async function exchange(
  { context }: TokenParts,
  parsed: ParsedOpenRequest,
  admission: TokenAdmission,
): Promise<IssuedToken> {
  const served = [...grants].filter(([, { host }]) => parsed.hosts.has(host)).map(([grantType]) => grantType);
  if (served.length === 0) throw pathNotFound();
  const fields = readFields(parsed, [formType, jsonType]);
  const grantType = requireField(fields, 'grant_type');
  const grant = served.includes(grantType) ? grants.get(grantType) : undefined;
  if (grant === undefined) throw unsupportedGrant(served);
  return grant.exchange(context, { fields, authorization: parsed.headers.authorization, admission });
}

export function oauthToken(parts: TokenParts): OpenOperation {
  return {
    id: 'token.oauth',
    host: 'any',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Flows B and C: get a token by a P-256 assertion or client credentials',
    description:
      'The first request of a program: its answer is the token that all others carry. The grant decides the flow; both are read as a form and as JSON. Flow C (`client_credentials`) is served by the v1 host: send `client_id` and `client_secret` by HTTP Basic or in the body, not in both. Flow B is served by the token host: a JWT signed with ES256, with the address of the token host as `aud`.',
    group: 'tokens',
    cost: tokenCost,
    frequentRefusals: credentialsRefusals,
    bodies: { [formType]: { schema: eitherGrantSchema }, [jsonType]: { schema: eitherGrantSchema } },
    responses: credentialsResponses,
    bodyBytesMax: tokenBodyBytesMax,
    handle: (parsed) => respondToTokenRequest(parts, parsed, (...request) => exchange(parts, ...request)),
    showProblem: showTokenProblem,
  };
}
