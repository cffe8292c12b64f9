// Tests what the money of a transaction comes to, down to the smallest unit, and up to which difference its figures are one transaction.

import { expect, test } from 'vitest';
import { Refusal } from '../../kit/refusal.ts';
import type { TransactionContext, TransactionInput } from './transaction-input.ts';
import { transactionMoney } from './transaction-money.ts';

const least = '0.000000000000000001';

const contextOf = (parts: object): TransactionContext =>
  ({
    accountCurrency: 'CHF',
    counterAccountCurrency: null,
    instrument: { type: 'stock-instrument', ccyCode: 'CHF', priceUnit: '1' },
    targetInstrument: null,
    ...parts,
  }) as unknown as TransactionContext;

/** The money as stored, or why it is refused. */
function moneyOf(fields: object, context: object = {}): Readonly<Record<string, unknown>> | string {
  try {
    return { ...transactionMoney(fields as TransactionInput, contextOf(context)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.faults.map(({ field, detail }) => `${field}: ${detail}`).join(' ');
  }
}

const misfit = (field: string, expected: string, stated: string): string =>
  `${field}: This does not match the other figures of the transaction: expected ${expected}, got ${stated}.`;
const wrongSign = (field: string, expected: string, stated: string): string =>
  `${field}: The sign is wrong: expected ${expected}, got ${stated}.`;

test.each([
  ['bought', { quantity: least, price: '1' }, { amount: `-${least}`, value: least }],
  ['sold', { quantity: `-${least}`, price: '1' }, { amount: least, value: least }],
  ['bought for what was paid', { quantity: '1', amount: `-${least}` }, { amount: `-${least}`, value: least }],
  ['sold for what was received', { quantity: '-1', amount: least }, { amount: least, value: least }],
  ['bought for nothing', { quantity: '1', amount: '0' }, { amount: '0', value: '0' }],
  ['sold for nothing', { quantity: '-1', amount: '0' }, { amount: '0', value: '0' }],
])('the smallest units and amounts count: %s', (_what, fields, money) => {
  expect(moneyOf({ kind: 'trade', ...fields })).toMatchObject(money);
});

test.each([
  ['bought', '1', least, `-${least}`],
  ['sold', '-1', `-${least}`, least],
])('the smallest amount has a direction: units %s', (_what, quantity, amount, expected) => {
  expect(moneyOf({ kind: 'trade', quantity, amount })).toBe(wrongSign('amount', expected, amount));
});

test.each([
  ['CHF', '65.01', '65.010000000000000001'],
  ['JPY', '66', '66.000000000000000001'],
  ['KWD', '65.001', '65.001000000000000001'],
  ['XAU', '65.0001', '65.000100000000000001'],
  ['a unit of its own', '65.0001', '65.000100000000000001'],
])('in %s, income may differ by the smallest coin, and by no more', (currency, amount, more) => {
  const income = { kind: 'dividend', currency, gross: '100', taxes: '35' };
  expect(moneyOf({ ...income, amount })).toMatchObject({ amount, taxes: '35' });
  expect(moneyOf({ ...income, amount: more })).toBe(misfit('amount', '65', more));
});

test.each([
  ['all of it was received', { gross: '100', amount: '100' }, { amount: '100', taxes: null }],
  ['as was stated, nothing was withheld', { amount: '100', taxes: '0' }, { amount: '100', taxes: '0' }],
  [
    'the smallest unit was withheld',
    { gross: '1', amount: '0.999999999999999999' },
    { amount: '0.999999999999999999', taxes: least },
  ],
])('of income: %s', (_what, fields, money) => {
  expect(moneyOf({ kind: 'dividend', ...fields })).toMatchObject(money);
});

test('of income, more cannot be received than was paid', () => {
  const amount = `1${least.slice(1)}`;
  expect(moneyOf({ kind: 'dividend', gross: '1', amount })).toBe(misfit('amount', '1', amount));
});

test('amounts without a currency are in that of the account, as are their smallest coins', () => {
  const yen = { accountCurrency: 'JPY', instrument: { type: 'stock-instrument', ccyCode: 'JPY', priceUnit: '1' } };
  expect(moneyOf({ kind: 'dividend', gross: '100', taxes: '35', amount: '66' }, yen)).toMatchObject({ amount: '66' });
  expect(moneyOf({ kind: 'trade', quantity: '1', price: '9', fees: '1', amount: '-11' }, yen)).toMatchObject({
    amount: '-11',
    currency: 'JPY',
  });
  expect(moneyOf({ kind: 'trade', quantity: '1', price: '9', fees: '1', amount: '-11.01' }, yen)).toBe(
    misfit('amount', '-10', '-11.01'),
  );
});

test.each([
  ['a fee', { kind: 'fee', amount: '-5' }, { amount: '-5' }],
  ['units that are moved', { kind: 'flow', quantity: '-5', counterAccount: 'a2' }, {}],
  ['cash from outside', { kind: 'flow', amount: '5' }, { amount: '5' }],
  ['interest', { kind: 'interest', amount: '5' }, { amount: '5' }],
])('what is not stated is empty: of %s', (_what, fields, stated) => {
  expect(moneyOf(fields)).toStrictEqual({
    amount: null,
    currency: 'CHF',
    value: '0',
    unexplained: '0',
    taxes: null,
    accruedInterest: null,
    exchangeRate: null,
    counterAmount: null,
    counterCcyCode: null,
    rate: null,
    ...stated,
  });
});

const bond = { instrument: { type: 'bond-instrument', ccyCode: 'CHF', priceUnit: 'per 100' } };
const bondSale = { kind: 'trade', quantity: '-100000', price: '98', dirtyPrice: '99.5' };

test.each([
  ['is what the dirty price has more than the clean one', bondSale, '1500'],
  ['is stated to half a digit of the dirty price', { ...bondSale, accruedInterest: '1550' }, '1550'],
  ['the same downwards', { ...bondSale, accruedInterest: '1450' }, '1450'],
  ['of half a digit of both prices', { ...bondSale, price: '98.25', accruedInterest: '1305' }, '1305'],
  ['as stated, without a dirty price', { ...bondSale, dirtyPrice: null, accruedInterest: '7' }, '7'],
  ['of the smallest nominal, bought', { ...bondSale, quantity: least, accruedInterest: '0' }, '0'],
])('accrued interest: %s', (_what, fields, accruedInterest) => {
  expect(moneyOf(fields, bond)).toMatchObject({ accruedInterest });
});

test.each([
  [bondSale, '1550.000000000000000001', '1500'],
  [bondSale, '1449.999999999999999999', '1500'],
  [{ ...bondSale, price: '98.25' }, '1305.000000000000000001', '1250'],
])('accrued interest that the prices contradict is refused: %j with %s', (fields, accruedInterest, expected) => {
  expect(moneyOf({ ...fields, accruedInterest }, bond)).toBe(misfit('accruedInterest', expected, accruedInterest));
});

test('the prices of a loan are those of one unit', () => {
  const loan = { instrument: { type: 'loan-instrument', ccyCode: 'CHF', priceUnit: '1' } };
  const sale = { kind: 'trade', quantity: '-1000', price: '0.98', dirtyPrice: '0.99' };
  expect(moneyOf(sale, loan)).toMatchObject({ accruedInterest: '10', amount: '990' });
});

const transfer = { kind: 'flow', counterAccount: 'a2' };
const euros = { counterAccountCurrency: 'EUR' };
const francs = { counterAccountCurrency: 'CHF' };

test.each([
  ['the smallest amount', { amount: `-${least}` }, francs, least],
  ['the smallest amount, as stated', { amount: least, counterAmount: `-${least}` }, francs, `-${least}`],
  ['into another currency', { amount: '-1', counterAmount: least }, euros, least],
  ['from another currency', { amount: least, counterAmount: '-1' }, euros, '-1'],
])('what leaves one account arrives at the other: %s', (_what, fields, context, counterAmount) => {
  expect(moneyOf({ ...transfer, ...fields }, context)).toMatchObject({ counterAmount });
});

test.each([
  ['out of both', { amount: '-1', counterAmount: `-${least}` }, euros, wrongSign('counterAmount', least, `-${least}`)],
  ['into both', { amount: '1', counterAmount: least }, euros, wrongSign('counterAmount', `-${least}`, least)],
  ['into both', { amount: least, counterAmount: '1' }, euros, wrongSign('counterAmount', '-1', '1')],
  [
    'less than left',
    { amount: '-1', counterAmount: '0.999999999999999999' },
    francs,
    misfit('counterAmount', '1', '0.999999999999999999'),
  ],
])('a transfer is refused that goes %s', (_what, fields, context, why) => {
  expect(moneyOf({ ...transfer, ...fields }, context)).toBe(why);
});

const dollarFund = { instrument: { type: 'stock-instrument', ccyCode: 'USD' } };

test.each([
  ['the amount itself in its own currency', { kind: 'capital-call', amount: `-${least}` }, {}, least],
  ['the same at a rate of one', { kind: 'capital-call', amount: '-5', exchangeRate: '1' }, {}, '5'],
  ['the amount divided by the rate', { kind: 'capital-call', amount: '-5', exchangeRate: '0.8' }, dollarFund, '6.25'],
  [
    'rounded to the last place',
    { kind: 'capital-call', amount: '-2', exchangeRate: '3' },
    dollarFund,
    '0.666666666666666667',
  ],
  ['less than nothing for a returned call', { kind: 'capital-call', amount: '5' }, {}, '-5'],
  ['less than nothing for a repaid distribution', { kind: 'distribution', amount: '-5' }, {}, '-5'],
  ['by the rate, if its currency is not known', { amount: '5', exchangeRate: '2' }, { instrument: null }, '2.5'],
  ['nothing without an amount', {}, {}, '0'],
  [
    'in the currency of the units that were not delivered',
    { amount: '5', exchangeRate: '0.5', cashInLieuQuantity: '1' },
    { targetInstrument: { type: 'stock-instrument', ccyCode: 'USD' } },
    '10',
  ],
])('what a fund called or an issuer paid is worth: %s', (_what, fields, context, value) => {
  expect(moneyOf({ kind: 'corporate-action', ...fields }, context)).toMatchObject({ value });
});

test.each([
  [{ exchangeRate: '1.000000000000000001' }, {}, /^exchangeRate: .*both in CHF: the exchange rate can only be 1\.$/],
  [
    { exchangeRate: '2' },
    { instrument: { type: 'stock-instrument', listingCurrency: 'CHF' } },
    /both in CHF: the exchange rate can only be 1\.$/,
  ],
  [{}, { instrument: { type: 'stock-instrument', listingCurrency: 'USD' } }, /the instrument is in USD/],
  [{}, dollarFund, /^exchangeRate: .*the instrument is in USD, the amount in CHF\.$/],
])('a rate is stated where there are two currencies, and only there: %j', (fields, context, why) => {
  expect(moneyOf({ kind: 'capital-call', amount: '-5', ...fields }, context)).toMatch(why);
});
