// Instrument classes: the default tree of an environment, its two formats on the frozen wires, and its changes on v1.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { serviceForThisFile, serviceForThisTest, startTestService } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import {
  faultsOf,
  missingFaults,
  makeRecord,
  testNow,
  toOne,
  unknownField,
  unknownId,
} from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(() => {
  ({ admin } = service);
});

const v1 = '/v1/instrument-classes';

/** The whole tree as indented text. */
async function treeOf(caller: Caller): Promise<string> {
  const { body } = await caller.get(`${v1}?limit=100`);
  expect(body.has_more).toBe(false);
  const paths: string[][] = body.data.map(({ path }: { path: string[] }) => path);
  return paths.map((path) => `${'  '.repeat(path.length - 1)}${path.at(-1)}`).join('\n');
}

const defaultTree = `Cash
  Current accounts
  Time deposits
Equities
  Developed markets
  Emerging markets
  Small companies
Fixed income
  Government
  Corporate
  Inflation-linked
  High yield
  Money market
  Loans
Funds
  Equity funds
  Bond funds
  Multi-asset funds
  Money market funds
  Hedge funds
Private markets
  Private equity
  Venture capital
  Private debt
  Infrastructure
  Real estate funds
Real assets
  Real estate
  Precious metals
  Art and collectibles
Derivatives
  FX forwards
  Options
  Futures
  Structured products
Other
  Fees`;

describe('the initial tree of an environment', () => {
  test('exists in every workspace and environment, with different ids', async () => {
    const [there, sandbox] = [await service.openWorkspace(), await admin.becomeApplication({ environment: 'sandbox' })];
    const first = new Set<string>();
    for (const caller of [admin, there, sandbox]) {
      expect(await treeOf(caller)).toBe(defaultTree);
      first.add((await caller.get(`${v1}?limit=1`)).body.data[0].id);
    }
    expect(first.size).toBe(3);
  });

  test('is added to environments from before classes existed, and deleted classes are not added again', async () => {
    const { database, ...node } = await serviceForThisTest();
    const fees = await classIdByPath(node.admin, 'Other', 'Fees');
    await node.admin.delete(`${v1}/${fees}`);
    const restart = async (): Promise<string> => {
      const another = await startTestService({ database });
      try {
        return await treeOf(another.admin);
      } finally {
        await another.stop();
      }
    };
    expect(await restart()).toBe(defaultTree.replace('\n  Fees', ''));
    await runSql(database, 'DELETE FROM instrument_class');
    await runSql(database, 'UPDATE environment SET taxonomy_at = NULL');
    expect(await restart()).toBe(defaultTree);
  });

  test('has asset classes: each class inherits unset fields from its parent', async () => {
    const { body } = await admin.get(`${v1}/${await classIdByPath(admin, 'Fixed income', 'Loans')}`);
    expect(body).toMatchObject({
      asset_class: 'fixed-income',
      liquidity: 'illiquid',
      allowed_transaction_types: [
        'buy',
        'sell',
        'deposit',
        'withdrawal',
        'fee',
        'corporate-action',
        'coupon',
        'interest',
        'maturity',
      ],
      valuation_basis: 'accrual',
      performance_measure: 'twr',
      staleness_days: 120,
    });
    const fund = await admin.get(`${v1}/${await classIdByPath(admin, 'Private markets', 'Venture capital')}`);
    expect(fund.body).toMatchObject({ asset_class: 'private-market', performance_measure: 'irr', staleness_days: 120 });
  });
});

const details = {
  asset_class: 'equity',
  liquidity: 'daily',
  allowed_transaction_types: [
    'buy',
    'sell',
    'deposit',
    'withdrawal',
    'dividend',
    'fee',
    'corporate-action',
    'maturity',
  ],
  valuation_basis: 'price',
  performance_measure: 'twr',
  staleness_days: 10,
};

describe('the two shapes of the frozen tracks', () => {
  test('show the same class', async () => {
    const parent = await classIdByPath(admin, 'Equities');
    const id = await classIdByPath(admin, 'Equities', 'Emerging markets');
    const path = ['Equities', 'Emerging markets'];
    const summary = { id, name: 'Emerging markets', path, parent_id: parent };
    expect((await admin.get(`/v2/instrument-classes/${id}`)).body).toEqual(summary);
    const detailed = await admin.get(`/v2/instrument-classes-detailed/${id}`);
    expect({ ...detailed.body, allowed_transaction_types: detailed.body.allowed_transaction_types.toSorted() }).toEqual(
      {
        ...summary,
        ...details,
        allowed_transaction_types: details.allowed_transaction_types.toSorted(),
      },
    );
    const relationships = { parent: toOne('instrument-class', parent) };
    expect((await admin.get(`/api/v3/instrument-classes/${id}`)).body).toEqual({
      data: { type: 'instrument-class', id, attributes: { name: 'Emerging markets', path }, relationships },
    });
    const { data } = (await admin.get(`/api/v3/instrument-classes-detailed/${id}`)).body;
    expect({ ...data, attributes: Object.keys(data.attributes) }).toEqual({
      type: 'instrument-class-detailed',
      id,
      attributes: [
        'name',
        'path',
        'assetClass',
        'liquidity',
        'allowedTransactionTypes',
        'valuationBasis',
        'performanceMeasure',
        'stalenessDays',
      ],
      relationships,
    });
    expect([data.attributes.assetClass, data.attributes.stalenessDays]).toEqual(['equity', 10]);
    const root = (await admin.get(`/v2/instrument-classes/${parent}`)).body;
    expect(root).toEqual({ id: parent, name: 'Equities', path: ['Equities'], parent_id: null });
  });

  test.each([
    '/v2/instrument-classes',
    '/v2/instrument-classes-detailed',
    '/api/v3/instrument-classes',
    '/api/v3/instrument-classes-detailed',
  ])('%s has no other operations and accepts no writes', async (path) => {
    const missing = await admin.get(`${path}/${unknownId}`);
    expect([missing.status, missing.body.errors[0].code]).toEqual([404, 'instrument-class-not-found']);
    expect((await admin.delete(`${path}/${unknownId}`)).status).toBe(405);
    expect((await admin.post(path, {})).status).toBe(404);
    const stranger = await service.openWorkspace();
    expect((await stranger.get(`${path}/${await classIdByPath(admin, 'Cash')}`)).status).toBe(404);
  });
});

describe('its life cycle on v1', () => {
  test('it is created below another and inherits unset fields from it', async () => {
    const parent = await classIdByPath(admin, 'Equities');
    const reply = await admin.post(v1, { name: 'Frontier markets', parent_id: parent, liquidity: 'weekly' });
    const { id } = reply.body;
    expect([reply.status, reply.headers.get('location')]).toEqual([201, `${service.addresses.baseUrl}${v1}/${id}`]);
    expect(reply.body).toEqual({
      id,
      name: 'Frontier markets',
      path: ['Equities', 'Frontier markets'],
      ...details,
      allowed_transaction_types: reply.body.allowed_transaction_types,
      liquidity: 'weekly',
      default_for: [],
      created_at: testNow,
      parent_id: parent,
    });
    expect((await admin.get(`${v1}/${id}`)).text).toBe(reply.text);
    expect((await admin.get(`${v1}?parent_id=${parent}`)).body.data.at(-1).id).toBe(id);
  });

  test('a root with only a name has the asset class other', async () => {
    const { body } = await admin.post(v1, { name: 'Crypto' });
    expect(body).toMatchObject({
      path: ['Crypto'],
      parent_id: null,
      asset_class: 'other',
      liquidity: 'daily',
      valuation_basis: 'price',
    });
    expect(body.allowed_transaction_types).toHaveLength(13);
    expect(
      (await admin.patch(`${v1}/${body.id}`, { allowed_transaction_types: ['sell', 'buy'], staleness_days: 2 })).body,
    ).toMatchObject({
      allowed_transaction_types: ['buy', 'sell'],
      staleness_days: 2,
    });
  });

  test('renamed or moved, everything below it has another path', async () => {
    const top = await makeRecord(admin, 'instrument-classes', { name: 'Top' });
    const middle = await makeRecord(admin, 'instrument-classes', { name: 'Middle', parent_id: top });
    const low = await makeRecord(admin, 'instrument-classes', { name: 'Low', parent_id: middle });
    const side = await makeRecord(admin, 'instrument-classes', { name: 'Side' });
    const pathOf = async (id: string): Promise<string> => (await admin.get(`${v1}/${id}`)).body.path.join('/');
    expect((await admin.patch(`${v1}/${middle}`, { name: 'Centre' })).body.path).toEqual(['Top', 'Centre']);
    expect(await pathOf(low)).toBe('Top/Centre/Low');
    const moved = await admin.patch(`${v1}/${middle}`, { parent_id: side, name: 'Heart', liquidity: 'monthly' });
    expect(moved.body).toMatchObject({ name: 'Heart', parent_id: side, path: ['Side', 'Heart'], liquidity: 'monthly' });
    expect([await pathOf(low), await pathOf(top)]).toEqual(['Side/Heart/Low', 'Top']);
    await admin.patch(`${v1}/${middle}`, { parent_id: null });
    expect([await pathOf(middle), await pathOf(low)]).toEqual(['Heart', 'Heart/Low']);
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${middle}&act=change`)).body;
    expect(data.map(({ before, after }: any) => [before.path, after.path]).toReversed()).toEqual([
      [
        ['Top', 'Middle'],
        ['Top', 'Centre'],
      ],
      [
        ['Top', 'Centre'],
        ['Side', 'Heart'],
      ],
      [['Side', 'Heart'], ['Heart']],
    ]);
  });

  test('it cannot form a cycle, not even by two concurrent moves', async () => {
    const one = await makeRecord(admin, 'instrument-classes', { name: 'One' });
    const two = await makeRecord(admin, 'instrument-classes', { name: 'Two' });
    const below = await makeRecord(admin, 'instrument-classes', { name: 'Below', parent_id: one });
    const circle = {
      status: 409,
      code: 'parent-cycle',
      detail: 'A class cannot be placed below itself or below one of its descendants.',
      pointer: '/parent_id',
    };
    expect(reportedRefusal(await admin.patch(`${v1}/${one}`, { parent_id: one }))).toEqual(circle);
    expect(reportedRefusal(await admin.patch(`${v1}/${one}`, { parent_id: below }))).toEqual(circle);
    const [first, second] = await runInLockOrder(
      service.database,
      () => admin.patch(`${v1}/${one}`, { parent_id: two }),
      () => admin.patch(`${v1}/${two}`, { parent_id: below }),
    );
    expect([first.status, reportedRefusal(second)]).toEqual([200, circle]);
  });

  const exists = {
    status: 409,
    code: 'instrument-class-exists',
    detail: 'Another class below the same parent has this name.',
    pointer: '/name',
  };

  test('classes below the same parent must have different names', async () => {
    const equities = await classIdByPath(admin, 'Equities');
    expect(reportedRefusal(await admin.post(v1, { name: 'Cash' }))).toEqual(exists);
    expect(reportedRefusal(await admin.post(v1, { name: 'Emerging markets', parent_id: equities }))).toEqual(exists);
    const id = await makeRecord(admin, 'instrument-classes', { name: 'Cash', parent_id: equities });
    expect(reportedRefusal(await admin.patch(`${v1}/${id}`, { parent_id: null }))).toEqual(exists);
    expect(reportedRefusal(await admin.patch(`${v1}/${id}`, { name: 'Emerging markets' }))).toEqual(exists);
    expect((await admin.patch(`${v1}/${id}`, { name: 'Cash', parent_id: equities })).status).toBe(200);
  });

  test('it can be deleted when it has no classes below it and no instruments', async () => {
    const id = await makeRecord(admin, 'instrument-classes', { name: 'Going' });
    const below = await makeRecord(admin, 'instrument-classes', { name: 'Below', parent_id: id });
    const of = { type: 'stock-instrument', name: 'X', instrument_class_id: id };
    const instruments = [await makeRecord(admin, 'instruments', of), await makeRecord(admin, 'instruments', of)];
    const remaining = async (): Promise<string> => reportedRefusal(await admin.delete(`${v1}/${id}`)).detail;
    const sentence = 'The instrument class cannot be deleted while these remain:';
    expect(await remaining()).toBe(`${sentence} 1 class below it, 2 instruments.`);
    await admin.delete(`${v1}/${below}`);
    expect(await remaining()).toBe(`${sentence} 2 instruments.`);
    for (const one of instruments) await admin.delete(`/v1/instruments/${one}`);
    expect((await admin.delete(`${v1}/${id}`)).status).toBe(204);
    expect((await admin.get(`${v1}/${id}`)).status).toBe(404);
  });

  test('of its deletion and the creation of an instrument of it at the same time, one is refused', async () => {
    const id = await makeRecord(admin, 'instrument-classes', { name: 'Contested' });
    const of = { type: 'stock-instrument', name: 'X', instrument_class_id: id };
    const [made, deleted] = await runInLockOrder(
      service.database,
      () => admin.post('/v1/instruments', of),
      () => admin.delete(`${v1}/${id}`),
    );
    expect([made.status, deleted.status]).toEqual([201, 409]);
    await admin.delete(`/v1/instruments/${made.body.id}`);
    const [gone, refused] = await runInLockOrder(
      service.database,
      () => admin.delete(`${v1}/${id}`),
      () => admin.post('/v1/instruments', of),
    );
    expect([gone.status, reportedRefusal(refused).code]).toEqual([204, 'instrument-class-not-found']);
  });

  test('a token that is bound to one client can read the tree but not change it', async () => {
    const scoped = await admin.becomeApplication({
      rights: ['read', 'write'],
      scoped_to: await admin.makeClient('Bound'),
    });
    const id = await classIdByPath(scoped, 'Cash');
    const outside = {
      status: 403,
      code: 'outside-reach',
      detail: 'A token bound to one client cannot change what all clients share.',
      pointer: undefined,
    };
    const lines = await countAuditEntries(service.database);
    expect(reportedRefusal(await scoped.post(v1, { name: 'Mine' }))).toEqual(outside);
    expect(reportedRefusal(await scoped.patch(`${v1}/${id}`, { name: 'Mine' }))).toEqual(outside);
    expect(reportedRefusal(await scoped.delete(`${v1}/${id}`))).toEqual(outside);
    expect((await scoped.get(`/v2/instrument-classes/${id}`)).status).toBe(200);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each([
    [{}, missingFaults('/name')],
    [{ name: 'X', path: ['X'] }, [unknownField('field', 'path', '/path')]],
    [
      { name: 'X', asset_class: 'gold' },
      [
        [
          '/asset_class',
          'asset_class must be one of cash, equity, fixed-income, fund, private-market, real-asset, derivative, other.',
        ],
      ],
    ],
    [{ name: 'X', liquidity: 1 }, [['/liquidity', 'liquidity must be a string.']]],
    [
      { name: 'X', allowed_transaction_types: [] },
      [['/allowed_transaction_types', 'allowed_transaction_types must be a non-empty array.']],
    ],
    [
      { name: 'X', valuation_basis: 'guess' },
      [['/valuation_basis', 'valuation_basis must be one of price, net-asset-value, accrual, balance, cost.']],
    ],
    [
      { name: 'X', performance_measure: 'IRR' },
      [['/performance_measure', 'performance_measure must be one of twr, irr.']],
    ],
    [{ name: 'X', staleness_days: 0 }, [['/staleness_days', 'staleness_days must be a whole number from 1 to 3650.']]],
  ])('%o is refused', async (sent, faults) => {
    const expected = faults.map((fault) =>
      Array.isArray(fault) ? { status: 422, code: 'invalid-attribute', pointer: fault[0], detail: fault[1] } : fault,
    );
    expect(faultsOf(await admin.post(v1, sent))).toEqual(expected);
  });

  test('its parent must exist', async () => {
    const gone = {
      status: 404,
      code: 'instrument-class-not-found',
      detail: 'There is no such instrument class.',
      pointer: '/parent_id',
    };
    expect(reportedRefusal(await admin.post(v1, { name: 'X', parent_id: unknownId }))).toEqual(gone);
    const id = await classIdByPath(admin, 'Cash');
    expect(reportedRefusal(await admin.patch(`${v1}/${id}`, { parent_id: unknownId }))).toEqual(gone);
  });
});
