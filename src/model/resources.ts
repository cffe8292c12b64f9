// Every resource that another can refer to, by its type.

import type { Resource } from '../kit/resource.ts';
import { account } from './account.ts';
import { calculationRound } from './calculation-round.ts';
import { client } from './client.ts';
import { custodian } from './custodian.ts';
import { delivery } from './delivery.ts';
import { depository } from './depository.ts';
import { event } from './event.ts';
import { invite } from './invite.ts';
import { instrumentClass } from './instrument-class.ts';
import { instrument, instrumentTypes } from './instrument.ts';
import { legalEntity } from './legal-entity.ts';
import { limit } from './limit.ts';
import { portfolio } from './portfolio.ts';
import { reportingEntity } from './reporting-entity.ts';
import { transaction } from './transaction.ts';
import { user } from './user.ts';
import { webhook } from './webhook.ts';

export const resources: readonly Resource[] = [
  client,
  legalEntity,
  account,
  depository,
  reportingEntity,
  portfolio,
  custodian,
  instrumentClass,
  instrument,
  ...instrumentTypes,
  transaction,
  limit,
  user,
  invite,
  calculationRound,
  event,
  webhook,
  delivery,
];

const byType = new Map(resources.map((resource) => [resource.type, resource]));

/** The declarations of the types that what a relation leads to comes in; none where it is of one type. */
export function variantsOf(type: string): Resource['variants'] {
  return byType.get(type)?.variants;
}

export function resourceOf(type: string): Resource {
  const resource = byType.get(type);
  if (resource === undefined) throw new Error(`No resource ${type} is declared to be referred to.`);
  return resource;
}
