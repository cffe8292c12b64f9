// Writes the generated ledger as text: a journal for ledger and hledger, one for beancount, and comma-separated lines for our
// program.

import { closeSync, openSync, writeSync } from 'node:fs';
import { LotBook } from '../../../src/engine/lots/lot-book.ts';
import { oneYearHoldingPeriod } from '../../../src/engine/lots/realisation.ts';
import { fromDayNumber } from '../../../src/kit/calendar-date.ts';
import type { Day } from '../../../src/kit/day.ts';
import { fromFixed, oneFixed, type Fixed } from '../../../src/kit/fixed.ts';
import { counts, currencies, places, type GeneratedLedger } from './generated-ledger.ts';

/** Uses letters only, since ledger requires quotes around names with digits: IAA, IAB, … */
export function instrumentName(instrument: number): string {
  return `I${letter(instrument / 26)}${letter(instrument % 26)}`;
}

function letter(index: number): string {
  return String.fromCodePoint(65 + Math.floor(index));
}

export function accountName(account: number): string {
  return `Assets:A${String(account).padStart(2, '0')}`;
}

export function positionName({ positions }: GeneratedLedger, position: number): string {
  const { account, instrument } = positions[position]!;
  return `${accountName(account)}:${instrumentName(instrument)}`;
}

function fixedOf(value: number, scale: number): Fixed {
  return BigInt(value) * 10n ** BigInt(18 - scale);
}

/** A row in the terms that all journals share. */
interface JournalRow {
  readonly row: number;
  readonly day: Day;
  readonly date: string;
  /** The position whose units it moves; −1 if it moves only cash. */
  readonly position: number;
  readonly holding: string;
  readonly symbol: string;
  readonly cash: string;
  readonly quantity: Fixed;
  readonly amount: Fixed;
  readonly currency: string;
}

function* journalRows(ledger: GeneratedLedger): Generator<JournalRow> {
  for (const [row, position] of ledger.rowPositions.entries()) {
    const day = ledger.days[row]!;
    yield {
      row,
      day,
      date: fromDayNumber(day),
      position,
      holding: position < 0 ? '' : positionName(ledger, position),
      symbol: position < 0 ? '' : instrumentName(ledger.positions[position]!.instrument),
      cash: `${accountName(ledger.accounts[row]!)}:Cash`,
      quantity: fixedOf(ledger.quantities[row]!, places.quantity),
      amount: fixedOf(ledger.amounts[row]!, places.amount),
      currency: currencies[ledger.currencies[row]!]!,
    };
  }
}

function writeChunks(path: string, chunks: Iterable<string>): void {
  const file = openSync(path, 'w');
  let buffered = '';
  for (const chunk of chunks) {
    buffered += chunk;
    if (buffered.length < 2 ** 20) continue;
    writeSync(file, buffered);
    buffered = '';
  }
  writeSync(file, buffered);
  closeSync(file);
}

/**
 * For ledger and hledger, which do not match lots themselves: each sale names the lots that it takes from and their cost, so that
 * they only have to add up.
 */
export function writeMatchedJournal(path: string, ledger: GeneratedLedger): void {
  const books = ledger.positions.map(() => new LotBook({ method: 'FIFO', longAfter: oneYearHoldingPeriod }));
  writeChunks(path, matchedEntries(ledger, books));
}

function* matchedEntries(ledger: GeneratedLedger, books: readonly LotBook[]): Generator<string> {
  for (const { row, day, date, position, holding, symbol, cash, quantity, amount, currency } of journalRows(ledger)) {
    const book = books[position];
    const units = (count: Fixed, cost: Fixed): string =>
      `    ${holding}  ${fromFixed(count)} ${symbol} @@ ${fromFixed(cost)} ${currency}\n`;
    if (book === undefined) {
      yield `${date} flow\n    ${cash}  ${fromFixed(amount)} ${currency}\n    Equity:Owner\n\n`;
    } else if (quantity > 0n) {
      book.acquire({ row, day, quantity, cost: amount, referenceCost: amount });
      yield `${date} buy\n${units(quantity, amount)}    ${cash}  ${fromFixed(-amount)} ${currency}\n\n`;
    } else {
      const proceeds = { proceeds: amount, referenceProceeds: amount, rate: oneFixed };
      const { realised } = book.dispose({ row, day, quantity: -quantity, ...proceeds });
      const sold = realised.map((part) => units(-part.quantity, part.cost)).join('');
      yield `${date} sell\n${sold}    ${cash}  ${fromFixed(amount)} ${currency}\n    Income:Gains\n\n`;
    }
  }
}

/** For beancount, which matches lots first in, first out itself. */
export function writeBeancountJournal(path: string, ledger: GeneratedLedger): void {
  writeChunks(path, beancountEntries(ledger));
}

function* beancountEntries(ledger: GeneratedLedger): Generator<string> {
  const opened = [
    ...ledger.positions.map((_, position) => positionName(ledger, position)),
    ...Array.from({ length: counts.accounts }, (_, account) => `${accountName(account)}:Cash`),
    'Equity:Owner',
    'Income:Gains',
  ];
  const dayBefore = fromDayNumber(ledger.firstDay - 1);
  yield `option "booking_method" "FIFO"\n${opened.map((name) => `${dayBefore} open ${name}\n`).join('')}\n`;
  for (const { date, position, holding, symbol, cash, quantity, amount, currency } of journalRows(ledger)) {
    const [units, money] = [`${fromFixed(quantity)} ${symbol}`, `${fromFixed(amount)} ${currency}`];
    if (position < 0) yield `${date} * "flow"\n  ${cash}  ${money}\n  Equity:Owner\n\n`;
    else if (quantity > 0n) yield `${date} * "buy"\n  ${holding}  ${units} {{${money}}}\n  ${cash}  -${money}\n\n`;
    else yield `${date} * "sell"\n  ${holding}  ${units} {}\n  ${cash}  ${money}\n  Income:Gains\n\n`;
  }
}

/** For our own program: bookings only, with no lots matched. */
export function writeLines(path: string, ledger: GeneratedLedger): void {
  writeChunks(path, plainLines(ledger));
}

function* plainLines(ledger: GeneratedLedger): Generator<string> {
  for (const { date, holding, cash, quantity, amount, currency } of journalRows(ledger))
    yield `${date},${holding || cash},${fromFixed(quantity)},${fromFixed(amount)},${currency}\n`;
}
