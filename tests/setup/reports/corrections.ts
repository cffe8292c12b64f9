// Corrections of everything that a client's figures are computed from, to be applied in generated orders.

import type { Caller } from '../http/caller.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../ledger/ledger-household.ts';
import { makeRecord } from '../structure/structure-document.ts';

export interface CorrectedHousehold extends LedgerHousehold {
  readonly caller: Caller;
  readonly portfolio: string;
  readonly limit: string;
  /** Ids of what was booked or sent, oldest first. */
  readonly transactions: string[];
  readonly prices: string[];
  readonly rates: string[];
  readonly uploads: string[];
  readonly portfolios: string[];
}

/** Deposits, a purchase in each currency, prices, rates and a call of a private fund. */
export async function makeCorrectedHousehold(caller: Caller, name: string): Promise<CorrectedHousehold> {
  const household = await makeLedgerHousehold(caller, name);
  const { client, reportingEntity, account, euros } = household;
  await caller.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  await caller.patch(`/v1/accounts/${account}`, { depository_ids: [household.depository] });
  const places = { account_ids: [account, euros], depository_ids: [household.vault] };
  const portfolio = await makeRecord(caller, 'portfolios', { reporting_entity_id: reportingEntity, name, ...places });
  const limit = await makeRecord(caller, 'limits', {
    client_id: client,
    name: 'Cash',
    kind: 'proportional',
    bounds: { max_pct: '0.5' },
    filter: { kind: 'condition', field: 'currency', operator: 'equals', value: 'CHF' },
  });
  const state = { transactions: [], prices: [], rates: [], uploads: [], portfolios: [] };
  const made = { ...household, ...state, caller, portfolio, limit };
  for (const pick of [0, 1, 2, 3, 4, 5]) await correct(made, 'book', pick);
  for (const pick of [0, 1, 2]) await correct(made, 'price', pick);
  for (const pick of [0, 1]) await correct(made, 'rate', pick);
  return made;
}

const days = ['2026-01-05', '2026-03-02', '2026-06-30', '2026-11-10'] as const;

function dayAt(pick: number): string {
  return days[pick % days.length]!;
}

/** What can be booked: `pick` varies the day, the size and the instrument. */
function booking({ account, euros, stock, dollarStock, bond, fund }: CorrectedHousehold, pick: number): object {
  const size = 1 + (pick % 7);
  const kinds: readonly object[] = [
    { type: 'deposit', account_id: account, amount: `${size}0000.55` },
    { type: 'deposit', account_id: euros, amount: `${size}000` },
    { type: 'buy', account_id: account, instrument_id: stock, quantity: `${size}`, price: '70.35' },
    {
      type: 'buy',
      account_id: euros,
      instrument_id: dollarStock,
      quantity: `${size}`,
      price: '12',
      exchange_rate: '0.9',
    },
    { type: 'buy', account_id: account, instrument_id: bond, quantity: `${size}000`, price: '99.5', date: days[0] },
    { type: 'drawing', account_id: account, instrument_id: fund, amount: `-${size}00` },
    { type: 'sell', account_id: account, instrument_id: stock, quantity: '1', price: '81', date: days[3] },
    { type: 'fee', account_id: account, amount: `-${size}.25`, category: 'advisory' },
    { type: 'withdrawal', account_id: account, counter_account_id: euros, amount: '-1' },
  ];
  return { date: dayAt(pick), ...kinds[pick % kinds.length] };
}

type Correction = (household: CorrectedHousehold, pick: number) => Promise<{ status: number; text: string }>;

const unchanged = { status: 200, text: '' };

/** Sends a body, and remembers the id of what was created or replaced. */
async function create({ caller }: CorrectedHousehold, path: string, body: object, ids: string[]) {
  const reply = await caller.post(path, body);
  if (reply.status < 300 && !ids.includes(reply.body.id)) ids.push(reply.body.id);
  return reply;
}

function change(household: CorrectedHousehold, path: string, ids: readonly string[], pick: number, fields: object) {
  return ids.length === 0 ? unchanged : household.caller.patch(`${path}/${ids[pick % ids.length]}`, fields);
}

function remove(household: CorrectedHousehold, path: string, ids: string[], pick: number) {
  if (ids.length === 0) return unchanged;
  const [id] = ids.splice(pick % ids.length, 1);
  return household.caller.delete(`${path}/${id}`);
}

const corrections = {
  book: async (one, pick) => create(one, '/v1/transactions', booking(one, pick), one.transactions),
  amend: async (one, pick) =>
    change(one, '/v1/transactions', one.transactions, pick, { comment: `${pick}`, date: dayAt(pick + 1) }),
  cancel: async (one, pick) => remove(one, '/v1/transactions', one.transactions, pick),
  price: async (one, pick) => {
    const instrument = [one.stock, one.dollarStock, one.bond][pick % 3];
    const point = { date: dayAt(pick + 2), value: `${80 + (pick % 5)}.125` };
    return create(one, `/v1/instruments/${instrument}/prices`, point, one.prices);
  },
  'delete price': async (one, pick) => remove(one, '/v1/prices', one.prices, pick),
  'net asset value': async (one, pick) =>
    one.caller.post(`/v1/instruments/${one.fund}/net-asset-values`, { date: dayAt(pick), value: `${pick % 9}00` }),
  rate: async (one, pick) => {
    const pair = pick % 2 === 0 ? { base: 'EUR', quote: 'CHF' } : { base: 'USD', quote: 'EUR' };
    return create(one, '/v1/fx-rates', { ...pair, date: '2026-01-02', rate: `0.9${pick % 8}` }, one.rates);
  },
  'delete rate': async (one, pick) => remove(one, '/v1/fx-rates', one.rates, pick),
  upload: async (one, pick) => {
    const cash = { kind: 'account', account_id: one.account, date: dayAt(pick), market_value: `${pick + 1}50` };
    const units = { kind: 'instrument', depository_id: one.vault, instrument_id: one.target, date: dayAt(pick) };
    const body = pick % 2 === 0 ? cash : { ...units, units: `${1 + pick}`, market_value: `${90 * (1 + pick)}` };
    return create(one, '/v1/historical-holdings', body, one.uploads);
  },
  'correct upload': async (one, pick) =>
    change(one, '/v1/historical-holdings', one.uploads, pick, { market_value: `${pick + 1}51` }),
  'delete upload': async (one, pick) => remove(one, '/v1/historical-holdings', one.uploads, pick),
  exclude: async (one, pick) =>
    one.caller.patch(`/v1/accounts/${one.euros}`, { exclude_from_reporting: pick % 2 === 0 }),
  membership: async (one, pick) =>
    one.caller.patch(`/v1/portfolios/${one.portfolio}`, {
      account_ids: [one.account, ...(pick % 2 === 0 ? [one.euros] : [one.savings])],
    }),
  'custody link': async (one, pick) =>
    one.caller.patch(`/v1/accounts/${one.account}`, { depository_ids: pick % 2 === 0 ? [] : [one.vault] }),
  portfolio: async (one, pick) =>
    create(
      one,
      '/v1/portfolios',
      { reporting_entity_id: one.reportingEntity, name: `More ${pick}`, account_ids: [one.savings] },
      one.portfolios,
    ),
  'delete portfolio': async (one, pick) => remove(one, '/v1/portfolios', one.portfolios, pick),
  setting: async (one, pick) =>
    one.caller.patch(`/v1/clients/${one.client}`, {
      accounting_method: pick % 2 === 0 ? 'AVERAGE' : 'FIFO',
      reference_currency: pick % 3 === 0 ? 'EUR' : 'CHF',
    }),
  'figure settings': async (one, pick) =>
    one.caller.patch(`/v1/clients/${one.client}`, {
      stale_days_listed: 1 + pick,
      long_term_months: 1 + (pick % 12),
      volatility_days: 200 + pick,
    }),
  'default class': async (one, pick) => {
    const { body } = await one.caller.get('/v1/instrument-classes?limit=100');
    const { id } = body.data[pick % body.data.length];
    return one.caller.patch(`/v1/instrument-classes/${id}`, { default_for: ['stock-instrument', 'bond-instrument'] });
  },
  terms: async (one, pick) =>
    one.caller.patch(`/v1/instruments/${one.bond}`, { coupon: `0.0${1 + (pick % 8)}`, name: `Eidg. ${pick}` }),
  classification: async (one, pick) => {
    const { body } = await one.caller.get('/v1/instrument-classes?limit=100');
    return one.caller.patch(`/v1/instruments/${one.stock}`, {
      instrument_class_id: body.data[pick % body.data.length].id,
    });
  },
  'class of the tree': async (one, pick) => {
    const { body } = await one.caller.get('/v1/instrument-classes?limit=100');
    const { id, name } = body.data[pick % body.data.length];
    return one.caller.patch(`/v1/instrument-classes/${id}`, { name: `${name}.`, staleness_days: 1 + pick });
  },
  split: async (one, pick) =>
    create(
      one,
      '/v1/transactions',
      {
        type: 'corporate-action',
        action: 'split',
        ratio: '2:1',
        instrument_id: one.stock,
        date: dayAt(pick + 1),
      },
      one.transactions,
    ),
  merger: async (one, pick) =>
    create(
      one,
      '/v1/transactions',
      {
        type: 'corporate-action',
        action: 'merger',
        ratio: '1:2',
        account_id: one.account,
        instrument_id: one.stock,
        target_instrument_id: one.target,
        amount: `${1 + pick}`,
        date: dayAt(pick + 2),
      },
      one.transactions,
    ),
  limit: async (one, pick) =>
    one.caller.patch(`/v1/limits/${one.limit}`, { bounds: { max_pct: `0.${1 + (pick % 9)}` } }),
} as const satisfies Record<string, Correction>;

export type CorrectionName = keyof typeof corrections;
export const correctionNames = Object.keys(corrections) as CorrectionName[];

/** Applies a correction. It may be refused, but never fail. */
export async function correct(household: CorrectedHousehold, name: CorrectionName, pick: number): Promise<number> {
  const { status, text } = await corrections[name](household, pick);
  if (status >= 500) throw new Error(`${name}: ${status} ${text}`);
  return status;
}
