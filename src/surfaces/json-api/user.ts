// Users and their invites on JSON:API: users below their client, invites below their user.

import { invite } from '../../model/people/invite.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { readActions } from '../../actions/core/record-actions.ts';
import { createInvite, inviteActions } from '../../actions/people/invite.ts';
import { userActions } from '../../actions/people/user.ts';
import { inviteCancellationPath } from '../http/operation/invite-cancellation.ts';
import type { OperationResponse, RequestContext, Operation } from '../http/operation/operation.ts';
import { responseDocumentSchema } from './document-schema.ts';
import { renderResource } from './document.ts';
import { jsonApiCreatePath, jsonApiPaths, jsonApiListPath } from './resource-paths.ts';
import { jsonApi } from './wire.ts';

const clientParent = { actions: readActions(clientRules), parameter: 'client_id', relation: 'client' };
const userParent = { actions: userActions, parameter: 'user_id', relation: 'personId' };

/** An invite is restricted to the address that the request names, and to none without one. */
const openInviteActions: typeof inviteActions = {
  ...inviteActions,
  create: (work, input) => createInvite(work, { ...input, email: input.email ?? null }),
};

const invites = { actions: openInviteActions, parent: userParent };

/** A new invite has no address, since JSON:API does not serve single invites. */
function createInvitePath(): Operation {
  const creation = jsonApiCreatePath(invites);
  const { headers: _location, ...response } = creation.responses[201]!;
  return {
    ...creation,
    summary: 'Invite a user',
    description:
      'Let a person in who was added before. Creates the invite and mails its link to `contactEmail`. It is for the client that `client` names, else for the first client that the user has not joined yet, else for their first client. Without `email`, whoever has the link can accept it with any address that an identity provider has verified: send `email` to restrict it to one. A pending invite to the same client is cancelled; only the newest link works.',
    responses: {
      201: { ...response, description: 'The new invite. It has no address here, since no single one can be read.' },
    },
    async handle(request: RequestContext, input: unknown): Promise<OperationResponse> {
      const { status, body } = await creation.handle(request, input);
      return { status, body };
    },
  };
}

export const jsonApiUserPaths = [
  ...jsonApiPaths({ actions: userActions, parent: clientParent }),
  jsonApiListPath(invites),
  createInvitePath(),
  inviteCancellationPath({
    wire: jsonApi,
    root: '/api/v2',
    schema: responseDocumentSchema(invite),
    render: (cancelled) => ({ data: renderResource(invite, cancelled) }),
  }),
];
