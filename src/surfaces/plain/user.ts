// Users on the Plain wire: listed below their client, and added to it with an invite.

import { text } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { declareResource, type AnyChange, type AnyRecord, type ChangeOf } from '../../kit/resource.ts';
import { invite } from '../../model/people/invite.ts';
import { splitName, user } from '../../model/people/user.ts';
import type { Role } from '../../model/people/role.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { inviteRules } from '../../actions/people/invite.ts';
import { createThing, getThing } from '../../actions/core/resource.ts';
import { userRules } from '../../actions/people/user.ts';
import { flatBodySchema, flatExample, flatSchema, readFlat, renderFlat } from '../snake-case/snake-case-object.ts';
import { cancellationPath } from '../http/operation/invite-cancellation.ts';
import { defineOperation } from '../http/operation/operation.ts';
import { cappedList, cappedListSchema } from '../http/lists/row-cap.ts';
import { plain } from './wire.ts';

/** What this shape takes of a new user: one name, and a role at once. */
const invitation = declareResource({
  ...user,
  type: 'invitation',
  plural: 'invitations',
  attributes: {
    contactEmail: user.attributes.contactEmail,
    name: {
      kind: text({ lengthMax: 200 }),
      description: 'Display name. Other shapes take what follows its last space for the last name.',
      on: ['plain'],
      writable: 'at-creation',
      required: true,
      example: 'Astrid Lindqvist',
    },
    role: {
      ...user.attributes.role,
      description: '`viewer`, `advisor` or `admin`, from the acceptance of the invite on. `viewer` without it.',
      on: ['plain'],
    },
  },
  relations: {},
});

const frame = { wire: plain, group: user.plural, resource: user, query: {} } as const;
const path = '/v2/clients/{client_id}/users';
const inviteSchema = flatSchema(invite, plain);

const listPath = defineOperation<void>({
  ...frame,
  id: 'plain.user.list',
  method: 'GET',
  path,
  summary: 'List the users of a client',
  description: 'Everybody with a role at the client, whether they have signed in or not.',
  right: 'read',
  mode: 'read',
  heavy: true,
  answers: {
    200: { description: 'The users of the client, oldest first.', schema: cappedListSchema(flatSchema(user, plain)) },
  },
  refusals: ['client-not-found'],
  read: () => undefined,
  async handle({ work, params }) {
    const { id: client } = await getThing(work, clientRules, params['client_id']!);
    const query = { rules: userRules, where: { client } };
    return { status: 200, body: await cappedList(work, query, (record) => renderFlat(user, record, plain)) };
  },
});

const createPath = defineOperation<AnyChange>({
  ...frame,
  id: 'plain.user.create',
  method: 'POST',
  path,
  summary: 'Add a user to a client and invite them',
  description:
    'Somebody whose address is known from another client is the same user, with one more membership and one more invite. What they may read is granted over the other shapes.',
  right: 'write',
  mode: 'write',
  fieldInPath: 'client',
  body: { schema: flatBodySchema(invitation, plain, 'create'), example: flatExample(invitation, 'plain', 'create') },
  answers: {
    201: {
      description: 'The invite, whose link has been mailed.',
      schema: inviteSchema,
      headers: { Location: 'Its address, on v1.' },
    },
  },
  refusals: ['client-not-found', 'user-exists', 'mail-limit'],
  read: ({ body }) => readFlat(invitation, body, { wire: 'plain', purpose: 'create' }),
  async handle({ work, params }, asked) {
    const { contactEmail, name, role } = asked as { contactEmail: string; name: string; role?: Role };
    const client = params['client_id'] as Id;
    const added: ChangeOf<typeof user> = { contactEmail, ...splitName(name), ...(role ? { role } : {}), client };
    const { id: personId } = await createThing(work, userRules, added);
    const made = await createThing(work, inviteRules, { personId, client });
    const location = `${work.house.addresses.baseUrl}/v1/invites/${made.id}`;
    return { status: 201, headers: { location }, body: renderFlat(invite, made as AnyRecord, plain) };
  },
});

export const userPaths = [
  listPath,
  createPath,
  cancellationPath({
    wire: plain,
    root: '/v2',
    schema: inviteSchema,
    render: (cancelled) => renderFlat(invite, cancelled as AnyRecord, plain),
  }),
];
