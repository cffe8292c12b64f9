// Reports of a large account are the same from its rows and from its packed copy, which the first report of a node writes.

import { expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
const rowCount = 20_000;

test('another node answers from the copy and what was booked since', async () => {
  const { admin, database, clock } = service;
  const { legalEntity, reportingEntity } = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
  const deposit = (amount: string): Promise<string> =>
    makeRecord(admin, 'transactions', { type: 'deposit', account_id: account, date: '2026-03-02', amount });
  const first = await deposit('100.5');
  await runSql(
    database,
    `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, kind, type,
       date, amount, currency, value, unexplained, source, created_at)
     SELECT workspace_id, environment, lpad(n::text, 24, '0'), sequence + n, known_from, opened_version, client_id, account_id, kind, type,
       date '2026-01-01' + n % 300, n, currency, value, unexplained, source, created_at
     FROM transaction t, generate_series(1, ${rowCount}) n WHERE t.id = '${first}'`,
  );
  await runSql(database, `UPDATE booking_count SET last_sequence = last_sequence + ${rowCount}`);

  const holdings = `/v1/holdings?reporting_entity_id=${reportingEntity}&as_of=2026-12-31`;
  const fromRows = await admin.get(holdings);
  expect(fromRows.status).toBe(200);
  const copies = (): Promise<object[]> =>
    runSql(database, 'SELECT account_id AS account, row_count AS rows FROM ledger_copy');
  await expect.poll(copies).toEqual([{ account, rows: rowCount + 1 }]);

  const other = await serviceForThisTest({ database, clock });
  expect((await other.admin.get(holdings)).text).toBe(fromRows.text);
  // What the rows say now is not what a version has told of: a node that reads them would answer otherwise.
  await runSql(database, `UPDATE transaction SET amount = 0 WHERE id = '${first}'`);
  const third = await serviceForThisTest({ database, clock });
  expect((await third.admin.get(holdings)).text).toBe(fromRows.text);

  await deposit('7.25');
  const fourth = await serviceForThisTest({ database, clock });
  const [late, early] = [await fourth.admin.get(holdings), await admin.get(holdings)];
  expect(late.text).toBe(early.text);
  expect(late.text).not.toBe(fromRows.text);
});
