// The cookies of the console: what each is called, read out of a request and written into an answer. Knows not what they hold.

import type { IncomingHttpHeaders } from 'node:http';
import type { Addresses } from '../../actions/core/context.ts';

/**
 * `session`: who is signed in. `visit`: which browser a form was made for, while nobody is. `departure`: who went to an identity
 * provider and has not come back. `choice`: who came back and is known in several places.
 */
export type CookieName = 'session' | 'visit' | 'departure' | 'choice';

type Place = Pick<Addresses, 'baseUrl'>;

export function isHttps({ baseUrl }: Place): boolean {
  return baseUrl.startsWith('https:');
}

/** The prefix binds a cookie to this very host and to TLS, which a browser must be told under https alone. */
function fullName(name: CookieName, place: Place): string {
  return `${isHttps(place) ? '__Host-' : ''}holdfast_${name}`;
}

export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: CookieName, place: Place): string | undefined {
  const prefix = `${fullName(name, place)}=`;
  const found = cookie.split(';').find((part) => part.trimStart().startsWith(prefix));
  const value = found?.trimStart().slice(prefix.length).trimEnd();
  return value === '' ? undefined : value;
}

/** Kept until the browser is closed, or for so long. */
export function writeCookie(
  name: CookieName,
  place: Place,
  { value, seconds }: { readonly value: string; readonly seconds?: number },
): string {
  const age = seconds === undefined ? [] : [`Max-Age=${seconds}`];
  const secure = isHttps(place) ? ['Secure'] : [];
  return [`${fullName(name, place)}=${value}`, 'Path=/', ...age, 'HttpOnly', 'SameSite=Lax', ...secure].join('; ');
}

export function clearCookie(name: CookieName, place: Place): string {
  return writeCookie(name, place, { value: '', seconds: 0 });
}
