// Open lots on every wire: the published lots of the reference portfolio, and lots after partial sales, transfers, named lots,
// average cost and short positions.

import { beforeAll, describe, expect, test } from 'vitest';
import { fromFixed, toFixed } from '../../../src/kit/fixed.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { countPieces } from '../../setup/kit/count-pieces.ts';
import { book, bookedId, makeStock } from '../../setup/ledger/ledger-household.ts';
import { ReferenceClient } from '../../setup/reference-portfolio/reference-client.ts';
import { readReferencePortfolio, type DateReports } from '../../setup/reference-portfolio/reference-portfolio.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const { facts, expected } = readReferencePortfolio();
let admin: Caller;
let reference: ReferenceClient;

beforeAll(async () => {
  ({ admin } = service);
  reference = await ReferenceClient.book(admin, facts);
});

type Row = Record<string, any>;

function lotsOf(entity: string, query = ''): Promise<Reply> {
  return admin.get(`/v1/lots?reporting_entity_id=${entity}${query}`);
}

function sumOf(figures: readonly string[]): string {
  return fromFixed(figures.reduce((sum, figure) => sum + toFixed(figure as Decimal), 0n));
}

describe('the reference portfolio', () => {
  test.each(Object.entries(expected.byDate) as [string, DateReports][])(
    'has the published lots at %s, and those of a position add up to it',
    async (date, { lots, holdings }) => {
      const { data } = reference.withNames((await lotsOf(reference.id('all'), `&as_of=${date}`)).body);
      expect(data).toHaveLength(lots.length);
      for (const one of lots as readonly Row[]) {
        const isUpload = one['openedBy'] === 'upload';
        expect(data).toContainEqual(
          expect.objectContaining({
            id: isUpload ? `upload:${one['acquired']}` : `row ${one['openedBy']}`,
            account_id: one['account'],
            depository_id: one['depository'],
            instrument_id: one['instrument'],
            acquisition_date: one['acquired'],
            quantity: one['units'],
            cost_basis: one['referenceCost'],
            currency: 'EUR',
            estimated: one['isEstimated'],
            source_transaction_id: isUpload ? null : `row ${one['openedBy']}`,
          }),
        );
      }
      for (const { account, depository, instrument, marketValue, cost, unrealised } of holdings) {
        const some = data.filter(
          (lot: Row) =>
            lot['account_id'] === account && lot['depository_id'] === depository && lot['instrument_id'] === instrument,
        );
        const names = ['market_value', 'cost_basis', 'unrealised_pnl'];
        const sums = names.map((name) => sumOf(some.map((lot: Row) => lot[name])));
        const isCash = instrument.startsWith('cash:');
        expect([instrument, ...sums]).toEqual([
          instrument,
          ...(isCash ? ['0', '0', '0'] : [marketValue, cost, unrealised]),
        ]);
      }
    },
  );

  const fundPosition = {
    quantity: 400,
    market_value: 48000,
    cost_basis: 44000,
    unrealised_pnl: 4000,
    currency: 'EUR',
    valuation: { source: 'net-asset-value', date: '2026-08-31', stale: false, estimated: false },
    as_of: '2026-09-30T23:59:59.999Z',
    lots: [
      {
        id: 'row 13',
        acquisition_date: '2025-09-22',
        quantity: 400,
        unit_cost: 110,
        cost_basis: 44000,
        market_value: 48000,
        unrealised_pnl: 4000,
        currency: 'EUR',
        gain_classification: 'long_term',
        estimated: false,
        source_transaction_id: 'row 13',
      },
    ],
  };

  test('is answered position by position on Plain, cash without lots', async () => {
    const { body } = await admin.get(`/v3/instrument-holdings/reporting-entities/${reference.id('all')}`);
    const { data, ...beside } = reference.withNames(body);
    expect(beside).toEqual({ ledger_version: expect.any(String) });
    expect(data).toHaveLength(6);
    const position = { reporting_entity_id: 'all', account_id: 'euro', depository_id: 'north', instrument_id: 'fund' };
    expect(data[0]).toEqual({ ...position, ...fundPosition });
    expect(data.at(-1)).toMatchObject({
      account_id: 'dollar',
      depository_id: null,
      instrument_id: 'cash:USD',
      lots: [],
    });
  });

  test('has the same numbers on JSON:API, each position related to its location and its instrument', async () => {
    const [plain, api] = await Promise.all([
      admin.get(`/v3/instrument-holdings/reporting-entities/${reference.id('all')}`),
      admin.get(`/api/v3/instrument-holdings/reporting-entities/${reference.id('all')}`),
    ]);
    expect(api.headers.get('content-type')).toBe('application/vnd.api+json');
    const camel = (text: string): string =>
      text.replaceAll(/_([a-z])(?=\w*":)/g, (_all, letter) => letter.toUpperCase());
    const { data, meta } = reference.withNames(api.body);
    const positions: Row[] = JSON.parse(camel(JSON.stringify(reference.withNames(plain.body).data)));
    expect(data).toHaveLength(positions.length);
    const types: Row = {
      fund: 'mutual-fund-instrument',
      share: 'stock-instrument',
      meridian: 'private-market-fund',
      'cash:EUR': 'cash-instrument',
      'cash:USD': 'cash-instrument',
    };
    for (const [
      index,
      { reportingEntityId, accountId, depositoryId, instrumentId, ...attributes },
    ] of positions.entries()) {
      expect(data[index]).toEqual({
        type: 'instrument-holding',
        id: `all.${accountId}.${depositoryId ?? '-'}.${instrumentId}`,
        attributes,
        relationships: {
          reportingEntity: { data: { type: 'reporting-entity', id: reportingEntityId } },
          instrument: { data: { type: types[instrumentId], id: instrumentId } },
          account: { data: { type: 'account', id: accountId } },
          depository: { data: depositoryId === null ? null : { type: 'depository', id: depositoryId } },
        },
      });
    }
    expect(meta).toEqual({ asOf: '2026-09-30T23:59:59.999Z', ledgerVersion: plain.body.ledger_version });
  });

  test('is filtered by instrument, account and depository', async () => {
    const query = (name: string, recordName: string): string => `&as_of=2025-12-31&${name}=${reference.id(recordName)}`;
    const idsBy = async (search: string): Promise<string[]> =>
      reference.withNames((await lotsOf(reference.id('all'), search)).body).data.map((lot: Row) => lot['id']);
    const ofShare = ['row 10', 'upload:2024-12-31', 'row 1', 'upload:2025-01-31'];
    expect(await idsBy(query('instrument_id', 'share'))).toEqual(ofShare);
    expect(await idsBy(query('account_id', 'euro'))).toEqual(['row 2', 'row 13', 'row 10']);
    expect(await idsBy(query('depository_id', 'hudson'))).toEqual([...ofShare.slice(1), 'row 5']);
    expect(await idsBy(query('instrument_id', 'bond'))).toEqual([]);
  });

  test('unit costs are in the reference currency, at the rate of the acquisition', async () => {
    const { body } = await lotsOf(reference.id('all'), `&as_of=2025-12-31&instrument_id=${reference.id('share')}`);
    expect(body.data.map((lot: Row) => lot['unit_cost'])).toEqual(['48.95', '45', '45.9', '47.25']);
  });

  test('has pages that contain each lot once, and can be read as CSV', async () => {
    const query = '&as_of=2025-12-31';
    const whole = (await lotsOf(reference.id('all'), query)).body.data;
    const walked: Row[] = [];
    for (let cursor = ''; ;) {
      const { body } = await lotsOf(reference.id('all'), `${query}&limit=3${cursor}`);
      walked.push(...body.data);
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(walked).toEqual(whole);
    const { next_cursor } = (await lotsOf(reference.id('all'), `${query}&limit=3`)).body;
    for (const other of [`${query}&account_id=${reference.id('euro')}`, '&as_of=2025-12-30', '']) {
      expect(errorCodeOf(await lotsOf(reference.id('all'), `${other}&cursor=${next_cursor}`))).toBe('cursor-invalid');
    }
    const { text } = await lotsOf(reference.id('all'), `${query}&format=csv&round=none`);
    const [header, first, ...others] = text.split('\r\n');
    expect(header).toBe(`as_of,${Object.keys(whole[0]).join()}`);
    expect(first).toBe(`2025-12-31T23:59:59.999Z,${Object.values(whole[0]).join()}`);
    expect(others).toHaveLength(whole.length);
  });

  test.each([
    ['2026-02-03', 'short_term'],
    ['2026-02-04', 'long_term'],
  ])('would sell its first fund units on %s as %s: long after the first anniversary', async (date, term) => {
    const { data } = reference.withNames((await lotsOf(reference.id('all'), `&as_of=${date}&limit=1`)).body);
    expect(data[0]).toMatchObject({ id: 'row 2', acquisition_date: '2025-02-03', gain_classification: term });
  });
});

interface LotPosition {
  readonly account: string;
  readonly depository: string;
  readonly entity: string;
  readonly stock: string;
}

async function makeLotPosition(method: string): Promise<LotPosition & { readonly other: string }> {
  const { client, legalEntity } = await makeHousehold(admin, method);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF', accounting_method: method });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  const [depository, other] = [
    await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, account_ids: [account] }),
    await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity }),
  ];
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: method });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  return { account, depository, other, entity, stock: await makeStock(admin, method) };
}

/** The requested fields of each lot, in the given order. */
async function readLots(position: LotPosition, names: readonly string[], asOf = '2026-03-31'): Promise<unknown[]> {
  const { body } = await lotsOf(position.entity, `&as_of=${asOf}`);
  return body.data.map((lot: Row) => names.map((name) => lot[name]));
}

function trade({ account, stock, depository }: LotPosition, fields: object): Promise<Reply> {
  const frame = { account_id: account, instrument_id: stock, depository_id: depository, date: '2026-01-05' };
  return book(admin, 'v1', { ...frame, ...fields });
}

function buy(position: LotPosition, quantity: string, price: string): Promise<string> {
  return trade(position, { type: 'buy', quantity, price }).then(bookedId);
}

const figures = ['id', 'quantity', 'unit_cost', 'cost_basis', 'market_value', 'unrealised_pnl'];

describe('by the accounting method of the client', () => {
  test('FIFO leaves the newest lots, each with its own cost, and parts that add up exactly', async () => {
    const position = await makeLotPosition('FIFO');
    const bought = [await buy(position, '1', '10'), await buy(position, '3', '20'), await buy(position, '3', '30')];
    await trade(position, { type: 'sell', date: '2026-01-06', quantity: '2', price: '40' });
    await admin.post(`/v1/instruments/${position.stock}/prices`, { date: '2026-01-07', value: '0.000000000000000001' });
    expect(await readLots(position, figures)).toEqual([
      [bought[1], '2', '20', '40', '0.000000000000000002', '-39.999999999999999998'],
      [bought[2], '3', '30', '90', '0.000000000000000003', '-89.999999999999999997'],
    ]);
  });

  test('AVERAGE gives all open units the same cost, and lots keep their dates', async () => {
    const position = await makeLotPosition('AVERAGE');
    const bought = [await buy(position, '1', '10'), await buy(position, '3', '20')];
    await admin.post(`/v1/instruments/${position.stock}/prices`, { date: '2026-01-07', value: '30' });
    expect(await readLots(position, figures)).toEqual([
      [bought[0], '1', '17.5', '17.5', '30', '12.5'],
      [bought[1], '3', '17.5', '52.5', '90', '37.5'],
    ]);
  });

  test('SPECIFIC_ID sells the lot with the id shown in the list', async () => {
    const position = await makeLotPosition('SPECIFIC_ID');
    const bought = [await buy(position, '5', '10'), await buy(position, '5', '20')];
    const [, [second]] = (await readLots(position, ['id'])) as [unknown, [string]];
    const lots = [{ id: second, quantity: '4' }];
    expect((await trade(position, { type: 'sell', date: '2026-01-06', quantity: '4', price: '15', lots })).status).toBe(
      201,
    );
    expect(await readLots(position, ['id', 'quantity', 'cost_basis'])).toEqual([
      [bought[0], '5', '50'],
      [bought[1], '1', '20'],
    ]);
  });
});

describe('the origin of lots', () => {
  test('units moved between own accounts keep their dates and name the transaction that moved them', async () => {
    const position = await makeLotPosition('FIFO');
    await buy(position, '2', '10');
    await trade(position, { type: 'buy', date: '2026-01-06', quantity: '3', price: '20' });
    const moved = bookedId(
      await trade(position, {
        type: 'withdrawal',
        date: '2026-02-02',
        quantity: '4',
        counter_depository_id: position.other,
      }),
    );
    const names = ['id', 'depository_id', 'acquisition_date', 'quantity', 'source_transaction_id'];
    const lots = await readLots(position, names);
    expect(lots).toHaveLength(3);
    expect(lots).toContainEqual([moved, position.other, '2026-01-05', '2', moved]);
    expect(lots).toContainEqual([`${moved}.1`, position.other, '2026-01-06', '2', moved]);
  });

  test('deposited units keep the stated dates and costs', async () => {
    const position = await makeLotPosition('FIFO');
    const acquired = [
      { date: '2020-05-04', quantity: '1', cost: '7' },
      { date: '2025-12-31', quantity: '2', cost: '30' },
    ];
    const came = bookedId(await trade(position, { type: 'deposit', quantity: '3', acquired }));
    expect(
      await readLots(position, ['id', 'acquisition_date', 'cost_basis', 'gain_classification', 'estimated']),
    ).toEqual([
      [came, '2020-05-04', '7', 'long_term', false],
      [`${came}.1`, '2025-12-31', '30', 'short_term', false],
    ]);
  });

  test('a sell beyond the holding opens a short lot, which is always short term', async () => {
    const position = await makeLotPosition('FIFO');
    const sold = bookedId(await trade(position, { type: 'sell', date: '2020-01-06', quantity: '2', price: '40' }));
    const names = ['id', 'quantity', 'cost_basis', 'market_value', 'gain_classification'];
    expect(await readLots(position, names)).toEqual([[sold, '-2', '-80', '-80', 'short_term']]);
  });
});

test.each([
  ['/v3/instrument-holdings/reporting-entities/ALL?as_of=2026-01-01', 'unknown-parameter'],
  ['/api/v3/instrument-holdings/reporting-entities/ALL?asOf=2026-01-01', 'unknown-parameter'],
  ['/v1/lots?reporting_entity_id=ALL&instrument_id=cash:CHF', 'invalid-parameter'],
])('%s is refused: %s', async (path, code) => {
  const reply = await admin.get(path.replace('ALL', reference.id('all')));
  expect([reply.status, errorCodeOf(reply)]).toEqual([400, code]);
});

test.each(['', '&known_at=2026-11-15T12:00:00Z'])(
  'others are let in between the rows that a report replays%s',
  async (moment) => {
    const { account, depository, entity, stock } = await makeLotPosition('FIFO');
    const place = { account_id: account, depository_id: depository, instrument_id: stock, date: '2026-03-10' };
    const splits = Array.from({ length: 50 }, () => ({
      type: 'corporate-action',
      action: 'split',
      ratio: '2:1',
      ...place,
    }));
    const data = [{ type: 'deposit', quantity: '1', ...place }, ...splits];
    expect((await admin.post('/v1/transactions/bulk', { data })).body.booked).toBe(data.length);
    const { pieceCount } = countPieces();
    const { body } = await lotsOf(entity, moment);
    expect(body.data).toHaveLength(1);
    expect(pieceCount()).toBeGreaterThan(splits.length);
  },
);
