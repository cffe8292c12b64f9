// Who has signed in, by the cookie of a request to the interface that carries no token. What changes something must have been sent
// on purpose, from a page of ours. Knows no page.

import type { FastifyRequest } from 'fastify';
import type { AppContext } from '../../actions/core/context.ts';
import { sessionCaller } from '../../actions/access/person-caller.ts';
import { findSession } from '../../actions/access/session.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Caller } from '../../model/access/caller.ts';
import { readCookie } from './cookies.ts';
import { isFormTokenFor } from './form-token.ts';

/** Undefined where nobody has. */
export function sessionCallerFinder(context: AppContext): (request: FastifyRequest) => Promise<Caller | undefined> {
  return async (request) => {
    const secret = readCookie(request.headers, 'session', context.addresses);
    const session = secret === undefined ? undefined : await findSession(context, secret);
    if (secret === undefined || session === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') checkCsrf(context, request, secret);
    return sessionCaller(session.access);
  };
}

/** Forms of other sites can be sent with the cookie, but without the header, and with an origin of their own. */
function checkCsrf(context: AppContext, { headers }: FastifyRequest, secret: string): void {
  const token = headers['x-csrf-token'];
  const isOwnOrigin = headers.origin === new URL(context.addresses.baseUrl).origin;
  if (isOwnOrigin && typeof token === 'string' && isFormTokenFor(context, { token, secret })) return;
  const detail = 'Send `X-CSRF-Token` as your session has it, from a page of this service.';
  throw new Refusal('request-forged', detail, {
    faults: [{ code: 'request-forged', detail, header: isOwnOrigin ? 'X-CSRF-Token' : 'Origin' }],
  });
}
