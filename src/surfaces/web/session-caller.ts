// Finds the signed-in person behind an API request that carries a session cookie instead of a token, and protects their writes
// against cross-site request forgery.

import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../../actions/core/context.ts';
import { sessionCaller } from '../../actions/access/person-caller.ts';
import { findSession } from '../../actions/access/session.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Caller } from '../../model/access/caller.ts';
import { readCookie } from './cookies.ts';
import { isFormTokenFor } from './form-token.ts';

/** The finder returns undefined if nobody is signed in. */
export function sessionCallerFinder(context: AppContext): (request: FastifyRequest) => Promise<Caller | undefined> {
  return async (request) => {
    const secret = readCookie(request.headers, 'session', context.addresses);
    const session = secret === undefined ? undefined : await findSession(context, secret);
    if (secret === undefined || session === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') checkCsrf(context, request, secret);
    return sessionCaller(session.access, session.id);
  };
}

/** Another site can send a form with the cookie, but not with this header, and only with its own origin. */
function checkCsrf(context: AppContext, { headers }: FastifyRequest, secret: string): void {
  const token = headers['x-csrf-token'];
  const isOwnOrigin = headers.origin === new URL(context.addresses.baseUrl).origin;
  if (isOwnOrigin && typeof token === 'string' && isFormTokenFor(context, { token, secret })) return;
  const detail = 'Send the `X-CSRF-Token` of your session, from a page of this service.';
  throw new Refusal('request-forged', detail, {
    faults: [{ code: 'request-forged', detail, header: isOwnOrigin ? 'X-CSRF-Token' : 'Origin' }],
  });
}
