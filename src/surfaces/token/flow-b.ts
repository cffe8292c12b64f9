// Exchanges an assertion signed with a registered P-256 key (flow B, RFC 7523) for a token, on the token host.

import type { AppContext } from '../../actions/core/context.ts';
import { exchangeAssertion, type IssuedToken } from '../../actions/access/token.ts';
import { jwtBearer, requireField, unsupportedGrant, type TokenFields } from './oauth.ts';

export async function exchangeEcAssertion(context: AppContext, fields: TokenFields): Promise<IssuedToken> {
  if (requireField(fields, 'grant_type') !== jwtBearer) throw unsupportedGrant(jwtBearer);
  return exchangeAssertion(context, {
    flow: 'ec',
    assertion: requireField(fields, 'assertion'),
    environment: fields['environment'],
  });
}
