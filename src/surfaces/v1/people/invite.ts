// Invites on v1: create, list, read and cancel.

import { invite } from '../../../model/people/invite.ts';
import { createInvite, getInvite, inviteActions, requireInvitedUser } from '../../../actions/people/invite.ts';
import { cancelInvite } from '../../../actions/people/invite-cancellation.ts';
import { snakeCaseBodySchema, snakeCaseExample, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { inviteCancellationRefusals, inviteCancellationText } from '../../http/operation/invite-cancellation.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { v1CreatePath, v1ListPath, v1ReadPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths = {
  actions: inviteActions,
  readers: 'admin',
  writers: 'admin',
  otherTargets: { refusals: ['user-not-found'], require: requireInvitedUser },
} as const;
const schema = snakeCaseSchema(invite, v1);

const creation = v1CreatePath(paths, {
  body: { schema: snakeCaseBodySchema(invite, v1, 'create'), example: snakeCaseExample(invite, v1, 'create') },
  responseSchema: schema,
  read: (fields) => fields,
  create: async ({ work }, fields) => ({ record: await createInvite(work, fields) }),
});

const cancelPath = defineOperation<void>({
  ...inviteCancellationText,
  id: 'v1.invite.cancel',
  wire: v1,
  group: invite.plural,
  resource: invite,
  method: 'POST',
  path: '/v1/invites/{id}/cancellation',
  right: 'write',
  people: 'admin',
  mode: 'write',
  addsNothing: true,
  query: {},
  responses: { 200: { description: 'The cancelled invite.', schema } },
  refusals: inviteCancellationRefusals,
  read: () => undefined,
  async handle({ work, params }) {
    const { id } = await cancelInvite(work, pathParameter(params, 'id'));
    return { status: 200, body: renderV1(invite, await getInvite(work, id)) };
  },
});

export const v1InvitePaths = [
  v1ListPath(paths),
  {
    ...creation,
    summary: 'Invite a user',
    description:
      'Let a person in who was added before. Mails a link to the address of the user, who opens it and signs in to join the client. Without `email`, the invite is for the address of the user; with `null`, whoever has the link can accept it with any address that an identity provider has verified. Cancels an earlier pending invite to the same client; only the newest link works.',
  },
  v1ReadPath(paths),
  cancelPath,
];
