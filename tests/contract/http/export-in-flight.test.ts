// A slow export counts as work in flight until its last line was read or its caller has gone.

import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeAccounts, makeHousehold } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile({ settings: { BUDGET_IN_FLIGHT: '1' } });

/** Books more rows than the connection buffers for a caller that does not read. */
async function bookManyRows(): Promise<string> {
  const household = await makeHousehold(service.admin);
  const [account] = await makeAccounts(service.admin, household, 1);
  await runSql(
    service.database,
    `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, kind,
       type, date, amount, currency, value, unexplained, comment, source, created_at)
     SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), n, created_at, 1, client_id, id, 'flow', 'deposit',
       date '2026-01-05', 1, 'CHF', 0, 0, repeat('long ', 4000), 'manual', created_at
     FROM account, generate_series(1, 2000) n WHERE id = $1`,
    [account],
  );
  return `/v1/transactions?account_id=${account}`;
}

/** Returns an answer of which only the beginning was read. */
function startExport(path: string): Promise<IncomingMessage> {
  const { address, token } = service.admin;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/csv' };
    request(address + path, { headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}

test('other requests of the tenant wait for it, those of other tenants do not, and an abandoned export frees its slot', async () => {
  const { admin } = service;
  const other = await service.openWorkspace();
  const path = await bookManyRows();
  for (const ending of ['given up', 'taken to the end']) {
    const order: string[] = [];
    const file = await startExport(path);
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    const behind = admin.get('/v1/clients').then(({ status }) => order.push(`behind it ${status}`));
    for (let count = 0; count < 3; count++) order.push(`elsewhere ${(await other.get('/v1/clients')).status}`);
    if (ending === 'given up') file.destroy();
    else for await (const piece of file) void piece;
    await behind;
    expect(order).toEqual(['elsewhere 200', 'elsewhere 200', 'elsewhere 200', 'behind it 200']);
  }
});
