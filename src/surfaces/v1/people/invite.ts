// Invites on v1: sent, listed, read and taken back.

import type { ChangeOf } from '../../../kit/resource.ts';
import { invite } from '../../../model/people/invite.ts';
import { inviteRules } from '../../../actions/people/invite.ts';
import { cancelInvite } from '../../../actions/people/invite-cancellation.ts';
import { createThing, getThing } from '../../../actions/core/resource.ts';
import { flatBodySchema, flatExample, flatSchema } from '../../snake-case/snake-case-object.ts';
import { cancellationRefusals, cancellationText } from '../../http/operation/invite-cancellation.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { createPath, listPath, readPath, renderV1, type V1WritePaths } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const paths: V1WritePaths<typeof invite> = { rules: inviteRules, readers: 'admin', writers: 'admin' };
const schema = flatSchema(invite, v1);

const creation = createPath(paths, {
  body: { schema: flatBodySchema(invite, v1, 'create'), example: flatExample(invite, 'v1', 'create') },
  answerSchema: schema,
  read: (asked) => asked as ChangeOf<typeof invite>,
  create: async ({ work }, asked) => ({ record: await createThing(work, inviteRules, asked) }),
});

const cancelPath = defineOperation<void>({
  ...cancellationText,
  id: 'v1.invite.cancel',
  wire: v1,
  group: invite.plural,
  resource: invite,
  method: 'POST',
  path: '/v1/invites/{id}/cancellation',
  right: 'write',
  people: 'admin',
  mode: 'write',
  query: {},
  answers: { 200: { description: 'The invite, which is cancelled.', schema } },
  refusals: cancellationRefusals,
  read: () => undefined,
  async handle({ work, params }) {
    const { id } = await cancelInvite(work, params['id']!);
    return { status: 200, body: renderV1(invite, await getThing(work, inviteRules, id)) };
  },
});

export const invitePaths = [
  listPath(paths),
  {
    ...creation,
    summary: 'Invite a user',
    description:
      'Mails a link to the address of the user. Whoever opens it and signs in joins the client. An earlier invite to the same client that is still pending is cancelled: the newest link alone works.',
  },
  readPath(paths),
  cancelPath,
];
