// Flow A: an assertion signed with a registered RSA key, exchanged on the v1 host.

import type { House } from '../../actions/core/context.ts';
import { exchangeAssertion, type IssuedToken } from '../../actions/access/token.ts';
import type { OpenOperation, OpenSent } from '../http/operation/open-operation.ts';
import {
  answerToken,
  assertionAnswers,
  assertionFormSchema,
  formType,
  jwtBearer,
  mediaTypeOf,
  readForm,
  requireField,
  unsupportedGrant,
  wrongMediaType,
} from './oauth.ts';

async function exchange(house: House, { contentType, body }: OpenSent): Promise<IssuedToken> {
  if (mediaTypeOf(contentType) !== formType) throw wrongMediaType(formType);
  const fields = readForm(body);
  if (requireField(fields, 'grant_type') !== jwtBearer) throw unsupportedGrant(jwtBearer);
  return exchangeAssertion(house, {
    flow: 'rsa',
    assertion: requireField(fields, 'assertion'),
    environment: fields['environment'],
  });
}

export function flowA(house: House): OpenOperation {
  return {
    id: 'token.flow-a',
    host: 'base',
    method: 'POST',
    path: '/v2/auth/token',
    summary: 'Flow A: exchange an RSA-signed assertion for an access token',
    description:
      'The assertion is a JWT signed with RS256: `kid` the id of a registered RSA key, `iss` and `sub` the workspace, `aud` the address of the v1 host, `exp` at most 5 minutes ahead, `iat` within 30 seconds of now, `jti` new each time.',
    group: 'tokens',
    bodies: { [formType]: { schema: assertionFormSchema } },
    answers: assertionAnswers,
    handle: (sent) => answerToken(sent, (request) => exchange(house, request)),
  };
}
