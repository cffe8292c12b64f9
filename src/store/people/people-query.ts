// Whom a list of people is asked for, in SQL, and what the walls need to know of memberships and grants.

import type { AnyChange, Resource } from '../../kit/resource.ts';
import { addressKey } from '../../model/people/email-address.ts';
import type { VisibleClients } from '../../model/access/scope.ts';
import type { User, UserStatus } from '../../model/people/user.ts';
import { tenantFilterSql } from '../resources/resource-sql.ts';
import type { Value } from '../postgres/statement.ts';

export const membershipResource = {
  type: 'membership',
  table: 'membership',
  owner: { relation: 'client' },
  attributes: {},
  relations: { client: { to: 'client' } },
} as unknown as Resource;

export const grantResource = {
  ...membershipResource,
  type: 'read-grant',
  table: 'read_grant',
  relations: { client: { to: 'client' }, reportingEntity: { to: 'reporting-entity' } },
} as unknown as Resource;

/** Over all memberships in reach of one person. */
const having: Readonly<Record<UserStatus, string>> = {
  disabled: 'bool_and(t.disabled_at IS NOT NULL)',
  active: 'bool_or(t.joined_at IS NOT NULL AND t.disabled_at IS NULL)',
  invited: `NOT bool_and(t.disabled_at IS NOT NULL) AND NOT bool_or(t.joined_at IS NOT NULL AND t.disabled_at IS NULL)`,
};

/** Who is in reach of a table through one value of a column: by what is out of reach nobody is found. */
function isAmong(resource: Resource, visibleClients: VisibleClients['kind'], condition: string): string {
  return `AND t.person_id IN (SELECT t.person_id FROM ${resource.table} t WHERE ${tenantFilterSql(resource, visibleClients)} AND ${condition})`;
}

interface UserConditions {
  readonly conditions: string;
  /** Those on all memberships of a person together. */
  readonly groups: readonly string[];
  /** Of the parameters from the first on. */
  readonly values: Value[];
}

export function userConditions(
  where: AnyChange,
  { first, visibleClients }: { first: number; visibleClients: VisibleClients['kind'] },
): UserConditions {
  const values: Value[] = [];
  const parameter = (value: unknown): string => `$${first + values.push(value as Value) - 1}`;
  const conditions = Object.entries(where).map(([field, value]) => {
    if (field === 'contactEmail') return `AND p.address_key = ${parameter(addressKey(value as string))}`;
    if (field === 'client') return isAmong(membershipResource, visibleClients, `t.client_id = ${parameter(value)}`);
    if (field !== 'readAccessToReportingEntities') return '';
    return isAmong(grantResource, visibleClients, `t.reporting_entity_id = ${parameter(value)}`);
  });
  const status = where['status'] as UserStatus | undefined;
  return { conditions: conditions.join(' '), groups: status === undefined ? [] : [having[status]], values };
}

/** Where a list goes on: after somebody who was added at a moment. */
export function userPosition({ id, createdAt }: Pick<User, 'id' | 'createdAt'>): string {
  return `${createdAt} ${id}`;
}
