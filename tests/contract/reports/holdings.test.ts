// Holdings on every wire: the published figures of the reference portfolio, and a small household with excluded, overlapping,
// unknown and owed positions.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dayMs } from '../../../src/kit/clock.ts';
import { fromFixed, toFixed } from '../../../src/kit/fixed.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import { axes } from '../../../src/actions/reports/segments/axis.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { book, makeStock } from '../../setup/ledger/ledger-household.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio, type DateReports } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';
import { cashId, feesOwedId, unidentifiedId } from '../../setup/instruments/built-in-ids.ts';

const service = serviceForThisFile({ settings: { TIME_ZONE: 'Europe/Zurich' } });
const { facts, expected } = readReferencePortfolio();
let admin: Caller;
let reference: ReferenceClient;
let household: ReportHousehold;

beforeAll(async () => {
  ({ admin } = service);
  reference = await ReferenceClient.book(admin, facts);
  household = await makeReportHousehold(admin);
});

function plainHoldings(entity: string, query = ''): Promise<Reply> {
  return admin.get(`/v2/holdings/reporting-entities/${entity}${query}`);
}

function v1Holdings(entity: string, query = ''): Promise<Reply> {
  return admin.get(`/v1/holdings?reporting_entity_id=${entity}${query}`);
}

function sumOf(figures: readonly string[]): string {
  return fromFixed(figures.reduce((sum, figure) => sum + toFixed(figure as Decimal), 0n));
}

const day = '2026-02-05';
const endOfDay = '2026-02-05T22:59:59.999Z';
const balance = { source: 'balance', date: null, stale: false, estimated: false };
const priced = { source: 'price', date: '2026-02-01', stale: false, estimated: false };
const lastTraded = { source: 'last-trade', date: '2026-01-06', stale: true, estimated: true };
const version = expect.stringMatching(/^[\w-]{22}$/);

describe('the published figures of the reference portfolio', () => {
  const dates = Object.entries(expected.byDate) as [string, DateReports][];

  test.each(dates)('by instrument on Plain at %s', async (date, { holdings }) => {
    const { body } = await plainHoldings(reference.id('all'), `?as_of=${date}`);
    const byInstrument = Map.groupBy(holdings, ({ instrument }) => instrument);
    const figures = (name: string, some: readonly Record<string, any>[]) => Number(sumOf(some.map((one) => one[name])));
    const wanted = [...byInstrument].map(([instrument_id, some]) => ({
      reporting_entity_id: 'all',
      instrument_id,
      quantity: figures('units', some),
      market_value: figures('marketValue', some),
      cost_basis: figures('cost', some),
      unrealised_pnl: figures('unrealised', some),
      as_of: expect.stringContaining(date),
    }));
    const { data } = reference.withNames(body);
    expect(data).toHaveLength(wanted.length);
    expect(data).toEqual(expect.arrayContaining(wanted));
  });

  test.each(dates)('along the axes of v1 at %s', async (date, { marketValueBy, totals }) => {
    for (const [axis, wanted] of Object.entries(marketValueBy) as [string, Record<string, string>][]) {
      const { body } = await v1Holdings(reference.id('all'), `&as_of=${date}&by=${axis}`);
      const actual = reference
        .withNames(body)
        .data.map(({ segment_id, market_value }: Record<string, string | null>) => [
          segment_id?.replace('class ', '') ?? 'none',
          market_value,
        ]);
      const held = Object.entries(wanted).filter(([, value]) => value !== '0');
      expect([axis, Object.fromEntries(actual)]).toEqual([axis, Object.fromEntries(held)]);
      const { marketValue: market_value, cost: cost_basis, unrealised: unrealised_pnl } = totals;
      expect(body.totals).toMatchObject({ market_value, cost_basis, unrealised_pnl });
      const parts = [body.totals.unrealised_price_part, body.totals.unrealised_currency_part];
      expect(sumOf(parts)).toBe(unrealised_pnl);
    }
  });

  test.each(axes.filter((axis) => axis !== 'portfolio'))('segments by %s add up to the totals', async (axis) => {
    for (const [date] of dates) {
      const { body } = await v1Holdings(reference.id('all'), `&as_of=${date}&by=${axis}`);
      for (const [figure, total] of Object.entries(body.totals)) {
        expect(sumOf(body.data.map((one: Record<string, string>) => one[figure]))).toBe(total);
      }
      const shares = body.data.map(({ share }: { share: string }) => Number(share));
      expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });
});

describe('a household', () => {
  const amounts = {
    stock: ['10', '721.23456789012345678', '700', '21.23456789012345678'],
    cash: ['200', '200', '200', '0'],
    fees: ['-12.5', '-12.5', '-12.5', '0'],
    unidentified: ['4', '100', '100', '0'],
  } as const;

  test('is listed by instrument on Plain with all digits: cash, fees owed, units of an unknown instrument', async () => {
    const { text } = await plainHoldings(household.all, `?as_of=${day}`);
    const row = (instrument: string, [quantity, value, cost, pnl]: readonly string[]): string =>
      `{"reporting_entity_id":"${household.all}","instrument_id":"${instrument}","quantity":${quantity},"market_value":${value},` +
      `"cost_basis":${cost},"unrealised_pnl":${pnl},"as_of":"${endOfDay}"}`;
    const rows = [
      row(household.stock, amounts.stock),
      row(cashId('CHF'), amounts.cash),
      row(feesOwedId('CHF'), amounts.fees),
      row(unidentifiedId, amounts.unidentified),
    ];
    const { ledger_version } = JSON.parse(text);
    expect(text).toBe(`{"data":[${rows.join()}],"has_more":false,"ledger_version":"${ledger_version}"}`);
    expect(ledger_version).toEqual(version);
  });

  test('is answered on v1 with strings, names, shares and totals', async () => {
    const { body } = await v1Holdings(household.all, `&as_of=${day}`);
    const row = (
      id: string,
      name: string,
      [quantity, market_value, cost_basis, unrealised_pnl]: readonly string[],
    ) => ({
      segment_id: id,
      segment_name: name,
      quantity,
      market_value,
      cost_basis,
      unrealised_pnl,
      accrued_interest: '0',
      unrealised_price_part: unrealised_pnl,
      unrealised_currency_part: '0',
    });
    expect(body).toEqual({
      data: [
        {
          ...row(household.stock, 'Novartis AG', amounts.stock),
          share: '0.7149894440503441',
          valuation: priced,
          settled_quantity: null,
        },
        {
          ...row(cashId('CHF'), 'Cash CHF', amounts.cash),
          share: '0.19826821283454324',
          valuation: balance,
          settled_quantity: '200',
        },
        {
          ...row(feesOwedId('CHF'), 'Fees owed CHF', amounts.fees),
          share: '-0.012391763302158952',
          valuation: balance,
          settled_quantity: null,
        },
        {
          ...row(unidentifiedId, 'Unidentified', amounts.unidentified),
          share: '0.09913410641727162',
          valuation: lastTraded,
          settled_quantity: null,
        },
      ],
      has_more: false,
      by: 'instrument',
      currency: 'CHF',
      as_of: endOfDay,
      totals: {
        market_value: '1008.73456789012345678',
        cost_basis: '987.5',
        unrealised_pnl: '21.23456789012345678',
        accrued_interest: '0',
        unrealised_price_part: '21.23456789012345678',
        unrealised_currency_part: '0',
      },
      ledger_version: version,
    });
  });

  test('a figure longer than any that can be sent is answered with all its digits', async () => {
    const entity = await makeRecord(admin, 'reporting-entities', { client_id: household.client, name: 'Huge' });
    const account = await makeAccountIn(entity);
    const huge = await makeStock(admin, 'Huge');
    const units = { account_id: account, instrument_id: huge, quantity: '1000000000000', price: '0.01' };
    await book(admin, 'v1', { type: 'buy', date: '2026-01-06', ...units });
    await admin.post(`/v1/instruments/${huge}/prices`, { date: '2026-01-07', value: '1234567890123.0625' });
    const [plain, v1] = [await plainHoldings(entity), await v1Holdings(entity)];
    expect(plain.text).toContain('"market_value":1234567890123062500000000,"cost_basis":10000000000,');
    expect(v1.body.totals.market_value).toBe('1234567890123052500000000');
  });

  async function makeAccountIn(entity: string): Promise<string> {
    const entity_id = await makeRecord(admin, 'legal-entities', { client_id: household.client, name: 'Holding' });
    const account = await makeRecord(admin, 'accounts', { entity_id, currency: 'CHF' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
    return account;
  }

  /** Each segment with its name, quantity and market value. */
  async function segmentsBy(axis: string, entity = household.all): Promise<unknown[]> {
    const { body } = await v1Holdings(entity, `&as_of=${day}&by=${axis}`);
    return body.data.map((one: Record<string, unknown>) =>
      ['segment_id', 'segment_name', 'quantity', 'market_value'].map((name) => one[name]),
    );
  }

  const units = '821.23456789012345678';
  const whole = '1008.73456789012345678';

  test('is divided by account, without the excluded account', async () => {
    expect(await segmentsBy('account')).toEqual([[household.account, 'Main', null, whole]]);
  });

  test('has positions without a depository in a last row without an id', async () => {
    expect(await segmentsBy('depository')).toEqual([
      [household.depository, 'Vault', null, units],
      [null, null, null, '187.5'],
    ]);
  });

  test('counts positions shared by two portfolios in each of them, and once in the totals', async () => {
    expect(await segmentsBy('portfolio')).toEqual([
      [household.cash, 'Accounts', null, whole],
      [household.units, 'Custody', null, units],
    ]);
    const { body } = await v1Holdings(household.all, `&as_of=${day}&by=portfolio`);
    expect(body.totals.market_value).toBe(whole);
  });

  test('has instruments without a class in a last row without an id', async () => {
    expect(await segmentsBy('class')).toEqual([
      [expect.any(String), 'Cash', null, '187.5'],
      [expect.any(String), 'Equities', '10', '721.23456789012345678'],
      [null, null, '4', '100'],
    ]);
  });

  test('shows a private instrument only to its own reporting entity', async () => {
    const ofOther = await segmentsBy('instrument', household.other);
    expect(ofOther).toContainEqual([household.club, 'Club deal', '3', '300']);
    expect((await plainHoldings(household.all)).text).not.toContain(household.club);
  });

  test('has no holdings in a reporting entity without portfolios', async () => {
    const { body } = await v1Holdings(household.empty);
    expect(body).toMatchObject({
      data: [],
      has_more: false,
      totals: { market_value: '0', cost_basis: '0', unrealised_pnl: '0' },
    });
    expect((await plainHoldings(household.empty)).body).toEqual({ data: [], has_more: false, ledger_version: version });
  });

  test('can be read as CSV with a column for every figure', async () => {
    const lines = [
      'as_of,currency,segment_id,segment_name,quantity,market_value,cost_basis,unrealised_pnl,accrued_interest,unrealised_price_part,unrealised_currency_part,share,valuation_source,valuation_date,valuation_stale,valuation_estimated,settled_quantity',
      `${endOfDay},CHF,${household.depository},Vault,,${units},800,21.23456789012345678,0,21.23456789012345678,0,0.8141235504676158,several,2026-01-06,true,true,`,
      `${endOfDay},CHF,,,,187.5,187.5,0,0,0,0,0.18587644953238427,balance,,false,false,`,
    ];
    const csvReply = await v1Holdings(household.all, `&as_of=${day}&by=depository&format=csv&round=none`);
    expect([csvReply.headers.get('content-type'), csvReply.text]).toEqual([
      'text/csv; charset=utf-8; header=present',
      lines.map((line) => `${line}\r\n`).join(''),
    ]);
    const path = `/v1/holdings?reporting_entity_id=${household.all}&as_of=${day}&by=depository`;
    expect((await admin.get(`${path}&round=none`, { accept: 'text/csv' })).text).toBe(csvReply.text);
  });
});

describe('a private fund without units', () => {
  test('is one investment, whether one account paid for it or two, and its quantity is explained so', async () => {
    const { client, legalEntity, reportingEntity: entity } = await makeHousehold(admin, 'Zeisig');
    await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
    const fund = { type: 'private-market-fund', name: 'Alpine IV', currency: 'CHF', commitment: '1000' };
    const instrument_id = await makeRecord(admin, 'instruments', fund);
    const accounts = await Promise.all(
      [1, 2].map(() => makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' })),
    );
    await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'Funds', account_ids: accounts });
    for (const account_id of accounts) {
      const call = { type: 'drawing', date: '2026-01-05', instrument_id, amount: '-100' };
      expect((await book(admin, 'v1', { ...call, account_id })).status).toBe(201);
      const { body } = await v1Holdings(entity, `&as_of=${day}`);
      const found = body.data.find(({ segment_id }: { segment_id: string }) => segment_id === instrument_id);
      expect(found).toMatchObject({ quantity: '1', market_value: account_id === accounts[0] ? '100' : '200' });
    }
    const plain = await plainHoldings(entity, `?as_of=${day}`);
    expect(plain.body.data).toContainEqual(expect.objectContaining({ instrument_id, quantity: 1, market_value: 200 }));
    const query = `figure=quantity&as_of=${day}&instrument_id=${instrument_id}`;
    const explained = await admin.get(`/v1/explain?reporting_entity_id=${entity}&${query}`);
    expect(explained.body.explanation).toMatchObject({ value: '1', formula: '(1 + 1) ÷ 2' });
    const atOne = await admin.get(`/v1/explain?reporting_entity_id=${entity}&${query}&account_id=${accounts[0]}`);
    expect([atOne.body.explanation.value, JSON.stringify(atOne.body.explanation).includes('÷')]).toEqual(['1', false]);
  });
});

describe('the day of a report', () => {
  test.each([
    ['a day', '2026-01-05', '2026-01-05T22:59:59.999Z', 1000],
    ['a moment of that day', '2026-01-05T08:00:00Z', '2026-01-05T22:59:59.999Z', 1000],
    ['a moment of the next day in the zone', '2026-01-05T23:30:00Z', '2026-01-06T22:59:59.999Z', 200],
    ['a moment with an offset', '2026-01-06T00:30:00%2B02:00', '2026-01-05T22:59:59.999Z', 1000],
    ['the earliest possible moment', '1900-01-01T00:00:00Z', '1900-01-02T22:59:59.999Z', undefined],
    ['a day long before', '1999-12-31', '1999-12-31T22:59:59.999Z', undefined],
    ['a day after all known data', '2199-12-31', '2199-12-31T22:59:59.999Z', 200],
    ['the latest possible moment', '2200-12-31T23:59:59Z', '2200-12-30T22:59:59.999Z', 200],
  ])('is %s: as_of=%s', async (_what, asOf, instant, cash) => {
    expect((await v1Holdings(household.all, `&as_of=${asOf}`)).body.as_of).toBe(instant);
    const { body } = await plainHoldings(household.all, `?as_of=${asOf}`);
    const found = body.data.filter((one: { instrument_id: string }) => one.instrument_id === cashId('CHF'));
    const actual = found.map(({ quantity, as_of }: Record<string, unknown>) => [quantity, as_of]);
    expect(actual).toEqual(cash === undefined ? [] : [[cash, instant]]);
  });

  test.each(['2026-02-30', '2026-1-5', 'today', '2026-01-05T08:00:00', '1899-12-31', ''])(
    'cannot be %s',
    async (asOf) => {
      for (const reply of [
        await plainHoldings(household.all, `?as_of=${asOf}`),
        await v1Holdings(household.all, `&as_of=${asOf}`),
      ]) {
        expect([reply.status, errorCodeOf(reply)]).toEqual([400, 'invalid-parameter']);
        expect(reply.text).toContain('as_of must');
      }
    },
  );
});

describe('refusals', () => {
  const both = (entity: string) => Promise.all([plainHoldings(entity), v1Holdings(entity)]);

  test.each([unknownId, 'nothing'])('a reporting entity %s does not exist', async (entity) => {
    const plain = await plainHoldings(entity);
    expect([plain.status, errorCodeOf(plain)]).toEqual([404, 'reporting-entity-not-found']);
  });

  test('a missing reporting entity, on v1', async () => {
    const reply = await v1Holdings(unknownId);
    expect([reply.status, errorCodeOf(reply)]).toEqual([404, 'reporting-entity-not-found']);
  });

  test('a currency without a rate is refused with the pair and the day', async () => {
    const lots = await admin.get(`/api/v3/instrument-holdings/reporting-entities/${household.broken}`);
    for (const reply of [...(await both(household.broken)), lots]) {
      expect([reply.status, errorCodeOf(reply)]).toEqual([422, 'fx-rate-missing']);
      expect(reply.text).toContain('There is no exchange rate from JPY to CHF on or before 2026-01-05.');
    }
  });

  test.each([
    ['/v1/holdings', 'reporting_entity_id is required.'],
    ['/v1/holdings?reporting_entity_id=x', 'reporting_entity_id must be an id of 24 hexadecimal characters.'],
    ['/v1/holdings?reporting_entity_id=ALL&by=colour', `by must be one of ${axes.join(', ')}.`],
    ['/v1/holdings?reporting_entity_id=ALL&by=class,account', `by must be one of ${axes.join(', ')}.`],
    ['/v1/holdings?reporting_entity_id=ALL&limit=101', 'limit must be a whole number from 1 to 100.'],
    ['/v1/holdings?reporting_entity_id=ALL&format=csv&limit=5', 'A CSV file has no pages.'],
    ['/v1/holdings?reporting_entity_id=ALL&known_at=2099-01-01T00:00:00Z', 'known_at must not be in the future.'],
  ])('%s: %s', async (path, detail) => {
    const reply = await admin.get(path.replace('ALL', household.all));
    expect([reply.status, reply.body.detail]).toEqual([400, detail]);
  });
});

const putPrice = (date: string): Promise<Reply> =>
  admin.post(`/v1/instruments/${household.stock}/prices`, { date, value: '120' });

describe('pages', () => {
  test('contain every row once, whatever is written in between, and stay on the day of the first page', async () => {
    const whole = (await v1Holdings(household.all)).body;
    const first = (await v1Holdings(household.all, '&limit=3')).body;
    expect(first.as_of).toBe('2026-02-01T22:59:59.999Z');
    const { body: price } = await putPrice('2026-10-15');
    onTestFinished(async () => void (await admin.delete(`/v1/prices/${price.id}`)));
    const second = (await v1Holdings(household.all, `&limit=3&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(whole.data);
    expect([second.as_of, second.has_more, second.totals]).toEqual([first.as_of, false, first.totals]);
    expect(second.ledger_version).not.toBe(first.ledger_version);
    expect((await v1Holdings(household.all)).body.as_of).toBe('2026-10-15T21:59:59.999Z');
  });

  test('continue even if the last row has been deleted since', async () => {
    const owed = { kind: 'fee', account_id: household.account, date: '2026-01-31', market_value: '12.5' };
    const idsOf = ({ body }: Reply): string[] => body.data.map((one: { segment_id: string }) => one.segment_id);
    const first = await v1Holdings(household.all, `&as_of=${day}&limit=3`);
    expect(idsOf(first)).toEqual([household.stock, cashId('CHF'), feesOwedId('CHF')]);
    const { data } = (await admin.get(`/v1/historical-holdings?account_id=${household.account}`)).body;
    await admin.delete(`/v1/historical-holdings/${data[0].id}`);
    const second = await v1Holdings(household.all, `&as_of=${day}&limit=3&cursor=${first.body.next_cursor}`);
    expect(idsOf(second)).toEqual([unidentifiedId]);
    await admin.post('/v1/historical-holdings', owed);
  });

  test('a cursor is valid only for its own request', async () => {
    const { next_cursor } = (await v1Holdings(household.all, '&limit=1')).body;
    for (const query of ['&by=currency', `&as_of=${day}`]) {
      const reply = await v1Holdings(household.all, `${query}&cursor=${next_cursor}`);
      expect([query, reply.status, errorCodeOf(reply)]).toEqual([query, 400, 'cursor-invalid']);
    }
    expect(errorCodeOf(await v1Holdings(household.other, `&cursor=${next_cursor}`))).toBe('cursor-invalid');
    expect(errorCodeOf(await plainHoldings(household.all, `?cursor=${next_cursor}`))).toBe('cursor-invalid');
  });
});

describe('the inputs of the figures', () => {
  const paths = () => [
    `/v2/holdings/reporting-entities/${household.all}?as_of=${day}`,
    `/v1/holdings?reporting_entity_id=${household.all}&as_of=${day}&by=account`,
  ];

  test('the same request has the same bytes until the data changes, and then another version', async () => {
    for (const path of paths()) {
      const [one, again] = [await admin.get(path), await admin.get(path)];
      expect(again.text).toBe(one.text);
    }
    const [path] = paths() as [string];
    const { ledger_version: before } = (await admin.get(path)).body;
    await book(admin, 'v1', { type: 'fee', account_id: household.hidden, date: '2026-03-01', amount: '-1' });
    const { ledger_version: after } = (await admin.get(path)).body;
    expect(after).not.toBe(before);
  });

  test('an answer as known at a moment is identical to the byte after later corrections', async () => {
    service.clock.advance(60_000);
    const knownAt = new Date(service.clock.now()).toISOString();
    const path = `/v1/holdings?reporting_entity_id=${household.all}&by=account&known_at=${knownAt}`;
    const then = await admin.get(path);
    service.clock.advance(60_000);
    await admin.post(`/v1/instruments/${household.stock}/prices`, { date: '2026-02-01', value: '80' });
    await admin.post('/v1/fx-rates', { base: 'USD', quote: 'EUR', date: '2026-11-01', rate: '0.96' });
    expect((await admin.get(path)).text).toBe(then.text);
    expect(then.body.data).toEqual([
      expect.objectContaining({
        segment_id: household.account,
        segment_name: 'Main',
        market_value: '1008.73456789012345678',
      }),
    ]);
    const now = (await v1Holdings(household.all, '&by=account')).body;
    expect(now.data[0]).toMatchObject({ segment_name: 'Main', market_value: '1087.5' });
    await admin.patch(`/v1/accounts/${household.account}`, { name: 'Renamed' });
    expect((await admin.get(path)).text).toBe(then.text.replace('"Main"', '"Renamed"'));
  });

  test('an answer as known at a moment is by default for the latest day with data up to the day of that moment', async () => {
    for (const date of ['2026-11-14', '2026-11-16', '2026-12-31']) await putPrice(date);
    service.clock.advance(60_000);
    const path = `/v1/holdings?reporting_entity_id=${household.all}&known_at=${new Date(service.clock.now()).toISOString()}`;
    const then = await admin.get(path);
    expect(then.body.as_of).toBe('2026-11-14T22:59:59.999Z');
    service.clock.advance(dayMs);
    const tomorrow = await Caller.withCredentials(admin.address, service.first);
    expect((await tomorrow.get(path)).text).toBe(then.text);
    const now = await tomorrow.get(`/v1/holdings?reporting_entity_id=${household.all}`);
    expect(now.body.as_of).toBe('2026-11-16T22:59:59.999Z');
  });
});
