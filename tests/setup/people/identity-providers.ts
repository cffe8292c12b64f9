// Starts the development identity providers in a process for one test file, and stops it after the last test.

import { afterAll, beforeAll } from 'vitest';
import { startDevelopmentProviders } from '../../../src/app/development/provider-process.ts';
import type { ProviderSettings } from '../../../src/gateways/identity-providers.ts';
import { callbackAddress } from '../../../src/actions/access/sign-in.ts';
import type { Browser, BrowserPage } from './cookie-browser.ts';
import type { SharedService } from '../node/test-service.ts';

/** The settings as an operator would write them. */
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
  /** Registers the address of the service with the providers. */
  serve(service: SharedService): void;
}

/** Three providers for all tests of a file. */
export async function providersForThisFile(): Promise<TestProviders> {
  const development = await startDevelopmentProviders({ isProduction: false });
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

/** Enters an account on the page of a provider. */
export function enterIdentity(
  browser: Browser,
  page: BrowserPage,
  { email, name, isVerified = true }: ProviderLogin,
): Promise<BrowserPage> {
  return browser.press(page, 'Sign in', { email, name: name ?? '', verified: isVerified ? 'on' : null });
}
