// Reads and writes the cookies of the pages for people. Works once the server has registered @fastify/cookie, which loads its parser.

import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { Addresses } from '../../actions/core/context.ts';

/**
 * `session`: who is signed in. `visit`: which browser a form was made for, while nobody is. `departure`: who went to an identity
 * provider and has not come back. `choice`: who came back and is known in several places.
 */
export type CookieName = 'session' | 'visit' | 'departure' | 'choice';

type SiteAddress = Pick<Addresses, 'baseUrl'>;

export function isHttps({ baseUrl }: SiteAddress): boolean {
  return baseUrl.startsWith('https:');
}

/** The prefix binds a cookie to this very host and to TLS, which a browser must be told under https alone. */
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
