// The conditions of a list of people in SQL, and the declarations by which memberships and grants are filtered.

import type { AnyChange } from '../../kit/resource.ts';
import { addressKey } from '../../model/people/email-address.ts';
import type { VisibleClients } from '../../model/access/scope.ts';
import type { User, UserStatus } from '../../model/people/user.ts';
import { tenantFilterSql, type OwnedTable } from '../resources/resource-sql.ts';
import type { Value } from '../postgres/statement.ts';

interface PeopleTable extends OwnedTable {
  readonly table: string;
}

export const membershipResource: PeopleTable = {
  type: 'membership',
  table: 'membership',
  owner: { relation: 'client' },
  relations: { client: { to: 'client' } },
};

export const grantResource: PeopleTable = {
  ...membershipResource,
  type: 'read-grant',
  table: 'read_grant',
  relations: { client: { to: 'client' }, reportingEntity: { to: 'reporting-entity' } },
};

/** Conditions on all visible memberships of one person. */
const having: Readonly<Record<UserStatus, string>> = {
  disabled: 'bool_and(t.disabled_at IS NOT NULL)',
  active: 'bool_or(t.joined_at IS NOT NULL AND t.disabled_at IS NULL)',
  invited: `NOT bool_and(t.disabled_at IS NOT NULL) AND NOT bool_or(t.joined_at IS NOT NULL AND t.disabled_at IS NULL)`,
};

/** People with a visible row that meets the condition; rows outside the scope find nobody. */
function isAmong(resource: PeopleTable, visibleClients: VisibleClients['kind'], condition: string): string {
  return `AND t.person_id IN (SELECT t.person_id FROM ${resource.table} t WHERE ${tenantFilterSql(resource, visibleClients)} AND ${condition})`;
}

interface UserConditions {
  readonly conditions: string;
  /** Conditions on all memberships of a person together. */
  readonly groups: readonly string[];
  /** The values of the parameters, which are numbered from `first` on. */
  readonly values: Value[];
}

export function userConditions(
  where: AnyChange,
  { first, visibleClients }: { first: number; visibleClients: VisibleClients['kind'] },
): UserConditions {
  const values: Value[] = [];
  const parameter = (value: unknown): string => `$${first + values.push(value as Value) - 1}`;
  const conditions = Object.entries(where).map(([field, value]) => {
    if (field === 'contactEmail') return `AND t.address_key = ${parameter(addressKey(value as string))}`;
    if (field === 'client') return isAmong(membershipResource, visibleClients, `t.client_id = ${parameter(value)}`);
    if (field !== 'readAccessToReportingEntities') return '';
    return isAmong(grantResource, visibleClients, `t.reporting_entity_id = ${parameter(value)}`);
  });
  const status = where['status'] as UserStatus | undefined;
  return { conditions: conditions.join(' '), groups: status === undefined ? [] : [having[status]], values };
}

/** The position in a list of people: when a person was added, and their id. */
export function userPosition({ id, createdAt }: Pick<User, 'id' | 'createdAt'>): string {
  return `${createdAt} ${id}`;
}
