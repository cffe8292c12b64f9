// Serves /oauth/token: flow B on the token host and flow C on the v1 host, told apart by the media type if both share an address.

import type { AppContext } from '../../actions/core/context.ts';
import type { IssuedToken } from '../../actions/access/token.ts';
import { pathNotFound } from '../http/pipeline/admission.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import { exchangeEcAssertion } from './flow-b.ts';
import { exchangeClientCredentials } from './flow-c.ts';
import {
  tokenResponse,
  assertionFormSchema,
  credentialsResponses,
  credentialsSchema,
  formType,
  jsonType,
  bareMediaType,
  readForm,
  readJsonFields,
  wrongMediaType,
} from './oauth.ts';

async function exchange(context: AppContext, { contentType, body, hosts }: ParsedOpenRequest): Promise<IssuedToken> {
  const mediaType = bareMediaType(contentType);
  if (mediaType === formType && hosts.has('auth')) return exchangeEcAssertion(context, readForm(body));
  if (mediaType === jsonType && hosts.has('base')) return exchangeClientCredentials(context, readJsonFields(body));
  const acceptedTypes = [
    ...(hosts.has('auth') ? [`${formType} (flow B)`] : []),
    ...(hosts.has('base') ? [`${jsonType} (flow C)`] : []),
  ];
  if (acceptedTypes.length === 0) throw pathNotFound();
  throw wrongMediaType(acceptedTypes.join(' or '));
}

export function oauthToken(context: AppContext): OpenOperation {
  return {
    id: 'token.oauth',
    host: 'any',
    method: 'POST',
    path: '/oauth/token',
    summary: 'Flows B and C: exchange a P-256-signed assertion, or client credentials, for an access token',
    description:
      'The token host serves flow B (form): a JWT signed with ES256, with the address of the token host as `aud`. The v1 host serves flow C (JSON).',
    group: 'tokens',
    bodies: { [formType]: { schema: assertionFormSchema }, [jsonType]: { schema: credentialsSchema } },
    responses: credentialsResponses,
    handle: (parsed) => tokenResponse(parsed, (request) => exchange(context, request)),
  };
}
