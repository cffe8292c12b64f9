// Reads the transactions of a ledger text: a date, an optional time, the kind, a place, and the details of the kind.

import type { LedgerTransaction } from '../../../src/engine/ledger/transaction.ts';
import { actionReaders } from './action-rows.ts';
import { incomeReaders } from './income-rows.ts';
import { moneyReaders } from './money-rows.ts';
import { RowText, type RowContext, type RowTextReader } from './row-text.ts';
import { tradeReaders } from './trade-rows.ts';
import type { Words } from './words.ts';

const readers: ReadonlyMap<string, RowTextReader> = new Map([
  ...tradeReaders,
  ...incomeReaders,
  ...moneyReaders,
  ...actionReaders,
]);

const blank = { time: null, account: null, depository: null, instrument: null, quantity: 0n, amount: 0n };

/** `2024-01-03 09:30 buy A X 100 @ 10 fees 1` */
export function readRow(words: Words, context: RowContext, row: number): LedgerTransaction {
  const day = words.date();
  const time = /^\d{2}:\d{2}$/.test(words.peek()) ? millisecondsOf(words.next('a time')) : null;
  const text = new RowText(words, context);
  const read = readers.get(text.word);
  if (read === undefined) words.fail(`does not know the word "${text.word}"`);
  const parts = read(text);
  text.clauses();
  if (text.label !== undefined) context.labels.set(text.label, row);
  const currency = text.cashCurrency(parts.account ?? null);
  const more = { currency, price: null, value: 0n, details: null };
  return { ...blank, ...more, ...parts, row, day, time, settlement: text.settlement };
}

function millisecondsOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours! * 60 + minutes!) * 60_000;
}
