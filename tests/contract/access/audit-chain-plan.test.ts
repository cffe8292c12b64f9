// How the audit log is verified does not depend on what the database knows about the sizes of its tables.

import { expect, test } from 'vitest';
import { chainAuditLines, verifyAuditChain } from '../../../src/actions/access/audit-chain.ts';
import { observedServiceForThisTest, rowsReadOf } from '../../setup/database/observed-service.ts';

const copies = 3_000;

test('each line is read once to be chained, also by a server that has no statistics yet', async () => {
  const { service, owner, plans } = await observedServiceForThisTest();
  await chainAuditLines(service.context);
  await owner.query(
    `WITH made AS (INSERT INTO audit_entry (workspace_id, environment, id, at, act, subject_type, subject_id)
       SELECT $1, 'production', lpad(to_hex(n), 24, '0'), now(), 'create', 'client', 'x' FROM generate_series(1, ${copies}) n RETURNING id)
     INSERT INTO unchained_audit_entry SELECT $1, 'production', id FROM made`,
    [service.first.workspaceId],
  );
  plans.take();
  expect(await chainAuditLines(service.context)).toBe(copies);
  expect(rowsReadOf('audit_entry', plans.take())).toBe(copies);
});

test('each link is read a few times at most, also by a server that has no statistics yet', async () => {
  const { service, owner, plans } = await observedServiceForThisTest();
  await service.admin.makeClient('Amsel');
  await chainAuditLines(service.context);
  const columns = 'at, act, subject_type, subject_id';
  await owner.query(
    `INSERT INTO audit_entry (workspace_id, environment, id, ${columns})
     SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), ${columns}
     FROM (SELECT * FROM audit_entry LIMIT 1) e, generate_series(1, ${copies}) n`,
  );
  await owner.query(
    `INSERT INTO audit_link SELECT workspace_id, environment, number + 100 + n, lpad(to_hex(n), 24, '0'), hash
     FROM (SELECT * FROM audit_link LIMIT 1) l, generate_series(1, ${copies}) n`,
  );
  plans.take();
  await verifyAuditChain(service.context, { workspaceId: service.first.workspaceId, environment: 'production' });
  const found = plans.take();
  for (const table of ['audit_link', 'audit_entry']) {
    const read = rowsReadOf(table, found);
    expect(read).toBeGreaterThan(copies);
    expect(read).toBeLessThan(5 * copies);
  }
});
