// What the API reference takes from the demo while the service is tried out: ids that exist, and a token.

import { exampleIdOfResource, type Resource } from '../../kit/resource.ts';
import { application } from '../../model/access/credential.ts';
import type { Caller } from '../../model/access/caller.ts';
import { authFlow } from '../../model/custody/auth-flow.ts';
import { authority } from '../../model/custody/authority.ts';
import { feedRun } from '../../model/custody/feed-run.ts';
import { event } from '../../model/event/event.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { stock } from '../../model/instrument/stock.ts';
import { instrumentClass } from '../../model/instrument/instrument-class.ts';
import { calculationRound } from '../../model/limit/calculation-round.ts';
import { limitBreach } from '../../model/limit/limit-breach.ts';
import { limit } from '../../model/limit/limit.ts';
import { invite } from '../../model/people/invite.ts';
import { account } from '../../model/structure/account.ts';
import { client } from '../../model/structure/client.ts';
import { custodian } from '../../model/structure/custodian.ts';
import { depository } from '../../model/structure/depository.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { demoTenant } from '../access/bootstrap.ts';
import { issueTokenFor, type IssuedToken } from '../access/token.ts';
import type { AppContext } from '../core/context.ts';
import { openReadWork, serviceAuthor } from '../core/work.ts';

/** The resources of which the demo has records; the oldest are those of the family. */
const shownResources: readonly Resource[] = [
  client,
  legalEntity,
  account,
  depository,
  reportingEntity,
  portfolio,
  custodian,
  instrument,
  instrumentClass,
  limit,
  limitBreach,
  calculationRound,
  event,
  authFlow,
  authority,
  feedRun,
  invite,
  application,
];

/** The ids of the examples, each with that of a record of the demo. Empty if there is no demo. */
export async function findDemoIds(context: AppContext): Promise<ReadonlyMap<string, string>> {
  const { store } = openReadWork(context, serviceAuthor(demoTenant));
  const ids = new Map<string, string>();
  for (const resource of shownResources) {
    // Others are instruments that the service provides by itself.
    const where = resource === instrument ? { type: stock.type } : {};
    const [oldest] = await store.table(resource).list({ where, limit: 1 });
    if (oldest !== undefined) ids.set(exampleIdOfResource(resource), oldest.id);
  }
  return ids;
}

/** A token of the oldest application of the demo. Undefined if there is no demo. */
export async function issueDemoToken(
  context: AppContext,
  admit: (caller: Caller) => Promise<void>,
): Promise<IssuedToken | undefined> {
  const { store } = openReadWork(context, serviceAuthor(demoTenant));
  const [oldest] = await store.table(application).list({ limit: 1 });
  const credential = oldest && (await context.stores.preAuth.findApplication(oldest.clientId));
  return credential && issueTokenFor(context, credential, admit);
}
