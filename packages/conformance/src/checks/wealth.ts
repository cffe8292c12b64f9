// What the service says of wealth: the ledger, what was known when, reports, published figures, limits, events, and who sees what.

import { inArea, type Check, type CheckOfArea, type World } from '../check.ts';
import { expectEqual, expectNear, expectTrue } from '../outcome.ts';
import { makePlace, type Place } from './figures/place.ts';

/** Where an operation of another surface is served, if not at the address of v1. */
const serverOf = ({ contract }: World, operation: string): string | undefined => contract.get(operation)?.server;

/** What everything of a place is worth on each of the days. */
async function worthOn({ api }: World, { reportingEntity }: Place, days: readonly string[]): Promise<string[]> {
  const worth: string[] = [];
  for (const day of days) {
    const { body } = await api.get(`/v1/holdings?reporting_entity_id=${reportingEntity}&as_of=${day}`);
    worth.push(body.totals.market_value);
  }
  return worth;
}

/** An account, a depository and a reporting entity of a check's own, so that no other booking is in its figures. */
const placeOf = (world: World, name: string): Promise<Place> => makePlace(world, world, name);

async function book({ api }: World, { account, depository }: Place, ...rows: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const row of rows) {
    const isOfUnits = 'instrument_id' in row;
    const place = isOfUnits ? { account_id: account, depository_id: depository } : { account_id: account };
    ids.push(await api.create('transactions', { ...place, ...row }));
  }
  return ids;
}

const ledger: readonly CheckOfArea[] = [
  {
    title: 'a bulk body books all rows or none, a dry run nothing, and row by row what is right',
    async run(world) {
      const { api } = world;
      const { account } = await placeOf(world, 'Bulk');
      const row = (date: string, amount: string): string =>
        JSON.stringify({ type: 'deposit', account_id: account, date, amount });
      const send = (rows: readonly string[], query = '') =>
        api.send('POST', `/v1/transactions/bulk${query}`, {
          raw: rows.map((one) => `${one}\n`).join(''),
          headers: { 'content-type': 'application/x-ndjson' },
        });
      const count = async (): Promise<number> =>
        (await api.get(`/v1/transactions?account_id=${account}&limit=100`)).body.data.length;
      const good = [row('2024-01-02', '1'), row('2024-01-03', '2')];
      await send(good, '?mode=dry-run');
      expectEqual('after a dry run', await count(), 0);
      const refused = await send([...good, row('2024-13-01', '3')]);
      expectTrue('one bad row refuses the body', refused.status >= 400, refused.status);
      expectEqual('after a refused body', await count(), 0);
      expectTrue('good rows are booked', (await send(good)).status < 300);
      expectEqual('after a good body', await count(), 2);
      const some = await send([row('2024-01-04', '4'), row('2024-13-01', '3')], '?mode=per-row');
      expectEqual('row by row: booked and refused', [some.body.booked, some.body.refused], [1, 1]);
      expectEqual('after a body with one good row', await count(), 3);
    },
  },
  {
    title: 'what was known before a correction is still answered, by known_at',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Known');
      const [id] = await book(world, place, { type: 'deposit', date: '2024-01-02', amount: '100' });
      const before = await api.get(`/v1/transactions/${id}`);
      const knownAt = before.headers.get('date') ?? '';
      const moment = new Date(Math.max(Date.parse(knownAt), Date.parse(before.body.created_at)) + 1_000);
      while (Date.now() < moment.getTime() + 1_000) await new Promise((resolve) => setTimeout(resolve, 200));
      const query = encodeURIComponent(moment.toISOString());
      const report = `/v1/holdings?reporting_entity_id=${place.reportingEntity}&as_of=2024-01-05&known_at=${query}`;
      const then = await api.get(report);
      expectEqual('amended', (await api.patch(`/v1/transactions/${id}`, { amount: '120' })).status, 200);
      expectEqual('the report of that moment, to the byte', (await api.get(report)).text, then.text);
      expectEqual('then', (await api.get(`/v1/transactions/${id}?known_at=${query}`)).body.amount, '100');
      expectEqual('now', (await api.get(`/v1/transactions/${id}`)).body.amount, '120');
    },
  },
];

const reversals: readonly CheckOfArea[] = [
  {
    title: 'a fee is refunded on every surface, and what is left is the rest',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Refunds');
      const fee = { type: 'fee', category: 'custody', date: '2024-01-03' };
      await book(world, place, { type: 'deposit', date: '2024-01-02', amount: '100' }, { ...fee, amount: '-60' });
      const { account } = place;
      const onV1 = await api.post('/v1/transactions', {
        ...fee,
        account_id: account,
        date: '2024-01-04',
        amount: '10',
      });
      const onPlain = await api.post(
        '/v2/transactions',
        { type: 'Fee', account_id: account, trade_date: '2024-01-04', amount: 11 },
        { server: serverOf(world, 'plain.transaction.create') },
      );
      const attributes = { type: 'fee', category: 'custody', date: '2024-01-04', amount: 12 };
      const relationships = { account: { data: { type: 'account', id: account } } };
      const onJsonApi = await api.send('POST', '/api/v2/transactions', {
        raw: JSON.stringify({ data: { type: 'transaction', attributes, relationships } }),
        headers: { 'content-type': 'application/vnd.api+json' },
        server: serverOf(world, 'json-api.transaction.create'),
      });
      expectEqual(
        'v1, Plain and JSON:API',
        [onV1, onPlain, onJsonApi].map(({ status }) => status),
        [201, 201, 201],
      );
      expectEqual('cash', await worthOn(world, place, ['2024-01-04']), ['73']);
    },
  },
  {
    title: 'a row may name the transaction that it reverses',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Reversed');
      const fee = { type: 'fee', category: 'custody', date: '2024-01-03' };
      const [original] = await book(world, place, { ...fee, amount: '-60' });
      const [row] = await book(world, place, { ...fee, amount: '60', reverses_transaction_id: original });
      expectEqual('as it is read', (await api.get(`/v1/transactions/${row}`)).body.reverses_transaction_id, original);
    },
  },
];

const coupons: readonly CheckOfArea[] = [
  {
    title: 'a coupon that is paid before it is due counts once, and is earned until it is due',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Early coupon');
      const bond = await api.create('instruments', {
        type: 'bond-instrument',
        name: 'Conformance 3.65 % 2030',
        currency: 'CHF',
        coupon: '0.0365',
        maturity: '2030-06-15',
        dated_date: '2020-06-15',
        day_count_convention: 'ACT/365',
        reporting_entity_id: place.reportingEntity,
      });
      await api.post(`/v1/instruments/${bond}/prices`, { date: '2024-06-10', value: '100' });
      const trade = { type: 'buy', instrument_id: bond, date: '2024-01-02', quantity: '10000', price: '100' };
      await book(
        world,
        place,
        { type: 'deposit', date: '2024-01-02', amount: '10201' },
        // One franc a day: 201 since 15 June 2023.
        { ...trade, accrued_interest: '201', amount: '-10201' },
        { type: 'coupon', instrument_id: bond, date: '2024-06-13', amount: '365' },
      );
      const days = ['2024-06-12', '2024-06-13', '2024-06-14', '2024-06-15', '2024-06-20'];
      const worth = await worthOn(world, place, days);
      expectEqual('bond and money', worth, ['10363', '10364', '10365', '10365', '10370']);
    },
  },
];

/** A fund with these net asset values, 100 of which are bought on 5 January 2024. */
async function makeFund(world: World, name: string, values: Readonly<Record<string, string>>): Promise<Place> {
  const { api } = world;
  const place = await placeOf(world, name);
  const fund = await api.create('instruments', {
    type: 'mutual-fund-instrument',
    name,
    currency: 'CHF',
    reporting_entity_id: place.reportingEntity,
  });
  for (const [date, value] of Object.entries({ '2024-01-05': '100', ...values }))
    await api.post(`/v1/instruments/${fund}/net-asset-values`, { date, value });
  const trade = { type: 'buy', instrument_id: fund, date: '2024-01-05', quantity: '100', price: '100' };
  await book(world, place, { type: 'deposit', date: '2024-01-05', amount: '10000' }, { ...trade, amount: '-10000' });
  return place;
}

const windows: readonly CheckOfArea[] = [
  {
    title: 'performance on Plain is from the start of the year until today, and of no day that was not asked for',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Window');
      await book(world, place, { type: 'deposit', date: '2024-01-03', amount: '100' });
      const server = serverOf(world, 'plain.performance.report');
      const path = `/v2/performance/reporting-entities/${place.reportingEntity}`;
      const read = async (query: string): Promise<any> => (await api.get(`${path}${query}`, { server })).body;
      const { start, end, series } = await read('');
      const dates = (points: readonly { readonly date: string }[]) => points.map(({ date }) => date);
      // The day of the workspace's time zone may be one that has begun or ended elsewhere.
      const daysOff = Math.round((Date.parse(end) - Date.parse(new Date().toISOString().slice(0, 10))) / 86_400_000);
      expectTrue('it ends today', Math.abs(daysOff) <= 1, end);
      expectEqual('it begins with the year', start, `${end.slice(0, 4)}-01-01`);
      expectEqual('its first and last day', [dates(series)[0], dates(series).at(-1)], [start, end]);
      const some = await read('?start=2024-01-02&end=2024-01-05');
      expectEqual('the days asked for on which something was held', dates(some.series), [
        '2024-01-03',
        '2024-01-04',
        '2024-01-05',
      ]);
      expectEqual('a window before the first booking', (await read('?start=2023-01-02&end=2023-01-05')).series, []);
    },
  },
  {
    title: 'a net asset value of a Sunday moves as much as one of the Monday after it',
    async run(world) {
      const { api } = world;
      const volatilityOf = async (name: string, values: Readonly<Record<string, string>>): Promise<any> => {
        const { reportingEntity } = await makeFund(world, name, values);
        const window = 'start=2024-01-08&end=2024-02-02&detail=summary';
        const { body } = await api.get(`/v1/performance?reporting_entity_id=${reportingEntity}&${window}`);
        return body.data[0];
      };
      const sundays = { '2024-01-14': '120', '2024-01-21': '90', '2024-01-28': '129.6' };
      const mondays = { '2024-01-15': '120', '2024-01-22': '90', '2024-01-29': '129.6' };
      const [one, other] = [await volatilityOf('Sundays', sundays), await volatilityOf('Mondays', mondays)];
      expectNear('the return', one.twr, '0.2960');
      // 17 days without a move and three of +20, −25 and +44 %.
      expectNear('the volatility', one.volatility, '1.9561');
      expectEqual('the volatility of both', Number(one.volatility).toFixed(12), Number(other.volatility).toFixed(12));
      return { volatility: String(one.volatility) };
    },
  },
];

const reports: readonly CheckOfArea[] = [
  {
    title: 'holdings are the bookings: units, cash, cost by first in, first out, and the value at the last price',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Holdings');
      const stock = await api.create('instruments', {
        type: 'stock-instrument',
        name: 'Conformance AG',
        currency: 'CHF',
        reporting_entity_id: place.reportingEntity,
      });
      const trade = (type: 'buy' | 'sell', date: string, quantity: string, price: string, amount: string): object => ({
        type,
        instrument_id: stock,
        date,
        quantity,
        price,
        amount,
      });
      await book(
        world,
        place,
        { type: 'deposit', date: '2024-01-02', amount: '5000' },
        trade('buy', '2024-01-03', '100', '10', '-1000'),
        trade('buy', '2024-01-04', '100', '20', '-2000'),
        trade('sell', '2024-01-05', '150', '30', '4500'),
      );
      await api.post(`/v1/instruments/${stock}/prices`, { date: '2024-01-08', value: '40' });
      const { body } = await api.get(`/v1/holdings?reporting_entity_id=${place.reportingEntity}&as_of=2024-01-08`);
      const held = body.data.find(({ segment_id: id }: { segment_id: string }) => id === stock);
      expectEqual('units', held?.quantity, '50');
      expectEqual('value', held?.market_value, '2000');
      expectEqual('cost: 50 units of the second purchase', held?.cost_basis, '1000');
      const query = `reporting_entity_id=${place.reportingEntity}&from=2024-01-01&to=2024-01-31`;
      const gains = (await api.get(`/v1/realised-gains?${query}`)).body;
      expectTrue('gain 150 × 30 − 100 × 10 − 50 × 20', JSON.stringify(gains).includes('"2500"'), gains);
    },
  },
  {
    title: 'the time-weighted return is free of flows: 10 % and then 5 % are 15.5 %',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Returns');
      const fund = await api.create('instruments', {
        type: 'mutual-fund-instrument',
        name: 'Return fund',
        currency: 'CHF',
      });
      const nav = (date: string, value: string) =>
        api.post(`/v1/instruments/${fund}/net-asset-values`, { date, value });
      const buy = (date: string, price: string): object => ({
        type: 'buy',
        instrument_id: fund,
        date,
        quantity: '10',
        price,
        amount: `-${Number(price) * 10}`,
      });
      for (const [date, value] of [
        ['2024-01-02', '100'],
        ['2024-02-01', '110'],
        ['2024-03-01', '115.5'],
      ] as const)
        expectTrue('price written', (await nav(date, value)).status < 300);
      await book(
        world,
        place,
        { type: 'deposit', date: '2024-01-02', amount: '1000' },
        buy('2024-01-02', '100'),
        { type: 'deposit', date: '2024-02-02', amount: '1100' },
        buy('2024-02-02', '110'),
      );
      const window = 'start=2024-01-03&end=2024-03-01';
      const { body } = await api.get(
        `/v1/performance?reporting_entity_id=${place.reportingEntity}&${window}&detail=summary`,
      );
      const { twr } = body.data[0];
      expectNear('twr', twr, '0.1550');
      return { twr: String(twr) };
    },
  },
  {
    title: 'a figure is explained down to what it is made of, in text that a person reads',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Explained');
      await book(world, place, { type: 'deposit', date: '2024-01-02', amount: '321.09' });
      const query = `reporting_entity_id=${place.reportingEntity}&figure=market_value&as_of=2024-01-05`;
      const { status, text } = await api.get(`/v1/explain?${query}&format=text`);
      expectEqual('status', status, 200);
      expectTrue('names the amount', text.includes('321.09'), text.slice(0, 300));
    },
  },
  {
    title: 'the same question gets the same bytes',
    async run({ api, reportingEntity }) {
      const path = `/v1/holdings?reporting_entity_id=${reportingEntity}&as_of=2024-01-08`;
      expectEqual('two answers', (await api.get(path)).text, (await api.get(path)).text);
    },
  },
];

const limits: readonly CheckOfArea[] = [
  {
    title: 'a limit that names what does not exist is refused, on v1 and Plain, and says what',
    async run(world) {
      const { api, client } = world;
      const unknown = 'ffffffffffff0000000000aa';
      for (const field of ['instrument_class.id', 'instrument.id', 'portfolio.id', 'custodian']) {
        const filter = { kind: 'condition', field, operator: 'in', value: [unknown] };
        const limit = { client_id: client, kind: 'absolute', max_amount: 1, filter };
        for (const [path, server] of [
          ['/v1/limits', undefined],
          ['/v2/limits', serverOf(world, 'plain.limit.create')],
        ] as const) {
          const { status, text } = await api.post(path, limit, { server });
          expectEqual(`${field} at ${path}`, status, 422);
          expectTrue(`${field} at ${path}: it says which`, text.includes(unknown), text.slice(0, 300));
        }
      }
    },
  },
];

const rest: readonly CheckOfArea[] = [
  {
    title: 'what others refer to cannot be deleted, and the refusal says what keeps it',
    async run({ api, legalEntity }) {
      const { status, body } = await api.send('DELETE', `/v1/legal-entities/${legalEntity}`);
      expectEqual('status', status, 409);
      expectTrue('says why', typeof body.detail === 'string' && body.detail.length > 10, body);
    },
  },
  {
    title: 'a booking is an event, and events are in order',
    async run(world) {
      const { api } = world;
      const place = await placeOf(world, 'Events');
      const [id] = await book(world, place, { type: 'deposit', date: '2024-01-02', amount: '1' });
      const { body } = await api.get('/v1/events?limit=100&type=transaction.created');
      const found = body.data.some((event: unknown) => JSON.stringify(event).includes(String(id)));
      expectTrue('the event is there', found);
      const ids = body.data.map((event: { id: string }) => event.id);
      const sorted = ids.toSorted();
      expectTrue(
        'in order',
        [sorted, sorted.toReversed()].some((order) => order.join() === ids.join()),
      );
    },
  },
  {
    title: 'a token that is bound to one client sees no other, and cannot tell it from one that does not exist',
    needs: ['read', 'write', 'admin'],
    async run({ api, client }) {
      const made = await api.post('/v1/applications', {
        name: 'Conformance, bound',
        rights: ['read'],
        scoped_to: client,
      });
      expectEqual('application', made.status, 201);
      const other = await api.create('clients', { name: 'Conformance, another' });
      const token = await api.tokenFor(made.body.client_id, made.body.client_secret);
      const [hidden, missing] = [
        await api.get(`/v1/clients/${other}`, { token }),
        await api.get('/v1/clients/ffffffffffff0000000000aa', { token }),
      ];
      expectEqual('statuses', [hidden.status, missing.status], [404, 404]);
      expectEqual('codes', hidden.body.code, missing.body.code);
      const listed = (await api.get('/v1/clients?limit=100', { token })).body.data;
      expectEqual(
        'listed',
        listed.map(({ id }: { id: string }) => id),
        [client],
      );
      expectEqual('writing', (await api.patch(`/v1/clients/${client}`, { name: 'x' }, { token })).status, 403);
      await api.send('DELETE', `/v1/applications/${made.body.id}`);
      await api.send('DELETE', `/v1/clients/${other}`);
      expectEqual('after its application was deleted', (await api.get('/v1/clients', { token })).status, 401);
    },
  },
];

export const wealthChecks: readonly Check[] = [
  ...inArea('ledger', [...ledger, ...reversals, ...coupons]),
  ...inArea('reports', [...reports, ...windows]),
  ...inArea('rules', limits),
  ...inArea('rules', rest),
];
