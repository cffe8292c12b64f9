// The law of imports: a history cut into overlapping statements gives the same ledger, in whatever order the statements come.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tenantOf } from '../../../tests/setup/events/event-source.ts';
import { workspaceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../../tests/setup/structure/structure-document.ts';
import { fromDayNumber, toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { StatedPrice, StatedRate, StatementEntry } from '../../model/custody/statement.ts';
import { runInTransaction, serviceAuthor } from '../core/work.ts';
import { ImportWriter } from './import-writer.ts';

const service = workspaceForThisFile();
const firstDay = toDayNumber('2026-01-01' as CalendarDate);
const days = 12;

/** Something that happened on a day: with or without a reference, said differently from a later day on, or cancelled later. */
interface Happening {
  readonly day: number;
  readonly amount: number;
  readonly fate: 'plain' | 'twins' | 'referenced' | 'amended' | 'cancelled' | 'reversed';
  readonly later: number;
}

const happenings = fc.array(
  fc.record({
    day: fc.nat(days - 1),
    amount: fc.integer({ min: 1, max: 4 }),
    fate: fc.constantFrom('plain', 'twins', 'referenced', 'amended', 'cancelled', 'reversed'),
    later: fc.integer({ min: 1, max: 4 }),
  }) satisfies fc.Arbitrary<Happening>,
  { minLength: 1, maxLength: 12 },
);

/** The first and last day of a statement, and how long after that it was made. */
const statements = fc.array(fc.record({ from: fc.nat(days - 1), length: fc.nat(5), delay: fc.nat(4) }), {
  maxLength: 5,
});

const dateOf = (day: number): CalendarDate => fromDayNumber(firstDay + day);

/** What a statement made on the day `made` says about the days from `from` to `to`. */
function stateDays(history: readonly Happening[], from: number, to: number, made: number): StatementEntry[] {
  const entries = history.flatMap((one, index): (StatementEntry & { day: number })[] => {
    const { day, amount, fate, later } = one;
    const base = (on: number, value: number, parts: Partial<StatementEntry> = {}) => ({
      item: 'entry' as const,
      place: { line: index + 1 },
      status: 'booked' as const,
      kind: 'flow' as const,
      currency: 'CHF',
      statement: 'S',
      statedAt: `${dateOf(made)}T06:00:00Z`,
      date: dateOf(on),
      amount: String(value) as Decimal,
      comment: `Entry ${index}`,
      settlementDate: dateOf(on + (index % 3)),
      day: on,
      ...parts,
    });
    const reference = `R${index}`;
    // Amounts of reversals are unlike all others: which of two equal entries a reversal means, nothing says.
    const unique = 1_000 + index;
    switch (fate) {
      case 'plain':
        return [base(day, amount)];
      case 'twins':
        return [base(day, amount), base(day, amount)];
      case 'referenced':
        return [base(day, amount, { reference })];
      case 'amended':
        return made >= day + later
          ? [base(day, amount + 10, { reference, comment: 'Corrected', settlementDate: dateOf(day + 5) })]
          : [base(day, amount, { reference })];
      case 'cancelled':
        return [
          base(day, amount, { reference }),
          base(day + later, -amount, { reference: `C${index}`, cancels: { reference } }),
        ];
      case 'reversed':
        return [base(day, unique), base(day + later, -unique, { cancels: 'same-content' })];
    }
  });
  return entries.filter(({ day }) => day >= from && day <= to).map(({ day: _day, ...entry }) => entry);
}

/** Everything about a booking but what names this one: its id, its account and when it was written. */
function bookedFields({
  id: _id,
  account_id: _account,
  created_at: _created,
  ...fields
}: Record<string, unknown>): string {
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(['type', 'amount', 'settlement_date', 'comment']));
  return JSON.stringify(fields);
}

test('a history cut into overlapping statements is the same ledger in any order, also if statements come twice', async () => {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const author = serviceAuthor(await tenantOf(admin));

  async function ledgerOf(files: readonly (readonly StatementEntry[])[]): Promise<string[]> {
    const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
    for (const file of files) {
      await runInTransaction(service.context, author, async (work) => {
        const source = { client: client as Id, account: account as Id, origin: 'file', format: 'camt.053' } as const;
        const writer = await ImportWriter.open(work, { ...source, mode: 'book' });
        await writer.add(file);
        await writer.finish();
      });
    }
    const { body } = await admin.get(`/v1/transactions?account_id=${account}&limit=100`);
    return body.data.map(bookedFields).toSorted();
  }

  await fc.assert(
    fc.asyncProperty(happenings, statements, fc.infiniteStream(fc.nat()), async (history, cuts, random) => {
      // One statement of all days, made last, completes what the others may leave out.
      const whole = { from: 0, length: days + 5, delay: 10 };
      const files = [...cuts, whole].map(({ from, length, delay }) =>
        stateDays(history, from, from + length, from + length + delay),
      );
      const shuffled = [...files, ...files.slice(0, 2)]
        .map((file) => [random.next().value, file] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, file]) => file);
      expect(await ledgerOf(shuffled)).toEqual(await ledgerOf(files.slice(-1)));
    }),
    { numRuns: 15 },
  );
});

/** A value of a day that is corrected once, after so many days. */
const corrections = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 3, maxLength: 8 });

/** What a file made on the day `made` says about prices and rates of the days from `from` to `to`. */
function statePoints(
  series: readonly number[],
  { from, to, made, isin, quote }: { from: number; to: number; made: number; isin: string; quote: string },
): (StatedPrice | StatedRate)[] {
  return series.flatMap((later, day): (StatedPrice | StatedRate)[] => {
    if (day < from || day > to) return [];
    const value = String(100 + day + (made >= day + later ? 50 : 0)) as Decimal;
    const base = { place: { line: day + 1 }, date: dateOf(day), statedAt: `${dateOf(made)}T06:00:00Z` };
    return [
      { ...base, item: 'price', series: 'price', instrument: { isin }, value },
      { ...base, item: 'fx-rate', base: 'EUR', quote, rate: value },
    ];
  });
}

test('files of prices and rates that overlap give the same series in any order', async () => {
  const admin = await service.openWorkspace();
  const author = serviceAuthor(await tenantOf(admin));
  const isin = 'CH0012005267';
  const instrument = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Novartis', isin });
  const lists = { prices: `/v1/instruments/${instrument}/prices`, rates: '/v1/fx-rates' };

  async function seriesOf(files: readonly (readonly (StatedPrice | StatedRate)[])[]): Promise<string[]> {
    const imports: Id[] = [];
    for (const file of files) {
      await runInTransaction(service.context, author, async (work) => {
        const source = { client: null, origin: 'file', format: 'flex', mode: 'book' } as const;
        const writer = await ImportWriter.open(work, source);
        await writer.add(file);
        imports.push((await writer.finish()).id);
      });
    }
    const values: string[] = [];
    for (const path of Object.values(lists)) {
      const { data } = (await admin.get(`${path}?limit=100`)).body;
      values.push(...data.map((one: any) => `${one.date} ${one.value ?? one.rate}`));
    }
    for (const id of imports.toReversed()) await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
    for (const path of Object.values(lists)) expect((await admin.get(path)).body.data).toEqual([]);
    return values;
  }

  await fc.assert(
    fc.asyncProperty(corrections, statements, fc.infiniteStream(fc.nat()), async (series, cuts, random) => {
      const files = [...cuts, { from: 0, length: days, delay: 10 }].map(({ from, length, delay }) =>
        statePoints(series, { from, to: from + length, made: from + length + delay, isin, quote: 'CHF' }),
      );
      const shuffled = [...files, ...files.slice(0, 1)]
        .map((file) => [random.next().value, file] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, file]) => file);
      expect(await seriesOf(shuffled)).toEqual(await seriesOf(files.slice(-1)));
    }),
    { numRuns: 7 },
  );
});
