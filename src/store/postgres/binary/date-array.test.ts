// Days that are sent in binary are those that the database has.

import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { fromDayNumber, parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { PipelinedBatch } from '../pipelined-batch.ts';
import { sql } from '../statement.ts';
import { toDateArray } from './date-array.ts';

const echo = sql(
  'date-array',
  'SELECT ARRAY(SELECT d::text FROM unnest($1::date[]) WITH ORDINALITY AS t (d, n) ORDER BY n) AS days',
);

test('every day comes back unchanged, in its order', async () => {
  const client = new pg.Client({ connectionString: inject('databaseServer') });
  await client.connect();
  const send = async (days: readonly string[]): Promise<unknown> => {
    const batch = new PipelinedBatch([{ statement: echo, values: [toDateArray(days)] }], 'named');
    return (await client.query(batch).done)[0]!.rows[0]!['days'];
  };
  try {
    const [first, last] = ['1900-01-01', '2200-12-31'].map((day) => toDayNumber(parseCalendarDate(day))) as [
      number,
      number,
    ];
    const all = Array.from({ length: last - first + 1 }, (_, day) => fromDayNumber(first + day));
    expect(await send(all)).toEqual(all);
    const repeated = ['2026-02-28', '2000-01-01', '2026-02-28', '1999-12-31'];
    expect(await send(repeated)).toEqual(repeated);
    expect(await send([])).toEqual([]);
  } finally {
    await client.end();
  }
});
