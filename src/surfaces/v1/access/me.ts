// Tells the caller who it is, by its token or its session.

import type { PersonAccess } from '../../../model/access/person-access.ts';
import { rights, boundClientId } from '../../../model/access/scope.ts';
import { roles } from '../../../model/people/role.ts';
import { confirmCaller } from '../../../actions/access/authentication.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { v1 } from '../wire.ts';

const userSchema = {
  type: 'object',
  required: ['id', 'email', 'name', 'workspace_administrator', 'memberships', 'reporting_entity_ids'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    email: { type: 'string' },
    name: { type: 'string' },
    workspace_administrator: {
      type: 'boolean',
      description:
        'Whether they administer the workspace in this environment: they see all clients and have all rights.',
    },
    memberships: {
      type: 'array',
      description: 'The clients they are a member of, by id.',
      items: {
        type: 'object',
        required: ['client_id', 'role'],
        properties: { client_id: { type: 'string' }, role: { type: 'string', enum: roles } },
        additionalProperties: false,
      },
    },
    reporting_entity_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'The reporting entities they may read, by id.',
    },
  },
  additionalProperties: false,
} as const;

function renderUser(access: PersonAccess): object {
  const { personId, email, name, isWorkspaceAdministrator, memberships, grants } = access;
  return {
    id: personId,
    email,
    name,
    workspace_administrator: isWorkspaceAdministrator,
    memberships: memberships.map(({ clientId, role }) => ({ client_id: clientId, role })),
    reporting_entity_ids: grants.map(({ reportingEntityId }) => reportingEntityId),
  };
}

const schema = {
  type: 'object',
  required: ['workspace_id', 'environment', 'sub', 'credential_id', 'rights', 'scoped_to', 'user'],
  properties: {
    workspace_id: { type: 'string' },
    environment: { type: 'string', enum: ['production', 'sandbox'] },
    sub: { type: 'string', description: 'What the request budget is keyed on.' },
    credential_id: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'The id of the application or key the token was issued for; null in a session.',
    },
    rights: { type: 'array', items: { type: 'string', enum: rights } },
    scoped_to: {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      description: 'The client the token is bound to; null for the whole workspace, and for a person.',
    },
    user: {
      anyOf: [userSchema, { type: 'null' }],
      description: 'Who is asking, in a session or through a token issued for them; null for an application or a key.',
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
  description:
    'The first request to send with a new token: it says for which workspace, environment and client the token is, and which rights it has. Look here when another request answers 403 or 404.',
  group: 'me',
  right: 'any',
  people: 'viewer',
  mode: 'read',
  query: {},
  responses: { 200: { description: 'The caller.', schema } },
  refusals: [],
  read: () => undefined,
  async handle({ work, caller }) {
    await confirmCaller(work);
    const { workspaceId, environment, visibleClients, credentialId } = caller.scope;
    return {
      status: 200,
      body: {
        workspace_id: workspaceId,
        environment,
        sub: caller.subject,
        credential_id: credentialId,
        rights: rights.filter((right) => caller.rights.has(right)),
        scoped_to: boundClientId(visibleClients),
        user: caller.person === undefined ? null : renderUser(caller.person),
      },
    };
  },
});
