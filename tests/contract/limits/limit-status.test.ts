// The status of limits over HTTP: computed from the holdings at each reporting entity, with the results of earlier rounds.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  purchaseDate,
  makeLimitHousehold,
  bookTrade,
  type LimitHousehold,
} from '../../setup/limits/limit-household.ts';
import { makeInstrument } from '../../setup/ledger/ledger-household.ts';
import { checkedFigureNames } from '../../setup/engine/explanation-check.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, unknownId } from '../../setup/structure/structure-document.ts';
import { cashId } from '../../setup/instruments/built-in-ids.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LimitHousehold;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLimitHousehold(admin);
});

const asOf = `${purchaseDate}T23:59:59.999Z`;

interface LimitInput {
  readonly kind?: string;
  readonly filter?: readonly [field: string, operator: string, value: unknown] | object;
  readonly [field: string]: unknown;
}

function conditionOf(filter: LimitInput['filter']): unknown {
  if (!Array.isArray(filter)) return filter;
  const [field, operator, value] = filter;
  return { kind: 'condition', field, operator, value };
}

const everyHolding = ['currency', 'not_in', 'USD'] as const;

function makeLimit({ filter = everyHolding, ...fields }: LimitInput, client = household.client): Promise<string> {
  const own = { client_id: client, kind: 'proportional', filter: conditionOf(filter) };
  return makeRecord(admin, 'limits', { ...own, ...fields });
}

/** The status of a new limit at the only reporting entity. */
async function statusOf(input: LimitInput): Promise<any> {
  const { body } = await admin.get(`/v1/limits/${await makeLimit(input)}/status`);
  return body.reporting_entities[0];
}

describe('a limit', () => {
  test.each([
    ['proportional', { min_pct: '0.2', max_pct: '0.6' }],
    ['absolute', { min_amount: '10', max_amount: '500' }],
  ])('(%s) explains each of its figures, with what has no class', async (kind, bounds) => {
    const other = `/v1/instrument-classes/${await classIdByPath(admin, 'Other')}`;
    await admin.patch(other, { default_for: [] });
    const own = await makeLimitHousehold(admin);
    const boat = await makeInstrument(admin, { type: 'other-instrument', name: 'Boat', currency: 'CHF' });
    await bookTrade(admin, own, { type: 'buy', instrument_id: boat, quantity: '3', price: '7' });
    const filter = ['instrument_class.path', 'starts_with', ['Equities']] as const;
    const id = await makeLimit({ kind, filter, ...bounds }, own.client);
    const { body } = await admin.get(`/v1/limits/${id}/status?explain=true`);
    const [{ explanations, ...shown }] = body.reporting_entities;
    const figures = ['current_value', 'headroom_to_min', 'headroom_to_max', 'headroom', 'unclassified_value'];
    expect(Object.keys(explanations).toSorted()).toEqual(figures.toSorted());
    for (const name of figures) {
      checkedFigureNames(explanations[name]);
      expect([name, explanations[name].value]).toEqual([name, shown[name]]);
      const figure = `figure=limit_${name.replace('current_', '')}&limit_id=${id}`;
      const path = `/v1/explain?reporting_entity_id=${shown.reporting_entity_id}&${figure}`;
      expect([name, (await admin.get(path)).body.explanation.value]).toEqual([name, shown[name]]);
    }
    expect(JSON.stringify(explanations.unclassified_value)).toContain('Boat');
    await admin.patch(other, { default_for: ['other-instrument'] });
  });

  test('has a value and a distance to each of its bounds', async () => {
    const id = await makeLimit({
      filter: ['instrument_class.path', 'starts_with', ['Equities']],
      min_pct: 0.2,
      max_pct: 0.6,
    });
    const { status, body } = await admin.get(`/v1/limits/${id}/status`);
    const value = { current_value: '0.5', min: '0.2', max: '0.6' };
    const headrooms = { headroom_to_min: '0.3', headroom_to_max: '0.1', headroom: '0.1' };
    const state = { unclassified_value: '0', state: 'compliant', reason: null, detail: null, since: null };
    const entity = { reporting_entity_id: household.reportingEntity, ...value, ...headrooms, ...state };
    const frame = { limit_id: id, kind: 'proportional', as_of: asOf, round_id: null };
    expect([status, body]).toEqual([200, { ...frame, reporting_entities: [{ ...entity, matches: 2 }] }]);
    const onPlain = await admin.get(`/v2/limits/${id}/status`);
    const numbers = {
      current_value: 0.5,
      min: 0.2,
      max: 0.6,
      headroom_to_min: 0.3,
      headroom_to_max: 0.1,
      headroom: 0.1,
      unclassified_value: 0,
    };
    expect(onPlain.body).toEqual({ ...frame, reporting_entities: [{ ...entity, ...numbers }] });
  });

  test.each([
    ['cash', ['instrument_class.path', 'starts_with', ['Cash']], '300'],
    ['cash by its type', ['instrument.type', 'equals', 'cash-instrument'], '300'],
    ['cash by its id', ['instrument.id', 'equals', cashId('CHF')], '300'],
    ['a class and all below it', ['instrument_class.path', 'starts_with', ['Equities']], '500'],
    ['one class below another', ['instrument_class.path', 'equals', ['Equities', 'Emerging markets']], '200'],
    ['a country', ['issuer_country', 'equals', 'CH'], '300'],
    ['other countries', ['issuer_country', 'not_in', ['CH']], '700'],
    ['a tag', ['tags', 'contains', ['food']], '300'],
    ['a type', ['instrument.type', 'in', ['bond-instrument', 'stock-instrument']], '700'],
    ['a currency', ['currency', 'equals', 'CHF'], '1000'],
    ['an empty selection', ['currency', 'equals', 'USD'], '0'],
  ])('applies to %s', async (_what, filter, value) => {
    const status = await statusOf({ kind: 'absolute', max_amount: 5_000, filter });
    expect(status).toMatchObject({ current_value: value, state: 'compliant' });
  });

  test('applies to a class, an instrument or a portfolio by its id, and to combinations with and/or', async () => {
    const of = (field: string, value: string): object => ({ kind: 'condition', field, operator: 'in', value: [value] });
    const listed = of('instrument_class.id', household.listed);
    const cars = of('instrument.id', household.cars);
    const grouped = of('portfolio.id', household.portfolio);
    for (const [filter, value] of [
      [listed, '300'],
      [cars, '200'],
      [grouped, '1000'],
      [{ kind: 'or', filters: [listed, cars] }, '500'],
      [{ kind: 'and', filters: [listed, cars] }, '0'],
      [{ kind: 'and', filters: [grouped, { kind: 'or', filters: [cars, of('currency', 'USD')] }] }, '200'],
    ] as const) {
      const { current_value } = await statusOf({ kind: 'absolute', min_amount: 0, filter });
      expect([filter, current_value]).toEqual([filter, value]);
    }
  });

  const food = { filter: ['tags', 'contains', ['food']] } as const;

  test.each([
    ['at its upper bound is compliant', { max_pct: '0.3' }, 'compliant', '0'],
    ['just inside its bound is compliant', { max_pct: '0.300000000000000001' }, 'compliant', '0.000000000000000001'],
    ['just outside its bound is breached', { max_pct: '0.299999999999999999' }, 'breached', '-0.000000000000000001'],
    ['at its lower bound is compliant', { min_pct: '0.3' }, 'compliant', '0'],
    ['just outside its bound is breached', { min_pct: '0.300000000000000001' }, 'breached', '-0.000000000000000001'],
    ['between two', { min_pct: '0.1', max_pct: '0.35' }, 'compliant', '0.05'],
    ['an amount at its bound is compliant', { kind: 'absolute', max_amount: 300 }, 'compliant', '0'],
    ['an amount above its bound is breached', { kind: 'absolute', max_amount: '299.99' }, 'breached', '-0.01'],
    ['an amount below its bound is breached', { kind: 'absolute', min_amount: '300.01' }, 'breached', '-0.01'],
  ])('%s: %j', async (_what, bounds, state, headroom) => {
    expect(await statusOf({ ...food, ...bounds })).toMatchObject({ state, headroom, reason: null });
  });

  test('that does not exist has no status', async () => {
    const missing = { status: 404, code: 'limit-not-found', detail: 'There is no such limit.', pointer: undefined };
    for (const path of [`/v1/limits/${unknownId}/status`, `/v2/limits/${unknownId}/status`]) {
      expect(reportedRefusal(await admin.get(path))).toEqual(missing);
    }
    expect(reportedRefusal(await admin.get(`/v2/clients/${unknownId}/limits-status`))).toMatchObject({
      status: 404,
      code: 'client-not-found',
    });
  });
});

describe('reporting entities', () => {
  test('each has its own status; an empty one has no shares; a limit may apply to one of them', async () => {
    const own = await makeLimitHousehold(admin, 'Bussard');
    const bare = await makeRecord(admin, 'reporting-entities', { name: 'Bare', client_id: own.client });
    const share = await makeLimit({ min_pct: 0.5 }, own.client);
    const amount = await makeLimit({ kind: 'absolute', max_amount: 1_000 }, own.client);
    const one = await makeLimit({ max_pct: 0.5, reporting_entity_id: own.reportingEntity }, own.client);
    const { body } = await admin.get(`/v2/clients/${own.client}/limits-status`);
    const actual = body.data.map(({ limit_id, kind, as_of, reporting_entities }: any) => [
      [limit_id, kind, as_of],
      ...reporting_entities.map((entity: any) => [entity.reporting_entity_id, entity.current_value, entity.state]),
    ]);
    expect(actual).toEqual([
      [
        [share, 'proportional', asOf],
        [own.reportingEntity, 1, 'compliant'],
        [bare, null, 'not_evaluable'],
      ],
      [
        [amount, 'absolute', asOf],
        [own.reportingEntity, 1_000, 'compliant'],
        [bare, 0, 'compliant'],
      ],
      [
        [one, 'proportional', asOf],
        [own.reportingEntity, 1, 'breached'],
      ],
    ]);
    expect(body.data[0].reporting_entities[1]).toEqual({
      reporting_entity_id: bare,
      current_value: null,
      min: 0.5,
      max: null,
      headroom_to_min: null,
      headroom_to_max: null,
      headroom: null,
      unclassified_value: null,
      state: 'not_evaluable',
      reason: 'no-value',
      detail: 'All that is held is worth nothing or less: nothing can be a share of it.',
      since: null,
    });
    const alone = (await admin.get(`/v1/limits/${one}/status`)).body.reporting_entities;
    expect(alone.map((entity: any) => entity.reporting_entity_id)).toEqual([own.reportingEntity]);
  });

  test('a client without limits, or without reporting entities, has an empty list', async () => {
    const client = await admin.makeClient('Bare');
    expect((await admin.get(`/v2/clients/${client}/limits-status`)).body).toEqual({ data: [] });
    const id = await makeLimit({ max_pct: 1 }, client);
    const { body } = await admin.get(`/v2/clients/${client}/limits-status`);
    expect(body.data).toMatchObject([{ limit_id: id, reporting_entities: [] }]);
  });

  test('overdrawn cash is a negative share, and raises the others', async () => {
    const own = await makeLimitHousehold(admin, 'Dohle');
    await bookTrade(admin, own, { type: 'withdrawal', amount: '-500' });
    const cash = await makeLimit({ min_pct: 0, filter: ['instrument.type', 'equals', 'cash-instrument'] }, own.client);
    const equities = await makeLimit({ max_pct: 1, filter: ['tags', 'contains', ['food']] }, own.client);
    const read = async (id: string) => (await admin.get(`/v1/limits/${id}/status`)).body.reporting_entities;
    expect(await read(cash)).toMatchObject([{ current_value: '-0.4', headroom: '-0.4', state: 'breached' }]);
    expect(await read(equities)).toMatchObject([{ current_value: '0.6', state: 'compliant' }]);
    await bookTrade(admin, own, { type: 'withdrawal', amount: '-500' });
    expect(await read(cash)).toMatchObject([{ state: 'not_evaluable', reason: 'no-value' }]);
  });

  test('a missing rate is reported as the reason, where it is needed', async () => {
    const own = await makeLimitHousehold(admin, 'Elster');
    const euros = await makeRecord(admin, 'accounts', { entity_id: own.legalEntity, currency: 'EUR' });
    await admin.patch(`/v1/portfolios/${own.portfolio}`, { account_ids: [own.account, euros] });
    await bookTrade(admin, { account: euros }, { type: 'deposit', amount: '100' });
    const food = ['tags', 'contains', ['food']] as const;
    const limits = [
      await makeLimit({ max_pct: 0.5, filter: food }, own.client),
      await makeLimit({ kind: 'absolute', max_amount: 500, filter: food }, own.client),
      await makeLimit({ kind: 'absolute', max_amount: 500, filter: ['currency', 'equals', 'EUR'] }, own.client),
    ];
    const read = async () => {
      const { data } = (await admin.get(`/v2/clients/${own.client}/limits-status`)).body;
      return data.map(({ limit_id, reporting_entities: [{ state, reason, detail }] }: any) => [
        limits.indexOf(limit_id),
        state,
        reason ?? detail,
      ]);
    };
    expect(await read()).toEqual([
      [0, 'not_evaluable', 'fx-rate-missing'],
      [1, 'compliant', null],
      [2, 'not_evaluable', 'fx-rate-missing'],
    ]);
    const { body } = await admin.get(`/v1/limits/${limits[0]}/status`);
    const detail = `There is no exchange rate from EUR to CHF on or before ${purchaseDate}.`;
    expect(body.reporting_entities[0]).toMatchObject({ current_value: null, detail });
    await admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date: '2026-11-01', rate: '0.95' });
    expect(await read()).toEqual([0, 1, 2].map((index) => [index, 'compliant', null]));
  });
});

describe('results of rounds', () => {
  /** Runs the due rounds and returns that of the client. */
  async function makeRound(): Promise<string> {
    await runRounds(admin.address);
    return (await admin.get(`/v1/calculation-rounds?client_id=${own.client}&limit=1`)).body.data[0].id;
  }

  let begun: number;
  const at = (seconds: number): string => new Date(begun + seconds * 1_000).toISOString();
  const rounds: string[] = [];
  let own: LimitHousehold;
  let equities: string;
  let cash: string;

  const statusNow = async (id: string, query = '') => (await admin.get(`/v1/limits/${id}/status${query}`)).body;
  const breaches = async (query: string) => (await admin.get(`/v1/limit-breaches?${query}`)).body;

  beforeAll(async () => {
    begun = service.clock.now();
    own = await makeLimitHousehold(admin, 'Falke');
    equities = await makeLimit({ max_pct: 0.5, filter: ['instrument_class.path', 'in', ['Equities']] }, own.client);
    const filter = ['instrument.type', 'equals', 'cash-instrument'] as const;
    cash = await makeLimit({ kind: 'absolute', min_amount: 400, filter }, own.client);
  });

  test('is stored with its period, and only if it differs from the previous one', async () => {
    rounds.push(await makeRound());
    expect(await statusNow(equities)).toMatchObject({
      round_id: rounds[0],
      reporting_entities: [{ state: 'compliant', since: at(0) }],
    });
    service.clock.advance(1_000);
    const more = { instrument_id: own.food, quantity: '1', price: '30', amount: '-30' };
    const bought = await bookTrade(admin, own, { type: 'buy', ...more });
    expect(await statusNow(equities)).toMatchObject({
      round_id: null,
      reporting_entities: [{ state: 'breached', current_value: '0.53', since: null }],
    });
    rounds.push(await makeRound());
    const broken = { round_id: rounds[1], reporting_entities: [{ state: 'breached', since: at(1) }] };
    expect(await statusNow(equities)).toMatchObject(broken);
    expect(await statusNow(cash)).toMatchObject({ round_id: rounds[0], reporting_entities: [{ since: at(0) }] });
    service.clock.advance(1_000);
    const paidIn = await bookTrade(admin, own, { type: 'deposit', amount: '1' });
    rounds.push(await makeRound());
    expect(await statusNow(equities)).toMatchObject(broken);
    await admin.delete(`/v1/transactions/${bought}`);
    await admin.delete(`/v1/transactions/${paidIn}`);
    rounds.push(await makeRound());
    expect(await statusNow(equities)).toMatchObject({
      round_id: rounds[3],
      reporting_entities: [{ state: 'compliant', since: at(2) }],
    });
    expect(await statusNow(equities, `?known_at=${at(1)}`)).toMatchObject(broken);
  });

  test('is a list of breaches, newest first', async () => {
    const ofBoth = { reporting_entity_id: own.reportingEntity, client_id: own.client };
    const first = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      kind: 'absolute',
      state: 'open',
      current_value: '300',
      bound: 'min',
      bound_value: '400',
      since: at(0),
      until: null,
      limit_id: cash,
      ...ofBoth,
      round_id: rounds[0],
    };
    const second = {
      ...first,
      kind: 'proportional',
      state: 'closed',
      current_value: '0.53',
      bound: 'max',
      bound_value: '0.5',
      since: at(1),
      until: at(2),
      limit_id: equities,
      round_id: rounds[1],
    };
    expect(await breaches(`client_id=${own.client}`)).toEqual({ data: [second, first], has_more: false });
    const found = async (query: string): Promise<string[]> =>
      (await breaches(`client_id=${own.client}&${query}`)).data.map(({ limit_id }: { limit_id: string }) => limit_id);
    expect(await found('state=open')).toEqual([cash]);
    expect(await found('state=closed')).toEqual([equities]);
    expect(await found(`limit_id=${cash}`)).toEqual([cash]);
    expect(await found(`reporting_entity_id=${own.reportingEntity}`)).toEqual([equities, cash]);
    expect(await found(`since=${at(1)}`)).toEqual([equities]);
    expect(await found(`since=${at(0)}`)).toEqual([equities, cash]);
    const page = await breaches(`client_id=${own.client}&limit=1`);
    expect(await found(`limit=1&cursor=${page.next_cursor}`)).toEqual([cash]);
  });

  test('ends with the limit and with the reporting entity, and remains readable', async () => {
    const bare = await makeRecord(admin, 'reporting-entities', { name: 'Bare', client_id: own.client });
    await admin.patch(`/v1/limits/${equities}`, { max_pct: '0.6' });
    await makeRound();
    service.clock.advance(1_000);
    expect((await admin.delete(`/v1/reporting-entities/${bare}`)).status).toBe(204);
    const ofBare = await breaches(`reporting_entity_id=${bare}`);
    expect(ofBare.data).toMatchObject([{ limit_id: cash, state: 'closed', since: at(2), until: at(3) }]);
    service.clock.advance(1_000);
    const untouched = await statusNow(equities);
    expect(untouched).toMatchObject({ reporting_entities: [{ state: 'compliant', since: at(2) }] });
    expect((await admin.delete(`/v1/limits/${cash}`)).status).toBe(204);
    expect(await statusNow(equities)).toEqual(untouched);
    expect((await breaches(`limit_id=${cash}`)).data).toMatchObject([
      { reporting_entity_id: bare, until: at(3) },
      { reporting_entity_id: own.reportingEntity, state: 'closed', until: at(4) },
    ]);
    expect(await statusNow(cash, `?known_at=${at(3)}`)).toMatchObject({
      reporting_entities: [{ reporting_entity_id: own.reportingEntity, state: 'breached', since: at(0) }],
    });
    expect((await admin.get(`/v1/limits/${cash}/status`)).status).toBe(404);
  });
});
