// How batches of versions are sent: what all rows share is sent once, and very many rows go ahead of the answer to those before.

import { expect, test } from 'vitest';
import { tenantsDatabaseForThisFile } from '../../../tests/setup/database/tenants-database.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';
import { scopeOf, tenants, type TestTenant } from '../../../tests/setup/database/tenants.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { VersionedTable, type VersionBatch } from './versioned-table.ts';

const [here] = tenants as [TestTenant];
const scope = scopeOf(here);
const seeded = tenantsDatabaseForThisFile({ poolSize: 1 });

interface Sent {
  readonly shared: readonly unknown[];
  readonly goesAhead: boolean | undefined;
}

/** Rates of a pair for days that follow each other. */
function rates(count: number, { quote, rate, from }: { quote: string; rate: string; from: string }): VersionBatch {
  const days = Array.from({ length: count }, (_, day) => new Date(Date.parse(from) + day * 86_400_000));
  const each = <T>(value: T): T[] => days.map(() => value);
  return {
    ids: days.map((_, day) => `${quote}-${from}-${day}`),
    common: {},
    columns: {
      base: each('EUR'),
      quote: each(quote),
      date: days.map((day) => day.toISOString().slice(0, 10)),
      source: each('manual'),
      rate: each(rate),
    },
  };
}

function together(one: VersionBatch, other: VersionBatch): VersionBatch {
  const columns = Object.entries(one.columns).map(([field, all]) => [field, [...all, ...other.columns[field]!]]);
  return { ids: [...one.ids, ...other.ids], common: {}, columns: Object.fromEntries(columns) };
}

/** Writes a batch; returns how many versions it opened, and what was sent for it. */
function put(batch: VersionBatch): Promise<{ written: number; sent: Sent }> {
  return seeded.open().write(scope, async (run) => {
    const calls: Sent[] = [];
    const recorded: Run = Object.assign(
      (...[statement, values]: Parameters<Run>) => {
        const shared = values.slice(4).filter((value) => typeof value === 'string' && !/^\{|^\d{4}-/.test(value));
        calls.push({ shared, goesAhead: statement.goesAhead });
        return run(statement, values);
      },
      { ...run },
    ) as Run;
    const written = await new VersionedTable(fxRate, { scope, run: recorded }).put(batch, Date.now());
    return { written, sent: calls[0]! };
  });
}

function stored(quote: string): Promise<{ rate: string; first: string; last: string; days: number }[]> {
  const text = `SELECT trim_scale(rate)::text AS rate, min(date)::text AS first, max(date)::text AS last, count(*)::int AS days
    FROM fx_rate WHERE quote = $1 AND base = 'EUR' AND source = 'manual' AND known_until IS NULL GROUP BY rate ORDER BY first`;
  return runSql(seeded.database, text, [quote]);
}

test('what all of very many rows share is sent once, whatever is known of them', async () => {
  const first = { quote: 'SEK', rate: '11.5', from: '1900-01-01' };
  expect(await put(rates(150, first))).toEqual({
    written: 150,
    sent: { shared: ['EUR', 'SEK', 'manual', '11.5'], goesAhead: true },
  });
  const changed = { quote: 'SEK', rate: '12', from: '1900-05-01' };
  expect((await put(rates(150, changed))).written).toBe(150);
  expect((await put(rates(150, changed))).written).toBe(0);
  expect(await stored('SEK')).toEqual([
    { rate: '11.5', first: '1900-01-01', last: '1900-04-30', days: 120 },
    { rate: '12', first: '1900-05-01', last: '1900-09-27', days: 150 },
  ]);
});

test('what differs is sent for each row', async () => {
  const krone = rates(100, { quote: 'NOK', rate: '11', from: '2200-01-01' });
  const zloty = rates(100, { quote: 'PLN', rate: '4', from: '2200-01-01' });
  const { written, sent } = await put(together(krone, zloty));
  expect([written, sent.shared]).toEqual([200, ['EUR', 'manual']]);
  expect((await put(together(krone, zloty))).written).toBe(0);
  const days = { first: '2200-01-01', last: '2200-04-10', days: 100 };
  expect(await Promise.all([stored('NOK'), stored('PLN')])).toEqual([
    [{ rate: '11', ...days }],
    [{ rate: '4', ...days }],
  ]);
});

test('few rows wait for the answer to those before', async () => {
  const { written, sent } = await put(rates(2, { quote: 'DKK', rate: '7', from: '2026-01-01' }));
  expect([written, sent]).toEqual([2, { shared: [], goesAhead: false }]);
});
