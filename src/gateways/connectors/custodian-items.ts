// Reads the items of the custodian API (docs/sandbox-custodian.md) as statement items. An item that cannot be understood becomes a
// problem, so that the others are booked and nothing is lost in silence.

import { parseCalendarDate, type CalendarDate } from '../../kit/calendar-date.ts';
import { parseDecimal, type Decimal } from '../../kit/decimal.ts';
import { parseInstant } from '../../kit/instant.ts';
import { isJsonObject, JsonNumber, type Json, type JsonObject } from '../../kit/json.ts';
import type { NamedAccount, NamedInstrument, StatementItem } from '../../model/custody/statement.ts';
import { transactionKinds } from '../../model/ledger/transaction-kind.ts';

const textLengthMax = 500;

/** What is wrong with an item, for the row of the import. */
class ItemFault extends Error {}

/** The members of one item, each read at most once and as what it has to be. */
class ItemReader {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  text(name: string): string | undefined {
    const value = this.#object[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' || value.length > textLengthMax)
      throw new ItemFault(`${name} must be a text of at most ${textLengthMax} characters.`);
    const trimmed = value.trim();
    return trimmed === '' ? undefined : trimmed;
  }

  needText(name: string): string {
    return needed(name, this.text(name));
  }

  oneOf<const W extends string>(name: string, words: readonly W[]): W {
    const word = words.find((one) => one === this.#object[name]);
    if (word === undefined) throw new ItemFault(`${name} must be one of ${words.join(', ')}.`);
    return word;
  }

  decimal(name: string): Decimal | undefined {
    const value = this.#object[name];
    if (value === undefined || value === null) return undefined;
    const text = value instanceof JsonNumber ? value.text : value;
    if (typeof text !== 'string') throw new ItemFault(`${name} must be a decimal.`);
    return parsed(name, text, parseDecimal);
  }

  needDecimal(name: string): Decimal {
    return needed(name, this.decimal(name));
  }

  date(name: string): CalendarDate | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parsed(name, text, parseCalendarDate);
  }

  needDate(name: string): CalendarDate {
    return needed(name, this.date(name));
  }

  instant(name: string): string | undefined {
    const text = this.text(name);
    if (text !== undefined) parsed(name, text, parseInstant);
    return text;
  }

  part(name: string): ItemReader | undefined {
    const value = this.#object[name];
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) throw new ItemFault(`${name} must be an object.`);
    return new ItemReader(value);
  }
}

function needed<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new ItemFault(`${name} is missing.`);
  return value;
}

function parsed<T>(name: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new ItemFault(`${name} ${error instanceof Error ? error.message : 'cannot be read'}.`);
  }
}

type OrUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Members that are absent are left out, as the items want it. */
function present<T extends object>(members: OrUndefined<T>): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

function namedAccount(reader: ItemReader | undefined): NamedAccount | undefined {
  if (reader === undefined) return undefined;
  const [currency, institution] = [reader.text('currency'), reader.text('institution')];
  return present<NamedAccount>({ number: reader.needText('number'), currency, institution });
}

const instrumentTypes = ['stock', 'bond', 'fund', 'option', 'other'] as const;

function namedInstrument(reader: ItemReader | undefined): NamedInstrument | undefined {
  if (reader === undefined) return undefined;
  return present<NamedInstrument>({
    isin: reader.text('isin'),
    cusip: reader.text('cusip'),
    sedol: reader.text('sedol'),
    ticker: reader.text('ticker'),
    mic: reader.text('mic'),
    custodianCode: reader.text('custodian_code'),
    name: reader.text('name'),
    currency: reader.text('currency'),
    country: reader.text('country'),
    type: reader.text('type') === undefined ? undefined : reader.oneOf('type', instrumentTypes),
    maturity: reader.date('maturity'),
    couponRate: reader.decimal('coupon_rate'),
  });
}

type ItemBase = Pick<StatementItem, 'place' | 'account' | 'statedAt'>;

/** `line` counts the items of a run, from one. */
export function readCustodianItem(value: Json, line: number): StatementItem {
  const place = { line };
  try {
    if (!isJsonObject(value)) throw new ItemFault('An item must be an object.');
    const reader = new ItemReader(value);
    const base = present<ItemBase>({
      place,
      account: namedAccount(reader.part('account')),
      statedAt: reader.instant('stated_at'),
    });
    return { ...base, ...readByKind(reader) } as StatementItem;
  } catch (error) {
    if (!(error instanceof ItemFault)) throw error;
    return { item: 'problem', place, detail: error.message };
  }
}

function readByKind(reader: ItemReader): object {
  switch (reader.oneOf('item', ['transaction', 'balance', 'position', 'price', 'fx_rate', 'instrument'])) {
    case 'transaction':
      return readTransaction(reader);
    case 'balance':
      return readBalance(reader);
    case 'position':
      return readPosition(reader);
    case 'price':
      return {
        item: 'price',
        series: reader.oneOf('series', ['price', 'net-asset-value', 'interest-rate', 'index-factor']),
        instrument: needed('instrument', namedInstrument(reader.part('instrument'))),
        date: reader.needDate('date'),
        value: reader.needDecimal('value'),
      };
    case 'fx_rate':
      return {
        item: 'fx-rate',
        base: reader.needText('base'),
        quote: reader.needText('quote'),
        date: reader.needDate('date'),
        rate: reader.needDecimal('rate'),
      };
    case 'instrument':
      return { item: 'instrument', instrument: needed('instrument', namedInstrument(reader.part('instrument'))) };
  }
}

function readTransaction(reader: ItemReader): object {
  const cancelled = reader.text('cancels');
  return present({
    item: 'entry',
    status: reader.text('status') === undefined ? 'booked' : reader.oneOf('status', ['booked', 'pending']),
    kind: reader.oneOf('type', transactionKinds),
    reference: reader.needText('reference'),
    cancels: cancelled === undefined ? undefined : { reference: cancelled },
    date: reader.needDate('date'),
    settlementDate: reader.date('settlement_date'),
    executedAt: reader.instant('executed_at'),
    depository: namedAccount(reader.part('depository')),
    amount: reader.decimal('amount'),
    currency: reader.text('currency'),
    instrument: namedInstrument(reader.part('instrument')),
    quantity: reader.decimal('quantity'),
    price: reader.decimal('price'),
    fees: reader.decimal('fees'),
    taxes: reader.decimal('taxes'),
    accruedInterest: reader.decimal('accrued_interest'),
    exchangeRate: reader.decimal('exchange_rate'),
    counterAccount: namedAccount(reader.part('counter_account')),
    counterAmount: reader.decimal('counter_amount'),
    counterCurrency: reader.text('counter_currency'),
    ratio: reader.text('ratio'),
    category: reader.text('category'),
    comment: reader.text('comment'),
  });
}

function readBalance(reader: ItemReader): object {
  return {
    item: 'balance',
    moment: reader.oneOf('moment', ['opening', 'closing']),
    date: reader.needDate('date'),
    amount: reader.needDecimal('amount'),
    currency: reader.needText('currency'),
    statement: reader.needText('statement'),
  };
}

function readPosition(reader: ItemReader): object {
  return present({
    item: 'position',
    date: reader.needDate('date'),
    instrument: needed('instrument', namedInstrument(reader.part('instrument'))),
    quantity: reader.needDecimal('quantity'),
    price: reader.decimal('price'),
    priceDate: reader.date('price_date'),
    currency: reader.text('currency'),
    value: reader.decimal('value'),
    valueCurrency: reader.text('value_currency'),
    cost: reader.decimal('cost'),
  });
}
