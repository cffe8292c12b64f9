// What rounds cost the database does not grow with how many clients wait for theirs, however little its statistics know of them.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectPlans, reportPlans } from '../../../tests/setup/database/observed-plans.ts';
import { makeDatabase, startTestService, type TestService } from '../../../tests/setup/node/test-service.ts';
import { takeRounds } from '../../actions/rounds/round.ts';
import { assert } from '../../kit/assert.ts';
import { isId, type Id } from '../../kit/id.ts';

const waiting = 3_000;
const plans = collectPlans();
let service: TestService;
let database: pg.Client;
let clients: readonly Id[];

beforeAll(async () => {
  const made = await makeDatabase();
  database = new pg.Client({ connectionString: made.url });
  await database.connect();
  await reportPlans(database, made);
  service = await startTestService({ database: made });
  const { id } = await service.admin
    .post('/v1/clients', { name: 'First', reference_currency: 'CHF' })
    .then(({ body }) => body);
  await database.query(
    `INSERT INTO client SELECT (jsonb_populate_record(c, jsonb_build_object('id', k.id, 'path', ARRAY[k.id]))).*
     FROM client c, (SELECT lpad(to_hex(n), 24, '0') AS id FROM generate_series(1, ${waiting}) n) k WHERE c.id = $1`,
    [id],
  );
  const { rows } = await database.query(`SELECT id FROM client WHERE id < '1' ORDER BY id`);
  clients = rows.map((row) => {
    assert(isId(row.id), 'clients have ids');
    return row.id;
  });
});

afterAll(async () => {
  plans.stop();
  await service.stop();
  await database.end();
});

test('a batch of rounds reads the flags of its clients alone', async () => {
  await database.query('DELETE FROM round_mark');
  // As it is most of the time: nobody waits.
  await database.query('VACUUM (ANALYZE) round_mark');
  await database.query(
    `INSERT INTO round_mark SELECT workspace_id, environment, id, $1, ARRAY['price'] FROM client WHERE id < '1'`,
    [new Date(service.clock.now() - 60_000)],
  );
  const { workspace_id: workspaceId, environment } = (await service.admin.get('/v1/me')).body;
  plans.take();
  const [first, ...others] = clients
    .slice(1_000, 1_032)
    .map((client) => ({ tenant: { workspaceId, environment }, client }));
  const taken = await takeRounds(service.context, [first!, ...others], 2_000);
  expect(taken.map((lease) => lease?.round.client)).toEqual([first!, ...others].map(({ client }) => client));
  const read = plans.take().flatMap(({ scans }) => scans.filter(({ table }) => table === 'round_mark'));
  expect(read.length).toBeGreaterThan(0);
  expect(Math.max(...read.map(({ rows }) => rows))).toBeLessThanOrEqual(32);
});
