// Exchanges the client credentials of an application (flow C) for a token, on the v1 host.

import type { AppContext } from '../../actions/core/context.ts';
import { exchangeCredentials, type IssuedToken } from '../../actions/access/token.ts';
import { requireField, unsupportedGrant, type TokenFields } from './oauth.ts';

export async function exchangeClientCredentials(context: AppContext, fields: TokenFields): Promise<IssuedToken> {
  if (requireField(fields, 'grant_type') !== 'client_credentials') throw unsupportedGrant('client_credentials');
  const clientId = requireField(fields, 'client_id');
  const clientSecret = requireField(fields, 'client_secret');
  return exchangeCredentials(context, { clientId, clientSecret, environment: fields['environment'] });
}
