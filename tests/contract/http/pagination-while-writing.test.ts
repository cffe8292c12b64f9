// Pages through thousands of accounts while others are created, changed and deleted: each account that exists throughout is
// returned once, in order. Also lists ten thousand in one answer.

import { beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../setup/kit/manual-clock.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile, serviceForThisTest, type TestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { accountObject, makeRecord } from '../../setup/structure/structure-document.ts';

/** How many are read page by page, and how many one answer may have. */
const walkedCount = 4_000;
const accountCount = 10_000;
/** The creation time of the oldest account; each further account is a tenth of a second younger. */
const firstMomentMs = Date.parse('2026-11-15T11:30:00Z');
const gapMs = 100;

const hex = (value: number): string => value.toString(16).padStart(12, '0');
const idOf = (number: number): string => hex(firstMomentMs + number * gapMs) + hex(number);
const createdAtOf = (id: string): number => Number.parseInt(id.slice(0, 12), 16);

const service = serviceForThisFile();

/** Inserts accounts numbered `from` to `to`, alternating between the legal entities, half of them in francs. */
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
    [entities, firstMomentMs, gapMs, from, to],
  );
}

async function listIds(where: string): Promise<string[]> {
  const text = `SELECT id FROM account WHERE ${where} ORDER BY id`;
  return (await runSql<{ id: string }>(service.database, text)).map(({ id }) => id);
}

function expectSuccess({ status, text }: Reply): void {
  if (status >= 300) throw new Error(`Not done: ${status} ${text}`);
}

/** Writes at chosen positions of the list on two nodes during a walk over these accounts. */
class ConcurrentWriter {
  readonly inserted: string[] = [];
  readonly removed = new Set<string>();
  readonly #accounts: readonly string[];
  readonly #entity: string;
  readonly #other: TestService;

  constructor(accounts: readonly string[], { entity, other }: { entity: string; other: TestService }) {
    this.#accounts = accounts;
    this.#entity = entity;
    this.#other = other;
  }

  /** Creates an account at the end of the list. */
  async insert(): Promise<void> {
    this.inserted.push(await makeRecord(service.admin, 'accounts', { entity_id: this.#entity, currency: 'CHF' }));
  }

  /** Creates an account whose id falls at this position of the list, as a node with a slow clock would. */
  async insertAt(position: number): Promise<void> {
    const { clock, admin } = this.#other;
    const neighbour = this.#accounts[position];
    if (neighbour !== undefined) clock.advance(Math.max(0, createdAtOf(neighbour) - clock.now()));
    this.inserted.push(await makeRecord(admin, 'accounts', { entity_id: this.#entity, currency: 'CHF' }));
  }

  async changes(position: number): Promise<void> {
    const id = this.#accounts[position];
    if (id === undefined || this.removed.has(id)) return;
    const fields = { name: 'Changed', exclude_from_reporting: true };
    expectSuccess(await this.#other.admin.patch(`/v1/accounts/${id}`, fields));
  }

  async removeAt(position: number): Promise<void> {
    const id = this.#accounts[position];
    if (id === undefined || this.removed.has(id)) return;
    this.removed.add(id);
    expectSuccess(await service.admin.delete(`/v1/accounts/${id}`));
  }

  /** The number of accounts that are as old as this one or older. */
  positionAfter(id: string): number {
    return this.#accounts.findLastIndex((one) => one <= id) + 1;
  }
}

/** Lists every id page by page, with writes during each page and before every second one. */
async function walk(reader: Caller, query: string, writer: ConcurrentWriter): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = '', position = 0; ; position = writer.positionAfter(seen.at(-1)!)) {
    const [page] = await Promise.all([
      reader.get(`/v1/accounts?limit=100${query}${cursor}`),
      writer.insertAt(position + 50),
      writer.changes(position + 20),
      writer.removeAt(position + 70),
    ]);
    expect(page.status).toBe(200);
    seen.push(...page.body.data.map(({ id }: { id: string }) => id));
    if (!page.body.has_more) return seen;
    cursor = `&cursor=${page.body.next_cursor}`;
    if (seen.length % 200 === 0) continue;
    // Inserts after the start of the next page and in the middle of it; every second time deletes the account that the cursor
    // points at.
    await writer.insertAt(position + 60);
    const removeAt = seen.length % 400 === 100 ? writer.positionAfter(seen.at(-1)!) - 1 : position + 180;
    await Promise.all([writer.insertAt(position + 130), writer.insert(), writer.removeAt(removeAt)]);
  }
}

describe('page by page, while other records are created, changed and deleted', () => {
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
    for (const position of ['own', 'below', 'beside'] as const) {
      owners[position] = await makeRecord(admin, 'legal-entities', { name: 'Holding', client_id: clients[position] });
    }
    scoped = await admin.becomeApplication({ scoped_to: client, rights: ['read'] });
    await insertAccounts(Object.values(owners), { from: 1, to: walkedCount });
  });

  test.each([
    ['of the whole workspace', () => service.admin, '', () => 'true'],
    ['in francs', () => service.admin, '&currency=CHF', () => `ccy_code = 'CHF'`],
    ['that a token bound to one client sees', () => scoped, '', () => `legal_entity_id <> '${owners.beside}'`],
  ])('every account %s that exists throughout is listed once, in order', async (_of, reader, query, where) => {
    const other = await serviceForThisTest({ database: service.database, clock: new ManualClock(firstMomentMs) });
    const accounts = await listIds(where());
    const writer = new ConcurrentWriter(accounts, { entity: owners.own, other });
    const seen = await walk(reader(), query, writer);
    const staying = accounts.filter((id) => !writer.removed.has(id));
    const inserted = new Set(writer.inserted);
    expect(seen.filter((id) => !inserted.has(id) && !writer.removed.has(id))).toEqual(staying);
    expect(seen).toEqual([...new Set(seen)].toSorted());
    // The writers were active: some accounts were inserted into the list, both before and after that part was read.
    const insertedBefore = writer.inserted.filter((id) => id < accounts.at(-1)!);
    const caught = insertedBefore.filter((id) => seen.includes(id));
    expect(Math.min(caught.length, insertedBefore.length - caught.length, writer.removed.size)).toBeGreaterThan(5);
  });
});

describe('in one answer', () => {
  let admin: Caller;
  let entity: string;
  let depositories: readonly [string, string];

  beforeAll(async () => {
    admin = await service.openWorkspace();
    entity = await makeRecord(admin, 'legal-entities', { name: 'Holding', client_id: await admin.makeClient('Own') });
    const makeDepository = (): Promise<string> => makeRecord(admin, 'depositories', { legal_entity_id: entity });
    depositories = [await makeDepository(), await makeDepository()];
    await insertAccounts([entity], { from: 1, to: accountCount });
    await runSql(
      service.database,
      `INSERT INTO account_depository
       SELECT a.workspace_id, a.environment, a.client_id, a.id, ($2::text[])[which]
       FROM account a, generate_series(1, 2) which
       WHERE a.legal_entity_id = $1 AND (substr(a.name, 9)::int >> (which - 1)) % 2 = 1`,
      [entity, depositories],
    );
  });

  /** One of four accounts is linked to both depositories, one to each, and one to none. */
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

  const expected = (): object[] => Array.from({ length: accountCount }, (_, index) => accountOf(index + 1));

  test('10,000 accounts of a legal entity are listed once, in order, each with its depositories', async () => {
    const { status, body } = await admin.get(`/api/v2/legal-entities/${entity}/accounts`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: expected() });
  });

  test('one more exceeds the cap, and the answer says so', async () => {
    await insertAccounts([entity], { from: accountCount + 1, to: accountCount + 1 });
    const { body } = await admin.get(`/api/v2/legal-entities/${entity}/accounts`);
    expect(body).toEqual({ data: expected(), meta: { truncated: true, cap: accountCount, total: accountCount + 1 } });
  });
});
