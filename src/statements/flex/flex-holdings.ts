// What a Flex query states beside transactions: positions, balances of cash, rates and instruments.

import { zeroDecimal } from '../../kit/decimal.ts';
import type {
  StatedInstrument,
  StatedRate,
  StatementBalance,
  StatementPosition,
  StatementProblem,
} from '../../model/custody/statement.ts';
import { missingValue } from '../field-fault.ts';
import { stated } from '../stated-fields.ts';
import { isNotAvailable, negated } from '../stated-values.ts';
import { requiredInstrument } from './flex-instrument.ts';
import type { FlexRow } from './flex-row.ts';

export function flexPosition(row: FlexRow): StatementPosition[] {
  const quantity = row.requiredDecimal('position', 'quantity');
  const isUnsignedShort = row.text('side')?.toUpperCase() === 'SHORT' && !quantity.startsWith('-');
  const reported = row.date('reportDate');
  const date = reported ?? row.statement.to ?? row.requiredDate('reportDate');
  return [
    stated<StatementPosition>({
      item: 'position',
      place: row.place,
      account: row.account,
      statedAt: row.statement.statedAt,
      date,
      instrument: requiredInstrument(row, 'name'),
      quantity: isUnsignedShort ? negated(quantity) : quantity,
      price: row.decimal('markPrice'),
      priceDate: row.text('markPrice') === undefined ? undefined : date,
      currency: row.currency(),
      value: row.decimal('positionValue'),
      valueCurrency: row.text('positionValue') === undefined ? undefined : row.currency(),
      cost: row.decimal('costBasisMoney'),
    }),
  ];
}

/** The sum of all currencies is no balance of its own. */
export function flexBalances(row: FlexRow): StatementBalance[] {
  if (row.required('currency') === 'BASE_SUMMARY' || row.text('levelOfDetail') === 'BaseCurrency') return [];
  const { from, to, statedAt } = row.statement;
  const currency = row.currency();
  const first = row.date('fromDate') ?? from;
  const last = row.date('toDate') ?? to;
  if (last === undefined) throw row.fault('toDate', 'The balance does not say of which day it is.');
  const account = row.account;
  const base = { place: row.place, account, statedAt, currency, statement: row.statementName };
  const opening = row.decimal('startingCash');
  const balances = [
    stated<StatementBalance>({
      ...base,
      item: 'balance',
      moment: 'closing',
      date: last,
      amount: row.requiredDecimal('endingCash'),
    }),
  ];
  if (opening !== undefined && first !== undefined) {
    balances.unshift(
      stated<StatementBalance>({ ...base, item: 'balance', moment: 'opening', date: first, amount: opening }),
    );
  }
  return balances;
}

/** A query writes -1, 0 or nothing for a rate that it does not have. */
export function flexRate(row: FlexRow): (StatedRate | StatementProblem)[] {
  const text = row.text('rate') ?? '';
  const rate = isNotAvailable(text) ? zeroDecimal : row.requiredDecimal('rate');
  if (rate === zeroDecimal || rate.startsWith('-')) {
    const words = `The rate ${row.currency('fromCurrency')}/${row.currency('toCurrency')} of ${row.requiredDate('reportDate')}`;
    return [missingValue(row.place, words)];
  }
  return [
    stated<StatedRate>({
      item: 'fx-rate',
      place: row.place,
      statedAt: row.statement.statedAt,
      base: row.currency('fromCurrency'),
      quote: row.currency('toCurrency'),
      date: row.requiredDate('reportDate'),
      rate,
    }),
  ];
}

export function flexSecurity(row: FlexRow): StatedInstrument[] {
  return [
    stated<StatedInstrument>({
      item: 'instrument',
      place: row.place,
      statedAt: row.statement.statedAt,
      instrument: requiredInstrument(row, 'name'),
    }),
  ];
}
