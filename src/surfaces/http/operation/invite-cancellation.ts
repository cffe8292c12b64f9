// Cancels an invite on the wires whose path names the user as well.

import type { JsonSchema } from '../../../kit/field.ts';
import { invite, type Invite } from '../../../model/people/invite.ts';
import { cancelUserInvite } from '../../../actions/people/invite.ts';
import { defineOperation, type Operation, type Wire } from './operation.ts';
import { pathParameter } from './path-parameter.ts';

export const inviteCancellationRefusals = ['invite-not-found', 'invite-accepted', 'invite-expired'] as const;

export const inviteCancellationText = {
  summary: 'Cancel an invite',
  description:
    'Take an invite back that was sent by mistake. The link in the mail becomes invalid. Cancelling an invite again returns it unchanged; an invite that was accepted or has expired is refused.',
} as const;

interface InviteCancellationPath {
  readonly wire: Wire;
  readonly root: string;
  readonly schema: JsonSchema;
  render(cancelled: Invite): unknown;
}

export function inviteCancellationPath({ wire, root, schema, render }: InviteCancellationPath): Operation {
  return defineOperation<void>({
    ...inviteCancellationText,
    id: `${wire.name}.invite.cancel`,
    wire,
    group: invite.plural,
    resource: invite,
    method: 'POST',
    path: `${root}/users/{user_id}/invites/{invite_id}/cancellation`,
    right: 'write',
    mode: 'write',
    addsNothing: true,
    query: {},
    responses: { 200: { description: 'The cancelled invite.', schema } },
    refusals: ['user-not-found', ...inviteCancellationRefusals],
    read: () => undefined,
    async handle({ work, params }) {
      const input = { userId: pathParameter(params, 'user_id'), inviteId: pathParameter(params, 'invite_id') };
      return { status: 200, body: render(await cancelUserInvite(work, input)) };
    },
  });
}
