// The statements of people and memberships whose text does not depend on the scope.

import type { Id } from '../../kit/id.ts';
import { sql } from '../postgres/statement.ts';

export const insertPerson = sql(
  'people/insert-person',
  `INSERT INTO person (workspace_id, environment, id, contact_email, address_key, created_at) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment, id) DO NOTHING`,
);
export const insertMembership = sql(
  'people/insert-membership',
  `WITH former AS (DELETE FROM disabled_former_member
     WHERE workspace_id = $1 AND environment = $2 AND client_id = $3 AND person_id = $4 RETURNING disabled_at)
   INSERT INTO membership (workspace_id, environment, client_id, person_id, first_name, last_name, role, created_at,
     contact_email, address_key, disabled_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9, $10, (SELECT disabled_at FROM former) RETURNING 1`,
);
export const insertGrants = sql(
  'people/insert-grants',
  `INSERT INTO read_grant (workspace_id, environment, client_id, person_id, reporting_entity_id)
   SELECT $1, $2, r.client_id, $3, r.id FROM reporting_entity r
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id = ANY ($4::text[]) ORDER BY r.id ON CONFLICT DO NOTHING`,
);
export const changeAddress = sql(
  'people/change-address',
  'UPDATE person SET contact_email = $4, address_key = $5 WHERE workspace_id = $1 AND environment = $2 AND id = $3',
);
export const changeWrittenAddress = sql(
  'people/change-written-address',
  'UPDATE membership SET contact_email = $4, address_key = $5 WHERE workspace_id = $1 AND environment = $2 AND person_id = $3',
);
/** Disables the memberships of a person at clients where another one was disabled. */
export const disableLike = sql(
  'people/disable-like',
  `UPDATE membership m SET disabled_at = coalesce(m.disabled_at, d.disabled_at) FROM disabled_former_member d
   WHERE m.workspace_id = $1 AND m.environment = $2 AND m.person_id = $3
     AND d.workspace_id = $1 AND d.environment = $2 AND d.person_id = $4 AND d.client_id = m.client_id`,
);
export const inheritDisabled = sql(
  'people/inherit-disabled',
  `WITH former AS (DELETE FROM disabled_former_member
     WHERE workspace_id = $1 AND environment = $2 AND person_id = $4 RETURNING client_id, disabled_at)
   INSERT INTO disabled_former_member (workspace_id, environment, client_id, person_id, disabled_at)
   SELECT $1, $2, f.client_id, $3, f.disabled_at FROM former f
   WHERE NOT EXISTS (SELECT FROM membership m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.client_id = f.client_id
     AND m.person_id = $3) ON CONFLICT DO NOTHING`,
);
export const findPersonByAddress = sql<{ id: Id | null; environmentAt: number }>(
  'people/by-address',
  `SELECT p.id, e.created_at AS "environmentAt" FROM environment e
   LEFT JOIN person p ON p.workspace_id = $1 AND p.environment = $2 AND p.address_key = $3
   WHERE e.workspace_id = $1 AND e.environment = $2`,
);
export const dropPerson = sql(
  'people/drop-person',
  `DELETE FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id = $3
   AND NOT EXISTS (SELECT FROM membership m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.person_id = $3)
   AND NOT EXISTS (SELECT FROM workspace_administrator a WHERE a.workspace_id = $1 AND a.environment = $2 AND a.person_id = $3)`,
);
export const lockMembers = sql<{ id: Id }>(
  'people/lock-members',
  `SELECT p.id FROM person p WHERE p.workspace_id = $1 AND p.environment = $2 AND p.id IN (SELECT m.person_id FROM membership m
     WHERE m.workspace_id = $1 AND m.environment = $2 AND m.client_id = $3) ORDER BY p.id FOR UPDATE OF p`,
);
export const removeMembership = sql(
  'people/remove-membership',
  'DELETE FROM membership WHERE workspace_id = $1 AND environment = $2 AND client_id = $3 AND person_id = $4',
);
export const join = sql(
  'people/join',
  `UPDATE membership SET joined_at = coalesce(joined_at, $5), role = $6
   WHERE workspace_id = $1 AND environment = $2 AND client_id = $3 AND person_id = $4`,
);
