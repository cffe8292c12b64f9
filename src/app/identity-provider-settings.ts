// Reads the settings of up to three identity providers: issuer, client id and secret, and the name shown to people.

import type { ProviderSettings } from '../gateways/identity-providers.ts';
import { providerKeys, type ProviderKey } from '../model/people/identity.ts';
import type { SettingReader } from './setting-reader.ts';

/** An issuer has no query and no fragment (OpenID Connect Discovery, section 3). */
function isIssuer(text: string, { allowsPlainHttp }: { allowsPlainHttp: boolean }): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (allowsPlainHttp && url.protocol === 'http:');
}

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]{1,1024}$/.test(text);
}

function isDisplayName(text: string): boolean {
  return /^[^\p{Cc}]{1,60}$/u.test(text);
}

function readProvider(reader: SettingReader, key: ProviderKey, allowsPlainHttp: boolean): ProviderSettings | undefined {
  const prefix = key.toUpperCase();
  const names = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => `${prefix}_${name}`) as [string, string, string];
  const expected = allowsPlainHttp ? 'an http or https address' : 'an https address';
  const issuer = reader.checked(names[0], `${expected}, such as https://accounts.example.com`, (text) =>
    isIssuer(text, { allowsPlainHttp }),
  );
  const clientId = reader.checked(names[1], '1 to 1024 printable characters', isPrintable);
  const clientSecret = reader.checked(names[2], '1 to 1024 printable characters', isPrintable);
  const name = reader.checked(`${prefix}_NAME`, 'at most 60 characters', isDisplayName) ?? defaultName(key);
  const set = names.filter((one) => reader.text(one) !== undefined);
  if (set.length !== 0 && set.length !== names.length)
    reader.faults.push(`${names[0]}, ${names[1]} and ${names[2]} must be set together.`);
  return issuer === undefined || clientId === undefined || clientSecret === undefined
    ? undefined
    : { key, issuer, clientId, clientSecret, name };
}

/** Names `provider_a` Provider A. */
function defaultName(key: ProviderKey): string {
  return `Provider ${key.slice(-1).toUpperCase()}`;
}

export function readProviderSettings(
  reader: SettingReader,
  { isProduction, baseUrl }: { isProduction: boolean; baseUrl: string | undefined },
): readonly ProviderSettings[] {
  const found = providerKeys.map((key) => readProvider(reader, key, !isProduction));
  const providers = found.filter((provider) => provider !== undefined);
  // Without TLS, anyone on the network can steal a session cookie.
  if (isProduction && providers.length > 0 && !(baseUrl ?? '').startsWith('https:'))
    reader.faults.push('BASE_URL must be an https address when identity providers are set and NODE_ENV is production.');
  return providers;
}
