// Who the token says the caller is.

import { rights, scopedClient } from '../../model/reach.ts';
import { confirmCaller } from '../../actions/authentication.ts';
import { defineOperation } from '../http/operation.ts';
import { v1 } from './wire.ts';

const schema = {
  type: 'object',
  required: ['workspace_id', 'environment', 'sub', 'credential_id', 'rights', 'scoped_to'],
  properties: {
    workspace_id: { type: 'string' },
    environment: { type: 'string', enum: ['production', 'sandbox'] },
    sub: { type: 'string', description: 'What the request budget is keyed on.' },
    credential_id: { type: 'string', description: 'The id of the application or key the token was issued for.' },
    rights: { type: 'array', items: { type: 'string', enum: rights } },
    scoped_to: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'The client the token is bound to; null for the whole workspace.',
    },
  },
  additionalProperties: false,
} as const;

export const mePath = defineOperation<void>({
  id: 'v1.me.read',
  wire: v1,
  method: 'GET',
  path: '/v1/me',
  summary: 'Who am I?',
  group: 'me',
  right: 'any',
  mode: 'read',
  query: {},
  answers: { 200: { description: 'What the token stands for.', schema } },
  refusals: [],
  read: () => undefined,
  async handle({ work, caller }) {
    await confirmCaller(work);
    const { workspaceId, environment, sight, credentialId } = caller.reach;
    return {
      status: 200,
      body: {
        workspace_id: workspaceId,
        environment,
        sub: caller.subject,
        credential_id: credentialId,
        rights: rights.filter((right) => caller.rights.has(right)),
        scoped_to: scopedClient(sight),
      },
    };
  },
});
