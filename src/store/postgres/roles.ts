// The two database roles that requests run in: created if missing, and checked at every start. They cannot log in, except
// where a server can spread tables over others; the login role is a member of both.

import pg from 'pg';
import { defined } from '../../kit/assert.ts';

/** The database cannot be used until its operator has done what the message says. */
export class DatabaseUnfit extends Error {
  override readonly name = 'DatabaseUnfit';
}

export const serviceRole = 'holdfast_service';
export const preAuthRole = 'holdfast_pre_auth';

/** From PostgreSQL 16 on, the creator of a role administers it but cannot act in it without a grant. */
const putRoles = `
DO $$
DECLARE
  role_name text;
  with_both text := CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'WITH INHERIT TRUE, SET TRUE' ELSE '' END;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['${serviceRole}', '${preAuthRole}'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', role_name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- another database of this server is being migrated at the same moment
      END;
    END IF;
    EXECUTE format('GRANT %I TO CURRENT_USER %s', role_name, with_both);
  END LOOP;
END $$`;

/** Acting in a role needs SET; the tables' policies apply through inheritance, which needs USAGE. */
const roleCheckText = `
SELECT current_user AS login, count(r.oid) = 2 AND bool_and(
    pg_has_role(current_user, r.oid, CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)
    AND pg_has_role(current_user, r.oid, 'USAGE')) AS is_member,
  coalesce(bool_or(r.rolsuper OR r.rolbypassrls), false) AS is_too_strong, coalesce(bool_or(r.rolcanlogin), false) AS can_login
FROM pg_roles r WHERE r.rolname IN ('${serviceRole}', '${preAuthRole}')`;

interface RoleCheck {
  readonly login: string;
  readonly is_member: boolean | null;
  readonly is_too_strong: boolean;
  readonly can_login: boolean;
}

async function readRoleCheck(client: pg.Client): Promise<RoleCheck> {
  return defined((await client.query<RoleCheck>(roleCheckText)).rows[0], 'an aggregate returns one row');
}

/** Needs a transaction. Servers that spread tables reach each other in these roles, so there they log in; `pg_hba.conf` says from where. */
export async function ensureRoles(client: pg.Client, { mayLogIn = false } = {}): Promise<void> {
  if ((await readRoleCheck(client)).is_member !== true) await tryPutRoles(client);
  const fault = await findRoleFault(client, { mayLogIn });
  if (fault !== undefined) throw fault;
}

/** What is wrong with the roles, if anything is. */
export async function findRoleFault(client: pg.Client, { mayLogIn = false } = {}): Promise<DatabaseUnfit | undefined> {
  const { login, is_member: isMember, is_too_strong: isTooStrong, can_login: canLogIn } = await readRoleCheck(client);
  if (isMember !== true) return unfitMember(login, mayLogIn);
  return isTooStrong || (canLogIn && !mayLogIn) ? unfitRoles() : undefined;
}

/** Whether a start would make or grant the roles by itself: tries it, and rolls it back. */
export async function canPutRoles(client: pg.Client, { mayLogIn = false } = {}): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await ensureRoles(client, { mayLogIn });
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnfit || error instanceof pg.DatabaseError) return false;
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}

async function tryPutRoles(client: pg.Client): Promise<void> {
  await client.query('SAVEPOINT roles');
  try {
    await client.query(putRoles);
  } catch (error) {
    if (!isDenied(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT roles');
  }
}

export function isDenied(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '42501';
}

/** Servers that spread tables reach each other in these roles, so that they log in there; Citus makes on its workers what its coordinator makes. */
function unfitMember(login: string, mayLogIn: boolean): DatabaseUnfit {
  const attribute = mayLogIn ? 'LOGIN' : 'NOLOGIN';
  const name = pg.escapeIdentifier(login);
  return new DatabaseUnfit(
    `The database role ${name} may not act as ${serviceRole} and ${preAuthRole}. Let a superuser run this once on that server ` +
      `(leave out what is there already), or give ${name} the attribute CREATEROLE where the two do not exist yet:\n` +
      `  CREATE ROLE ${serviceRole} ${attribute};\n  CREATE ROLE ${preAuthRole} ${attribute};\n` +
      `  ALTER ROLE ${name} INHERIT;\n  GRANT ${serviceRole}, ${preAuthRole} TO ${name};`,
  );
}

function unfitRoles(): DatabaseUnfit {
  return new DatabaseUnfit(
    `The roles ${serviceRole} and ${preAuthRole} must not be able to log in or to bypass row-level security. Let a superuser run:\n` +
      `  ALTER ROLE ${serviceRole} NOLOGIN NOSUPERUSER NOBYPASSRLS;\n  ALTER ROLE ${preAuthRole} NOLOGIN NOSUPERUSER NOBYPASSRLS;`,
  );
}
