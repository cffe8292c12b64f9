// What a person has access to at this moment: memberships and read grants, looked up with every request before the tenant is entered.

import { hasAccess, type PersonAccess } from '../../model/access/person-access.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import type { PreAuthRead } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

export interface PersonLocator extends Pick<Scope, 'workspaceId' | 'environment'> {
  readonly personId: string;
}

/** The rows of the person's environment, in the workspace $1. */
const sameTenant = (one: string, other: string): string =>
  `${one}.workspace_id = $1 AND ${one}.environment = ${other}.environment`;

/** The row of a person `p` as an administrator who has used their link. */
const administratorRow = `workspace_administrator a WHERE ${sameTenant('a', 'p')} AND a.person_id = p.id AND a.joined_at IS NOT NULL`;

/** A membership is active once the person has joined and while it is not disabled. */
const isActive = 'm.joined_at IS NOT NULL AND m.disabled_at IS NULL';

/** The columns of a `PersonAccessRow`, selected from a row `p` of person in the workspace $1. */
export const personAccessColumns = `p.workspace_id AS "workspaceId", p.environment, p.id AS "personId", p.contact_email AS email,
  ARRAY(SELECT concat_ws(' ', nullif(m.first_name, ''), nullif(m.last_name, '')) FROM membership m
    WHERE ${sameTenant('m', 'p')} AND m.person_id = p.id AND ${isActive} ORDER BY m.created_at, m.client_id LIMIT 1) AS names,
  (SELECT concat_ws(' ', nullif(a.first_name, ''), nullif(a.last_name, '')) FROM ${administratorRow}) AS "administratorName",
  ARRAY(SELECT json_build_object('clientId', m.client_id, 'role', m.role, 'clientPath', c.path)::text
    FROM membership m JOIN client c ON ${sameTenant('c', 'm')} AND c.id = m.client_id
    WHERE ${sameTenant('m', 'p')} AND m.person_id = p.id AND ${isActive} ORDER BY m.client_id) AS memberships,
  ARRAY(SELECT json_build_object('reportingEntityId', g.reporting_entity_id, 'clientId', m.client_id, 'role', m.role)::text
    FROM membership m JOIN read_grant g ON ${sameTenant('g', 'm')} AND g.client_id = m.client_id AND g.person_id = m.person_id
    WHERE ${sameTenant('m', 'p')} AND m.person_id = p.id AND ${isActive} ORDER BY g.reporting_entity_id) AS grants`;

export interface PersonAccessRow {
  readonly workspaceId: Scope['workspaceId'];
  readonly environment: Environment;
  readonly personId: string;
  readonly email: string;
  readonly names: readonly string[];
  /** Null for a person who is no administrator. */
  readonly administratorName: string | null;
  /** Each as JSON. */
  readonly memberships: readonly string[];
  readonly grants: readonly string[];
}

/** Undefined for a person who has no active membership and is no administrator. */
export function toPersonAccess(row: PersonAccessRow | undefined): PersonAccess | undefined {
  if (row === undefined) return undefined;
  const { workspaceId, environment, personId, email, names, administratorName, memberships, grants } = row;
  const access: PersonAccess = {
    workspaceId,
    environment,
    personId,
    email,
    name: names[0] ?? administratorName ?? '',
    isWorkspaceAdministrator: administratorName !== null,
    memberships: memberships.map((one) => JSON.parse(one)),
    grants: grants.map((one) => JSON.parse(one)),
  };
  return hasAccess(access) ? access : undefined;
}

const find = sql<PersonAccessRow>(
  'standing/find',
  `SELECT ${personAccessColumns} FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id = $3`,
);

export async function findPersonAccess(read: PreAuthRead, person: PersonLocator): Promise<PersonAccess | undefined> {
  const { rows } = await read(find, [person.workspaceId, person.environment, person.personId], person.workspaceId);
  return toPersonAccess(rows[0]);
}
