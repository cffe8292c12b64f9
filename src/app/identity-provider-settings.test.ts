import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { Keyring } from '../signing/keyring.ts';

const a = {
  PROVIDER_A_ISSUER: 'https://accounts.example.com',
  PROVIDER_A_CLIENT_ID: 'holdfast',
  PROVIDER_A_CLIENT_SECRET: 'hush-hush',
};
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://holdfast@db.example/holdfast',
  ENCRYPTION_KEY: Keyring.generate(),
  BASE_URL: 'https://wealth.example',
};

function faultsOf(settings: Record<string, string>): string[] {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

describe('identity providers', () => {
  test('can be up to three, each with a display name', () => {
    const c = {
      PROVIDER_C_ISSUER: 'https://c.example/tenant',
      PROVIDER_C_CLIENT_ID: 'x',
      PROVIDER_C_CLIENT_SECRET: 'y',
    };
    expect(readConfig({ ...a, ...c, PROVIDER_C_NAME: 'Söderbank' }).identityProviders).toEqual([
      {
        key: 'provider_a',
        issuer: 'https://accounts.example.com',
        clientId: 'holdfast',
        clientSecret: 'hush-hush',
        name: 'Provider A',
      },
      { key: 'provider_c', issuer: 'https://c.example/tenant', clientId: 'x', clientSecret: 'y', name: 'Söderbank' },
    ]);
  });

  const together = 'PROVIDER_A_ISSUER, PROVIDER_A_CLIENT_ID and PROVIDER_A_CLIENT_SECRET must be set together.';
  test.each(Object.keys(a))('are refused if incomplete: without %s', (missing) => {
    const { [missing as keyof typeof a]: _, ...rest } = a;
    expect(faultsOf(rest)).toEqual([together]);
  });

  test.each([
    'accounts.example.com',
    'ftp://accounts.example.com',
    'https://a.example?b=c',
    'https://a.example#b',
    'https://u:p@a.example',
  ])('are refused with the issuer %s', (issuer) => {
    expect(faultsOf({ ...a, PROVIDER_A_ISSUER: issuer })).toEqual([
      `PROVIDER_A_ISSUER must be an http or https address, such as https://accounts.example.com, but is ${JSON.stringify(issuer)}.`,
    ]);
  });

  test('may have no TLS in development only', () => {
    const plain = { ...a, PROVIDER_A_ISSUER: 'http://127.0.0.1:9000/a' };
    expect(faultsOf(plain)).toEqual([]);
    expect(faultsOf({ ...production, ...plain })).toEqual([
      'PROVIDER_A_ISSUER must be an https address, such as https://accounts.example.com, but is "http://127.0.0.1:9000/a".',
    ]);
  });

  test('require TLS in production, to protect the cookies', () => {
    expect(faultsOf({ ...production, ...a })).toEqual([]);
    expect(faultsOf({ ...production, ...a, BASE_URL: 'http://wealth.example' })).toEqual([
      'BASE_URL must be an https address when identity providers are set and NODE_ENV is production.',
    ]);
  });

  test('have a secret that no error message shows', () => {
    expect(faultsOf({ ...a, PROVIDER_A_CLIENT_SECRET: 'ünprintable' })).toEqual([
      'PROVIDER_A_CLIENT_SECRET must be 1 to 1024 printable characters.',
    ]);
  });
});
