// The sessions of the person who asks, on v1: where they are signed in, and ending one of them.

import { Refusal } from '../../../kit/refusal.ts';
import { session } from '../../../model/access/session.ts';
import type { PersonAccess } from '../../../model/access/person-access.ts';
import { confirmCaller } from '../../../actions/access/authentication.ts';
import { endOwnSession, listOpenSessions } from '../../../actions/access/session.ts';
import { defineOperation, type RequestContext } from '../../http/operation/operation.ts';
import { pathParameter } from '../../http/operation/path-parameter.ts';
import { renderSnakeCase, snakeCaseSchema } from '../../snake-case/snake-case-object.ts';
import { v1 } from '../wire.ts';

const listSchema = {
  type: 'object',
  required: ['data', 'has_more'],
  properties: { data: { type: 'array', items: snakeCaseSchema(session, v1) }, has_more: { const: false } },
  additionalProperties: false,
} as const;

/** Applications and keys have no sessions, and one that acts for a person does not learn how they sign in. */
function signedInPerson({ caller }: RequestContext): PersonAccess | undefined {
  return caller.sessionId === undefined ? undefined : caller.person;
}

const operationBase = {
  wire: v1,
  group: 'me',
  right: 'any',
  people: 'viewer',
  mode: 'read',
  query: {},
  read: () => undefined,
} as const;

const listPath = defineOperation<void>({
  ...operationBase,
  id: 'v1.me.list-sessions',
  method: 'GET',
  path: '/v1/me/sessions',
  summary: 'List your sessions',
  description:
    'See in which browsers you are still signed in: the sessions of the person who asks, newest first, at most 100. Empty for a token, which has no session.',
  responses: { 200: { description: 'The sessions that have not ended.', schema: listSchema } },
  refusals: [],
  async handle(request) {
    await confirmCaller(request.work);
    const person = signedInPerson(request);
    const sessions = person === undefined ? [] : await listOpenSessions(request.work.context, person);
    const data = sessions.map(({ seenAt, ...one }) =>
      renderSnakeCase(session, { ...one, lastSeenAt: seenAt, isCurrent: one.id === request.caller.sessionId }, v1),
    );
    return { status: 200, body: { data, has_more: false } };
  },
});

const endPath = defineOperation<void>({
  ...operationBase,
  mode: 'write',
  isAboutCaller: true,
  id: 'v1.me.end-session',
  method: 'DELETE',
  path: '/v1/me/sessions/{id}',
  pathResource: session,
  summary: 'End one of your sessions',
  description:
    'For a browser that was lost or left open. Signs the person who asks out there, with immediate effect. Only in a session: a token finds none.',
  responses: { 204: { description: 'It has ended. Ending it again answers 404.' } },
  refusals: ['session-not-found'],
  async handle(request) {
    const person = signedInPerson(request);
    const id = pathParameter(request.params, 'id');
    const wasOpen = person !== undefined && (await endOwnSession(request.work, person, id));
    if (!wasOpen) throw new Refusal('session-not-found', 'There is no such session of yours, or it has ended.');
    return { status: 204 };
  },
});

export const mySessionPaths = [listPath, endPath];
