// The tree of a client: the structure of the client and of all clients below it, in one answer and as of one moment.

import { beforeAll, describe, expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal, shownFigureSettings } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import {
  makeRecord,
  makeAccounts,
  makeDepositories,
  makeHousehold,
  testNow,
  sendBehindLock,
  unknownId,
} from '../../setup/structure/structure-document.ts';
import { defaultReconciliation } from '../../setup/structure/default-settings.ts';

const service = workspaceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

const pathOf = (id: string): string => `/v1/clients/${id}/tree`;

function clientNode(id: string, name: string, parent: string | null, lists: object = {}): object {
  const settings = {
    reference_currency: 'EUR',
    accounting_method: 'FIFO',
    ...shownFigureSettings,
    reconciliation: defaultReconciliation,
  };
  const empty = { legal_entities: [], reporting_entities: [], children: [] };
  return { id, name, ...settings, created_at: testNow, parent_id: parent, ...empty, ...lists };
}

interface Branch {
  readonly id: string;
  readonly lists: { readonly legal_entities: readonly object[]; readonly reporting_entities: readonly object[] };
}

/** A client with two records of each type, linked to each other, and its expected part of the tree. */
async function makeBranch(name: string, parent?: string): Promise<Branch> {
  const id = await admin.makeClient(name, parent);
  const own = { created_at: testNow, client_id: id };
  const legal = [
    { name: `${name} Holding`, client_id: id },
    { name: `${name} Bare`, client_id: id },
  ];
  const [holding, bare] = [
    await makeRecord(admin, 'legal-entities', legal[0]!),
    await makeRecord(admin, 'legal-entities', legal[1]!),
  ];
  const household = { client: id, legalEntity: holding, reportingEntity: '' };
  const [d0, d1] = (await makeDepositories(admin, household, 2)) as [string, string];
  const accountFields = {
    entity_id: holding,
    currency: 'CHF',
    institution: 'Bank Sonnenberg',
    depository_ids: [d0, d1],
  };
  const hidden = { entity_id: holding, currency: 'USD', exclude_from_reporting: true, depository_ids: [d1] };
  const a0 = (await admin.post('/v1/accounts', accountFields)).body;
  const a1 = await makeRecord(admin, 'accounts', { ...hidden, external_identifier: 'US-1' });
  const consolidated = await makeRecord(admin, 'reporting-entities', { name: `${name} all`, client_id: id });
  const liquid = await makeRecord(admin, 'reporting-entities', { name: `${name} liquid`, client_id: id });
  const p0 = await makeRecord(admin, 'portfolios', { reporting_entity_id: consolidated, account_ids: [a1, a0.id] });
  const bonds = { reporting_entity_id: consolidated, name: 'Bonds', depository_ids: [d0] };
  const p1 = await makeRecord(admin, 'portfolios', bonds);
  const plain = { external_identifier: null, exclude_from_reporting: false };
  const depository = { ...own, name: 'Depository', external_identifier: null, legal_entity_id: holding };
  const accounts = [
    { id: a0.id, name: 'CHF', ...plain, ...accountFields, ...own, custodian_id: a0.custodian_id },
    { id: a1, name: 'US-1', external_identifier: 'US-1', ...hidden, ...own, institution: null, custodian_id: null },
  ];
  const depositories = [
    { id: d0, ...depository, account_ids: [a0.id] },
    { id: d1, ...depository, account_ids: [a0.id, a1] },
  ];
  const portfolios = [
    {
      id: p0,
      name: 'Portfolio',
      ...own,
      reporting_entity_id: consolidated,
      account_ids: [a0.id, a1],
      depository_ids: [],
    },
    { id: p1, ...bonds, ...own, account_ids: [] },
  ];
  return {
    id,
    lists: {
      legal_entities: [
        { id: holding, name: `${name} Holding`, ...own, accounts, depositories },
        { id: bare, name: `${name} Bare`, ...own, accounts: [], depositories: [] },
      ],
      reporting_entities: [
        { id: consolidated, name: `${name} all`, ...own, portfolios },
        { id: liquid, name: `${name} liquid`, ...own, portfolios: [] },
      ],
    },
  };
}

describe('a family', () => {
  let root: Branch;
  let older: Branch;
  let younger: Branch;
  let grandchildren: readonly [Branch, Branch];

  beforeAll(async () => {
    root = await makeBranch('Root');
    older = await makeBranch('Zita', root.id);
    younger = await makeBranch('Anna', root.id);
    grandchildren = [await makeBranch('Zoe', older.id), await makeBranch('Ada', older.id)];
    await makeBranch('Stranger');
  });

  /** The tree of the elder child; its parent depends on the caller's access. */
  function olderNode(parent: string | null): object {
    const children = grandchildren.map(({ id, lists }, index) =>
      clientNode(id, ['Zoe', 'Ada'][index]!, older.id, lists),
    );
    return clientNode(older.id, 'Zita', parent, { ...older.lists, children });
  }

  test('is shown completely: root, children, grandchildren, each with all its records, oldest first', async () => {
    const { status, body } = await admin.get(pathOf(root.id));
    const children = [olderNode(root.id), clientNode(younger.id, 'Anna', root.id, younger.lists)];
    expect([status, body]).toEqual([200, clientNode(root.id, 'Root', null, { ...root.lists, children })]);
  });

  test('is shown from any client down, without its siblings', async () => {
    expect((await admin.get(pathOf(older.id))).body).toEqual(olderNode(root.id));
    const leaf = clientNode(younger.id, 'Anna', root.id, younger.lists);
    expect((await admin.get(pathOf(younger.id))).body).toEqual(leaf);
  });

  test('a token bound to a child sees the tree from there, with no parent, and no other', async () => {
    const scoped = await admin.becomeApplication({ scoped_to: older.id, rights: ['read'] });
    expect((await scoped.get(pathOf(older.id))).body).toEqual(olderNode(null));
    const [zoe] = grandchildren;
    expect((await scoped.get(pathOf(zoe.id))).body).toEqual(clientNode(zoe.id, 'Zoe', older.id, zoe.lists));
    for (const id of [root.id, younger.id, unknownId, 'x']) {
      expect(reportedRefusal(await scoped.get(pathOf(id)))).toEqual({
        status: 404,
        code: 'client-not-found',
        detail: 'There is no such client.',
        pointer: undefined,
      });
    }
  });

  test('is hidden from other tenants', async () => {
    const stranger = await service.openWorkspace();
    const sandbox = await admin.becomeApplication({ environment: 'sandbox' });
    for (const caller of [stranger, sandbox]) {
      expect(reportedRefusal(await caller.get(pathOf(root.id)))).toMatchObject({
        status: 404,
        code: 'client-not-found',
      });
    }
  });
});

describe('the answer', () => {
  test('of an empty client has empty lists', async () => {
    const id = await admin.makeClient('Empty');
    expect((await admin.get(pathOf(id))).body).toEqual(clientNode(id, 'Empty', null));
  });

  test('of a hundred levels is shown, and of one more is refused', async () => {
    const chain: string[] = [];
    for (let level = 0; level <= 100; level++) chain.push(await admin.makeClient(`Level ${level}`, chain.at(-1)));
    expect((await admin.get(pathOf(chain[1]!))).status).toBe(200);
    const refused = await admin.get(pathOf(chain[0]!));
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'tree-too-large',
      'The clients below it are nested more than 100 levels deep. Read them resource by resource instead.',
    ]);
  });

  test('of 50,000 records is shown, and of one more is refused', async () => {
    const caller = await service.openWorkspace();
    const id = await caller.makeClient('Large');
    const entity = (await caller.post('/v1/reporting-entities', { client_id: id, name: 'Large' })).body.id;
    const add = (from: number, to: number): Promise<object[]> =>
      runSql(
        service.database,
        `INSERT INTO portfolio SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), client_id, id, 'P', created_at
         FROM reporting_entity, generate_series($2::int, $3::int) n WHERE id = $1`,
        [entity, from, to],
      );
    // With the client and its reporting entity.
    await add(1, 49_998);
    const { status, body } = await caller.get(pathOf(id));
    expect([status, body.reporting_entities[0].portfolios.length]).toEqual([200, 49_998]);
    await add(49_999, 49_999);
    const refused = await caller.get(pathOf(id));
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'tree-too-large',
      'The structure of this client has more than 50000 records. Read it resource by resource instead.',
    ]);
  });

  test('has no filters and no pages', async () => {
    const id = await admin.makeClient('Whole');
    for (const query of ['limit=1', 'depth=1']) {
      const reply = await admin.get(`${pathOf(id)}?${query}`);
      expect(reportedRefusal(reply)).toMatchObject({ status: 400, code: 'unknown-parameter' });
    }
  });

  test('is read-only', async () => {
    const id = await admin.makeClient('Read');
    const reply = await admin.post(pathOf(id), {});
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('has an entity tag that changes only with a change below the client', async () => {
    const root = await admin.makeClient('Root');
    const child = await admin.makeClient('Child', root);
    const legalEntity = await makeRecord(admin, 'legal-entities', { name: 'Holding', client_id: child });
    const household = { client: child, legalEntity, reportingEntity: '' };
    const [account] = (await makeAccounts(admin, household, 1)) as [string];
    const [depository] = (await makeDepositories(admin, household, 1)) as [string];
    const view = await makeRecord(admin, 'reporting-entities', { name: 'View', client_id: child });
    const portfolio = await makeRecord(admin, 'portfolios', { reporting_entity_id: view });
    const moving = await admin.makeClient('Moving');
    let tag = (await admin.get(pathOf(root))).headers.get('etag')!;
    const isUnchanged = async (): Promise<boolean> => {
      const reply = await admin.get(pathOf(root), { 'if-none-match': tag });
      tag = reply.headers.get('etag')!;
      return reply.status === 304 && reply.text === '';
    };
    expect(await isUnchanged()).toBe(true);
    const changes = [
      [`/v1/legal-entities/${legalEntity}`, { name: 'Renamed' }],
      [`/v1/accounts/${account}`, { depository_ids: [depository] }],
      [`/v1/accounts/${account}`, { institution: 'Bank Etikett' }],
      [`/v1/portfolios/${portfolio}`, { account_ids: [account] }],
      [`/v1/clients/${moving}`, { parent_id: child }],
      [`/v1/clients/${moving}`, { parent_id: null }],
    ] as const;
    for (const [path, change] of changes) {
      expect((await admin.patch(path, change)).status).toBe(200);
      expect([path, await isUnchanged()]).toEqual([path, false]);
    }
    await admin.patch(`/v1/clients/${moving}`, { name: 'Outside' });
    expect(await isUnchanged()).toBe(true);
  });
});

describe('one moment', () => {
  test('a record deleted while the tree is read is in it completely or not at all', async () => {
    const household = await makeHousehold(admin);
    const depositories = await makeDepositories(admin, household, 2);
    const [account] = (await makeAccounts(admin, household, 1)) as [string];
    await admin.patch(`/v1/accounts/${account}`, { depository_ids: depositories });
    const before = (await admin.get(pathOf(household.client))).body;
    const hold = {
      lock: 'LOCK TABLE depository IN ACCESS EXCLUSIVE MODE',
      waiting: 1,
      extraStatements: [
        `DELETE FROM account_depository WHERE account_id = '${account}'`,
        `DELETE FROM depository WHERE id IN ('${depositories.join("', '")}')`,
      ],
    };
    const read = () => admin.get(pathOf(household.client));
    const [reading] = await sendBehindLock({ database: service.database, ...hold }, [read]);
    expect(reading!.body).toEqual(before);
    const after = (await admin.get(pathOf(household.client))).body;
    expect(after.legal_entities[0].depositories).toEqual([]);
    expect(after.legal_entities[0].accounts[0].depository_ids).toEqual([]);
  });

  test('during concurrent writes, no record in a tree links to one outside it', async () => {
    const household = await makeHousehold(admin);
    const [depository] = (await makeDepositories(admin, household, 1)) as [string];
    const fields = { entity_id: household.legalEntity, currency: 'CHF', depository_ids: [depository] };
    const over = new AbortController();
    const writing = async (): Promise<void> => {
      for (let round = 0; round < 30; round++) {
        const account = await makeRecord(admin, 'accounts', fields);
        expect((await admin.delete(`/v1/accounts/${account}`)).status).toBe(204);
      }
    };
    const reading = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { status, body } = await admin.get(pathOf(household.client));
        expect(status).toBe(200);
        const [{ accounts, depositories }] = body.legal_entities;
        expect(depositories.map(({ id }: { id: string }) => id)).toEqual([depository]);
        expect(accounts.map(({ id }: { id: string }) => id)).toEqual(depositories[0].account_ids);
        for (const account of accounts) expect(account.depository_ids).toEqual([depository]);
      }
    };
    const written = Promise.all([writing(), writing(), writing()]).finally(() => over.abort());
    await Promise.all([written, reading()]);
  });
});
