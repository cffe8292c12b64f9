// Builds the console: the identity providers of the settings, and the pages that people sign in on.

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
import { webOperations } from '../surfaces/web/operations.ts';
import type { Budget } from '../surfaces/http/pipeline/budget.ts';
import type { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import type { OpenOperation } from '../surfaces/http/operation/open-operation.ts';
import type { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';

/** Who works figures out, and how much of that one person and one tenant may have done. */
export interface OverviewCapacity {
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
      log.warn({ error: reportError(fault), provider }, 'somebody could not sign in with an identity provider'),
    readOverview: (access) => readOverview(context, capacity, access),
  });
}

/** Worked out like any report: within the person's budget, in line with the reports of their workspace, in a thread. */
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
    // What a thread fails with comes without its kind: whether the database is away is asked anew.
    return read.catch(async (error: unknown) => {
      await context.stores.ping();
      throw error;
    });
  };
  await reports.enter(tenant);
  try {
    return (await Promise.all(overviewQueries(access).map(readClient))).flat();
  } finally {
    reports.leave(tenant);
  }
}
