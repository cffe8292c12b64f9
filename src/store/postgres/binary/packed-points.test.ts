// Points packed by the database are unpacked to the last digit, one for each day.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Decimal } from '../../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../../kit/fixed.ts';
import { dataSourcesByPrecedence } from '../../../model/instrument/dated-value-fields.ts';
import { BinaryRows, columnSql } from './binary-rows.ts';
import { packedPointsSql, type DatedColumns } from './packed-points.ts';
import { PipelinedBatch } from '../pipelined-batch.ts';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
});

afterAll(() => client.end());

type Given = readonly [day: number, source: string, value: string];

async function packed(points: readonly Given[], more = ''): Promise<readonly DatedColumns[]> {
  const columns = { points: 'points' } as const;
  const text = `SELECT ${packedPointsSql({ value: 'rate' })} AS points
    FROM (SELECT date '1970-01-01' + day AS date, source, rate FROM unnest($1::int[], $2::text[], $3::numeric(38, 18)[])
      p (day, source, rate)) p ${more}`;
  const into = new BinaryRows(columns);
  const values = [0, 1, 2].map((position) => points.map((point) => String(point[position])));
  await client.query(
    new PipelinedBatch([{ statement: columnSql('series-points-test', columns, text), values, into }], 'named'),
  ).done;
  return into.blocks().flatMap((block) => block.points);
}

async function shown(points: readonly Given[]): Promise<[number, string][]> {
  const [{ days, values }] = (await packed(points)) as [DatedColumns];
  return Array.from(days, (day, index) => {
    const digits = values.digits[index]!;
    const fixed = Number.isNaN(digits)
      ? values.wide.get(index)!
      : BigInt(digits) * 10n ** BigInt(18 - values.places[index]!);
    return [day, fromFixed(fixed)];
  });
}

test('every day of the calendar and every number of a column can be unpacked', async () => {
  const points: Given[] = [
    [-719_162, 'manual', '0'],
    [-1, 'custodian', '-99999999999999999999.999999999999999999'],
    [0, 'reference', '0.000000000000000001'],
    [1, 'manual', '9007199254740991'],
    [2, 'manual', '9007199254740992'],
    [2_932_896, 'reference', '-12.5'],
  ];
  expect(await shown(points)).toEqual(points.map(([day, , value]) => [day, value]));
});

test('of several sources on a day the preferred one counts, whatever the order of the points', async () => {
  const wide = '12345678901234567890.5';
  const points: Given[] = [
    [7, 'reference', '3'],
    [5, 'reference', '1'],
    [5, 'manual', wide],
    [5, 'custodian', '2'],
    [6, 'custodian', '4'],
    [6, 'reference', '5'],
  ];
  const expected = [
    [5, wide],
    [6, '4'],
    [7, '3'],
  ];
  expect(await shown(points)).toEqual(expected);
  expect(await shown(points.toReversed())).toEqual(expected);
});

test('any points are unpacked unchanged', async () => {
  const point = fc.record({
    day: fc.integer({ min: -40, max: 40 }),
    source: fc.constantFrom(...dataSourcesByPrecedence),
    digits: fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
    zeros: fc.integer({ min: 0, max: 30 }),
  });
  const set = fc.uniqueArray(point, { minLength: 1, selector: ({ day, source }) => `${day} ${source}` });
  await fc.assert(
    fc.asyncProperty(set, async (some) => {
      const points = some.map(({ day, source, digits, zeros }): Given => {
        const cut = 10n ** BigInt(zeros);
        return [day, source, fromFixed((digits / cut) * cut)];
      });
      const rank = ([, source]: Given): number => (dataSourcesByPrecedence as readonly string[]).indexOf(source);
      const best = new Map<number, Given>();
      for (const one of points) {
        const other = best.get(one[0]);
        if (other === undefined || rank(one) < rank(other)) best.set(one[0], one);
      }
      const expected = [...best.values()].toSorted((one, other) => one[0] - other[0]);
      expect(await shown(points)).toEqual(expected.map(([day, , value]) => [day, value]));
      expect(expected.every(([, , value]) => fromFixed(toFixed(value as Decimal)) === value)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a group without points is refused', async () => {
  await expect(packed([])).rejects.toThrow('A value is missing.');
});
