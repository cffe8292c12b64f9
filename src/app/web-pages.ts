// Builds the console: the identity providers of the settings, and the pages that people sign in on.

import type { Logger } from 'pino';
import type { House } from '../actions/core/context.ts';
import {
  overviewOfClient,
  overviewQuestions,
  type OverviewQuestion,
  type OverviewRow,
} from '../actions/people/person-overview.ts';
import { callerInSession, type PersonStanding } from '../actions/access/person-caller.ts';
import type { Config } from './config.ts';
import { reportError } from './error-report.ts';
import { IdentityProviders } from '../gateways/identity-providers.ts';
import { consoleOperations } from '../surfaces/web/operations.ts';
import type { Budget } from '../surfaces/http/pipeline/budget.ts';
import type { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import type { OpenOperation } from '../surfaces/http/operation/open-operation.ts';
import type { Threads } from '../surfaces/http/threads/thread-pool.ts';

/** Who works figures out, and how much of that one person and one tenant may have done. */
export interface ConsoleLanes {
  readonly threads: Threads;
  readonly budget: Budget;
  readonly reports: InFlight;
}

export function makeConsole(
  house: House,
  { config, log }: { readonly config: Config; readonly log: Logger },
  lanes: ConsoleLanes,
): readonly OpenOperation[] {
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
    readOverview: (standing) => readOverview(house, lanes, standing),
  });
}

/** Worked out like any report: within the person's budget, in line with the reports of their workspace, in a thread. */
async function readOverview(
  house: House,
  { threads, budget, reports }: ConsoleLanes,
  standing: PersonStanding,
): Promise<readonly OverviewRow[]> {
  await budget.take(callerInSession(standing));
  const tenant = `${standing.workspaceId}/${standing.environment}`;
  const readOf = (question: OverviewQuestion): Promise<readonly OverviewRow[]> => {
    if (threads.count === 0) return overviewOfClient(house, question);
    const job = { name: 'overview', input: question, now: house.clock.now() };
    const read = threads.work<readonly OverviewRow[]>(job, `${tenant}/${question.client}`, () => {});
    // What a thread fails with comes without its kind: whether the database is away is asked anew.
    return read.catch(async (error: unknown) => {
      await house.database.ping();
      throw error;
    });
  };
  await reports.enter(tenant);
  try {
    return (await Promise.all(overviewQuestions(standing).map(readOf))).flat();
  } finally {
    reports.leave(tenant);
  }
}
