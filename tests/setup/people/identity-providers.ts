// The identity providers of development as a test file's own: a process that is there before the first test and gone after the last.

import { afterAll, beforeAll } from 'vitest';
import { startDevelopmentProviders } from '../../../src/app/development/provider-process.ts';
import type { ProviderSettings } from '../../../src/gateways/identity-providers.ts';
import { callbackAddress } from '../../../src/actions/access/sign-in.ts';
import type { Browser, BrowserPage } from './cookie-browser.ts';
import type { TestService } from '../node/test-service.ts';

/** As an operator would write them. */
export function providerEnvironment(providers: readonly ProviderSettings[]): Record<string, string> {
  const lines = providers.flatMap(({ key, issuer, clientId, clientSecret, name }) => {
    const prefix = key.toUpperCase();
    return [
      [`${prefix}_ISSUER`, issuer],
      [`${prefix}_CLIENT_ID`, clientId],
      [`${prefix}_CLIENT_SECRET`, clientSecret],
      [`${prefix}_NAME`, name],
    ];
  });
  return Object.fromEntries(lines);
}

export interface TestProviders {
  readonly settings: Readonly<Record<string, string>>;
  /** From the first test on people may come from this service. */
  serve(service: TestService): void;
}

/** Three of them, for all tests of a file. */
export async function providersForThisFile(): Promise<TestProviders> {
  const development = await startDevelopmentProviders({ port: 0, isProduction: false });
  afterAll(() => development.stop());
  return {
    settings: providerEnvironment(development.providers),
    serve: (service) => beforeAll(() => development.serve(callbackAddress(service))),
  };
}

export interface ProviderLogin {
  readonly email: string;
  readonly name?: string;
  readonly isVerified?: boolean;
}

/** Says who somebody is, on the page of a provider. */
export function enterIdentity(
  browser: Browser,
  page: BrowserPage,
  { email, name, isVerified = true }: ProviderLogin,
): Promise<BrowserPage> {
  return browser.press(page, 'Sign in', { email, name: name ?? '', verified: isVerified ? 'on' : null });
}
