// How the audit log is verified does not depend on what the database knows about the sizes of its tables.

import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { chainAuditLines, verifyAuditChain } from '../../../src/actions/access/audit-chain.ts';
import { collectPlans, reportPlans } from '../../setup/database/observed-plans.ts';
import { makeDatabase, startTestService } from '../../setup/node/test-service.ts';

const copies = 3_000;

test('each link is read a few times at most, also by a server that has no statistics yet', async () => {
  const database = await makeDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await reportPlans(admin, database);
  const plans = collectPlans();
  const service = await startTestService({ database });
  onTestFinished(async () => {
    plans.stop();
    await admin.end();
    await service.stop();
    await database.drop();
  });
  await service.admin.makeClient('Amsel');
  await chainAuditLines(service.context);
  const columns = 'at, act, subject_type, subject_id';
  await admin.query(
    `INSERT INTO audit_entry (workspace_id, environment, id, ${columns})
     SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), ${columns}
     FROM (SELECT * FROM audit_entry LIMIT 1) e, generate_series(1, ${copies}) n`,
  );
  await admin.query(
    `INSERT INTO audit_link SELECT workspace_id, environment, number + 100 + n, lpad(to_hex(n), 24, '0'), hash
     FROM (SELECT * FROM audit_link LIMIT 1) l, generate_series(1, ${copies}) n`,
  );
  plans.take();
  await verifyAuditChain(service.context, { workspaceId: service.first.workspaceId, environment: 'production' });
  const scans = plans.take().flatMap((plan) => plan.scans);
  const read = scans.filter(({ table }) => table === 'audit_link').reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBeGreaterThan(copies);
  expect(read).toBeLessThan(5 * copies);
});
