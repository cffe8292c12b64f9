// Serves flow A: exchanges an assertion signed with a registered RSA key for a token, on the v1 host.

import { exchangeAssertion, nameInAssertion, type IssuedToken } from '../../actions/access/token.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import { formType, jwtBearer, readFields, requireField, showTokenProblem, unsupportedGrant } from './oauth.ts';
import { respondToTokenRequest, tokenBodyBytesMax, type TokenAdmission, type TokenParts } from './token-endpoint.ts';
import { assertionRefusals, assertionResponses, assertionSchema, tokenCost } from './token-reference.ts';

async function exchange(
  { context }: TokenParts,
  parsed: ParsedOpenRequest,
  admission: TokenAdmission,
): Promise<IssuedToken> {
  const fields = readFields(parsed, [formType]);
  if (requireField(fields, 'grant_type') !== jwtBearer) throw unsupportedGrant([jwtBearer]);
  const { scope, environment } = fields;
  const assertion = requireField(fields, 'assertion');
  admission.identify(nameInAssertion(assertion, 'rsa'));
  const { admit } = admission;
  return exchangeAssertion(context, { flow: 'rsa', assertion, scope, environment, admit });
}

export function flowA(parts: TokenParts): OpenOperation {
  return {
    id: 'token.flow-a',
    host: 'base',
    method: 'POST',
    path: '/v2/auth/token',
    summary: 'Flow A: get a token by an RSA-signed assertion',
    description:
      'For a program with an RSA key of its own, or one that acts for a person. The assertion is a JWT signed with RS256. `kid` is the id of a registered RSA key, `iss` is the workspace, `sub` the workspace or the id of a user, `aud` is the address of the v1 host, `exp` is at most 5 minutes ahead, `iat` is within 30 seconds of now, and `jti` is different in each assertion.',
    group: 'tokens',
    cost: tokenCost,
    frequentRefusals: assertionRefusals,
    bodies: { [formType]: { schema: assertionSchema } },
    responses: assertionResponses,
    bodyBytesMax: tokenBodyBytesMax,
    handle: (parsed) => respondToTokenRequest(parts, parsed, (...request) => exchange(parts, ...request)),
    showProblem: showTokenProblem,
  };
}
