// Walks over ten thousand accounts while others come, change and go: each that was there from the first page to the last is
// seen once, in order. And the list of as many that comes in one answer.

import { beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../src/kit/clock.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile, serviceForThisTest, type TestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { accountObject, make } from '../../setup/structure/structure-document.ts';

const many = 10_000;
/** When the oldest of the accounts was made; each of the others is a tenth of a second younger than the one before. */
const begin = Date.parse('2026-11-15T11:30:00Z');
const apartMs = 100;

const hex = (value: number): string => value.toString(16).padStart(12, '0');
const idOf = (number: number): string => hex(begin + number * apartMs) + hex(number);
const madeAt = (id: string): number => Number.parseInt(id.slice(0, 12), 16);

const service = serviceForThisFile();

/** Accounts with the numbers from `from` to `to`, by turns below each of the legal entities, half of them in francs. */
async function insertAccounts(entities: readonly string[], { from, to }: { from: number; to: number }): Promise<void> {
  await runSql(
    service.database,
    `INSERT INTO account (workspace_id, environment, id, client_id, legal_entity_id, name, ccy_code,
       exclude_from_reporting, created_at)
     SELECT e.workspace_id, e.environment,
       lpad(to_hex($2 + number * $3::bigint), 12, '0') || lpad(to_hex(number), 12, '0'), e.client_id, e.id,
       'Account ' || number, CASE number % 2 WHEN 0 THEN 'EUR' ELSE 'CHF' END, false, e.created_at
     FROM generate_series($4::bigint, $5) number
     JOIN legal_entity e ON e.id = ($1::text[])[1 + number % cardinality($1::text[])]`,
    [entities, begin, apartMs, from, to],
  );
}

async function listIds(where: string): Promise<string[]> {
  const text = `SELECT id FROM account WHERE ${where} ORDER BY id`;
  return (await runSql<{ id: string }>(service.database, text)).map(({ id }) => id);
}

function insistOn({ status, text }: Reply): void {
  if (status >= 300) throw new Error(`Not done: ${status} ${text}`);
}

/** Others at work beside a walk over these accounts, on two nodes, at places of the list. */
class Bustle {
  readonly come: string[] = [];
  readonly gone = new Set<string>();
  readonly #accounts: readonly string[];
  readonly #entity: string;
  readonly #other: TestService;

  constructor(accounts: readonly string[], { entity, other }: { entity: string; other: TestService }) {
    this.#accounts = accounts;
    this.#entity = entity;
    this.#other = other;
  }

  /** A new account, at the end of the list. */
  async comes(): Promise<void> {
    this.come.push(await make(service.admin, 'accounts', { entity_id: this.#entity, currency: 'CHF' }));
  }

  /** A new account whose id falls among those at the place: made on a node whose clock is behind. */
  async comesAt(place: number): Promise<void> {
    const { clock, admin } = this.#other;
    const neighbour = this.#accounts[place];
    if (neighbour !== undefined) clock.advance(Math.max(0, madeAt(neighbour) - clock.now()));
    this.come.push(await make(admin, 'accounts', { entity_id: this.#entity, currency: 'CHF' }));
  }

  async changes(place: number): Promise<void> {
    const id = this.#accounts[place];
    if (id === undefined || this.gone.has(id)) return;
    const fields = { name: 'Changed', exclude_from_reporting: true };
    insistOn(await this.#other.admin.patch(`/v1/accounts/${id}`, fields));
  }

  async goes(place: number): Promise<void> {
    const id = this.#accounts[place];
    if (id === undefined || this.gone.has(id)) return;
    this.gone.add(id);
    insistOn(await service.admin.delete(`/v1/accounts/${id}`));
  }

  /** How many of the accounts are not younger than this one. */
  placeAfter(id: string): number {
    return this.#accounts.findLastIndex((one) => one <= id) + 1;
  }
}

/** Every id, page by page, with others at work during each page and before every other. */
async function walk(reader: Caller, query: string, bustle: Bustle): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = '', place = 0; ; place = bustle.placeAfter(seen.at(-1)!)) {
    const [page] = await Promise.all([
      reader.get(`/v1/accounts?limit=100${query}${cursor}`),
      bustle.comesAt(place + 50),
      bustle.changes(place + 20),
      bustle.goes(place + 70),
    ]);
    expect(page.status).toBe(200);
    seen.push(...page.body.data.map(({ id }: { id: string }) => id));
    if (!page.body.has_more) return seen;
    cursor = `&cursor=${page.body.next_cursor}`;
    if (seen.length % 200 === 0) continue;
    // Behind where the next page begins, and into the midst of it; every other time the one that the cursor points at goes.
    await bustle.comesAt(place + 60);
    const goes = seen.length % 400 === 100 ? bustle.placeAfter(seen.at(-1)!) - 1 : place + 180;
    await Promise.all([bustle.comesAt(place + 130), bustle.comes(), bustle.goes(goes)]);
  }
}

describe('page by page, while others come, change and go', () => {
  const owners = { own: '', below: '', beside: '' };
  let scoped: Caller;

  beforeAll(async () => {
    const { admin } = service;
    const client = await admin.makeClient('Own');
    const clients = {
      own: client,
      below: await admin.makeClient('Below', client),
      beside: await admin.makeClient('Beside'),
    };
    for (const place of ['own', 'below', 'beside'] as const) {
      owners[place] = await make(admin, 'legal-entities', { name: 'Holding', client_id: clients[place] });
    }
    scoped = await admin.become({ scoped_to: client, rights: ['read'] });
    await insertAccounts(Object.values(owners), { from: 1, to: many });
  });

  test.each([
    ['of the whole workspace', () => service.admin, '', () => 'true'],
    ['in francs', () => service.admin, '&currency=CHF', () => `ccy_code = 'CHF'`],
    ['that a token bound to one client sees', () => scoped, '', () => `legal_entity_id <> '${owners.beside}'`],
  ])('every account %s that stays is seen once, in order', async (_of, reader, query, where) => {
    const other = await serviceForThisTest({ database: service.database, clock: new ManualClock(begin) });
    const accounts = await listIds(where());
    const bustle = new Bustle(accounts, { entity: owners.own, other });
    const seen = await walk(reader(), query, bustle);
    const staying = accounts.filter((id) => !bustle.gone.has(id));
    const come = new Set(bustle.come);
    expect(seen.filter((id) => !come.has(id) && !bustle.gone.has(id))).toEqual(staying);
    expect(seen).toEqual([...new Set(seen)].toSorted());
    // The others were not idle: some came into the midst of the list, before it was read there and after.
    const amidst = bustle.come.filter((id) => id < accounts.at(-1)!);
    const caught = amidst.filter((id) => seen.includes(id));
    expect(Math.min(caught.length, amidst.length - caught.length, bustle.gone.size)).toBeGreaterThan(20);
  });
});

describe('in one answer', () => {
  let admin: Caller;
  let entity: string;
  let depositories: readonly [string, string];

  beforeAll(async () => {
    admin = await service.openWorkspace();
    entity = await make(admin, 'legal-entities', { name: 'Holding', client_id: await admin.makeClient('Own') });
    const makeDepository = (): Promise<string> => make(admin, 'depositories', { legal_entity_id: entity });
    depositories = [await makeDepository(), await makeDepository()];
    await insertAccounts([entity], { from: 1, to: many });
    await runSql(
      service.database,
      `INSERT INTO account_depository
       SELECT a.workspace_id, a.environment, a.client_id, a.id, ($2::text[])[which]
       FROM account a, generate_series(1, 2) which
       WHERE a.legal_entity_id = $1 AND (substr(a.name, 9)::int >> (which - 1)) % 2 = 1`,
      [entity, depositories],
    );
  });

  /** One of four accounts is split over both depositories, one over each, and one over none. */
  function accountOf(number: number): object {
    const attributes = {
      name: `Account ${number}`,
      externalIdentifier: null,
      ccyCode: number % 2 === 0 ? 'EUR' : 'CHF',
      excludeFromReporting: false,
    };
    const linked = depositories.filter((_, index) => (number >> index) % 2 === 1);
    return accountObject(idOf(number), attributes, { legalEntity: entity, depositories: linked });
  }

  const expected = (): object[] => Array.from({ length: many }, (_, index) => accountOf(index + 1));

  test('10,000 accounts of a legal entity are all there, once, in order, each with its depositories', async () => {
    const { status, body } = await admin.get(`/api/v2/legal-entities/${entity}/accounts`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: expected() });
  });

  test('one more is beyond the cap, and the answer says so', async () => {
    await insertAccounts([entity], { from: many + 1, to: many + 1 });
    const { body } = await admin.get(`/api/v2/legal-entities/${entity}/accounts`);
    expect(body).toEqual({ data: expected(), meta: { truncated: true, cap: many, total: many + 1 } });
  });
});
