// What a person sees of a client with several reporting entities: only what is granted to them, while it is granted, and with their
// role at each client.

import { beforeAll, describe, expect, test } from 'vitest';
import { minuteMs } from '../../../src/kit/clock.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import { checkedFigureNames } from '../../setup/engine/explanation-check.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import {
  makeInstrument,
  makeLedgerHousehold,
  makeStock,
  type LedgerHousehold,
} from '../../setup/ledger/ledger-household.ts';
import { insertMembership, insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();

interface Family {
  readonly household: LedgerHousehold;
  /** Reporting entities of the account, and of the savings. */
  readonly parents: string;
  readonly children: string;
  /** A fund that is private to the children's reporting entity. */
  readonly childrensFund: string;
  /** Limits for all, and for the children only. */
  readonly limit: string;
  readonly childrensLimit: string;
}

async function makeFamily(name: string): Promise<Family> {
  const { admin } = service;
  const household = await makeLedgerHousehold(admin, name);
  await admin.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  const entity = async (account: string): Promise<string> => {
    const id = await makeRecord(admin, 'reporting-entities', { client_id: household.client, name });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: id, account_ids: [account] });
    const deposit = { type: 'deposit', account_id: account, date: '2026-01-02', amount: '1000' };
    await admin.post('/v1/transactions', deposit);
    const trade = { account_id: account, instrument_id: household.stock, quantity: '5', amount: '-100' };
    await admin.post('/v1/transactions', { type: 'buy', date: '2026-02-02', ...trade });
    return id;
  };
  const [parents, children] = [await entity(household.account), await entity(household.savings)];
  const childrensFund = await makeInstrument(admin, {
    type: 'private-market-fund',
    name: `${name} private`,
    currency: 'CHF',
    commitment: '1',
    reporting_entity_id: children,
  });
  await admin.post(`/v1/instruments/${childrensFund}/net-asset-values`, { date: '2026-01-01', value: '1' });
  const filter = { kind: 'condition', field: 'currency', operator: 'equals', value: ['CHF'] };
  const terms = { client_id: household.client, kind: 'proportional', max_pct: '0.5', filter };
  return {
    household,
    parents,
    children,
    childrensFund,
    limit: await makeRecord(admin, 'limits', terms),
    childrensLimit: await makeRecord(admin, 'limits', { ...terms, reporting_entity_id: children }),
  };
}

let amsel: Family;
let drossel: Family;
let mother: SignedInCaller;
let child: SignedInCaller;
/** An advisor at one family and a viewer at the other. */
let adviser: SignedInCaller;

beforeAll(async () => {
  amsel = await makeFamily('Amsel');
  drossel = await makeFamily('Drossel');
  service.clock.advance(minuteMs);
  const person = async (memberships: Parameters<typeof insertPerson>[1]['memberships']): Promise<SignedInCaller> =>
    signIn(service, await insertPerson(service, { memberships }));
  mother = await person([{ client: amsel.household.client, role: 'advisor', grants: [amsel.parents] }]);
  child = await person([{ client: amsel.household.client, role: 'advisor', grants: [amsel.children] }]);
  adviser = await person([
    { client: amsel.household.client, role: 'advisor', grants: [amsel.parents, amsel.children] },
    { client: drossel.household.client, role: 'viewer', grants: [drossel.parents] },
  ]);
});

const holdings = (caller: Caller, entity: string, more = ''): Promise<Reply> =>
  caller.get(`/v1/holdings?reporting_entity_id=${entity}${more}`);

describe('two people of one client', () => {
  test('each read their own data, and not that of the other', async () => {
    for (const [person, own, other] of [
      [mother, amsel.parents, amsel.children],
      [child, amsel.children, amsel.parents],
    ] as const) {
      expect((await holdings(person, own)).body).toEqual((await holdings(service.admin, own)).body);
      expect(errorCodeOf(await holdings(person, other))).toBe('reporting-entity-not-found');
      const listed = (await person.get('/v1/reporting-entities')).body.data;
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([own]);
    }
  });

  test('see a limit of the whole client with the figures of their own entity, and no limit of another entity', async () => {
    const ofMother = (await mother.get(`/v1/limits/${amsel.limit}/status`)).body.reporting_entities;
    expect(ofMother.map((one: any) => one.reporting_entity_id)).toEqual([amsel.parents]);
    const all = (await mother.get(`/v2/clients/${amsel.household.client}/limits-status`)).body.data;
    expect(all.map((one: any) => one.limit_id)).toEqual([amsel.limit]);
    expect((await mother.get(`/v1/limits/${amsel.childrensLimit}/status`)).status).toBe(404);
    expect((await child.get(`/v1/limits/${amsel.childrensLimit}/status`)).status).toBe(200);
    const knownAt = new Date(service.clock.now()).toISOString();
    expect((await mother.get(`/v1/limits/${amsel.childrensLimit}/status?known_at=${knownAt}`)).status).toBe(404);
    expect((await child.get(`/v1/limits/${amsel.childrensLimit}/status?known_at=${knownAt}`)).status).toBe(200);
  });

  test('cannot use a private instrument of the other as a benchmark', async () => {
    const compare = (person: Caller, entity: string): Promise<Reply> =>
      person.get(`/v1/performance?reporting_entity_id=${entity}&benchmark=${amsel.childrensFund}&detail=summary`);
    expect((await compare(child, amsel.children)).status).toBe(200);
    expect(errorCodeOf(await compare(mother, amsel.parents))).toBe('instrument-not-found');
    const index = `/v1/performance/private-markets?reporting_entity_id=${amsel.parents}&index=${amsel.childrensFund}`;
    expect(errorCodeOf(await mother.get(index))).toBe('instrument-not-found');
  });

  test('can get explanations of their own figures', async () => {
    const explain = (person: Caller, entity: string, more = ''): Promise<Reply> =>
      person.get(`/v1/explain?reporting_entity_id=${entity}${more || '&figure=market_value'}`);
    expect((await explain(mother, amsel.parents)).status).toBe(200);
    expect((await explain(mother, amsel.children)).status).toBe(404);
    const limited = (limit: string): string => `&figure=limit_value&limit_id=${limit}`;
    expect((await explain(mother, amsel.parents, limited(amsel.limit))).status).toBe(200);
    expect((await explain(mother, amsel.parents, limited(amsel.childrensLimit))).status).toBe(404);
  });

  test('get explanations of units that came from an account of the other as amounts alone', async () => {
    const { household, parents, children } = amsel;
    const book = (fields: object): Promise<string> => makeRecord(service.admin, 'transactions', fields);
    const instrument_id = await makeStock(service.admin, 'Orbit AG', 'CHF');
    await service.admin.post(`/v1/instruments/${instrument_id}/prices`, { date: '2026-01-06', value: '8' });
    const units = { account_id: household.savings, instrument_id, quantity: '10' };
    const bought = await book({ ...units, type: 'buy', date: '2026-01-05', price: '7.31', fees: '0.9' });
    const counter_account_id = household.account;
    const moved = await book({ ...units, type: 'withdrawal', date: '2026-01-07', counter_account_id });
    const query = `&instrument_id=${instrument_id}`;
    const figures = (entity: string): string[] => [
      `/v1/explain?reporting_entity_id=${entity}&figure=cost_basis${query}`,
      `/v1/explain?reporting_entity_id=${entity}&figure=unrealised_pnl${query}&format=text`,
      `/v1/explain?reporting_entity_id=${entity}&figure=market_value${query}`,
      `/v1/holdings?reporting_entity_id=${entity}&explain=true`,
      `/v1/lots?reporting_entity_id=${entity}&explain=true${query}`,
      `/v1/data-quality?reporting_entity_id=${entity}&explain=true`,
    ];
    for (const path of figures(parents)) {
      const [own, whole] = [await mother.get(path), await adviser.get(path)];
      expect([path, own.status, whole.status]).toEqual([path, 200, 200]);
      // The units were bought at 7.31, in the account of the children.
      for (const hidden of [household.savings, bought, '7.31']) {
        const isLot = path.startsWith('/v1/lots') && hidden === bought;
        expect([path, hidden, !isLot && own.text.includes(hidden)]).toEqual([path, hidden, false]);
      }
    }
    const [path] = figures(parents) as [string];
    const cost = (await mother.get(path)).body.explanation;
    checkedFigureNames(cost);
    expect(collectFigures(cost).filter(({ notes }) => notes?.includes('not-visible'))).toEqual([
      {
        name: 'cost-taken',
        value: '74',
        unit: 'CHF',
        notes: ['not-visible'],
        sentence: 'Cost taken: 74.00 CHF (not visible)',
      },
    ]);
    expect((await mother.get(path)).text).toContain(moved);
    expect((await adviser.get(path)).text).toContain(bought);
    expect((await child.get(`${path.replace(parents, children)}&as_of=2026-01-06`)).text).toContain(household.savings);
  });

  test('see nothing at an earlier moment that they cannot see now', async () => {
    const moment = new Date(service.clock.now()).toISOString();
    expect((await holdings(mother, amsel.parents, `&known_at=${moment}`)).status).toBe(200);
    expect((await holdings(mother, amsel.children, `&known_at=${moment}`)).status).toBe(404);
  });
});

function collectFigures(figure: any): any[] {
  return [figure, ...(figure.of ?? []).flatMap(collectFigures)];
}

describe('a person’s check of limits', () => {
  const check = (person: Caller, body: object): Promise<Reply> => person.post('/v1/limits/check', body);
  const trade = (account_id: string, instrument_id: string, more: object = {}): object => ({
    trades: [{ account_id, instrument_id, side: 'buy', quantity: '1', price: '10', ...more }],
  });

  test('must be for one reporting entity that they may read', async () => {
    const { household } = amsel;
    expect(
      (await check(mother, { reporting_entity_id: amsel.parents, ...trade(household.account, household.stock) }))
        .status,
    ).toBe(200);
    expect((await check(mother, { reporting_entity_id: amsel.children })).status).toBe(404);
    expect(errorCodeOf(await check(mother, { client_id: household.client }))).toBe('outside-reach');
  });

  test('can name only accounts, depositories and instruments of it: others of the client do not exist', async () => {
    const { household } = amsel;
    for (const [code, proposed] of [
      ['account-not-found', trade(household.savings, household.stock)],
      ['depository-not-found', trade(household.account, household.stock, { depository_id: household.vault })],
      ['instrument-not-found', trade(household.account, amsel.childrensFund)],
      ['account-not-found', { cash_moves: [{ account_id: household.savings, amount: '1' }] }],
    ] as const) {
      const reply = await check(mother, { reporting_entity_id: amsel.parents, ...proposed });
      expect([code, errorCodeOf(reply)]).toEqual([code, code]);
      expect((await check(service.admin, { reporting_entity_id: amsel.parents, ...proposed })).status).toBe(200);
    }
  });
});

test('a person cannot try bounds of a limit that is for another reporting entity', async () => {
  const check = (limit_id: string): Promise<Reply> =>
    mother.post('/v1/limits/check', { reporting_entity_id: amsel.parents, bounds: [{ limit_id }] });
  expect((await check(amsel.limit)).status).toBe(200);
  expect(errorCodeOf(await check(amsel.childrensLimit))).toBe('limit-not-found');
});

describe('a person of two clients', () => {
  test('has at each client the role given there', async () => {
    expect((await holdings(adviser, amsel.parents)).status).toBe(200);
    expect((await holdings(adviser, drossel.parents)).status).toBe(200);
    expect((await holdings(adviser, drossel.children)).status).toBe(404);
    const lots = (entity: string): Promise<Reply> => adviser.get(`/v1/lots?reporting_entity_id=${entity}`);
    expect((await lots(amsel.parents)).status).toBe(200);
    expect((await lots(drossel.parents)).status).toBe(404);
  });

  test('sees explanations of holdings where they are an advisor', async () => {
    expect((await holdings(adviser, amsel.parents, '&explain=true')).status).toBe(200);
    expect(errorCodeOf(await holdings(adviser, drossel.parents, '&explain=true'))).toBe('right-missing');
    expect(errorCodeOf(await holdings(adviser, drossel.children, '&explain=true'))).toBe('reporting-entity-not-found');
  });
});

describe('revoked access ends with the next request', () => {
  async function newcomer(...grants: string[]): Promise<{ id: string; person: SignedInCaller }> {
    const { client } = amsel.household;
    const id = await insertPerson(service, { memberships: [{ client, role: 'viewer', grants }] });
    return { id, person: await signIn(service, id) };
  }

  test('a grant, between two pages of a list', async () => {
    const { id, person } = await newcomer(amsel.parents, amsel.children);
    const list = await person.get('/v1/reporting-entities?limit=1');
    const report = await holdings(person, amsel.children, '&limit=1');
    expect([list.body.has_more, report.body.has_more]).toEqual([true, true]);
    await runSql(service.database, 'DELETE FROM read_grant WHERE person_id = $1 AND reporting_entity_id = $2', [
      id,
      amsel.children,
    ]);
    const next = await person.get(`/v1/reporting-entities?limit=1&cursor=${list.body.next_cursor}`);
    expect(next.body).toEqual({ data: [], has_more: false });
    const cursor = `&limit=1&cursor=${report.body.next_cursor}`;
    expect((await holdings(person, amsel.children, cursor)).status).toBe(404);
  });

  test('a cursor of another person', async () => {
    const [{ person: one }, { person: other }] = [await newcomer(amsel.parents), await newcomer(amsel.parents)];
    const { body } = await holdings(one, amsel.parents, '&limit=1');
    expect((await holdings(one, amsel.parents, `&limit=1&cursor=${body.next_cursor}`)).status).toBe(200);
    expect(errorCodeOf(await holdings(other, amsel.parents, `&limit=1&cursor=${body.next_cursor}`))).toBe(
      'cursor-invalid',
    );
  });

  test.each([
    ['disabled', 'UPDATE membership SET disabled_at = now() WHERE person_id = $1'],
    ['not joined', 'UPDATE membership SET joined_at = NULL WHERE person_id = $1'],
    ['ended', 'DELETE FROM membership WHERE person_id = $1'],
  ])('a membership that is %s', async (_how, change) => {
    const { id, person } = await newcomer(amsel.parents);
    expect((await holdings(person, amsel.parents)).status).toBe(200);
    await runSql(service.database, change, [id]);
    expect(errorCodeOf(await holdings(person, amsel.parents))).toBe('token-missing');
    expect(errorCodeOf(await person.get('/v1/me'))).toBe('token-missing');
  });

  test('one of two memberships', async () => {
    const { id, person } = await newcomer(amsel.parents);
    const { client } = drossel.household;
    await insertMembership(service, id, { client, role: 'viewer', grants: [drossel.parents], status: 'disabled' });
    expect((await holdings(person, amsel.parents)).status).toBe(200);
    expect((await holdings(person, drossel.parents)).status).toBe(404);
    expect((await person.get('/v1/me')).body.user.memberships).toEqual([
      { client_id: amsel.household.client, role: 'viewer' },
    ]);
  });
});
