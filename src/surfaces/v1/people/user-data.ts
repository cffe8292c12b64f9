// What is held about a user, all in one document, and that it is forgotten, on v1.

import { instant } from '../../../kit/field.ts';
import { auditEntry } from '../../../model/access/audit-entry.ts';
import { invite } from '../../../model/people/invite.ts';
import { user } from '../../../model/people/user.ts';
import { erasePerson, exportPersonData } from '../../../actions/people/data-subject-request.ts';
import { snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

const moment = instant.schema(v1.style);
const word = { type: 'string' } as const;
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });

function listOf(description: string, properties: Readonly<Record<string, object>>) {
  const items = { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
  return { type: 'array', description, items };
}

const members = {
  user: snakeCaseSchema(user, v1),
  identities: listOf(
    'The accounts at identity providers that they sign in with; none for a token bound to one client.',
    {
      issuer: word,
      subject: word,
      email: word,
      created_at: moment,
      last_signed_in_at: moment,
    },
  ),
  invites: { type: 'array', items: snakeCaseSchema(invite, v1) },
  sessions: listOf('When they were signed in, as far as it is still known; none for a token bound to one client.', {
    id: word,
    created_at: moment,
    seen_at: moment,
    expires_at: moment,
    ended_at: orNull(moment),
  }),
  mail: listOf('The mail that was sent to them, as far as it is still known.', {
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
    description: 'What was done to them and to their invites, and what they did.',
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
  summary: 'Everything that is held about a user',
  description:
    'One document, as far as the token sees: for whoever has to tell a person what is known of them. How they sign in is told to tokens of the whole workspace alone, since a login may reach further than one client.',
  mode: 'read',
  heavy: true,
  responses: { 200: { description: 'What is held.', schema } },
  refusals: ['user-not-found'],
  async handle({ work, params }) {
    const personData = await exportPersonData(work, params['id']!);
    return {
      status: 200,
      body: {
        user: renderV1(user, personData.user),
        identities: personData.identities.map(({ issuer, subject, email, createdAt, lastSignedInAt }) => ({
          issuer,
          subject,
          email,
          created_at: renderInstant(createdAt),
          last_signed_in_at: renderInstant(lastSignedInAt),
        })),
        invites: personData.invites.map((one) => renderV1(invite, one)),
        sessions: personData.sessions.map(({ id, createdAt, seenAt, expiresAt, endedAt }) => ({
          id,
          created_at: renderInstant(createdAt),
          seen_at: renderInstant(seenAt),
          expires_at: renderInstant(expiresAt),
          ended_at: renderInstant(endedAt),
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
    'The user goes from every client, with how they signed in, their grants, invites, sessions and mail, and what the audit log says of them for good says no longer who it was: names and addresses are null from then on. What they did stays under their id. No figure of any report changes. Users who were deleted before can be erased as well. Takes a token of the whole workspace.',
  mode: 'write',
  responses: { 204: { description: 'They are forgotten. Erasing them again answers 404.' } },
  refusals: ['user-not-found', 'outside-reach'],
  async handle({ work, params }) {
    await erasePerson(work, params['id']!);
    return { status: 204 };
  },
});

export const userDataPaths = [exportPath, erasurePath];
