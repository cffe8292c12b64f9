// Figures that others have published, booked over HTTP in clients of their own and compared with what they print. Cases of one kind are
// booked together, so that they cost few requests.

import type { Check, World } from '../../check.ts';
import { expectEqual, Failed } from '../../outcome.ts';
import type { Json } from '../../contract/json-schema.ts';
import { fundCases, type FundCase } from './fund-cases.ts';
import { interestCases, type InterestCase } from './interest-cases.ts';
import { lotCases, type LotCase } from './lot-cases.ts';
import { bookAll, expectWithin, makeInstrument, makeOwner, makePlace, type Place } from './place.ts';
import { rateChecks } from './rates.ts';
import { returnChecks } from './returns.ts';

type Figures = Readonly<Record<string, string>>;

interface Case {
  readonly id: string;
  readonly source: string;
}

/** One check for each case; the first that runs books them all. */
function checksOf<C extends Case, Booked>(
  cases: readonly C[],
  book: (world: World, cases: readonly C[]) => Promise<Booked>,
  compare: (booked: Booked, one: C, world: World) => Promise<Figures> | Figures,
): readonly Check[] {
  const booked = new WeakMap<World['records'], Promise<Booked>>();
  return cases.map((one) => ({
    area: 'figures',
    title: `${one.id}, published in ${one.source}`,
    async run(world) {
      const ready = booked.get(world.records) ?? book(world, cases);
      booked.set(world.records, ready);
      return compare(await ready, one, world);
    },
  }));
}

interface BookedLots {
  readonly holdings: readonly Json[];
  readonly gains: readonly Json[];
  readonly instruments: ReadonlyMap<string, string>;
}

function lotRow([act, date, quantity, amount]: LotCase['events'][number], place: Place, instrument: string): object {
  const where = { account_id: place.account, depository_id: place.depository, instrument_id: instrument, date };
  if (act === 'split') {
    const [after = 1, before = 1] = quantity.split(':').map(Number);
    const action = after < before ? 'reverse-split' : 'split';
    return { ...where, type: 'corporate-action', action, ratio: quantity };
  }
  return { ...where, type: act, quantity, amount: act === 'buy' ? `-${amount}` : amount };
}

async function bookLots(world: World, cases: readonly LotCase[]): Promise<ReadonlyMap<string, BookedLots>> {
  const byMethod = new Map<string, BookedLots>();
  for (const method of ['FIFO', 'AVERAGE']) {
    const place = await makePlace(world, await makeOwner(world, method), method);
    const instruments = new Map<string, string>();
    const own = cases.filter((one) => one.method === method);
    for (const { id } of own)
      instruments.set(id, await makeInstrument(world, place, { type: 'stock-instrument', name: id }));
    await bookAll(
      world,
      own.flatMap(({ id, events }) => events.map((event) => lotRow(event, place, instruments.get(id) ?? ''))),
    );
    const query = `reporting_entity_id=${place.reportingEntity}&limit=100`;
    const holdings = (await world.api.get(`/v1/holdings?${query}`)).body.data;
    const gains = (await world.api.get(`/v1/realised-gains?${query}&by=instrument&from=2000-01-01`)).body.subtotals;
    byMethod.set(method, { holdings, gains, instruments });
  }
  return byMethod;
}

function compareLots(booked: ReadonlyMap<string, BookedLots>, one: LotCase): Figures {
  const { holdings = [], gains = [], instruments } = booked.get(one.method) ?? {};
  const ofCase = ({ segment_id: id }: Json): boolean => id === instruments?.get(one.id);
  const { quantity = '0', cost_basis: cost = '0' } = holdings.find(ofCase) ?? {};
  const gain = gains.find(ofCase)?.total.gain ?? '0';
  const within = (what: string, actual: unknown, published?: string): void =>
    published === undefined ? undefined : expectWithin(what, actual, Number(published), one.tolerance);
  within('quantity', quantity, one.quantity);
  within('cost', cost, one.cost);
  within('average cost', Number(cost) / Number(quantity), one.averageCost);
  within('gain', gain, one.gain);
  return { quantity, cost, gain };
}

async function bookFunds(world: World, cases: readonly FundCase[]): Promise<ReadonlyMap<string, Json>> {
  const place = await makePlace(world, await makeOwner(world, 'FIFO'), 'Funds');
  const funds = new Map<string, string>();
  const rows: object[] = [];
  const values: object[] = [];
  for (const { id, flows, commitment = '100000', value } of cases) {
    const fund = await makeInstrument(world, place, { type: 'private-market-fund', name: id, commitment });
    funds.set(fund, id);
    for (const [date, amount, recallable] of flows) {
      const type = amount.startsWith('-') ? 'drawing' : 'private-equity-cashflow';
      const more = recallable === undefined ? {} : { recallable_amount: recallable };
      rows.push({ type, date, amount, account_id: place.account, instrument_id: fund, ...more });
    }
    const [date, worth] = value ?? [flows.at(-1)?.[0], '0'];
    values.push({ instrument_id: fund, date, value: worth });
  }
  await bookAll(world, rows);
  const written = await world.api.post('/v1/net-asset-values/bulk', { data: values });
  expectEqual('values written', written.status, 200);
  const { body } = await world.api.get(`/v1/performance/private-markets?reporting_entity_id=${place.reportingEntity}`);
  return new Map(body.data.map((row: Json) => [funds.get(row.instrument_id) ?? '', row]));
}

function compareFund(booked: ReadonlyMap<string, Json>, one: FundCase): Figures {
  const row = booked.get(one.id);
  if (row === undefined) throw new Failed('The report does not have the fund.');
  const figures = { irr: row.irr, ...row.multiplier, uncalled: row.commitment?.uncalled };
  for (const name of ['irr', 'dpi', 'rvpi', 'tvpi', 'uncalled', 'pic'] as const) {
    const published = one[name];
    if (published !== undefined) expectWithin(name, figures[name], published, one.tolerance);
  }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, String(value)]));
}

interface BookedInterest {
  readonly place: Place;
  readonly instruments: ReadonlyMap<string, string>;
  readonly reports: Map<string, Promise<readonly Json[]>>;
}

async function bookInterest(world: World, cases: readonly InterestCase[]): Promise<BookedInterest> {
  const place = await makePlace(world, await makeOwner(world, 'FIFO'), 'Interest');
  const instruments = new Map<string, string>();
  for (const { id, convention, nominal, rate, start, bond } of cases) {
    const terms =
      bond === undefined
        ? { type: 'loan-instrument', principal: nominal, interest_rate: rate, start_date: start }
        : { type: 'bond-instrument', coupon: rate, dated_date: start, ...bond };
    instruments.set(id, await makeInstrument(world, place, { ...terms, name: id, day_count_convention: convention }));
  }
  const { account, depository } = place;
  const bought = cases.map(({ id, nominal, start }) => ({
    type: 'buy',
    date: start,
    quantity: nominal,
    amount: `-${nominal}`,
    account_id: account,
    depository_id: depository,
    instrument_id: instruments.get(id),
  }));
  // Reports end with the last day that has data.
  await bookAll(world, [...bought, { type: 'deposit', date: '2020-01-02', account_id: account, amount: '1' }]);
  return { place, instruments, reports: new Map() };
}

async function compareInterest(booked: BookedInterest, one: InterestCase, { api }: World): Promise<Figures> {
  const { place, instruments, reports } = booked;
  const query = `reporting_entity_id=${place.reportingEntity}&as_of=${one.end}&limit=100`;
  const report = reports.get(one.end) ?? api.get(`/v1/holdings?${query}`).then(({ body }) => body.data);
  reports.set(one.end, report);
  const held = (await report).find(({ segment_id: id }: Json) => id === instruments.get(one.id));
  expectWithin('accrued interest', held?.accrued_interest, one.accrued, one.tolerance);
  return { accrued: held.accrued_interest };
}

export const figureChecks: readonly Check[] = [
  ...checksOf(lotCases, bookLots, compareLots),
  ...checksOf(fundCases, bookFunds, compareFund),
  ...checksOf(interestCases, bookInterest, compareInterest),
  ...returnChecks,
  ...rateChecks,
];
