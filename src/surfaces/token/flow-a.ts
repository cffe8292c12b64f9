// Serves flow A: exchanges an assertion signed with a registered RSA key for a token, on the v1 host.

import type { AppContext } from '../../actions/core/context.ts';
import { exchangeAssertion, type IssuedToken } from '../../actions/access/token.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import {
  tokenResponse,
  assertionResponses,
  assertionFormSchema,
  formType,
  jwtBearer,
  bareMediaType,
  readForm,
  requireField,
  unsupportedGrant,
  wrongMediaType,
} from './oauth.ts';

async function exchange(context: AppContext, { contentType, body }: ParsedOpenRequest): Promise<IssuedToken> {
  if (bareMediaType(contentType) !== formType) throw wrongMediaType(formType);
  const fields = readForm(body);
  if (requireField(fields, 'grant_type') !== jwtBearer) throw unsupportedGrant(jwtBearer);
  return exchangeAssertion(context, {
    flow: 'rsa',
    assertion: requireField(fields, 'assertion'),
    environment: fields['environment'],
  });
}

export function flowA(context: AppContext): OpenOperation {
  return {
    id: 'token.flow-a',
    host: 'base',
    method: 'POST',
    path: '/v2/auth/token',
    summary: 'Flow A: exchange an RSA-signed assertion for an access token',
    description:
      'The assertion is a JWT signed with RS256. `kid` is the id of a registered RSA key, `iss` and `sub` are the workspace, `aud` is the address of the v1 host, `exp` is at most 5 minutes ahead, `iat` is within 30 seconds of now, and `jti` is different in each assertion.',
    group: 'tokens',
    bodies: { [formType]: { schema: assertionFormSchema } },
    responses: assertionResponses,
    handle: (parsed) => tokenResponse(parsed, (request) => exchange(context, request)),
  };
}
