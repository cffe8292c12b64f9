// The items that the sandbox sends over its API: bookings, balances, positions, prices and rates, as docs/sandbox-custodian.md describes them.

import type { Day } from '../../../kit/day.ts';
import { dateOf } from '../../../actions/demo/demo-days.ts';
import { decimalOf, demoInstruments, isFund, isShare, type ListedName } from '../../../actions/demo/demo-market.ts';
import type { SandboxAccount, SandboxCustomer } from './sandbox-banks.ts';
import type { SandboxBooking } from './sandbox-book.ts';

export interface SandboxItem extends Readonly<Record<string, unknown>> {
  readonly item: 'transaction' | 'balance' | 'position' | 'price' | 'fx_rate';
  /** The day on which the bank has sent it. */
  readonly sent_on: string;
}

/** What the bank calls an instrument. */
export function custodianCode(name: ListedName): string {
  return `LSX-${name.toUpperCase()}`;
}

function namedInstrument(name: ListedName) {
  const { name: title, currency } = demoInstruments[name];
  const type = isFund(name) ? 'fund' : isShare(name) ? 'stock' : 'bond';
  return { custodian_code: custodianCode(name), name: title, currency, type };
}

function namedAccount({ number, currency }: SandboxAccount) {
  return { number, currency };
}

/** Sent at the end of the day. */
function sentAt(day: Day) {
  return { sent_on: dateOf(day), stated_at: `${dateOf(day)}T23:30:00Z` };
}

export function bookingItem(customer: SandboxCustomer, booking: SandboxBooking, sentOn: Day): SandboxItem {
  const { account, instrument, units, price, fees, taxes, counter, comment, cancels } = booking;
  return {
    item: 'transaction',
    ...sentAt(sentOn),
    reference: booking.reference,
    ...(cancels === undefined ? {} : { cancels }),
    type: booking.type,
    date: dateOf(booking.day),
    account: namedAccount(account),
    amount: decimalOf(booking.cash, 2),
    currency: account.currency,
    ...(instrument === undefined
      ? {}
      : { instrument: namedInstrument(instrument), depository: { number: customer.depositoryNumber } }),
    ...(units === undefined ? {} : { quantity: decimalOf(units, 0) }),
    ...(price === undefined ? {} : { price: decimalOf(price, 2) }),
    ...(fees === undefined ? {} : { fees: decimalOf(fees, 2) }),
    ...(taxes === undefined ? {} : { taxes: decimalOf(taxes, 2) }),
    ...(counter === undefined
      ? {}
      : {
          counter_account: namedAccount(counter.account),
          counter_amount: decimalOf(counter.cash, 2),
          counter_currency: counter.account.currency,
        }),
    ...(comment === undefined ? {} : { comment }),
  };
}

interface StatedBalance {
  readonly day: Day;
  readonly sentOn: Day;
  readonly cash: number;
}

export function balanceItem(account: SandboxAccount, { day, sentOn, cash }: StatedBalance): SandboxItem {
  return {
    item: 'balance',
    ...sentAt(sentOn),
    account: namedAccount(account),
    moment: 'closing',
    date: dateOf(day),
    amount: decimalOf(cash, 2),
    currency: account.currency,
    statement: `${account.number} ${dateOf(day)} of ${dateOf(sentOn)}`,
  };
}

interface StatedUnits {
  readonly name: ListedName;
  readonly units: number;
  readonly price: number;
  readonly day: Day;
  readonly sentOn: Day;
}

export function positionItem(customer: SandboxCustomer, { name, units, price, day, sentOn }: StatedUnits): SandboxItem {
  return {
    item: 'position',
    ...sentAt(sentOn),
    account: { number: customer.depositoryNumber },
    date: dateOf(day),
    instrument: namedInstrument(name),
    quantity: decimalOf(units, 0),
    price: decimalOf(price, 2),
    currency: demoInstruments[name].currency,
  };
}

export function priceItem(name: ListedName, price: number, day: Day): SandboxItem {
  return {
    item: 'price',
    ...sentAt(day),
    series: isFund(name) ? 'net-asset-value' : 'price',
    instrument: namedInstrument(name),
    date: dateOf(day),
    value: decimalOf(price, 2),
  };
}

export function rateItem(currency: string, rate: number, day: Day): SandboxItem {
  return { item: 'fx_rate', ...sentAt(day), base: 'EUR', quote: currency, date: dateOf(day), rate: decimalOf(rate, 4) };
}
