// Reads and writes the cookies of the pages for people. Works once the server has registered @fastify/cookie, which loads its parser.

import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { Addresses } from '../../actions/core/context.ts';
import { isHttps } from '../http/negotiation/hosts.ts';

/**
 * `session`: the secret of a session. `visit`: binds forms to a browser without a session. `departure`: the state of a sign-in that has
 * begun. `choice`: the identity of a person who still has to choose a workspace. `language`: the language that they have chosen.
 */
type CookieName = 'session' | 'visit' | 'departure' | 'choice' | 'language';

type SiteAddress = Pick<Addresses, 'baseUrl'>;

/** The prefix binds a cookie to this host and to TLS; browsers accept it under https only. */
function cookieName(name: CookieName, site: SiteAddress): string {
  return `${isHttps(site) ? '__Host-' : ''}holdfast_${name}`;
}

export function readCookie(
  { cookie = '' }: IncomingHttpHeaders,
  name: CookieName,
  site: SiteAddress,
): string | undefined {
  const value = fastifyCookie.parse(cookie)[cookieName(name, site)];
  return value === '' ? undefined : value;
}

/** Lasts `seconds`, or until the browser is closed. */
export function writeCookie(
  name: CookieName,
  site: SiteAddress,
  { value, seconds }: { readonly value: string; readonly seconds?: number },
): string {
  const maxAge = seconds === undefined ? {} : { maxAge: seconds };
  const secure = isHttps(site);
  return fastifyCookie.serialize(cookieName(name, site), value, {
    ...maxAge,
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'lax',
  });
}

export function clearCookie(name: CookieName, site: SiteAddress): string {
  return writeCookie(name, site, { value: '', seconds: 0 });
}
