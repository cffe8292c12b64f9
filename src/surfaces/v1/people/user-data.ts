// Exports and erases the personal data of a user on v1.

import { instant, orNull } from '../../../kit/field.ts';
import { auditEntry } from '../../../model/access/audit-entry.ts';
import { administrator } from '../../../model/people/administrator.ts';
import { invite } from '../../../model/people/invite.ts';
import { user } from '../../../model/people/user.ts';
import { erasePerson, exportPersonData } from '../../../actions/people/data-subject-request.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const moment = instant.schema(v1.style);
const word = { type: 'string' } as const;

function listOf(description: string, properties: Readonly<Record<string, object>>) {
  const items = { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
  return { type: 'array', description, items };
}

const members = {
  user: { anyOf: [snakeCaseSchema(user, v1), { type: 'null' }] },
  administrator: {
    anyOf: [snakeCaseSchema(administrator, v1), { type: 'null' }],
    description:
      'Their role as an administrator of the workspace; null if they have none, and for a token bound to one client.',
  },
  identities: listOf(
    'The accounts at identity providers that they sign in with; empty for a token bound to one client.',
    {
      issuer: word,
      subject: word,
      email: word,
      created_at: moment,
      last_signed_in_at: moment,
    },
  ),
  invites: { type: 'array', items: snakeCaseSchema(invite, v1) },
  sessions: listOf('Their sessions, as far as still stored; empty for a token bound to one client.', {
    id: word,
    created_at: moment,
    seen_at: moment,
    expires_at: moment,
    ended_at: orNull(moment),
    user_agent: orNull(word),
  }),
  mail: listOf('The mail that was sent to them, as far as still stored.', {
    id: word,
    client_id: orNull(word),
    invite_id: orNull(word),
    created_at: moment,
    attempt_count: { type: 'integer' },
    sent_at: orNull(moment),
    failed_at: orNull(moment),
    failure: orNull(word),
  }),
  audit_log: {
    type: 'array',
    description: 'The audit lines about them and their invites, and about what they did.',
    items: snakeCaseSchema(auditEntry, v1),
  },
} as const;

const schema = { type: 'object', required: Object.keys(members), properties: members, additionalProperties: false };

const renderInstant = (at: number | null): unknown => (at === null ? null : instant.write(at, v1.style));

const operationBase = {
  wire: v1,
  group: user.plural,
  right: 'admin',
  query: {},
  read: () => undefined,
} as const;

const exportPath = defineOperation<void>({
  ...operationBase,
  resource: user,
  id: 'v1.user.export',
  method: 'GET',
  path: `/v1/users/{id}/export`,
  summary: 'Export everything that is stored about a user',
  description:
    'One document with everything that the token may see, to answer the access request of a person: a user, or an administrator of the workspace who is a member of no client, whose `user` is null. Only tokens of the whole workspace see how the person signs in, since a login may have access to several clients.',
  mode: 'read',
  heavy: true,
  responses: { 200: { description: 'The stored data.', schema } },
  refusals: ['user-not-found'],
  async handle({ work, params }) {
    const personData = await exportPersonData(work, pathParameter(params, 'id'));
    return {
      status: 200,
      body: {
        user: personData.user === null ? null : renderV1(user, personData.user),
        administrator: personData.administrator === null ? null : renderV1(administrator, personData.administrator),
        identities: personData.identities.map(({ issuer, subject, email, createdAt, lastSignedInAt }) => ({
          issuer,
          subject,
          email,
          created_at: renderInstant(createdAt),
          last_signed_in_at: renderInstant(lastSignedInAt),
        })),
        invites: personData.invites.map((one) => renderV1(invite, one)),
        sessions: personData.sessions.map(({ id, createdAt, seenAt, expiresAt, endedAt, userAgent }) => ({
          id,
          created_at: renderInstant(createdAt),
          seen_at: renderInstant(seenAt),
          expires_at: renderInstant(expiresAt),
          ended_at: renderInstant(endedAt),
          user_agent: userAgent,
        })),
        mail: personData.mail.map(({ id, clientId, inviteId, createdAt, attemptCount, sentAt, failedAt, failure }) => ({
          id,
          client_id: clientId,
          invite_id: inviteId,
          created_at: renderInstant(createdAt),
          attempt_count: attemptCount,
          sent_at: renderInstant(sentAt),
          failed_at: renderInstant(failedAt),
          failure,
        })),
        audit_log: personData.auditEntries.map((one) => renderV1(auditEntry, one)),
      },
    };
  },
});

const erasurePath = defineOperation<void>({
  ...operationBase,
  id: 'v1.user.erase',
  method: 'POST',
  path: `/v1/users/{id}/erasure`,
  summary: 'Erase a user',
  description:
    'When a person asks to be forgotten. Removes the user from every client and as an administrator of the workspace, with their identities, grants, invites, sessions and mail. The audit log keeps its lines, but names and addresses in them become null; what the user did stays under their id. No figure of any report changes. Users who were deleted before can be erased as well. Requires a token of the whole workspace.',
  mode: 'write',
  addsNothing: true,
  responses: { 204: { description: 'The user was erased. Erasing them again answers 404.' } },
  refusals: ['user-not-found', 'outside-reach', 'last-administrator'],
  async handle({ work, params }) {
    await erasePerson(work, pathParameter(params, 'id'));
    return { status: 204 };
  },
});

export const userDataPaths = [exportPath, erasurePath];
