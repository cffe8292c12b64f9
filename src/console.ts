// Builds the console: the identity providers of the settings, and the pages that people sign in on.

import type { Logger } from 'pino';
import type { House } from './actions/house.ts';
import type { Config } from './config.ts';
import { reportError } from './error-report.ts';
import { IdentityProviders } from './gateways/identity-providers.ts';
import { consoleOperations } from './surfaces/console/operations.ts';
import type { OpenOperation } from './surfaces/http/open-operation.ts';

export function makeConsole(house: House, config: Config, log: Logger): readonly OpenOperation[] {
  const providers = new IdentityProviders({
    providers: config.identityProviders,
    allowsPlainHttp: !config.isProduction,
    clock: house.clock,
  });
  return consoleOperations({
    house,
    providers,
    onProviderFault: (fault, provider) =>
      log.warn({ error: reportError(fault), provider }, 'somebody could not sign in with an identity provider'),
  });
}
