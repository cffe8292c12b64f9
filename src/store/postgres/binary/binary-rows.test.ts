// PostgreSQL's results reach the columns to the last digit, and whatever fails leaves a usable connection.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { tenantsDatabaseForThisFile } from '../../../../tests/setup/database/tenants-database.ts';
import { runSql } from '../../../../tests/setup/database/sql.ts';
import { scopeOf, tenants, type TestTenant } from '../../../../tests/setup/database/tenants.ts';
import { parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import type { Decimal } from '../../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../../kit/fixed.ts';
import { nullDay, nullName } from './column-builder.ts';
import type { DecimalDigits } from './numeric.ts';
import { BinaryRows, columnSql, blockRowsMax, type ColumnKinds, type ColumnBlock } from './binary-rows.ts';
import { PipelinedBatch } from '../pipelined-batch.ts';
import { sql, type Value } from '../statement.ts';
import { Stores } from '../../stores.ts';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
});

afterAll(() => client.end());

async function read<C extends ColumnKinds>(
  columns: C,
  text: string,
  values: readonly Value[] = [],
  named: 'named' | 'unnamed' = 'named',
): Promise<readonly ColumnBlock<C>[]> {
  const into = new BinaryRows(columns);
  const call = { statement: columnSql('binary-rows-test', columns, text), values, into };
  await client.query(new PipelinedBatch([call], named)).done;
  return into.blocks();
}

function fixedAt({ digits, places, wide }: DecimalDigits, row: number): Fixed | undefined {
  return Number.isNaN(digits[row]) ? wide.get(row) : BigInt(digits[row]!) * 10n ** BigInt(18 - places[row]!);
}

describe.each(['named', 'unnamed'] as const)('%s statements', (named) => {
  test('every kind of value, and null of each kind', async () => {
    const kinds = {
      number: 'integer',
      day: 'day',
      moment: 'instant',
      amount: 'decimal',
      name: 'name',
      id: 'id',
      text: 'text',
    } as const;
    const text = `SELECT * FROM (VALUES
        (9007199254740991, date '1900-01-31', timestamptz '2026-11-15T12:00:00.123Z', 1.50, 'é', '0123456789abcdef01234567', 'long'),
        (NULL, NULL, NULL, NULL, NULL, 'ffffffffffffffffffffffff', NULL),
        (-9007199254740991, date '2200-12-31', timestamptz '1900-01-01T00:00:00Z', 0, '', '000000000000000000000000', ''),
        (0, date '1970-01-01', timestamptz '1969-12-31T23:59:59.999Z', -100, 'é', '000000000000000000000001', '🜚')
      ) v (number, day, moment, amount, name, id, text)`;
    for (const _time of ['first', 'again']) {
      const [block] = await read(kinds, text, [], named);
      const day = (date: string): number => toDayNumber(parseCalendarDate(date));
      expect(block).toEqual({
        length: 4,
        number: Float64Array.of(9007199254740991, NaN, -9007199254740991, 0),
        day: Int32Array.of(day('1900-01-31'), nullDay, day('2200-12-31'), 0),
        moment: Float64Array.of(Date.UTC(2026, 10, 15, 12, 0, 0, 123), NaN, Date.UTC(1900, 0, 1), -1),
        amount: { digits: Float64Array.of(15, NaN, 0, -100), places: Uint8Array.of(1, 0, 0, 0), wide: new Map() },
        name: { numbers: Int32Array.of(0, nullName, 1, 0), names: ['é', ''] },
        id: Uint8Array.from(Buffer.from('0123456789abcdef01234567' + 'f'.repeat(24) + '0'.repeat(47) + '1', 'hex')),
        text: new Map([
          [0, 'long'],
          [2, ''],
          [3, '🜚'],
        ]),
      });
    }
  });
});

describe('decimals', () => {
  const amounts = { amount: 'decimal' } as const;
  const decimals = fc
    .tuple(
      fc.oneof(fc.bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n }), fc.bigInt({ min: -9999n, max: 9999n })),
      fc.stringMatching(/^\d{0,18}$/),
    )
    .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`) as Decimal);

  test.each(['numeric(38,18)', 'numeric'])(
    'any %s arrives to the last digit, and is wide only if it does not fit in a double',
    async (type) => {
      await fc.assert(
        fc.asyncProperty(fc.array(decimals, { minLength: 1, maxLength: 50 }), async (texts) => {
          const text = `SELECT amount::${type} FROM unnest($1::text[]) amount`;
          const [{ amount }] = (await read(amounts, text, [texts])) as [ColumnBlock<typeof amounts>];
          for (const [row, decimal] of texts.entries()) {
            const fixed = toFixed(decimal);
            expect(fixedAt(amount, row)).toBe(fixed);
            const digits = (fixed < 0n ? -fixed : fixed).toString().replace(/0{1,18}$/, '');
            expect(amount.wide.has(row)).toBe(BigInt(digits || '0') > BigInt(Number.MAX_SAFE_INTEGER));
          }
        }),
        { numRuns: 60 },
      );
    },
  );

  test.each([
    ['9007199254740991', 'fits'],
    ['9007199254740992', 'wide'],
    ['-9007199254740.991', 'fits'],
    ['-9007199254740.993', 'wide'],
    ['0.000000000000000001', 'fits'],
    ['10000000000000000000', 'wide'],
  ] as const)('%s %s', async (decimal, how) => {
    const [block] = await read(amounts, `SELECT $1::numeric(38,18) AS amount`, [decimal]);
    expect([fixedAt(block!.amount, 0), block!.amount.wide.size]).toEqual([
      toFixed(decimal as Decimal),
      how === 'wide' ? 1 : 0,
    ]);
  });
});

test('names are distinguished by their bytes, however many there are', async () => {
  const names = { name: 'name' } as const;
  const text = `SELECT CASE WHEN n % 3 = 0 THEN md5((n % 5000)::text) ELSE 'n' || n % 700 END AS name FROM generate_series(1, 20000) n`;
  const [block] = await read(names, text);
  const { rows } = await client.query<{ name: string }>(text);
  expect(Array.from(block!.name.numbers, (number) => block!.name.names[number])).toEqual(rows.map(({ name }) => name));
  expect(new Set(block!.name.names).size).toBe(block!.name.names.length);
});

test('many rows come in blocks that share their names', async () => {
  const count = 2 * blockRowsMax + 5;
  const columns = { number: 'integer', name: 'name' } as const;
  const blocks = await read(
    columns,
    `SELECT n AS number, 'n' || n % 3 AS name FROM generate_series(1::bigint, ${count}) n`,
  );
  expect(blocks.map(({ length }) => length)).toEqual([blockRowsMax, blockRowsMax, 5]);
  expect(blocks.flatMap(({ number }) => [number[0], number.at(-1)])).toEqual([
    1,
    blockRowsMax,
    blockRowsMax + 1,
    2 * blockRowsMax,
    2 * blockRowsMax + 1,
    count,
  ]);
  expect(blocks[2]!.name.names).toBe(blocks[0]!.name.names);
});

describe('values that cannot be read', () => {
  const cases: [what: string, columns: ColumnKinds, text: string, fault: string][] = [
    ['NaN', { n: 'decimal' }, `SELECT 'NaN'::numeric AS n`, 'A number is not finite.'],
    ['an infinite number', { n: 'decimal' }, `SELECT '-Infinity'::numeric AS n`, 'A number is not finite.'],
    ['a number with 19 places', { n: 'decimal' }, `SELECT 1e-19 AS n`, 'more than 18 digits after the point'],
    ['an infinite date', { n: 'day' }, `SELECT date 'infinity' AS n`, 'A date is not finite.'],
    ['a negative infinite date', { n: 'day' }, `SELECT date '-infinity' AS n`, 'A date is not finite.'],
    ['an infinite time', { n: 'instant' }, `SELECT timestamptz 'infinity' AS n`, 'more than 53 bits'],
    ['a large number', { n: 'integer' }, 'SELECT 9007199254740992 AS n', 'more than 53 bits'],
    ['a short id', { n: 'id' }, `SELECT 'abc' AS n`, 'does not have 24 digits'],
    ['an id that is not hexadecimal', { n: 'id' }, `SELECT repeat('g', 24) AS n`, 'not hexadecimal'],
    ['a missing id', { n: 'id' }, `SELECT NULL::text AS n`, 'does not have 24 digits'],
    ['a column of another type', { n: 'integer' }, `SELECT 1 AS n`, 'Columns n 20 were expected; there are n 23.'],
    [
      'a column with another name',
      { n: 'integer' },
      `SELECT 1::bigint AS m`,
      'Columns n 20 were expected; there are m 20.',
    ],
    ['an additional column', { n: 'name' }, `SELECT 'a' AS n, 'b' AS m`, 'there are n 25, m 25'],
  ];

  test.each(cases)('%s', async (_what, columns, text, fault) => {
    for (const _time of ['first', 'again']) {
      await expect(read(columns, text)).rejects.toThrow(fault);
    }
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

test('a statement that fails after some rows fails as a whole, and the next statements succeed', async () => {
  const columns = { n: 'integer' } as const;
  await expect(
    read(columns, `SELECT 1 / (5000 - n) AS n FROM generate_series(1::bigint, 9999) n`),
  ).rejects.toMatchObject({
    code: '22012',
  });
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  expect((await read(columns, 'SELECT 7::bigint AS n'))[0]!.n).toEqual(Float64Array.of(7));
});

test('notices among the rows reach their listeners', async () => {
  await client.query(`CREATE FUNCTION pg_temp.noticed(n bigint) RETURNS bigint LANGUAGE plpgsql AS
    $$ BEGIN RAISE NOTICE 'at %', n; RETURN n; END $$`);
  const notices: string[] = [];
  const listen = ({ message }: { message: string | undefined }): void => void notices.push(message!);
  client.on('notice', listen);
  onTestFinished(() => void client.off('notice', listen));
  const [block] = await read({ n: 'integer' }, 'SELECT pg_temp.noticed(n) AS n FROM generate_series(1::bigint, 3) n');
  expect([block!.n, notices]).toEqual([Float64Array.of(1, 2, 3), ['at 1', 'at 2', 'at 3']]);
});

test.each(['named', 'unnamed'] as const)('columns and rows in one %s batch reach their own calls', async (named) => {
  const columns = { n: 'integer' } as const;
  const text = `SELECT n FROM generate_series(1::bigint, $1::int) n`;
  const statement = columnSql('some', columns, text);
  const [one, other] = [new BinaryRows(columns), new BinaryRows(columns)];
  const batch = new PipelinedBatch(
    [
      { statement: sql('plain', `SELECT 'first' AS word`), values: [] },
      { statement, values: [2], into: one },
      { statement: sql('plain', `SELECT 'first' AS word`), values: [] },
      { statement, values: [1], into: other },
      { statement: sql('last', `SELECT n FROM generate_series(1, 2) n`), values: [] },
    ],
    named,
  );
  const outcomes = await client.query(batch).done;
  expect(outcomes.map(({ rows, count }) => [rows, count])).toEqual([
    [[{ word: 'first' }], 1],
    [[], 2],
    [[{ word: 'first' }], 1],
    [[], 1],
    [[{ n: 1 }, { n: 2 }], 2],
  ]);
  expect([one, other].map((rows) => rows.blocks()[0]!.n)).toEqual([Float64Array.of(1, 2), Float64Array.of(1)]);
});

describe('through the database', () => {
  const [here] = tenants as [TestTenant];
  const seeded = tenantsDatabaseForThisFile({ poolSize: 1 });
  const open = seeded.open;

  const accounts = columnSql('accounts', { id: 'id' } as const, 'SELECT id FROM account');
  const endless = columnSql(
    'endless',
    { n: 'integer' } as const,
    'SELECT n FROM generate_series(1::bigint, 1000000000) n',
  );

  test.each(['named', 'unnamed'] as const)(
    '%s, another tenant has no rows: in one batch, and in a transaction',
    async (statements) => {
      const opened = open({ statements });
      const scope = scopeOf(here, { kind: 'tree', clientId: here.clients.root });
      const call = { statement: accounts, values: [] };
      const [alone] = await new Stores(opened).forReading({ scope }).run.columns([call]);
      const together = await opened.readSnapshot(scope, (run) =>
        Promise.all([run.columns([call]), run.columns([call])]),
      );
      expect([alone, ...together.flat()].map((blocks) => blocks![0]!.length)).toEqual([2, 2, 2]);
    },
  );

  test('a statement that takes too long is cancelled, and the connection stays usable', async () => {
    const opened = open({ timeoutsMs: { statement: 30, lock: 30 } });
    const cancelled = opened.readSnapshot(scopeOf(here), (run) => run.columns([{ statement: endless, values: [] }]));
    await expect(cancelled).rejects.toMatchObject({ code: 'database-away', cause: { code: '57014' } });
    await opened.ping();
  });

  test('a connection lost while rows arrive is replaced', async () => {
    const opened = open();
    const lost = opened.readSnapshot(scopeOf(here), async (run) => {
      const { rows } = await run(sql<{ pid: number }>('own-pid', 'SELECT pg_backend_pid() AS pid'), []);
      const columns = run.columns([{ statement: endless, values: [] }]);
      await Promise.all([columns, runSql(seeded.database, 'SELECT pg_terminate_backend($1)', [rows[0]!.pid])]);
    });
    await expect(lost).rejects.toMatchObject({ code: 'database-away' });
    await opened.ping();
  });

  test('a value that cannot be read fails only its own work', async () => {
    const opened = open();
    const statement = columnSql('no-number', { n: 'decimal' } as const, `SELECT 'NaN'::numeric AS n`);
    const failed = opened.readSnapshot(scopeOf(here), (run) => run.columns([{ statement, values: [] }]));
    await expect(failed).rejects.toThrow('A number is not finite.');
    await opened.ping();
  });
});
