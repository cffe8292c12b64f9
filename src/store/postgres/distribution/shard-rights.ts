// Compares what protects the parts of a spread table, on each server, with what protects the table: its policies, whether they bind its owner,
// and who may do what. A part that differs could be read with a connection to its server, past the wall that the table has.

import type pg from 'pg';
import { defined } from '../../../kit/assert.ts';

/** Who may do what with a relation `c` or one of its columns. */
const grants = (acl: string): string =>
  `SELECT string_agg(concat_ws(' ', coalesce(r.rolname, 'public'), x.privilege_type, x.is_grantable), ',' ORDER BY r.rolname, x.privilege_type)
   FROM aclexplode(${acl}) x LEFT JOIN pg_roles r ON r.oid = x.grantee`;

const rightsText = `md5(concat_ws(';', c.relrowsecurity, c.relforcerowsecurity, pg_get_userbyid(c.relowner),
  (SELECT string_agg(concat_ws(' ', p.polcmd, p.polpermissive,
     (SELECT string_agg(coalesce(r.rolname, 'public'), ',' ORDER BY r.rolname) FROM unnest(p.polroles) o (id) LEFT JOIN pg_roles r ON r.oid = o.id),
     pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), ';' ORDER BY p.polname) FROM pg_policy p WHERE p.polrelid = c.oid),
  (${grants("coalesce(c.relacl, acldefault('r', c.relowner))")}),
  (SELECT string_agg(concat_ws(' ', a.attname, (${grants('a.attacl')})), ';' ORDER BY a.attname) FROM pg_attribute a
   WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped)))`;

const tablesText = `SELECT c.relname AS "table", ${rightsText} AS rights FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid`;

/** The parts that are on the server where it runs, and the tables that stand for all of them there. */
const partsText = `SELECT coalesce(json_agg(json_build_object('table', t.relname, 'part', c.relname, 'rights', ${rightsText})), '[]')
  FROM (SELECT logicalrelid, to_regclass(shard_name(logicalrelid, shardid)) AS id FROM pg_dist_shard
    UNION ALL SELECT logicalrelid, logicalrelid FROM pg_dist_partition) s
  JOIN pg_class c ON c.oid = s.id JOIN pg_class t ON t.oid = s.logicalrelid`;

interface Part {
  readonly table: string;
  readonly part: string;
  readonly rights: string;
}

interface ServerAnswer {
  readonly server: string;
  readonly success: boolean;
  readonly result: string;
}

/** The coordinator is asked as well: it may have parts, and what it shows of others is what clients connect to. */
const askText = `SELECT nodename || ':' || nodeport AS server, success, result FROM run_command_on_workers($1)
  UNION ALL SELECT 'the coordinator', true, (${partsText})::text`;

export interface ShardRights {
  /** How many parts were compared. */
  readonly count: number;
  /** What differs, or could not be compared: server and part. */
  readonly differing: readonly string[];
}

export async function compareShardRights(client: pg.ClientBase): Promise<ShardRights> {
  const { rows } = await client.query<{ table: string; rights: string }>(tablesText);
  const tables = new Map(rows.map(({ table, rights }) => [table, rights]));
  const answers = await client.query<ServerAnswer>(askText, [partsText]);
  let count = 0;
  const differing: string[] = [];
  for (const { server, success, result } of answers.rows) {
    if (!success) {
      differing.push(`${server} did not answer: ${result}`);
      continue;
    }
    const parts = JSON.parse(defined(result, 'a server that answers has a result')) as readonly Part[];
    count += parts.length;
    for (const { table, part, rights } of parts)
      if (rights !== tables.get(table)) differing.push(`${part} at ${server}`);
  }
  return { count, differing };
}

const namedMax = 10;

/** What to tell an operator; undefined if nothing differs. */
export function differenceText({ differing }: ShardRights): string | undefined {
  if (differing.length === 0) return undefined;
  const more = differing.length > namedMax ? ` and ${differing.length - namedMax} more` : '';
  return `What protects these differs from their tables: ${differing.slice(0, namedMax).join(', ')}${more}.`;
}
