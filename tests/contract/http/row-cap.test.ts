// Lists of v2 and v3 are complete up to a cap, and a truncated list says so.

import { beforeAll, describe, expect, test } from 'vitest';
import { openReadWork, readInSnapshot, serviceAuthor } from '../../../src/actions/core/work.ts';
import type { Id } from '../../../src/kit/id.ts';
import { allClients } from '../../../src/model/access/scope.ts';
import { client } from '../../../src/model/structure/client.ts';
import { sql } from '../../../src/store/postgres/statement.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const paths = ['/api/v2/clients', '/v2/clients'];
const service = serviceForThisFile();
let scoped: Caller;
let top: string;

/** Children of one client, with ids from `from` to `to`. */
async function insertChildren({ from, to }: { from: number; to: number }): Promise<void> {
  await runSql(
    service.database,
    `INSERT INTO client (workspace_id, environment, id, parent_id, path, name, reference_currency, accounting_method, created_at)
     SELECT workspace_id, environment, child, id, path || child, 'Child', 'EUR', 'FIFO', created_at
     FROM client, generate_series($2::bigint, $3) AS number, concat('ffff', lpad(to_hex(number), 20, '0')) AS child WHERE id = $1`,
    [top, from, to],
  );
}

beforeAll(async () => {
  top = await service.admin.makeClient('Top');
  scoped = await service.admin.becomeApplication({ scoped_to: top });
  await insertChildren({ from: 1, to: 9_999 });
});

test.each(paths)('%s returns 10,000 rows completely', async (path) => {
  const { body } = await service.admin.get(path);
  expect(Object.keys(body)).toEqual(['data']);
  expect(body.data).toHaveLength(10_000);
  expect(new Set(body.data.map(({ id }: { id: string }) => id)).size).toBe(10_000);
});

test.each(paths)('%s truncates after 10,000 rows, and says so', async (path) => {
  await insertChildren({ from: 10_000 + paths.indexOf(path), to: 10_000 + paths.indexOf(path) });
  const { body } = await service.admin.get(path);
  expect(body.meta).toEqual({ truncated: true, cap: 10_000, total: 10_001 + paths.indexOf(path) });
  expect(body.data).toHaveLength(10_000);
  expect(body.data[0].id).toBe(top);
});

test('the total of a truncated list counts only what its caller can see', async () => {
  await service.admin.makeClient('Not below');
  expect((await scoped.get('/api/v2/clients')).body.meta).toEqual({ truncated: true, cap: 10_000, total: 10_002 });
  expect((await scoped.get('/v2/clients')).body).toMatchObject({ data: [{ id: top }] });
  expect((await scoped.get('/v2/clients')).body).not.toHaveProperty('meta');
});

describe('the database reads each row a few times, and not all rows for each', () => {
  const countRowsRead = sql<{ count: number }>(
    'test/count-rows-read',
    'SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS count FROM pg_stat_xact_user_tables',
  );

  test.each(paths.flatMap((path) => (['all', 'tree'] as const).map((visible) => [path, visible] as const)))(
    '%s, for a caller who sees %s',
    async (path, visible) => {
      const { context, first } = service;
      const author = serviceAuthor(first);
      const visibleClients = visible === 'all' ? allClients : { kind: visible, clientId: top as Id };
      const { wire } = operations.find((operation) => operation.method === 'GET' && operation.path === path)!;
      const work = openReadWork(context, {
        ...author,
        scope: { ...author.scope, visibleClients },
        fields: wire.shownFields,
      });
      const [rows, rowsRead] = await readInSnapshot(work, async ({ store }) => {
        const count = async (): Promise<number> => (await store.run(countRowsRead, [])).rows[0]!.count;
        const before = await count();
        const { length } = await store.table(client).list({ limit: 10_001 });
        return [length, (await count()) - before];
      });
      expect(rows).toBeGreaterThanOrEqual(10_000);
      expect(rowsRead).toBeGreaterThanOrEqual(rows);
      expect(rowsRead).toBeLessThan(10 * rows);
    },
  );
});
