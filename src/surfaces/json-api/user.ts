// Users and their invites on JSON:API: users below their client, invites below their user.

import { invite } from '../../model/people/invite.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { readActions } from '../../actions/core/record-actions.ts';
import { inviteActions } from '../../actions/people/invite.ts';
import { userActions } from '../../actions/people/user.ts';
import { inviteCancellationPath } from '../http/operation/invite-cancellation.ts';
import type { OperationResponse, RequestContext, Operation } from '../http/operation/operation.ts';
import { responseDocumentSchema } from './document-schema.ts';
import { renderResource } from './document.ts';
import { jsonApiCreatePath, jsonApiPaths, jsonApiListPath } from './resource-paths.ts';
import { jsonApi } from './wire.ts';

const clientParent = { actions: readActions(clientRules), parameter: 'client_id', relation: 'client' };
const userParent = { actions: userActions, parameter: 'user_id', relation: 'personId' };

const invites = { actions: inviteActions, parent: userParent };

/** The address of a new invite is its address on v1, since JSON:API does not serve single invites. */
function createInvitePath(): Operation {
  const creation = jsonApiCreatePath(invites);
  const describedResponse = { ...creation.responses[201]!, headers: { Location: 'Its address, on v1.' } };
  return {
    ...creation,
    summary: 'Invite a user',
    description:
      'Let a person in who was added before. Creates the invite and mails its link to `contactEmail`. It is for the first client that the user has not joined yet, else for their first client. A pending invite to the same client is cancelled, so that only the newest link works.',
    responses: { 201: describedResponse },
    async handle(request: RequestContext, input: unknown): Promise<OperationResponse> {
      const response = await creation.handle(request, input);
      const { id } = (response.body as { data: { id: string } }).data;
      return { ...response, headers: { location: `${request.work.context.addresses.baseUrl}/v1/invites/${id}` } };
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
