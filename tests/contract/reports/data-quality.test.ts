// Data quality findings of a reporting entity: each names the problem, its place, and the transactions and uploads behind it, and
// disappears once fixed.

import { beforeAll, describe, expect, test } from 'vitest';
import { checkedFigureNames } from '../../setup/engine/explanation-check.ts';
import { findingCodes, findingDefinitions, type FindingCode } from '../../../src/model/report/finding.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { book, bookedId, makeInstrument, makeStock } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold } from '../../setup/structure/structure-document.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { cashId, unidentifiedId } from '../../setup/instruments/built-in-ids.ts';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
  for (const date of ['2026-03-14', '2026-03-31'])
    await admin.post('/v1/fx-rates', { base: 'USD', quote: 'CHF', date, rate: '0.9' });
});

interface QualityHousehold {
  readonly client: string;
  readonly legalEntity: string;
  readonly account: string;
  readonly depository: string;
  readonly entity: string;
  readonly stock: string;
}

async function makeQualityHousehold(method = 'FIFO'): Promise<QualityHousehold> {
  const { client, legalEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF', accounting_method: method });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const depository = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, account_ids: [account] });
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', {
    reporting_entity_id: entity,
    account_ids: [account],
    depository_ids: [depository],
  });
  await bookInAccount(account, { type: 'deposit', date: '2026-01-02', amount: '100000' });
  return { client, legalEntity, account, depository, entity, stock: await makeStock(admin, 'Novartis AG') };
}

async function bookInAccount(account: string, fields: object): Promise<string> {
  return bookedId(await book(admin, 'v1', { account_id: account, date: '2026-01-05', ...fields }));
}

function trade({ account, stock }: QualityHousehold, fields: object): Promise<string> {
  return bookInAccount(account, { instrument_id: stock, ...fields });
}

async function change(id: string, fields: object): Promise<void> {
  const { status, text } = await admin.patch(`/v1/transactions/${id}`, fields);
  if (status !== 200) throw new Error(text);
}

async function point(instrument: string, [series, date, value]: readonly [string, string, string]): Promise<void> {
  const { status, text } = await admin.post(`/v1/instruments/${instrument}/${series}`, { date, value });
  if (status !== 201) throw new Error(text);
}

async function exchangeRate(base: string, date: string, rate: string): Promise<void> {
  const data = [{ base, quote: 'CHF', date, rate, source: 'manual' }];
  const { status, text } = await admin.post('/v1/fx-rates/bulk', { data });
  if (status !== 200) throw new Error(text);
}

async function upload(
  { depository, stock }: QualityHousehold,
  [date, units, market_value]: readonly string[],
): Promise<string> {
  const household = { kind: 'instrument', depository_id: depository, instrument_id: stock };
  return (await admin.post('/v1/historical-holdings', { ...household, date, units, market_value })).body.id;
}

function getFindings(entity: string, query = ''): Promise<Reply> {
  return admin.get(`/v1/data-quality?reporting_entity_id=${entity}&as_of=2026-03-31${query}`);
}

async function findingsWithCode(entity: string, code: FindingCode): Promise<any[]> {
  const { status, body, text } = await getFindings(entity, `&code=${code}`);
  if (status !== 200) throw new Error(text);
  return body.data;
}

interface Case {
  readonly method?: string;
  /** Causes one finding with the code, and returns its expected content. */
  wrong(household: QualityHousehold): Promise<{ readonly expected: object; repair(): Promise<unknown> }>;
}

const bond = {
  type: 'bond-instrument',
  name: 'Bond',
  currency: 'CHF',
  coupon: '0.0365',
  day_count_convention: 'ACT/365',
};
const loan = { type: 'loan-instrument', name: 'Loan', currency: 'CHF', principal: '1000', start_date: '2026-01-01' };
const linked = {
  type: 'index-linked-bond-instrument',
  name: 'Linked',
  currency: 'CHF',
  coupon: '0',
  maturity: '2034-06-15',
};

/** Those about statements of custodians are in tests of reconciliation. */
const cases: Readonly<Record<Exclude<FindingCode, 'fx-rate-missing' | 'too-much-named' | `break-${string}`>, Case>> = {
  unidentified: {
    async wrong(household) {
      const id = await bookInAccount(household.account, { type: 'buy', quantity: '4', price: '25', amount: '-100' });
      const expected = { instrument_id: unidentifiedId, quantity: '4', transaction_ids: [id] };
      return { expected, repair: () => change(id, { instrument_id: household.stock }) };
    },
  },
  'no-portfolio': {
    async wrong({ entity, account }) {
      const { body } = await admin.get(`/v1/portfolios?reporting_entity_id=${entity}`);
      await admin.delete(`/v1/portfolios/${body.data[0].id}`);
      const create = { reporting_entity_id: entity, account_ids: [account] };
      return { expected: { account_id: null }, repair: () => makeRecord(admin, 'portfolios', create) };
    },
  },
  'outside-portfolios': {
    async wrong({ legalEntity }) {
      const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
      const exclude = { exclude_from_reporting: true };
      return { expected: { account_id: account }, repair: () => admin.patch(`/v1/accounts/${account}`, exclude) };
    },
  },
  unclassified: {
    async wrong({ account }) {
      const path = `/v1/instrument-classes/${await classIdByPath(admin, 'Other')}`;
      await admin.patch(path, { default_for: [] });
      const instrument_id = await makeInstrument(admin, { type: 'other-instrument', name: 'Boat', currency: 'CHF' });
      await bookInAccount(account, { type: 'buy', instrument_id, quantity: '2', price: '250' });
      const expected = { instrument_id, quantity: '2', amount: '500', currency: 'CHF' };
      return { expected, repair: () => admin.patch(path, { default_for: ['other-instrument'] }) };
    },
  },
  short: {
    async wrong(household) {
      await trade(household, { type: 'sell', quantity: '2', price: '40' });
      const expected = { instrument_id: household.stock, account_id: household.account, quantity: '-2' };
      return {
        expected,
        repair: () => trade(household, { type: 'buy', date: '2026-01-02', quantity: '2', price: '30' }),
      };
    },
  },
  'short-opened': {
    async wrong(household) {
      await trade(household, { type: 'buy', quantity: '3', price: '40' });
      const id = await trade(household, { type: 'sell', date: '2026-01-06', quantity: '5', price: '40' });
      const expected = { instrument_id: household.stock, date: '2026-01-06', quantity: '2', transaction_ids: [id] };
      return { expected, repair: () => change(id, { quantity: '3' }) };
    },
  },
  overdrawn: {
    async wrong({ account }) {
      await bookInAccount(account, { type: 'withdrawal', amount: '-100010.5' });
      const expected = { instrument_id: cashId('CHF'), account_id: account, depository_id: null, quantity: '-10.5' };
      return { expected, repair: () => bookInAccount(account, { type: 'deposit', amount: '10.5' }) };
    },
  },
  'unexplained-value-change': {
    async wrong(household) {
      await upload(household, ['2026-01-31', '10', '700']);
      const id = await upload(household, ['2026-02-28', '10', '1051']);
      const expected = {
        instrument_id: household.stock,
        date: '2026-02-28',
        amount: '351',
        currency: 'CHF',
        historical_holding_ids: [id],
      };
      return { expected, repair: () => upload(household, ['2026-02-28', '10', '1050']) };
    },
  },
  'amount-far-from-price': {
    async wrong(household) {
      const id = await trade(household, { type: 'buy', quantity: '10', price: '70', amount: '-3501' });
      const expected = {
        instrument_id: household.stock,
        date: '2026-01-05',
        quantity: '10',
        amount: '-3501',
        currency: 'CHF',
        transaction_ids: [id],
      };
      return { expected, repair: () => change(id, { amount: '-3500' }) };
    },
  },
  'accrued-interest-differs': {
    async wrong({ depository }) {
      const instrument_id = await makeInstrument(admin, { ...bond, dated_date: '2025-06-15', maturity: '2030-06-15' });
      const uploaded = { kind: 'instrument', depository_id: depository, instrument_id, date: '2026-03-10' };
      const stated = { ...uploaded, units: '10000', market_value: '10000', accrued_interest: '278' };
      const { body } = await admin.post('/v1/historical-holdings', stated);
      const expected = {
        instrument_id,
        depository_id: depository,
        date: '2026-03-10',
        quantity: '10000',
        // 1 franc a day for the 268 days since 15 June 2025.
        amount: '10',
        currency: 'CHF',
        accrued_interest: { stated: '278', expected: '268', accrued_to: '2026-03-10', day_count: 'ACT/365' },
        transaction_ids: [],
        historical_holding_ids: [body.id],
      };
      return { expected, repair: () => admin.post('/v1/historical-holdings', { ...stated, accrued_interest: '268' }) };
    },
  },
  'fund-in-several-places': {
    async wrong({ account, legalEntity, entity }) {
      const other = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
      await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'Other', account_ids: [other] });
      const fund = { type: 'private-market-fund', name: 'Alpine IV', currency: 'CHF', commitment: '1000' };
      const instrument_id = await makeInstrument(admin, fund);
      await bookInAccount(account, { type: 'drawing', instrument_id, amount: '-100' });
      const id = await bookInAccount(other, { type: 'drawing', instrument_id, amount: '-100' });
      const removed = () => admin.delete(`/v1/transactions/${id}`);
      return { expected: { instrument_id, account_id: other, quantity: null }, repair: removed };
    },
  },
  'fund-units-unclear': {
    async wrong({ account, legalEntity, entity }) {
      const other = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
      await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'Other', account_ids: [other] });
      const fund = { type: 'private-market-fund', name: 'Alpine V', currency: 'CHF', commitment: '1000' };
      const instrument_id = await makeInstrument(admin, fund);
      await point(instrument_id, ['net-asset-values', '2026-03-01', '300']);
      await bookInAccount(account, { type: 'drawing', instrument_id, amount: '-100' });
      const call = { type: 'drawing', instrument_id, amount: '-200' };
      const id = await bookInAccount(other, { ...call, quantity: '1' });
      const repair = async () => {
        await admin.delete(`/v1/transactions/${id}`);
        await bookInAccount(other, call);
      };
      return { expected: { instrument_id, account_id: account, quantity: null }, repair };
    },
  },
  'more-than-principal': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...loan, interest_rate: '0' });
      const half = { type: 'buy', instrument_id, quantity: '600', price: '1' };
      await bookInAccount(account, half);
      const id = await bookInAccount(account, half);
      const expected = { instrument_id, account_id: account, quantity: '1200', amount: '200', currency: 'CHF' };
      return { expected, repair: () => change(id, { quantity: '400' }) };
    },
  },
  'unexplained-difference': {
    async wrong(household) {
      const id = await trade(household, { type: 'buy', quantity: '10', price: '70', amount: '-705' });
      const expected = { amount: '-5', currency: 'CHF', date: '2026-01-05', transaction_ids: [id] };
      return { expected, repair: () => change(id, { fees: '5' }) };
    },
  },
  'settlement-not-booked': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, {
        type: 'fx-forward-cash-settlement-contract',
        name: 'CHF/USD',
        near_leg: { currency: 'CHF', amount: '-880', date: '2026-03-15' },
        far_leg: { currency: 'USD', amount: '1000', date: '2026-03-15' },
      });
      await bookInAccount(account, { type: 'buy', instrument_id, quantity: '1', price: '0', amount: '0' });
      const settled = { type: 'maturity', instrument_id, date: '2026-03-15', amount: '20' };
      return { expected: { instrument_id, date: '2026-03-15' }, repair: () => bookInAccount(account, settled) };
    },
  },
  'coupon-not-booked': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...bond, maturity: '2034-03-15' });
      await bookInAccount(account, {
        type: 'buy',
        instrument_id,
        quantity: '1000',
        price: '100',
        accrued_interest: '29.6',
      });
      const expected = { instrument_id, date: '2026-03-15', amount: '36.5', currency: 'CHF' };
      const coupon = { type: 'coupon', instrument_id, date: '2026-03-15', amount: '36.5' };
      return { expected, repair: () => bookInAccount(account, coupon) };
    },
  },
  'coupon-paid-early': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...bond, maturity: '2034-04-15' });
      await bookInAccount(account, {
        type: 'buy',
        instrument_id,
        quantity: '1000',
        price: '100',
        accrued_interest: '26.5',
      });
      const coupon = { type: 'coupon', instrument_id, date: '2026-03-20', amount: '36.5' };
      const id = await bookInAccount(account, coupon);
      const expected = { instrument_id, date: '2026-04-15', amount: '36.5', currency: 'CHF' };
      return { expected, repair: () => admin.delete(`/v1/transactions/${id}`) };
    },
  },
  matured: {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...bond, maturity: '2026-03-15' });
      await bookInAccount(account, {
        type: 'buy',
        instrument_id,
        quantity: '1000',
        price: '100',
        accrued_interest: '29.6',
      });
      const redeemed = { type: 'maturity', instrument_id, date: '2026-03-15', quantity: '1000', price: '100' };
      return { expected: { instrument_id, date: '2026-03-15' }, repair: () => bookInAccount(account, redeemed) };
    },
  },
  'paid-out-beyond-value': {
    async wrong({ account }) {
      const fund = { type: 'private-market-fund', name: 'Alpine IV', currency: 'CHF', commitment: '1000' };
      const instrument_id = await makeInstrument(admin, fund);
      await bookInAccount(account, { type: 'drawing', instrument_id, amount: '-100' });
      await point(instrument_id, ['net-asset-values', '2026-01-31', '100']);
      await bookInAccount(account, {
        type: 'private-equity-cashflow',
        instrument_id,
        date: '2026-02-15',
        amount: '150',
      });
      const expected = { instrument_id, amount: '50', currency: 'CHF', date: '2026-01-31' };
      return { expected, repair: () => point(instrument_id, ['net-asset-values', '2026-02-28', '10']) };
    },
  },
  'stale-value': {
    async wrong(household) {
      await trade(household, { type: 'buy', quantity: '10', price: '70' });
      await point(household.stock, ['prices', '2026-02-01', '72.5']);
      const expected = { instrument_id: household.stock, date: '2026-02-01', amount: '725', currency: 'CHF' };
      return { expected, repair: () => point(household.stock, ['prices', '2026-03-30', '72.5']) };
    },
  },
  'stale-rate': {
    async wrong({ account, legalEntity, entity }) {
      // A currency of its own: rates are shared by all cases. Ten days are not too old on 14 January, eleven are.
      const foreign = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'NOK' });
      await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [foreign, account] });
      await exchangeRate('NOK', '2026-01-04', '0.08');
      await bookInAccount(foreign, { type: 'deposit', amount: '1000' });
      const expected = { date: '2026-01-04', amount: '1000', currency: 'NOK', to_currency: 'CHF', instrument_id: null };
      return { expected, repair: () => exchangeRate('NOK', '2026-03-21', '0.08') };
    },
  },
  'estimated-value': {
    async wrong(household) {
      await trade(household, { type: 'buy', quantity: '10', price: '70' });
      const expected = { instrument_id: household.stock, date: '2026-01-05', amount: '700', currency: 'CHF' };
      return { expected, repair: () => point(household.stock, ['prices', '2026-03-30', '72.5']) };
    },
  },
  'named-lot-missing': {
    method: 'SPECIFIC_ID',
    async wrong(household) {
      const [one] = [
        await trade(household, { type: 'buy', quantity: '5', price: '10' }),
        await trade(household, { type: 'buy', quantity: '5', price: '20' }),
      ];
      const lots = [{ id: one, quantity: '4' }];
      const id = await trade(household, { type: 'sell', date: '2026-01-06', quantity: '4', price: '15', lots });
      await change(one, { quantity: '3' });
      const expected = { instrument_id: household.stock, quantity: '1', date: '2026-01-06', transaction_ids: [id] };
      return { expected, repair: () => change(one, { quantity: '4' }) };
    },
  },
  'lots-not-named': {
    method: 'SPECIFIC_ID',
    async wrong(household) {
      const one = await trade(household, { type: 'buy', quantity: '5', price: '10' });
      const fed = { source: 'custodian', external_reference: '7' };
      const id = await trade(household, { type: 'sell', date: '2026-01-06', quantity: '4', price: '15', ...fed });
      const expected = { instrument_id: household.stock, quantity: '4', date: '2026-01-06', transaction_ids: [id] };
      return { expected, repair: () => change(id, { lots: [{ id: one, quantity: '4' }] }) };
    },
  },
  'implied-flow': {
    async wrong(household) {
      await upload(household, ['2026-01-31', '10', '700']);
      const id = await upload(household, ['2026-02-28', '12', '840']);
      const expected = {
        instrument_id: household.stock,
        date: '2026-02-28',
        quantity: '2',
        historical_holding_ids: [id],
      };
      return { expected, repair: () => upload(household, ['2026-02-28', '10', '700']) };
    },
  },
  'settles-after-upload': {
    async wrong(household) {
      await upload(household, ['2026-01-15', '3', '210']);
      const fields = { type: 'buy', date: '2026-01-30', settlement_date: '2026-02-02', quantity: '10', price: '70' };
      const id = await trade(household, fields);
      const stated = await upload(household, ['2026-01-31', '13', '910']);
      const expected = { date: '2026-01-30', transaction_ids: [id], historical_holding_ids: [stated] };
      return { expected, repair: () => change(id, { settlement_date: '2026-01-31' }) };
    },
  },
  'estimated-cost': {
    async wrong(household) {
      const id = await upload(household, ['2026-01-31', '10', '700']);
      const expected = { date: '2026-01-31', quantity: '10', amount: '700', historical_holding_ids: [id] };
      return { expected, repair: () => trade(household, { type: 'buy', quantity: '10', price: '60' }) };
    },
  },
  'rate-missing': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...loan, reference_rate: 'SARON', spread: '0' });
      await bookInAccount(account, { type: 'buy', instrument_id, quantity: '1000', price: '1' });
      return {
        expected: { instrument_id },
        repair: () => point(instrument_id, ['interest-rates', '2025-12-31', '0.01']),
      };
    },
  },
  'rate-assumed': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...loan, reference_rate: 'SARON', spread: '0' });
      await bookInAccount(account, { type: 'buy', instrument_id, quantity: '1000', price: '1' });
      await point(instrument_id, ['interest-rates', '2026-02-01', '0.01']);
      return {
        expected: { instrument_id },
        repair: () => point(instrument_id, ['interest-rates', '2025-12-31', '0.01']),
      };
    },
  },
  'index-factor-missing': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, linked);
      await bookInAccount(account, { type: 'buy', instrument_id, quantity: '1000', price: '100', amount: '-1000' });
      return {
        expected: { instrument_id },
        repair: () => point(instrument_id, ['index-factors', '2025-06-15', '100']),
      };
    },
  },
  'index-base-assumed': {
    async wrong({ account }) {
      const instrument_id = await makeInstrument(admin, { ...linked, dated_date: '2025-06-15' });
      await bookInAccount(account, { type: 'buy', instrument_id, quantity: '1000', price: '100', amount: '-1000' });
      await point(instrument_id, ['index-factors', '2025-07-15', '100']);
      return { expected: { instrument_id }, repair: () => point(instrument_id, ['index-factors', '2025-06-15', '99']) };
    },
  },
};

/** By hand: what is held at its last value, the units at it, the amount in doubt, or what was booked. */
const effects: Readonly<Record<keyof typeof cases, string | null>> = {
  unidentified: '100',
  'no-portfolio': null,
  'outside-portfolios': '0',
  unclassified: '500',
  short: '80',
  'short-opened': '200',
  overdrawn: '10.5',
  'unexplained-value-change': '351',
  'amount-far-from-price': '3501',
  'accrued-interest-differs': '10',
  'fund-in-several-places': '100',
  // All of it, as at the other place.
  'fund-units-unclear': '300',
  'more-than-principal': '200',
  'unexplained-difference': '5',
  // The day before it was due: 1,000 dollars at 0.9 against 880 francs.
  'settlement-not-booked': '20',
  'coupon-not-booked': '36.5',
  'coupon-paid-early': '36.5',
  matured: '1036.5',
  'paid-out-beyond-value': '50',
  'stale-value': '725',
  'stale-rate': '80',
  'estimated-value': '700',
  'named-lot-missing': '60',
  'lots-not-named': '60',
  'implied-flow': '140',
  'settles-after-upload': '700',
  'estimated-cost': '700',
  'rate-missing': '1000',
  // 1 % of 1,000 for the 85 days since the purchase, by 365.
  'rate-assumed': '1002.438356164383561644',
  'index-factor-missing': '1000',
  'index-base-assumed': '1000',
};

test.each(Object.entries(cases) as [FindingCode, Case][])(
  '%s is found with the money that it could move, and no longer found once it is fixed',
  async (code, one) => {
    const household = await makeQualityHousehold(one.method);
    expect(await findingsWithCode(household.entity, code)).toEqual([]);
    const { expected, repair } = await one.wrong(household);
    const { severity, detail, remedy } = findingDefinitions[code];
    expect(await findingsWithCode(household.entity, code)).toEqual([
      expect.objectContaining({
        code,
        severity,
        detail,
        remedy,
        effect: effects[code as keyof typeof effects],
        ...expected,
      }),
    ]);
    await expectExplanations(household.entity);
    await repair();
    expect(await findingsWithCode(household.entity, code)).toEqual([]);
  },
);

/** `explain=true` explains every unit and amount of every finding, by formulas that give them. */
async function expectExplanations(entity: string): Promise<void> {
  const { body } = await getFindings(entity, '&explain=true');
  for (const { code, explanations, ...finding } of body.data) {
    for (const name of ['quantity', 'amount'] as const) {
      const explanation = explanations[name];
      expect([code, name, explanation?.value ?? null]).toEqual([code, name, finding[name]]);
      if (explanation !== undefined) checkedFigureNames(explanation);
    }
    const { stated, expected } = finding.accrued_interest ?? {};
    expect([explanations.stated?.value, explanations.expected?.value]).toEqual([stated, expected]);
    for (const one of [explanations.stated, explanations.expected]) if (one) checkedFigureNames(one);
  }
}

test('the bound on unexplained changes of value is a setting of the client, and performance warns of the change', async () => {
  const household = await makeQualityHousehold();
  await upload(household, ['2026-01-31', '10', '700']);
  await upload(household, ['2026-02-28', '10', '1051']);
  const warnings = async (): Promise<object[]> => {
    const path = `/v2/performance/reporting-entities/${household.entity}?start=2026-02-01&end=2026-02-28`;
    const { body } = await admin.get(path);
    const { warnings: found } = body as { warnings: { code: string }[] };
    return found.filter(({ code }) => code === 'unexplained-value-change');
  };
  expect(await warnings()).toEqual([
    expect.objectContaining({ instrument_id: household.stock, date: '2026-02-28', count: 1 }),
  ]);
  await admin.patch(`/v1/clients/${household.client}`, { value_change_bound: '0.51' });
  expect(await findingsWithCode(household.entity, 'unexplained-value-change')).toEqual([]);
  expect(await warnings()).toEqual([]);
});

test('performance warns of a wrong trade in every window that has its day, also as the first or the last', async () => {
  const household = await makeQualityHousehold();
  await trade(household, { type: 'buy', date: '2026-01-05', quantity: '10', price: '70', amount: '-3501' });
  const isWarnedOf = async ([start, end]: readonly [string, string]): Promise<boolean> => {
    const { body } = await admin.get(
      `/v2/performance/reporting-entities/${household.entity}?start=${start}&end=${end}`,
    );
    return body.warnings.some(({ code }: { code: string }) => code === 'amount-far-from-price');
  };
  const windows = [
    ['2026-01-04', '2026-01-06'],
    ['2026-01-05', '2026-01-06'],
    ['2026-01-04', '2026-01-05'],
    ['2026-01-06', '2026-01-07'],
    ['2026-01-03', '2026-01-04'],
  ] as const;
  expect(await Promise.all(windows.map(isWarnedOf))).toEqual([true, true, true, false, false]);
});

test.each(['/v1/transactions', '/v2/transactions'])(
  'a coupon that names its period at %s is that of the period, however late it is booked',
  async (path) => {
    const { account, entity } = await makeQualityHousehold();
    const instrument_id = await makeInstrument(admin, { ...bond, dated_date: '2020-06-15', maturity: '2030-06-15' });
    const bought = { type: 'buy', date: '2024-06-17', instrument_id, quantity: '1000', price: '100' };
    await bookInAccount(account, { ...bought, accrued_interest: '0.2', amount: '-1000.2' });
    const due = async (): Promise<string[]> =>
      (await findingsWithCode(entity, 'coupon-not-booked')).map(({ date }: { date: string }) => date);
    expect(await due()).toEqual(['2025-06-15']);
    const period = { period_start: '2024-06-15', period_end: '2025-06-14' };
    const coupon = path.startsWith('/v1')
      ? { type: 'coupon', date: '2026-03-12', amount: '36.5' }
      : { type: 'BondCoupon', trade_date: '2026-03-12', net: 36.5 };
    const { status, body } = await admin.post(path, { ...coupon, account_id: account, instrument_id });
    // Nearer to June 2026.
    expect([status, await due()]).toEqual([201, ['2025-06-15']]);
    await admin.delete(`/v1/transactions/${body.id}`);
    const named = await admin.post(path, { ...coupon, ...period, account_id: account, instrument_id });
    expect([named.status, named.body]).toMatchObject([201, period]);
    expect(await due()).toEqual([]);
    expect((await admin.get(`/v1/transactions/${named.body.id}`)).body).toMatchObject(period);
  },
);

describe('accrued interest that the terms of a bond contradict', () => {
  const terms = { ...bond, dated_date: '2025-06-15', maturity: '2030-06-15' };

  async function withBond() {
    const household = await makeQualityHousehold();
    return { ...household, instrument_id: await makeInstrument(admin, terms) };
  }

  test('is found for a trade too, to the day it settles, until the trade is corrected', async () => {
    const { account, entity, instrument_id } = await withBond();
    const bought = { type: 'buy', instrument_id, date: '2026-03-06', settlement_date: '2026-03-10', quantity: '10000' };
    const id = await bookInAccount(account, { ...bought, price: '99', accrued_interest: '264', amount: '-10164' });
    expect(await findingsWithCode(entity, 'accrued-interest-differs')).toMatchObject([
      {
        date: '2026-03-06',
        quantity: '10000',
        amount: '-4',
        accrued_interest: { stated: '264', expected: '268', accrued_to: '2026-03-10', day_count: 'ACT/365' },
        transaction_ids: [id],
        historical_holding_ids: [],
      },
    ]);
    await expectExplanations(entity);
    await change(id, { accrued_interest: '268', amount: '-10168' });
    expect(await findingsWithCode(entity, 'accrued-interest-differs')).toEqual([]);
  });

  test('stays what was known at an earlier moment, and performance of its day warns of it', async () => {
    const { depository, entity, instrument_id } = await withBond();
    const at = { kind: 'instrument', depository_id: depository, instrument_id, date: '2026-03-10', units: '10000' };
    const state = (accrued_interest: string) =>
      admin.post('/v1/historical-holdings', { ...at, market_value: '9900', accrued_interest });
    const warnsOf = async (start: string): Promise<boolean> => {
      const { body } = await admin.get(`/v2/performance/reporting-entities/${entity}?start=${start}&end=2026-03-31`);
      return body.warnings.some(({ code }: { code: string }) => code === 'accrued-interest-differs');
    };
    await state('300');
    service.clock.advance(60_000);
    const knownAt = `&known_at=${new Date(service.clock.now()).toISOString()}`;
    service.clock.advance(60_000);
    expect([await warnsOf('2026-03-10'), await warnsOf('2026-03-11')]).toEqual([true, false]);
    await state('268');
    const found = (query: string) =>
      getFindings(entity, `${query}&code=accrued-interest-differs`).then(({ body }) =>
        body.data.map(({ accrued_interest }: any) => accrued_interest.stated),
      );
    expect([await found(''), await found(knownAt)]).toEqual([[], ['300']]);
    expect(await warnsOf('2026-03-10')).toBe(false);
  });

  test('is in the currency of the instrument, whatever the rate of the upload', async () => {
    const { depository, entity } = await makeQualityHousehold();
    const instrument_id = await makeInstrument(admin, { ...terms, currency: 'USD' });
    const at = { kind: 'instrument', depository_id: depository, instrument_id, date: '2026-03-10', units: '10000' };
    const rate = { currency_exchange_rate: '0.5', reporting_currency_code: 'CHF' };
    const state = (accrued_interest: string) =>
      admin.post('/v1/historical-holdings', { ...at, ...rate, market_value: '9900', accrued_interest });
    await state('268');
    expect(await findingsWithCode(entity, 'accrued-interest-differs')).toEqual([]);
    await state('134');
    // 134 dollars at 0.9, the rate of the day.
    expect(await findingsWithCode(entity, 'accrued-interest-differs')).toMatchObject([
      { amount: '-134', currency: 'USD', effect: '120.6', accrued_interest: { stated: '134', expected: '268' } },
    ]);
  });
});

describe('a missing rate', () => {
  test('is found with the first day it is needed for; other findings then have no amounts', async () => {
    const household = await makeQualityHousehold();
    const { legalEntity, account } = household;
    const yen = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'JPY' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: household.entity, name: 'Yen', account_ids: [yen] });
    await bookInAccount(yen, { type: 'deposit', date: '2026-02-02', amount: '9000' });
    await trade(household, { type: 'buy', date: '2026-03-30', quantity: '10', price: '70' });
    expect(errorCodeOf(await admin.get(`/v1/holdings?reporting_entity_id=${household.entity}`))).toBe(
      'fx-rate-missing',
    );
    const { body } = await getFindings(household.entity);
    const nothing = {
      depository_id: null,
      quantity: null,
      amount: null,
      accrued_interest: null,
      effect: null,
      transaction_ids: [],
      historical_holding_ids: [],
    };
    expect(body.data).toEqual([
      {
        code: 'fx-rate-missing',
        ...findingDefinitions['fx-rate-missing'],
        ...nothing,
        account_id: null,
        instrument_id: null,
        date: '2026-02-02',
        currency: 'JPY',
        to_currency: 'CHF',
      },
      {
        code: 'estimated-value',
        ...findingDefinitions['estimated-value'],
        ...nothing,
        account_id: account,
        depository_id: household.depository,
        instrument_id: household.stock,
        date: '2026-03-30',
        currency: null,
        to_currency: null,
      },
    ]);
    expect((await getFindings(household.entity)).text).toBe((await getFindings(household.entity)).text);
    await admin.post('/v1/fx-rates', { base: 'JPY', quote: 'CHF', date: '2026-03-01', rate: '0.006' });
    expect(await findingsWithCode(household.entity, 'fx-rate-missing')).toMatchObject([
      { date: '2026-02-02', currency: 'JPY' },
    ]);
    await admin.post('/v1/fx-rates', { base: 'JPY', quote: 'CHF', date: '2026-02-02', rate: '0.006' });
    expect(await findingsWithCode(household.entity, 'fx-rate-missing')).toEqual([]);
    expect(await findingsWithCode(household.entity, 'estimated-value')).toMatchObject([
      { amount: '700', currency: 'CHF' },
    ]);
  });

  test('for the cost of deposited units does not prevent other findings', async () => {
    const household = await makeQualityHousehold();
    const instrument_id = await makeStock(admin, 'Sony', 'NOK');
    const acquired = [{ date: '2020-05-04', quantity: '1', cost: '7' }];
    await bookInAccount(household.account, { type: 'deposit', instrument_id, quantity: '1', acquired });
    await bookInAccount(household.account, { type: 'withdrawal', amount: '-100001' });
    const { body } = await getFindings(household.entity);
    expect(body.counts).toEqual([
      { code: 'fx-rate-missing', severity: 'error', count: 1 },
      { code: 'overdrawn', severity: 'warning', count: 1 },
      { code: 'estimated-value', severity: 'warning', count: 1 },
    ]);
    expect(body.data[0]).toMatchObject({ date: '2020-05-04', currency: 'NOK', to_currency: 'CHF' });
  });
});

test('the most severe come first, in pages, with counts of all for any filter; earlier moments show earlier findings', async () => {
  const household = await makeQualityHousehold();
  expect((await getFindings(household.entity)).body).toMatchObject({
    data: [],
    counts: [],
    as_of: '2026-03-31T23:59:59.999Z',
  });
  await upload(household, ['2026-01-31', '10', '700']);
  await bookInAccount(household.account, { type: 'buy', quantity: '4', price: '25', amount: '-105' });
  await bookInAccount(household.account, { type: 'withdrawal', amount: '-100001' });
  const { body } = await getFindings(household.entity);
  const codes = body.data.map(({ code }: { code: FindingCode }) => code);
  expect(codes).toEqual([
    'unidentified',
    'overdrawn',
    'unexplained-difference',
    'stale-value',
    'stale-value',
    'estimated-value',
    'estimated-cost',
  ]);
  expect(codes).toEqual(
    codes.toSorted((a: FindingCode, b: FindingCode) => findingCodes.indexOf(a) - findingCodes.indexOf(b)),
  );
  const walked: unknown[] = [];
  for (let cursor = ''; ;) {
    const page = (await getFindings(household.entity, `&limit=4${cursor}`)).body;
    expect(page.counts).toEqual(body.counts);
    walked.push(...page.data);
    if (!page.has_more) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(walked).toEqual(body.data);
  const some = (await getFindings(household.entity, '&code=overdrawn,unidentified')).body;
  expect([some.data, some.counts]).toEqual([body.data.slice(0, 2), body.counts]);
  service.clock.advance(60_000);
  const knownAt = `&known_at=${new Date(service.clock.now()).toISOString()}`;
  service.clock.advance(60_000);
  await bookInAccount(household.account, { type: 'deposit', amount: '500' });
  expect(await findingsWithCode(household.entity, 'overdrawn')).toEqual([]);
  expect((await getFindings(household.entity, knownAt)).body.data).toEqual(body.data);
});

test('sorted by effect, what could move the most money comes first, in the currency that was asked for', async () => {
  const household = await makeQualityHousehold();
  await upload(household, ['2026-01-31', '10', '700']);
  await bookInAccount(household.account, { type: 'buy', quantity: '4', price: '25', amount: '-105' });
  await bookInAccount(household.account, { type: 'withdrawal', amount: '-100001' });
  await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  const sorted = async (query: string): Promise<any> =>
    (await getFindings(household.entity, `&sort=effect${query}`)).body;
  const { data, currency } = await sorted('');
  expect([currency, data.map(({ code, effect }: any) => `${code} ${effect}`)]).toEqual([
    'CHF',
    [
      'stale-value 700',
      'estimated-cost 700',
      // The cash: 100,000 − 105 − 100,001.
      'overdrawn 106',
      // 4 units at the price of their trade.
      'unidentified 100',
      'stale-value 100',
      'estimated-value 100',
      'unexplained-difference 5',
      'outside-portfolios 0',
    ],
  ]);
  const [first] = (await sorted('&limit=1')).data;
  const second = await sorted(`&limit=1&cursor=${(await sorted('&limit=1')).next_cursor}`);
  expect([first, second.data[0]]).toEqual(data.slice(0, 2));
  // 1 dollar is 0.9 francs.
  expect((await sorted('&currency=USD&limit=1')).data[0]).toMatchObject({
    amount: '700',
    effect: '777.777777777777777778',
  });
  expect((await sorted('&currency=SEK&code=overdrawn')).data[0].effect).toBe(null);
  expect(errorCodeOf(await getFindings(household.entity, '&sort=size'))).toBe('invalid-parameter');
});

test('an error that stops figures comes before all effects', async () => {
  const household = await makeQualityHousehold();
  await trade(household, { type: 'buy', quantity: '10', price: '70' });
  const { body } = await admin.get(`/v1/portfolios?reporting_entity_id=${household.entity}`);
  await admin.delete(`/v1/portfolios/${body.data[0].id}`);
  const found = (await getFindings(household.entity, '&sort=effect')).body.data;
  expect(found.map(({ code, effect }: any) => [code, effect])).toEqual([
    ['no-portfolio', null],
    // 100,000 in cash, of which 700 was spent on units worth as much.
    ['outside-portfolios', '100000'],
  ]);
});

test('a caller bound to the client gets the same findings', async () => {
  const household = await makeQualityHousehold();
  await bookInAccount(household.account, { type: 'buy', quantity: '4', price: '25', amount: '-105' });
  const scoped = await admin.becomeApplication({ scoped_to: household.client });
  const { text } = await getFindings(household.entity);
  const path = `/v1/data-quality?reporting_entity_id=${household.entity}&as_of=2026-03-31`;
  expect((await scoped.get(path)).text).toBe(text);
});

test('positions outside the reporting entity are not checked', async () => {
  const household = await makeQualityHousehold();
  const { legalEntity } = household;
  const hidden = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    currency: 'CHF',
    exclude_from_reporting: true,
  });
  await bookInAccount(hidden, {
    type: 'buy',
    instrument_id: household.stock,
    quantity: '10',
    price: '70',
    amount: '-705',
  });
  expect((await getFindings(household.entity)).body.data).toEqual([]);
});

test.each([
  ['&code=rotten', 'code'],
  ['&kind=short', 'kind'],
  ['&limit=101', 'limit'],
])('%s is refused for its %s', async (query, parameter) => {
  const { status, body } = await getFindings((await makeQualityHousehold()).entity, query);
  expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
});
