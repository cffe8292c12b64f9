// Every resource that another can refer to, by its type.

import type { Resource } from '../kit/resource.ts';
import { account } from './account.ts';
import { client } from './client.ts';
import { custodian } from './custodian.ts';
import { depository } from './depository.ts';
import { legalEntity } from './legal-entity.ts';
import { portfolio } from './portfolio.ts';
import { reportingEntity } from './reporting-entity.ts';

const resources: readonly Resource[] = [
  client,
  legalEntity,
  account,
  depository,
  reportingEntity,
  portfolio,
  custodian,
];

const byType = new Map(resources.map((resource) => [resource.type, resource]));

export function resourceOf(type: string): Resource {
  const resource = byType.get(type);
  if (resource === undefined) throw new Error(`No resource ${type} is declared to be referred to.`);
  return resource;
}
