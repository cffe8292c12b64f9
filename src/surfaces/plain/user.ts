// Users on Plain: listed below their client, and added to it with an invite.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import { invite } from '../../model/people/invite.ts';
import { splitName, user } from '../../model/people/user.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { inviteToClient } from '../../actions/people/invite.ts';
import { getRecord } from '../../actions/core/resource.ts';
import { userActions } from '../../actions/people/user.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCaseSchema,
  readSnakeCase,
  renderSnakeCase,
} from '../snake-case/snake-case-object.ts';
import { inviteCancellationPath } from '../http/operation/invite-cancellation.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { pathParameter } from '../http/operation/path-parameter.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { invitation } from './invitation.ts';
import { plain } from './wire.ts';

const operationBase = { wire: plain, group: user.plural, resource: user, query: {} } as const;
const path = '/v2/clients/{client_id}/users';
const inviteSchema = snakeCaseSchema(invite, plain);

const listPath = defineOperation<void>({
  ...operationBase,
  id: 'plain.user.list',
  method: 'GET',
  path,
  summary: 'List the users of a client',
  description: 'Everybody with a role at the client, whether they have signed in or not.',
  right: 'read',
  mode: 'read',
  heavy: true,
  responses: {
    200: {
      description: 'The users of the client, oldest first.',
      schema: cappedListSchema(snakeCaseSchema(user, plain)),
    },
  },
  refusals: ['client-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    const { id: client } = await getRecord(work, clientRules, pathParameter(params, 'client_id'));
    const query = { actions: userActions, where: { client } };
    return { status: 200, body: await cappedList(work, query, (record) => renderSnakeCase(user, record, plain)) };
  },
});

const createPath = defineOperation<ChangeOf<typeof invitation>>({
  ...operationBase,
  id: 'plain.user.create',
  method: 'POST',
  path,
  summary: 'Add a user to a client and invite them',
  description:
    'An address that is known from another client belongs to the same user, who gets another membership and another invite. A member who has not joined yet and whose invites were all cancelled or have expired is invited again, with the name that is stored and with `role` if it is sent. The invite is for `email`, with which the user signs in. Read access to reporting entities is granted through JSON:API or v1.',
  right: 'write',
  mode: 'write',
  fieldInPath: 'client',
  body: {
    schema: snakeCaseBodySchema(invitation, plain, 'create'),
    example: snakeCaseExample(invitation, plain, 'create'),
  },
  responses: {
    201: {
      description: 'The invite, whose link has been mailed. It has no address here, since no single one can be read.',
      schema: inviteSchema,
    },
  },
  refusals: ['client-not-found', 'user-exists', 'user-disabled', 'mail-limit'],
  read: ({ body }) => readSnakeCase(invitation, body, { wire: plain, purpose: 'create' }),
  async handle({ work, params }, input) {
    const { contactEmail, name, role } = input;
    const client = params['client_id'] as Id;
    const names = splitName(defined(name, 'a name is required'));
    const newUser: ChangeOf<typeof user> = {
      contactEmail: defined(contactEmail, 'an address is required'),
      ...names,
      ...(role ? { role } : {}),
      client,
    };
    const created = await inviteToClient(work, newUser);
    return { status: 201, body: renderSnakeCase(invite, created, plain) };
  },
});

export const plainUserPaths = [
  listPath,
  createPath,
  inviteCancellationPath({
    wire: plain,
    root: '/v2',
    schema: inviteSchema,
    render: (cancelled) => renderSnakeCase(invite, cancelled, plain),
  }),
];
