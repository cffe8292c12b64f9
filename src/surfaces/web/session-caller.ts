// Who has signed in, by the cookie of a request to the interface that carries no token. What changes something must have been sent
// on purpose, from a page of ours. Knows no page.

import type { FastifyRequest } from 'fastify';
import type { House } from '../../actions/core/context.ts';
import { callerInSession } from '../../actions/access/person-caller.ts';
import { findSession } from '../../actions/access/session.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Caller } from '../../model/access/scope.ts';
import { readCookie } from './cookies.ts';
import { isTokenFor } from './form-token.ts';

/** Undefined where nobody has. */
export function signedInAt(house: House): (request: FastifyRequest) => Promise<Caller | undefined> {
  return async (request) => {
    const secret = readCookie(request.headers, 'session', house.addresses);
    const session = secret === undefined ? undefined : await findSession(house, secret);
    if (secret === undefined || session === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') checkIntended(house, request, secret);
    return callerInSession(session.standing);
  };
}

/** Forms of other sites can be sent with the cookie, but without the header, and with an origin of their own. */
function checkIntended(house: House, { headers }: FastifyRequest, secret: string): void {
  const token = headers['x-csrf-token'];
  const isFromHere = headers.origin === new URL(house.addresses.baseUrl).origin;
  if (isFromHere && typeof token === 'string' && isTokenFor(house, { token, secret })) return;
  const detail = 'Send `X-CSRF-Token` as your session has it, from a page of this service.';
  throw new Refusal('request-forged', detail, {
    faults: [{ code: 'request-forged', detail, header: isFromHere ? 'X-CSRF-Token' : 'Origin' }],
  });
}
