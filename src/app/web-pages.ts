// Builds the pages for people, with the identity providers of the settings.

import type { Logger } from 'pino';
import type { AppContext } from '../actions/core/context.ts';
import type { Config } from './config.ts';
import { reportError } from './error-report.ts';
import { IdentityProviders } from '../gateways/identity-providers.ts';
import { LongWork } from '../surfaces/web/long-work.ts';
import { FileWork } from '../surfaces/web/tables/file-work.ts';
import { operationsByAddress, type CallApi } from '../surfaces/web/page-api.ts';
import { operations } from '../surfaces/operations.ts';
import { webOperations } from '../surfaces/web/operations.ts';
import { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import type { OpenOperation } from '../surfaces/http/operation/open-operation.ts';

/** How many files of one person are sent from pages at a time. */
const uploadsAtATime = 2;
/** How many more wait for their turn. */
const uploadsWaitingMax = 4;

export function makeWebOperations(
  context: AppContext,
  { config, log, callApi }: { readonly config: Config; readonly log: Logger; readonly callApi: CallApi },
): readonly OpenOperation[] {
  const providers = new IdentityProviders({
    providers: config.identityProviders,
    allowsPlainHttp: !config.isProduction,
    clock: context.clock,
  });
  return webOperations({
    context,
    providers,
    onProviderFault: (fault, provider) =>
      log.warn({ error: reportError(fault), provider }, 'sign-in with an identity provider failed'),
    callApi,
    apiOperations: operationsByAddress(operations),
    uploads: new InFlight({ running: uploadsAtATime, waiting: uploadsWaitingMax }),
    longWork: new LongWork(),
    fileWork: new FileWork(),
  });
}
