// What rounds cost the database does not grow with how many clients wait for theirs, however little its statistics know of them.

import { expect, test } from 'vitest';
import { observedServiceForThisTest, rowsReadOf } from '../../../tests/setup/database/observed-service.ts';
import { takeRounds } from '../../actions/rounds/round.ts';
import { assert } from '../../kit/assert.ts';
import { isId } from '../../kit/id.ts';

const waiting = 3_000;
const taken = 32;

test('a batch of rounds reads the flags of its clients alone', async () => {
  const { service, owner, plans } = await observedServiceForThisTest();
  const { body } = await service.admin.post('/v1/clients', { name: 'First', reference_currency: 'CHF' });
  await owner.query(
    `INSERT INTO client SELECT (jsonb_populate_record(c, jsonb_build_object('id', k.id, 'path', ARRAY[k.id]))).*
     FROM client c, (SELECT lpad(to_hex(n), 24, '0') AS id FROM generate_series(1, ${waiting}) n) k WHERE c.id = $1`,
    [body.id],
  );
  await owner.query('DELETE FROM round_mark');
  // As it is most of the time: nobody waits.
  await owner.query('VACUUM (ANALYZE) round_mark');
  const { rows } = await owner.query(
    `INSERT INTO round_mark SELECT workspace_id, environment, id, $1, ARRAY['price'] FROM client WHERE id < '1' ORDER BY id
     RETURNING client_id`,
    [new Date(service.clock.now() - 60_000)],
  );
  const { workspace_id: workspaceId, environment } = (await service.admin.get('/v1/me')).body;
  const [first, ...others] = rows.slice(1_000, 1_000 + taken).map(({ client_id: client }) => {
    assert(isId(client), 'clients have ids');
    return { tenant: { workspaceId, environment }, client };
  });
  plans.take();
  const leases = await takeRounds(service.context, [first!, ...others], 2_000);
  expect(leases.map((lease) => lease?.round.client)).toEqual([first!, ...others].map(({ client }) => client));
  expect(rowsReadOf('round_mark', plans.take())).toBe(taken);
});
