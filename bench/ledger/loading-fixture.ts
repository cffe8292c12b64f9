// Seeds the loading benchmark with SQL: one account with very many transactions and a hundred with a few.

import type pg from 'pg';
import type { Id } from '../../src/kit/id.ts';
import type { Environment } from '../../src/model/access/scope.ts';

function idOf(letter: string, number: number): Id {
  return `${letter}${number.toString(16).padStart(23, '0')}` as Id;
}

export const ledgerTenant = { workspaceId: idOf('a', 1), environment: 'production' as Environment };

/** The first account has most of the rows; a hundred more have ten each. */
export function accountNumbered(number: number): Id {
  return idOf('b', number);
}

const accountCount = 101;
const instrumentCount = 200;
const depositoryCount = 3;
const [client, entity, custodian] = [idOf('c', 1), idOf('c', 2), idOf('c', 3)];
const tenantKey = `'${ledgerTenant.workspaceId}', '${ledgerTenant.environment}'`;

/** SQL for the id of a row with this number. */
const idSql = (letter: string, number: string): string => `'${letter}' || lpad(to_hex(${number}), 23, '0')`;

const structure = [
  `INSERT INTO workspace VALUES ('${ledgerTenant.workspaceId}', 'Bench', now())`,
  `INSERT INTO environment VALUES (${tenantKey}, now())`,
  `INSERT INTO client VALUES (${tenantKey}, '${client}', NULL, '{${client}}', 'Family', 'CHF', 'FIFO', now())`,
  `INSERT INTO legal_entity VALUES (${tenantKey}, '${entity}', '${client}', 'Holding', now())`,
  `INSERT INTO custodian VALUES (${tenantKey}, '${custodian}', 'Bank', 'bank', now())`,
  `INSERT INTO account SELECT ${tenantKey}, ${idSql('b', 'n')}, '${client}', '${entity}', '${custodian}', 'Account', NULL, 'CHF', false, now()
   FROM generate_series(0, ${accountCount - 1}) n`,
  `INSERT INTO depository SELECT ${tenantKey}, ${idSql('d', 'n')}, '${client}', '${entity}', 'Vault', NULL, now()
   FROM generate_series(1, ${depositoryCount}) n`,
  `INSERT INTO instrument (workspace_id, environment, id, name, type, price_unit, tags, created_at)
   SELECT ${tenantKey}, ${idSql('e', 'n')}, 'Stock', 'stock-instrument', '1', '{}', now() FROM generate_series(1, ${instrumentCount}) n`,
  `INSERT INTO account_ledger SELECT ${tenantKey}, '${client}', ${idSql('b', 'n')}, 1 FROM generate_series(0, ${accountCount - 1}) n`,
];

/** SQL for the days between the first date and a row's date: spread over twenty years in the order of the numbers. */
function dayOffset(numbers: string): string {
  return `(n::bigint * 7300 / (SELECT count(*) FROM generate_series${numbers}) % 7300)::int`;
}

/** Buys and sells over twenty years; every twentieth row is a dividend with withholding tax. */
function transactionsOf(account: string, numbers: string): string {
  return `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id,
      depository_id, instrument_id, kind, type, date, settlement_date, amount, currency, quantity, price, taxes, value, unexplained,
      source, created_at)
    SELECT ${tenantKey}, ${idSql('f', 'n')}, n, now(), 1, '${client}', ${account}, ${idSql('d', `1 + n % ${depositoryCount}`)},
      ${idSql('e', `1 + n % ${instrumentCount}`)}, CASE WHEN n % 20 = 0 THEN 'dividend' ELSE 'trade' END,
      CASE WHEN n % 20 = 0 THEN 'dividend' WHEN n % 2 = 0 THEN 'buy' ELSE 'sell' END,
      date '2005-01-03' + ${dayOffset(numbers)},
      date '2005-01-05' + ${dayOffset(numbers)},
      CASE WHEN n % 2 = 0 THEN 1 ELSE -1 END * round((100 + n % 977) * (20 + (n % 3331) / 100.0), 2), 'CHF',
      CASE WHEN n % 20 = 0 THEN NULL WHEN n % 2 = 0 THEN -(100 + n % 977) ELSE 100 + n % 977 END,
      CASE WHEN n % 20 = 0 THEN NULL ELSE 20 + (n % 3331) / 100.0 END,
      CASE WHEN n % 20 = 0 THEN 12.5 END, round((100 + n % 977) * (20 + (n % 3331) / 100.0), 2), 0, 'custodian', now()
    FROM generate_series${numbers} n`;
}

export async function seedLedger(admin: pg.Client, rows: number): Promise<void> {
  await admin.query('BEGIN');
  await admin.query(`SET LOCAL session_replication_role = 'replica'`); // keys that lead nowhere are not what is measured
  for (const text of structure) await admin.query(text);
  const { rows: indexes } = await admin.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'transaction' AND indexname <> 'transaction_pkey'`,
  );
  // Building the indexes after all rows are inserted takes a fraction of the time.
  for (const { indexname } of indexes) await admin.query(`DROP INDEX ${indexname}`);
  await admin.query(transactionsOf(idSql('b', '0'), `(1, ${rows})`));
  const small = accountCount - 1;
  await admin.query(transactionsOf(idSql('b', `1 + n % ${small}`), `(${rows + 1}, ${rows + 10 * small})`));
  for (const { indexdef } of indexes) await admin.query(indexdef);
  await admin.query('COMMIT');
  await admin.query('VACUUM ANALYZE transaction');
  await admin.query('ANALYZE');
}
