// The history of the sandbox's banks: the same whenever it is asked for, and consistent in itself.

import { describe, expect, test } from 'vitest';
import { parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { lastDay } from '../../../actions/demo/demo-days.ts';
import { decimalOf } from '../../../actions/demo/demo-market.ts';
import { sandboxBanks, type SandboxBank, type SandboxCustomer } from './sandbox-banks.ts';
import { SandboxHistory } from './sandbox-history.ts';
import { custodianCode, type SandboxItem } from './sandbox-items.ts';

const until = toDayNumber(parseCalendarDate('2027-02-28'));
const customers = sandboxBanks().flatMap((bank) => bank.customers.map((customer) => ({ bank, customer })));
const title = ({ bank, customer }: { bank: SandboxBank; customer: SandboxCustomer }): string =>
  `${customer.name} at ${bank.name}`;
const cases = customers.map((one) => [title(one), one] as const);

/** Bookings as they stand at the end: the last one sent under each reference. */
function lastSent(items: readonly SandboxItem[]): any[] {
  const bookings = items.filter(({ item }) => item === 'transaction') as any[];
  return [...new Map(bookings.map((one) => [one.reference, one])).values()];
}

describe.each(cases)('%s', (_title, { bank, customer }) => {
  const items = new SandboxHistory(bank, customer).itemsUntil(until);

  test('has the same history whether it is asked for day by day or at once', () => {
    const daily = new SandboxHistory(bank, customer);
    for (let day = lastDay + 1; day <= until; day += 3) daily.itemsUntil(day);
    expect(daily.itemsUntil(until)).toEqual(items);
    expect(daily.itemsUntil(until - 40)).toEqual(items.slice(0, daily.itemsUntil(until - 40).length));
  });

  test('sends prices, bookings and statements on every calendar day', () => {
    const days = (kind: string): number =>
      new Set(items.flatMap((one) => (one.item === kind ? [one.sent_on] : []))).size;
    const calendarDays = until - lastDay;
    expect(['price', 'transaction', 'balance', 'position'].map(days)).toEqual(Array(4).fill(calendarDays));
  });

  test('states last, for every day, the balance and the positions that its bookings lead to', () => {
    const bookings = lastSent(items);
    const stated = new Map<string, any>();
    for (const one of items as any[])
      if (one.item === 'balance' || one.item === 'position')
        stated.set(`${one.date} ${one.account.number} ${one.instrument?.custodian_code ?? ''}`, one);
    const figures = [...stated].map(([key, one]) => [key, one.amount ?? one.quantity]);
    const expected = [...stated].map(([key, one]) => {
      const before = bookings.filter(({ date }) => date <= one.date);
      const moved = one.item === 'balance' ? cashAfter(customer, before, one) : unitsAfter(customer, before, one);
      return [key, decimalOf(moved, one.item === 'balance' ? 2 : 0)];
    });
    expect(figures).toEqual(expected);
    expect(figures.filter(([, figure]) => figure.startsWith('-'))).toEqual([]);
  });
});

function hundredths(text: string): number {
  return Math.round(Number(text) * 100);
}

function cashAfter({ accounts }: SandboxCustomer, bookings: readonly any[], { account: { number } }: any): number {
  const opening = accounts.find((account) => account.number === number)!.openingCash;
  return bookings.reduce((sum, { account, amount, counter_account, counter_amount }) => {
    if (account.number === number) return sum + hundredths(amount);
    return counter_account?.number === number ? sum + hundredths(counter_amount) : sum;
  }, opening);
}

function unitsAfter({ accounts }: SandboxCustomer, bookings: readonly any[], { instrument }: any): number {
  const code = instrument.custodian_code;
  const opening = accounts
    .flatMap(({ openingUnits }) => [...openingUnits])
    .filter(([name]) => code === custodianCode(name))
    .reduce((sum, [, units]) => sum + units, 0);
  const moved = bookings.filter((one) => one.instrument?.custodian_code === code && one.quantity);
  return moved.reduce((sum, { quantity }) => sum + Number(quantity), opening);
}

test('the banks amend, cancel and book late', () => {
  const all = customers.flatMap(({ bank, customer }) => [
    ...new SandboxHistory(bank, customer).itemsUntil(until),
  ]) as any[];
  const bookings = all.filter(({ item }) => item === 'transaction');
  expect(bookings.some(({ cancels }) => cancels !== undefined)).toBe(true);
  expect(bookings.some(({ date, sent_on, cancels }) => date < sent_on && cancels === undefined)).toBe(true);
  expect(bookings.length).toBeGreaterThan(new Set(bookings.map(({ reference }) => reference)).size);
});
