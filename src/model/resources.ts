// Every resource that a relation can lead to, by its type.

import type { Resource } from '../kit/resource.ts';
import { account } from './structure/account.ts';
import { authFlow, authFlowFile } from './custody/auth-flow.ts';
import { authority } from './custody/authority.ts';
import { feedRun } from './custody/feed-run.ts';
import { calculationRound } from './limit/calculation-round.ts';
import { client } from './structure/client.ts';
import { custodian } from './structure/custodian.ts';
import { delivery } from './event/delivery.ts';
import { depository } from './structure/depository.ts';
import { event } from './event/event.ts';
import { invite } from './people/invite.ts';
import { importProfile } from './custody/import-profile.ts';
import { instrumentClass } from './instrument/instrument-class.ts';
import { builtInTypes } from './instrument/built-in.ts';
import { instrument, instrumentTypes } from './instrument/instrument.ts';
import { legalEntity } from './structure/legal-entity.ts';
import { limit } from './limit/limit.ts';
import { portfolio } from './structure/portfolio.ts';
import { reportingEntity } from './structure/reporting-entity.ts';
import { transaction } from './ledger/transaction.ts';
import { user } from './people/user.ts';
import { webhook } from './event/webhook.ts';

export const resources: readonly Resource[] = [
  client,
  legalEntity,
  account,
  depository,
  reportingEntity,
  portfolio,
  custodian,
  authority,
  authFlow,
  authFlowFile,
  importProfile,
  feedRun,
  instrumentClass,
  instrument,
  ...instrumentTypes,
  ...builtInTypes,
  transaction,
  limit,
  user,
  invite,
  calculationRound,
  event,
  webhook,
  delivery,
];

const resourcesByType = new Map(resources.map((resource) => [resource.type, resource]));

/** The variants of the resource of a type; undefined where it has none. */
export function findVariants(type: string): Resource['variants'] {
  return resourcesByType.get(type)?.variants;
}

export function getResource(type: string): Resource {
  const resource = resourcesByType.get(type);
  if (resource === undefined) throw new Error(`No resource ${type} is declared to be referred to.`);
  return resource;
}
