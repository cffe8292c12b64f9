// What an import holds in memory does not grow with its file, nor what it does for an entry with how many are equal.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tenantOf } from '../../../tests/setup/events/event-source.ts';
import { collectGarbage } from '../../../tests/setup/node/held-bytes.ts';
import { serviceForThisFile } from '../../../tests/setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../../tests/setup/structure/structure-document.ts';
import { parseCalendarDate } from '../../kit/calendar-date.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { ImportRows } from '../../store/imports/import-rows.ts';
import { runInTransaction, serviceAuthor } from '../core/work.ts';
import { EntryMemory } from './entry-memory.ts';
import { writtenRowsMax } from './batch-size.ts';
import { ImportWriter } from './import-writer.ts';

const service = serviceForThisFile();
const pieceRows = writtenRowsMax;
const rowCount = 6 * writtenRowsMax;

function piece(number: number): StatementEntry[] {
  return Array.from({ length: pieceRows }, (_, index) => ({
    item: 'entry',
    place: { line: 1 },
    // Pending entries become rows and book nothing, which is fast.
    status: 'pending',
    kind: 'flow',
    currency: 'CHF',
    date: parseCalendarDate('2026-03-01'),
    amount: parseDecimal('1'),
    reference: `R-${number}-${index}`,
  }));
}

async function setUp() {
  const admin = await service.openWorkspace();
  const household = await makeHousehold(admin, 'Amsel');
  const account = (await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' })) as Id;
  const author = serviceAuthor(await tenantOf(admin));
  const source = {
    client: household.client as Id,
    account,
    origin: 'file',
    format: 'camt.053',
    mode: 'check',
  } as const;
  return { author, source };
}

test('however long a file is, no more than three batches of its rows are in memory', async () => {
  const { author, source } = await setUp();
  const added: WeakRef<StatementEntry>[] = [];
  let most = 0;
  const record = await runInTransaction(service.context, author, async (work) => {
    const writer = await ImportWriter.open(work, source);
    for (let number = 0; number < rowCount / pieceRows; number++) {
      const items = piece(number);
      added.push(...items.map((item) => new WeakRef(item)));
      await writer.add(items);
      // What a reference was made of or asked for lives until the end of the turn.
      await nextTurn();
      collectGarbage();
      most = Math.max(most, added.filter((item) => item.deref() !== undefined).length);
    }
    return writer.finish();
  });
  expect(record.counts).toMatchObject({ rows: rowCount, unchanged: rowCount });
  expect(most).toBeLessThanOrEqual(3 * writtenRowsMax);
});

test('however many entries of a batch are equal, what they may stand for is listed once', async () => {
  const { author, source } = await setUp();
  const listing = vi.spyOn(EntryMemory.prototype, 'equals');
  onTestFinished(() => listing.mockRestore());
  const record = await runInTransaction(service.context, author, async (work) => {
    const writer = await ImportWriter.open(work, source);
    for (const number of [0, 1]) await writer.add(piece(number).map((entry) => ({ ...entry, status: 'booked' })));
    return writer.finish();
  });
  expect(record.counts).toMatchObject({ rows: 2 * pieceRows, booked: 2 * pieceRows });
  expect(listing).toHaveBeenCalledTimes(2);
});

test('however fast rows are read that ask the database for nothing, one batch of them is under way', async () => {
  const { author, source } = await setUp();
  let underWay = 0;
  let most = 0;
  const { prepareInsert } = ImportRows.prototype;
  const preparing = vi.spyOn(ImportRows.prototype, 'prepareInsert').mockImplementation(function (
    this: ImportRows,
    ...rows
  ) {
    const prepared = prepareInsert.apply(this, rows);
    const send = async (): Promise<void> => {
      most = Math.max(most, ++underWay);
      await prepared.send();
      underWay--;
    };
    return { ...prepared, send };
  });
  onTestFinished(() => preparing.mockRestore());
  const record = await runInTransaction(service.context, author, async (work) => {
    const writer = await ImportWriter.open(work, source);
    await writer.add(Array.from({ length: rowCount / pieceRows }, (_, number) => piece(number)).flat());
    return writer.finish();
  });
  expect(record.counts).toMatchObject({ rows: rowCount, unchanged: rowCount });
  // The last ones are sent with the end.
  expect(most).toBeLessThanOrEqual(2);
});
