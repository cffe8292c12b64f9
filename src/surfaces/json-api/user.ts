// Users and their invites on the JSON:API wire: users below their client, invites below their user.

import type { AnyRecord } from '../../kit/resource.ts';
import { invite } from '../../model/people/invite.ts';
import { clientRules } from '../../actions/structure/client.ts';
import { inviteRules } from '../../actions/people/invite.ts';
import { userRules } from '../../actions/people/user.ts';
import { cancellationPath } from '../http/operation/invite-cancellation.ts';
import type { Answer, Ask, Operation } from '../http/operation/operation.ts';
import { documentSchemaOf } from './document-schema.ts';
import { renderResource } from './document.ts';
import { createPath, jsonApiPaths, listPath, type JsonApiPaths } from './resource-paths.ts';
import { jsonApi } from './wire.ts';

const belowClient = { rules: clientRules, parameter: 'client_id', relation: 'client' };
const belowUser = { rules: userRules, parameter: 'user_id', relation: 'personId' };

const invites: JsonApiPaths<typeof invite> = { rules: inviteRules, above: belowUser };

/** A single invite has an address on v1 alone. */
function createInvitePath(): Operation {
  const creation = createPath(invites);
  const described = { ...creation.answers[201]!, headers: { Location: 'Its address, on v1.' } };
  return {
    ...creation,
    summary: 'Invite a user',
    description:
      'Creates the invite and mails its link to `contactEmail`. It is to the first client of the user that was not joined yet, else to the first of all. An earlier invite to the same client that is still pending is cancelled: the newest link alone works.',
    answers: { 201: described },
    async handle(ask: Ask, input: unknown): Promise<Answer> {
      const answer = await creation.handle(ask, input);
      const { id } = (answer.body as { data: { id: string } }).data;
      return { ...answer, headers: { location: `${ask.work.house.addresses.baseUrl}/v1/invites/${id}` } };
    },
  };
}

export const userPaths = [
  ...jsonApiPaths({ rules: userRules, above: belowClient }),
  listPath(invites),
  createInvitePath(),
  cancellationPath({
    wire: jsonApi,
    root: '/api/v2',
    schema: documentSchemaOf(invite),
    render: (cancelled) => ({ data: renderResource(invite, cancelled as AnyRecord) }),
  }),
];
