// What blocks the deletion of a record, reported by name and count on both wires; what a deletion also deletes, what it leaves,
// and its entry in the audit log.

import { beforeAll, describe, expect, test } from 'vitest';
import { makeEcPair } from '../../setup/access/assertion.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal, shownFigureSettings } from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import { makeRecord as makeBy, testNow } from '../../setup/structure/structure-document.ts';
import { defaultReconciliation } from '../../setup/structure/default-settings.ts';

const jwk = makeEcPair().publicKey.export({ format: 'jwk' });

const service = serviceForThisFile();
let admin: Caller;
let actor: object;

beforeAll(async () => {
  ({ admin } = service);
  const { credential_id, sub: subject } = (await admin.get('/v1/me')).body;
  actor = { credential_id, subject };
});

type RecordMaker = (above: string) => Promise<string>;

const make = (plural: string, fields: object): Promise<string> => makeBy(admin, plural, fields);
const read = async (plural: string, id: string): Promise<any> => (await admin.get(`/v1/${plural}/${id}`)).body;

const child: RecordMaker = (client) => make('clients', { name: 'Child', parent_id: client });
const legalEntity: RecordMaker = (client) => make('legal-entities', { name: 'Holding', client_id: client });
const account: RecordMaker = (entity) => make('accounts', { entity_id: entity, currency: 'CHF' });
const depository: RecordMaker = (entity) => make('depositories', { legal_entity_id: entity });
const reportingEntity: RecordMaker = (client) => make('reporting-entities', { name: 'All', client_id: client });
const portfolio: RecordMaker = (entity) => make('portfolios', { reporting_entity_id: entity });
const application: RecordMaker = (client) => make('applications', { name: 'App', scoped_to: client });
const key: RecordMaker = (client) => make('keys', { label: 'Key', jwk, scoped_to: client });

/** An account of the same legal entity that is linked to the depository. */
const linkedAccount: RecordMaker = async (depositoryId) => {
  const { legal_entity_id: entity } = await read('depositories', depositoryId);
  return make('accounts', { entity_id: entity, currency: 'CHF', depository_ids: [depositoryId] });
};

/** Uses a new client each time. */
const accountAtCustodian: RecordMaker = async (custodian) =>
  make('accounts', { entity_id: await newRecord['legal-entities'](), currency: 'CHF', custodian_id: custodian });

/** A record with dependents. */
const withDependents =
  (one: RecordMaker, ...below: readonly RecordMaker[]): RecordMaker =>
  async (above) => {
    const id = await one(above);
    for (const maker of below) await maker(id);
    return id;
  };

let bankCount = 0;

type Plural =
  | 'clients'
  | 'legal-entities'
  | 'accounts'
  | 'depositories'
  | 'reporting-entities'
  | 'portfolios'
  | 'custodians';

/** A record whose deletion nothing blocks. */
const newRecord: Readonly<Record<Plural, () => Promise<string>>> = {
  clients: () => make('clients', { name: 'Client' }),
  'legal-entities': async () => legalEntity(await newRecord.clients()),
  accounts: async () => account(await newRecord['legal-entities']()),
  depositories: async () => depository(await newRecord['legal-entities']()),
  'reporting-entities': async () => reportingEntity(await newRecord.clients()),
  portfolios: async () => portfolio(await newRecord['reporting-entities']()),
  custodians: () => make('custodians', { name: `Bank ${++bankCount}` }),
};

async function makeHousehold(): Promise<{ client: string; owner: string; view: string }> {
  const client = await newRecord.clients();
  return { client, owner: await legalEntity(client), view: await reportingEntity(client) };
}

type Wire = 'JSON:API' | 'v1';
const wires: readonly Wire[] = ['JSON:API', 'v1'];

/** Records that JSON:API does not serve are deleted on v1. */
const pathOf = (wire: Wire, plural: string, id: string): string =>
  wire === 'v1' || ['custodians', 'applications', 'keys'].includes(plural)
    ? `/v1/${plural}/${id}`
    : `/api/v2/${plural}/${id}`;

/** `legal-entities` → `legal-entity`. */
const typeOf = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

function blockedBy(plural: string, remaining: string): object {
  const type = typeOf(plural);
  const code = type === 'client' ? 'client-has-live-data' : `${type}-in-use`;
  const detail = `The ${type.replace('-', ' ')} cannot be deleted while these remain: ${remaining}.`;
  return { status: 409, code, detail, pointer: undefined };
}

const tables = `client legal_entity account depository reporting_entity portfolio custodian account_depository
  portfolio_account portfolio_depository credential audit_entry`.split(/\s+/);

/** Every row that a deletion could change. */
function listStoredRows(): Promise<object[]> {
  const each = tables.map((table) => `SELECT '${table}' AS of, to_jsonb(t) AS row FROM ${table} t`);
  return runSql(service.database, `${each.join(' UNION ALL ')} ORDER BY 1, 2`);
}

describe('remaining records', () => {
  test.each<[Plural, string, readonly RecordMaker[]]>([
    ['clients', '1 client', [child]],
    ['clients', '2 clients', [child, child]],
    ['clients', '1 client', [withDependents(child, child, legalEntity, reportingEntity, application)]],
    ['clients', '1 legal entity', [legalEntity]],
    ['clients', '2 legal entities', [legalEntity, legalEntity]],
    ['clients', '1 legal entity, 1 account', [withDependents(legalEntity, account)]],
    ['clients', '1 legal entity, 1 depository', [withDependents(legalEntity, depository)]],
    [
      'clients',
      '2 legal entities, 2 accounts, 3 depositories',
      [withDependents(legalEntity, account, account, depository), withDependents(legalEntity, depository, depository)],
    ],
    ['clients', '1 application or key', [application]],
    ['clients', '1 application or key', [key]],
    ['clients', '2 applications and keys', [application, key]],
    ['legal-entities', '1 account', [account]],
    ['legal-entities', '1 depository', [depository]],
    ['legal-entities', '2 accounts, 1 depository', [account, depository, account]],
    ['legal-entities', '1 account, 2 depositories', [depository, withDependents(depository, linkedAccount)]],
    ['depositories', '1 account', [linkedAccount]],
    ['depositories', '2 accounts', [linkedAccount, linkedAccount]],
    ['reporting-entities', '1 portfolio', [portfolio]],
    ['reporting-entities', '3 portfolios', [portfolio, portfolio, portfolio]],
    ['custodians', '1 account', [accountAtCustodian]],
    ['custodians', '2 accounts', [accountAtCustodian, accountAtCustodian]],
  ])('%s: with %s left a deletion is refused with this text and changes nothing', async (plural, remaining, below) => {
    const id = await newRecord[plural]();
    for (const maker of below) await maker(id);
    const stored = await listStoredRows();
    for (const wire of wires) {
      expect(reportedRefusal(await admin.delete(pathOf(wire, plural, id)))).toEqual(blockedBy(plural, remaining));
    }
    expect(await listStoredRows()).toEqual(stored);
  });

  test.each(wires)('on %s the limits, portfolios and reporting entities of a client go with it', async (wire) => {
    const [{ client, owner, view }, other] = [await makeHousehold(), await makeHousehold()];
    const [grouped, stays] = [await portfolio(view), await portfolio(other.view)];
    const terms = {
      kind: 'absolute',
      max_amount: '5',
      filter: { kind: 'condition', field: 'currency', operator: 'equals', value: ['CHF'] },
    };
    const own = await make('limits', { ...terms, client_id: client, reporting_entity_id: view });
    const kept = await make('limits', { ...terms, client_id: other.client });
    expect((await admin.delete(pathOf(wire, 'clients', client))).status).toBe(409);
    expect((await read('limits', own)).id).toBe(own);
    expect((await admin.delete(pathOf(wire, 'legal-entities', owner))).status).toBe(204);
    expect((await admin.delete(pathOf(wire, 'clients', client))).status).toBe(204);
    for (const path of [`limits/${own}`, `portfolios/${grouped}`, `reporting-entities/${view}`])
      expect((await admin.get(`/v1/${path}`)).status).toBe(404);
    expect([(await read('limits', kept)).id, (await read('portfolios', stays)).id]).toEqual([kept, stays]);
    const { data } = (await admin.get(`/v1/audit-log?client_id=${client}&limit=20`)).body;
    const deleted = data.filter((line: any) => line.act === 'delete').map((line: any) => line.subject_type);
    expect(deleted.toSorted()).toEqual(['client', 'legal-entity', 'limit', 'portfolio', 'reporting-entity']);
  });

  test.each(wires)('on %s deletes record by record, and the client last', async (wire) => {
    const { client, owner, view } = await makeHousehold();
    const [below, other, custody] = [await child(client), await legalEntity(client), await depository(owner)];
    const [cash, split] = [await account(owner), await linkedAccount(custody)];
    const grouped = { reporting_entity_id: view, account_ids: [cash, split], depository_ids: [custody] };
    const [first, second] = [await make('portfolios', grouped), await make('portfolios', grouped)];
    const bound = '2 applications and keys';
    const steps: readonly [remaining: string, goes: string, id: string][] = [
      [`1 client, 2 legal entities, 2 accounts, 1 depository, ${bound}`, 'clients', below],
      [`2 legal entities, 2 accounts, 1 depository, ${bound}`, 'accounts', split],
      [`2 legal entities, 1 account, 1 depository, ${bound}`, 'depositories', custody],
      [`2 legal entities, 1 account, ${bound}`, 'legal-entities', other],
      [`1 legal entity, 1 account, ${bound}`, 'accounts', cash],
      [`1 legal entity, ${bound}`, 'legal-entities', owner],
      [bound, 'portfolios', first],
      [bound, 'portfolios', second],
      [bound, 'reporting-entities', view],
      [bound, 'keys', await key(client)],
      ['1 application or key', 'applications', await application(client)],
    ];
    for (const [remaining, plural, id] of steps) {
      expect(reportedRefusal(await admin.delete(pathOf(wire, 'clients', client)))).toEqual(
        blockedBy('clients', remaining),
      );
      expect((await admin.delete(pathOf(wire, plural, id))).status).toBe(204);
    }
    expect((await admin.delete(pathOf(wire, 'clients', client))).status).toBe(204);
  });

  test.each(wires)(
    'on %s is reported in the same way to every token that may delete, even without the right to read',
    async (wire) => {
      const [parent, writer] = [await newRecord.clients(), await admin.becomeApplication({ rights: ['write'] })];
      const client = await child(parent);
      const [above, own] = [
        await admin.becomeApplication({ scoped_to: parent }),
        await admin.becomeApplication({ scoped_to: client }),
      ];
      await withDependents(legalEntity, account)(client);
      await withDependents(child, legalEntity)(client);
      await key(client);
      const expected = blockedBy('clients', '1 client, 1 legal entity, 1 account, 2 applications and keys');
      for (const caller of [admin, writer, above, own]) {
        expect(reportedRefusal(await caller.delete(pathOf(wire, 'clients', client)))).toEqual(expected);
      }
    },
  );
});

describe.each(wires)('a deletion on %s', (wire) => {
  const remove = async (plural: string, id: string): Promise<number> =>
    (await admin.delete(pathOf(wire, plural, id))).status;

  test.each(Object.entries(newRecord))(
    'of %s happens once; then the record does not exist',
    async (plural, makeOne) => {
      const id = await makeOne();
      const reply = await admin.delete(pathOf(wire, plural, id));
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
      const detail = `There is no such ${typeOf(plural).replace('-', ' ')}.`;
      const gone = { status: 404, code: `${typeOf(plural)}-not-found`, detail, pointer: undefined };
      for (const again of wires) expect(reportedRefusal(await admin.delete(pathOf(again, plural, id)))).toEqual(gone);
      for (const again of wires) expect(reportedRefusal(await admin.get(pathOf(again, plural, id)))).toEqual(gone);
    },
  );

  test('of a portfolio leaves its accounts and depositories as they are, also in other portfolios', async () => {
    const { owner, view } = await makeHousehold();
    const custody = await depository(owner);
    const cash = await linkedAccount(custody);
    const grouped = { reporting_entity_id: view, account_ids: [cash], depository_ids: [custody] };
    const [deleted, stays] = [await make('portfolios', grouped), await make('portfolios', grouped)];
    const before = [await read('accounts', cash), await read('depositories', custody), await read('portfolios', stays)];
    expect(await remove('portfolios', deleted)).toBe(204);
    expect([
      await read('accounts', cash),
      await read('depositories', custody),
      await read('portfolios', stays),
    ]).toEqual(before);
    expect((await admin.get(`/v1/portfolios?account_id=${cash}`)).body.data).toEqual([before[2]]);
  });

  test('of an account deletes its links to depositories and portfolios, and no others', async () => {
    const { owner, view } = await makeHousehold();
    const [only, shared] = [await depository(owner), await depository(owner)];
    const deleted = await make('accounts', { entity_id: owner, currency: 'CHF', depository_ids: [only, shared] });
    const stays = await linkedAccount(shared);
    const grouped = await make('portfolios', { reporting_entity_id: view, account_ids: [deleted, stays] });
    expect(await remove('depositories', only)).toBe(409);
    expect(await remove('accounts', deleted)).toBe(204);
    expect((await read('depositories', only)).account_ids).toEqual([]);
    expect((await read('depositories', shared)).account_ids).toEqual([stays]);
    expect((await read('portfolios', grouped)).account_ids).toEqual([stays]);
    expect(await remove('depositories', only)).toBe(204);
    expect(await remove('depositories', shared)).toBe(409);
  });

  test('of a depository that is only in portfolios removes it from them', async () => {
    const { owner, view } = await makeHousehold();
    const [deleted, stays, cash] = [await depository(owner), await depository(owner), await account(owner)];
    const linked = { account_ids: [cash], depository_ids: [deleted, stays] };
    const grouped = await make('portfolios', { reporting_entity_id: view, ...linked });
    expect(await remove('depositories', deleted)).toBe(204);
    expect(await read('portfolios', grouped)).toMatchObject({ account_ids: [cash], depository_ids: [stays] });
  });

  test.each([
    ['the account', 'accounts', { depository_ids: [] }],
    ['the depository', 'depositories', { account_ids: [] }],
  ])('of a depository succeeds once %s no longer links to it', async (_end, plural, change) => {
    const custody = await newRecord.depositories();
    const ids: Record<string, string> = { depositories: custody, accounts: await linkedAccount(custody) };
    expect(await remove('depositories', custody)).toBe(409);
    expect((await admin.patch(`/v1/${plural}/${ids[plural]}`, change)).status).toBe(200);
    expect(await remove('depositories', custody)).toBe(204);
  });

  test('writes one audit log entry with the previous state', async () => {
    const { client, owner, view } = await makeHousehold();
    const [bank, custody] = [await newRecord.custodians(), await depository(owner)];
    const cash = { entity_id: owner, currency: 'CHF', custodian_id: bank, depository_ids: [custody] };
    const held = await make('accounts', cash);
    const grouped = { reporting_entity_id: view, account_ids: [held], depository_ids: [custody] };
    const [unnumbered, inside] = [{ external_identifier: null }, { client_id: client }];
    const custodianSettings = {
      accounting_method: null,
      supported_consent_types: ['signed-document', 'operator'],
      expected_files: [],
    };
    const settings = {
      reference_currency: 'EUR',
      accounting_method: 'FIFO',
      ...shownFigureSettings,
      reconciliation: defaultReconciliation,
    };
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
      ['custodians', bank, { name: `Bank ${bankCount}`, ...custodianSettings }],
      ['clients', client, { name: 'Client', ...settings, parent_id: null }],
    ];
    for (const [plural, id, before] of steps) {
      const lines = await countAuditEntries(service.database);
      const requestId = (await admin.delete(pathOf(wire, plural, id))).headers.get('x-request-id');
      expect(await countAuditEntries(service.database)).toBe(lines + 1);
      const subject = {
        subject_type: typeOf(plural),
        subject_id: id,
        client_id: plural === 'custodians' ? null : client,
      };
      const expectedLine = {
        act: 'delete',
        at: testNow,
        request_id: requestId,
        before: { id, created_at: testNow, ...before },
        after: null,
      };
      const [line] = (await admin.get('/v1/audit-log?limit=1')).body.data;
      expect(line).toEqual({ id: line.id, ...actor, ...subject, ...expectedLine });
    }
  });
});
