// Reads the credentials of an application from a token request: HTTP Basic, or fields of the body (RFC 6749, section 2.3.1).

import { TokenRefusal, type ClientCredentials } from '../../actions/access/token.ts';
import { JsonFault, readUtf8 } from '../../kit/json.ts';
import { requireField, type TokenFields } from './oauth.ts';

/** Returns undefined if the request brings no secret. Refuses credentials in two places. */
export function findClientCredentials(
  authorization: string | undefined,
  fields: TokenFields,
): ClientCredentials | undefined {
  const basic = readBasic(authorization);
  const { client_id: clientId, client_secret: clientSecret } = fields;
  if (basic === undefined) {
    return clientSecret === undefined ? undefined : { clientId: requireField(fields, 'client_id'), clientSecret };
  }
  // Repeating the client id is identification, not a second way to authenticate.
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new TokenRefusal(
      'invalid_request',
      'Send the client credentials either by HTTP Basic or in the body, not in both.',
    );
  }
  return basic;
}

export function requireClientCredentials(authorization: string | undefined, fields: TokenFields): ClientCredentials {
  const found = findClientCredentials(authorization, fields);
  if (found !== undefined) return found;
  return { clientId: requireField(fields, 'client_id'), clientSecret: requireField(fields, 'client_secret') };
}

/** Ignores other schemes: an access token that a client library adds to every request proves nothing here. */
function readBasic(authorization: string | undefined): ClientCredentials | undefined {
  const [scheme] = /^basic +/i.exec(authorization ?? '') ?? [];
  if (authorization === undefined || scheme === undefined) return undefined;
  const text = decodeBase64(authorization.slice(scheme.length).trim());
  const colon = text?.indexOf(':') ?? -1;
  const clientId = decodeFormText(text?.slice(0, colon));
  const clientSecret = decodeFormText(text?.slice(colon + 1));
  if (colon < 1 || !clientId || !clientSecret) {
    throw new TokenRefusal(
      'invalid_request',
      'HTTP Basic must carry base64 of client_id:client_secret, both percent-encoded as in a form.',
    );
  }
  return { clientId, clientSecret };
}

function decodeBase64(text: string): string | undefined {
  if (!/^[a-z\d+/]+={0,2}$/i.test(text)) return undefined;
  try {
    return readUtf8(Buffer.from(text, 'base64'));
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

function decodeFormText(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
