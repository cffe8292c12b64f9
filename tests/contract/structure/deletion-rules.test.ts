// What keeps a thing from being deleted, told by name and number on both wires that delete; what a deletion takes along, what
// it leaves, and its line in the audit log.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeEcPair } from '../../setup/access/assertion.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { refusalOf } from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditLines, runSql } from '../../setup/database/sql.ts';
import { make as makeBy, now } from '../../setup/structure/structure-document.ts';

const jwk = makeEcPair().publicKey.export({ format: 'jwk' });

const service = serviceForThisFile();
let admin: Caller;
let who: object;

beforeAll(async () => {
  ({ admin } = service);
  const { credential_id, sub: subject } = (await admin.get('/v1/me')).body;
  who = { credential_id, subject };
});

type Making = (above: string) => Promise<string>;

const make = (plural: string, fields: object): Promise<string> => makeBy(admin, plural, fields);
const read = async (plural: string, id: string): Promise<any> => (await admin.get(`/v1/${plural}/${id}`)).body;

const child: Making = (client) => make('clients', { name: 'Child', parent_id: client });
const legalEntity: Making = (client) => make('legal-entities', { name: 'Holding', client_id: client });
const account: Making = (entity) => make('accounts', { entity_id: entity, currency: 'CHF' });
const depository: Making = (entity) => make('depositories', { legal_entity_id: entity });
const reportingEntity: Making = (client) => make('reporting-entities', { name: 'All', client_id: client });
const portfolio: Making = (entity) => make('portfolios', { reporting_entity_id: entity });
const application: Making = (client) => make('applications', { name: 'App', scoped_to: client });
const key: Making = (client) => make('keys', { label: 'Key', jwk, scoped_to: client });

/** An account of the same legal entity, split over the depository. */
const linkedAccount: Making = async (depositoryId) => {
  const { legal_entity_id: entity } = await read('depositories', depositoryId);
  return make('accounts', { entity_id: entity, currency: 'CHF', depository_ids: [depositoryId] });
};

/** Of a client of its own each time. */
const keptAccount: Making = async (custodian) =>
  make('accounts', { entity_id: await fresh['legal-entities'](), currency: 'CHF', custodian_id: custodian });

/** One with others below it. */
const having =
  (one: Making, ...below: readonly Making[]): Making =>
  async (above) => {
    const id = await one(above);
    for (const making of below) await making(id);
    return id;
  };

let banks = 0;

type Plural =
  | 'clients'
  | 'legal-entities'
  | 'accounts'
  | 'depositories'
  | 'reporting-entities'
  | 'portfolios'
  | 'custodians';

/** One that nothing keeps. */
const fresh: Readonly<Record<Plural, () => Promise<string>>> = {
  clients: () => make('clients', { name: 'Client' }),
  'legal-entities': async () => legalEntity(await fresh.clients()),
  accounts: async () => account(await fresh['legal-entities']()),
  depositories: async () => depository(await fresh['legal-entities']()),
  'reporting-entities': async () => reportingEntity(await fresh.clients()),
  portfolios: async () => portfolio(await fresh['reporting-entities']()),
  custodians: () => make('custodians', { name: `Bank ${++banks}` }),
};

async function makeHousehold(): Promise<{ client: string; owner: string; view: string }> {
  const client = await fresh.clients();
  return { client, owner: await legalEntity(client), view: await reportingEntity(client) };
}

type Wire = 'JSON:API' | 'v1';
const wires: readonly Wire[] = ['JSON:API', 'v1'];

/** What JSON:API does not serve is deleted on v1. */
const pathOf = (wire: Wire, plural: string, id: string): string =>
  wire === 'v1' || ['custodians', 'applications', 'keys'].includes(plural)
    ? `/v1/${plural}/${id}`
    : `/api/v2/${plural}/${id}`;

/** `legal-entities` → `legal-entity`. */
const typeOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

function keptBy(plural: string, remaining: string): object {
  const type = typeOf(plural);
  const code = type === 'client' ? 'client-has-live-data' : `${type}-in-use`;
  const detail = `The ${type.replace('-', ' ')} cannot be deleted while these remain: ${remaining}.`;
  return { status: 409, code, detail, pointer: undefined };
}

const tables = `client legal_entity account depository reporting_entity portfolio custodian account_depository
  portfolio_account portfolio_depository credential audit_entry`.split(/\s+/);

/** Everything that a deletion could change. */
function listStored(): Promise<object[]> {
  const each = tables.map((table) => `SELECT '${table}' AS of, to_jsonb(t) AS row FROM ${table} t`);
  return runSql(service.database, `${each.join(' UNION ALL ')} ORDER BY 1, 2`);
}

describe('what remains', () => {
  test.each<[Plural, string, readonly Making[]]>([
    ['clients', '1 client', [child]],
    ['clients', '2 clients', [child, child]],
    ['clients', '1 client', [having(child, child, legalEntity, reportingEntity, application)]],
    ['clients', '1 legal entity', [legalEntity]],
    ['clients', '2 legal entities', [legalEntity, legalEntity]],
    ['clients', '1 legal entity, 1 account', [having(legalEntity, account)]],
    ['clients', '1 legal entity, 1 depository', [having(legalEntity, depository)]],
    [
      'clients',
      '2 legal entities, 2 accounts, 3 depositories',
      [having(legalEntity, account, account, depository), having(legalEntity, depository, depository)],
    ],
    ['clients', '1 reporting entity', [reportingEntity]],
    ['clients', '2 reporting entities, 1 portfolio', [reportingEntity, having(reportingEntity, portfolio)]],
    ['clients', '1 reporting entity, 2 portfolios', [having(reportingEntity, portfolio, portfolio)]],
    ['clients', '1 application or key', [application]],
    ['clients', '1 application or key', [key]],
    ['clients', '2 applications and keys', [application, key]],
    ['legal-entities', '1 account', [account]],
    ['legal-entities', '1 depository', [depository]],
    ['legal-entities', '2 accounts, 1 depository', [account, depository, account]],
    ['legal-entities', '1 account, 2 depositories', [depository, having(depository, linkedAccount)]],
    ['depositories', '1 account', [linkedAccount]],
    ['depositories', '2 accounts', [linkedAccount, linkedAccount]],
    ['reporting-entities', '1 portfolio', [portfolio]],
    ['reporting-entities', '3 portfolios', [portfolio, portfolio, portfolio]],
    ['custodians', '1 account', [keptAccount]],
    ['custodians', '2 accounts', [keptAccount, keptAccount]],
  ])('%s: with %s left a deletion is refused in these words and changes nothing', async (plural, remaining, below) => {
    const id = await fresh[plural]();
    for (const making of below) await making(id);
    const stored = await listStored();
    for (const wire of wires) {
      expect(refusalOf(await admin.delete(pathOf(wire, plural, id)))).toEqual(keptBy(plural, remaining));
    }
    expect(await listStored()).toEqual(stored);
  });

  test.each(wires)('on %s goes thing by thing, and the client last', async (wire) => {
    const { client, owner, view } = await makeHousehold();
    const [below, other, custody] = [await child(client), await legalEntity(client), await depository(owner)];
    const [cash, split] = [await account(owner), await linkedAccount(custody)];
    const grouped = { reporting_entity_id: view, account_ids: [cash, split], depository_ids: [custody] };
    const [first, second] = [await make('portfolios', grouped), await make('portfolios', grouped)];
    const bound = '2 applications and keys';
    const viewed = `1 reporting entity, 2 portfolios, ${bound}`;
    const steps: readonly [remaining: string, goes: string, id: string][] = [
      [`1 client, 2 legal entities, 2 accounts, 1 depository, ${viewed}`, 'clients', below],
      [`2 legal entities, 2 accounts, 1 depository, ${viewed}`, 'accounts', split],
      [`2 legal entities, 1 account, 1 depository, ${viewed}`, 'depositories', custody],
      [`2 legal entities, 1 account, ${viewed}`, 'legal-entities', other],
      [`1 legal entity, 1 account, ${viewed}`, 'accounts', cash],
      [`1 legal entity, ${viewed}`, 'legal-entities', owner],
      [viewed, 'portfolios', first],
      [`1 reporting entity, 1 portfolio, ${bound}`, 'portfolios', second],
      [`1 reporting entity, ${bound}`, 'reporting-entities', view],
      [bound, 'keys', await key(client)],
      ['1 application or key', 'applications', await application(client)],
    ];
    for (const [remaining, plural, id] of steps) {
      expect(refusalOf(await admin.delete(pathOf(wire, 'clients', client)))).toEqual(keptBy('clients', remaining));
      expect((await admin.delete(pathOf(wire, plural, id))).status).toBe(204);
    }
    expect((await admin.delete(pathOf(wire, 'clients', client))).status).toBe(204);
  });

  test.each(wires)('on %s is told alike to every token that may delete, whatever it may not read', async (wire) => {
    const [parent, writer] = [await fresh.clients(), await admin.become({ rights: ['write'] })];
    const client = await child(parent);
    const [above, own] = [await admin.become({ scoped_to: parent }), await admin.become({ scoped_to: client })];
    await having(legalEntity, account)(client);
    await having(child, legalEntity)(client);
    await key(client);
    const expected = keptBy('clients', '1 client, 1 legal entity, 1 account, 2 applications and keys');
    for (const caller of [admin, writer, above, own]) {
      expect(refusalOf(await caller.delete(pathOf(wire, 'clients', client)))).toEqual(expected);
    }
  });
});

describe.each(wires)('a deletion on %s', (wire) => {
  const remove = async (plural: string, id: string): Promise<number> =>
    (await admin.delete(pathOf(wire, plural, id))).status;

  test.each(Object.entries(fresh))('of %s happens once; then there is no such thing', async (plural, makeOne) => {
    const id = await makeOne();
    const reply = await admin.delete(pathOf(wire, plural, id));
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
    const detail = `There is no such ${typeOf(plural).replace('-', ' ')}.`;
    const gone = { status: 404, code: `${typeOf(plural)}-not-found`, detail, pointer: undefined };
    for (const again of wires) expect(refusalOf(await admin.delete(pathOf(again, plural, id)))).toEqual(gone);
    for (const again of wires) expect(refusalOf(await admin.get(pathOf(again, plural, id)))).toEqual(gone);
  });

  test('of a portfolio leaves its accounts and depositories as they are, also in other portfolios', async () => {
    const { owner, view } = await makeHousehold();
    const custody = await depository(owner);
    const cash = await linkedAccount(custody);
    const grouped = { reporting_entity_id: view, account_ids: [cash], depository_ids: [custody] };
    const [goes, stays] = [await make('portfolios', grouped), await make('portfolios', grouped)];
    const before = [await read('accounts', cash), await read('depositories', custody), await read('portfolios', stays)];
    expect(await remove('portfolios', goes)).toBe(204);
    expect([
      await read('accounts', cash),
      await read('depositories', custody),
      await read('portfolios', stays),
    ]).toEqual(before);
    expect((await admin.get(`/v1/portfolios?account_id=${cash}`)).body.data).toEqual([before[2]]);
  });

  test('of an account takes its links to depositories and portfolios along, and no others', async () => {
    const { owner, view } = await makeHousehold();
    const [only, shared] = [await depository(owner), await depository(owner)];
    const goes = await make('accounts', { entity_id: owner, currency: 'CHF', depository_ids: [only, shared] });
    const stays = await linkedAccount(shared);
    const grouped = await make('portfolios', { reporting_entity_id: view, account_ids: [goes, stays] });
    expect(await remove('depositories', only)).toBe(409);
    expect(await remove('accounts', goes)).toBe(204);
    expect((await read('depositories', only)).account_ids).toEqual([]);
    expect((await read('depositories', shared)).account_ids).toEqual([stays]);
    expect((await read('portfolios', grouped)).account_ids).toEqual([stays]);
    expect(await remove('depositories', only)).toBe(204);
    expect(await remove('depositories', shared)).toBe(409);
  });

  test('of a depository that stands only in portfolios takes it out of them', async () => {
    const { owner, view } = await makeHousehold();
    const [goes, stays, cash] = [await depository(owner), await depository(owner), await account(owner)];
    const linked = { account_ids: [cash], depository_ids: [goes, stays] };
    const grouped = await make('portfolios', { reporting_entity_id: view, ...linked });
    expect(await remove('depositories', goes)).toBe(204);
    expect(await read('portfolios', grouped)).toMatchObject({ account_ids: [cash], depository_ids: [stays] });
  });

  test.each([
    ['the account', 'accounts', { depository_ids: [] }],
    ['the depository', 'depositories', { account_ids: [] }],
  ])('of a depository is free once %s has been changed to have no link', async (_end, plural, change) => {
    const custody = await fresh.depositories();
    const ids: Record<string, string> = { depositories: custody, accounts: await linkedAccount(custody) };
    expect(await remove('depositories', custody)).toBe(409);
    expect((await admin.patch(`/v1/${plural}/${ids[plural]}`, change)).status).toBe(200);
    expect(await remove('depositories', custody)).toBe(204);
  });

  test('leaves one line in the audit log, with the thing as it was', async () => {
    const { client, owner, view } = await makeHousehold();
    const [bank, custody] = [await fresh.custodians(), await depository(owner)];
    const cash = { entity_id: owner, currency: 'CHF', custodian_id: bank, depository_ids: [custody] };
    const held = await make('accounts', cash);
    const grouped = { reporting_entity_id: view, account_ids: [held], depository_ids: [custody] };
    const [unnumbered, inside] = [{ external_identifier: null }, { client_id: client }];
    const steps: readonly [plural: string, id: string, before: object][] = [
      ['portfolios', await make('portfolios', grouped), { name: 'Portfolio', ...inside, ...grouped }],
      ['accounts', held, { name: 'CHF', exclude_from_reporting: false, ...unnumbered, ...inside, ...cash }],
      [
        'depositories',
        custody,
        { name: 'Depository', ...unnumbered, ...inside, legal_entity_id: owner, account_ids: [] },
      ],
      ['reporting-entities', view, { name: 'All', ...inside }],
      ['legal-entities', owner, { name: 'Holding', ...inside }],
      ['custodians', bank, { name: `Bank ${banks}` }],
      ['clients', client, { name: 'Client', reference_currency: 'EUR', accounting_method: 'FIFO', parent_id: null }],
    ];
    for (const [plural, id, before] of steps) {
      const lines = await countAuditLines(service.database);
      const requestId = (await admin.delete(pathOf(wire, plural, id))).headers.get('x-request-id');
      expect(await countAuditLines(service.database)).toBe(lines + 1);
      const subject = {
        subject_type: typeOf(plural),
        subject_id: id,
        client_id: plural === 'custodians' ? null : client,
      };
      const told = {
        act: 'delete',
        at: now,
        request_id: requestId,
        before: { id, created_at: now, ...before },
        after: null,
      };
      const [line] = (await admin.get('/v1/audit-log?limit=1')).body.data;
      expect(line).toEqual({ id: line.id, ...who, ...subject, ...told });
    }
  });
});
