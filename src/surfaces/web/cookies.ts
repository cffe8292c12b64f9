// The cookies of the console: what each is called, read out of a request and written into an answer. Knows not what they hold.

import type { IncomingHttpHeaders } from 'node:http';
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
  const prefix = `${cookieName(name, site)}=`;
  const found = cookie.split(';').find((part) => part.trimStart().startsWith(prefix));
  const value = found?.trimStart().slice(prefix.length).trimEnd();
  return value === '' ? undefined : value;
}

/** Kept until the browser is closed, or for so long. */
export function writeCookie(
  name: CookieName,
  site: SiteAddress,
  { value, seconds }: { readonly value: string; readonly seconds?: number },
): string {
  const maxAge = seconds === undefined ? [] : [`Max-Age=${seconds}`];
  const secure = isHttps(site) ? ['Secure'] : [];
  return [`${cookieName(name, site)}=${value}`, 'Path=/', ...maxAge, 'HttpOnly', 'SameSite=Lax', ...secure].join('; ');
}

export function clearCookie(name: CookieName, site: SiteAddress): string {
  return writeCookie(name, site, { value: '', seconds: 0 });
}
