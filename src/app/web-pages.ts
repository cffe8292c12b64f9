// Builds the pages for people, with the identity providers of the settings.

import type { Logger } from 'pino';
import type { AppContext } from '../actions/core/context.ts';
import {
  clientOverview,
  overviewQueries,
  type OverviewQuery,
  type OverviewRow,
} from '../actions/people/person-overview.ts';
import { sessionCaller } from '../actions/access/person-caller.ts';
import type { PersonAccess } from '../model/access/person-access.ts';
import type { Config } from './config.ts';
import { reportError } from './error-report.ts';
import { IdentityProviders } from '../gateways/identity-providers.ts';
import { operationsByAddress, type CallApi } from '../surfaces/web/page-api.ts';
import { operations } from '../surfaces/operations.ts';
import { webOperations } from '../surfaces/web/operations.ts';
import type { Budget } from '../surfaces/http/pipeline/budget.ts';
import type { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import type { OpenOperation } from '../surfaces/http/operation/open-operation.ts';
import type { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';

/** The threads that compute overviews, and the limits per person and per tenant. */
interface OverviewCapacity {
  readonly callApi: CallApi;
  readonly threads: ThreadPool;
  readonly budget: Budget;
  readonly reports: InFlight;
}

export function makeWebOperations(
  context: AppContext,
  { config, log }: { readonly config: Config; readonly log: Logger },
  capacity: OverviewCapacity,
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
    readOverview: (access) => readOverview(context, capacity, access),
    callApi: capacity.callApi,
    apiOperations: operationsByAddress(operations),
  });
}

/** Computes the overview like any report: within the person's budget and the workspace's limit of reports, in a thread. */
async function readOverview(
  context: AppContext,
  { threads, budget, reports }: OverviewCapacity,
  access: PersonAccess,
): Promise<readonly OverviewRow[]> {
  await budget.take(sessionCaller(access));
  const tenant = `${access.workspaceId}/${access.environment}`;
  const readClient = (question: OverviewQuery): Promise<readonly OverviewRow[]> => {
    if (threads.count === 0) return clientOverview(context, question);
    const job = { name: 'overview', input: question, now: context.clock.now() };
    const read = threads.runJob<readonly OverviewRow[]>(job, `${tenant}/${question.client}`, () => {});
    // An error loses its class on the way out of a thread: a ping tells whether the database is unavailable.
    return read.catch(async (error: unknown) => {
      await context.stores.ping();
      throw error;
    });
  };
  await reports.enter(access.workspaceId);
  try {
    return (await Promise.all(overviewQueries(access).map(readClient))).flat();
  } finally {
    reports.leave(access.workspaceId);
  }
}
