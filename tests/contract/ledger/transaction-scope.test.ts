// Which records a transaction may refer to: records of others in every field, on every wire, across each tenant filter; and which
// deletions transactions block.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import {
  book,
  bookedId,
  makeLedgerHousehold,
  makeStock,
  pointerFor,
  type LedgerHousehold,
  type LedgerWire,
} from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';
import { faultsOf, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let own: LedgerHousehold;
let stranger: LedgerHousehold & { readonly secret: string };
let otherWorkspaceHousehold: LedgerHousehold;

beforeAll(async () => {
  ({ admin } = service);
  own = await makeLedgerHousehold(admin);
  const other = await makeLedgerHousehold(admin, 'Bussard');
  stranger = {
    ...other,
    secret: await makeStock(admin, 'Secret', 'CHF', { reporting_entity_id: other.reportingEntity }),
  };
  otherWorkspaceHousehold = await makeLedgerHousehold(await service.openWorkspace(), 'Cormoran');
});

type Fields = Readonly<Record<string, unknown>>;
const date = '2026-03-12';

/** A row of each kind that refers to a record, on each wire, without that field. */
const rows: readonly (readonly [wire: LedgerWire, field: string, kind: string, fields: () => Fields])[] = [
  ['JSON:API', 'account', 'account', () => ({ type: 'fee', date, amount: -1 })],
  ['JSON:API', 'depository', 'depository', () => ({ type: 'fee', date, amount: -1, account: own.account })],
  ['JSON:API', 'instrument', 'instrument', () => ({ type: 'fee', date, amount: -1, account: own.account })],
  ['JSON:API', 'counterAccount', 'account', () => ({ type: 'deposit', date, amount: 1, account: own.account })],
  [
    'JSON:API',
    'targetInstrument',
    'instrument',
    () => ({ type: 'corporate-action', date, action: 'symbol-change', account: own.account, instrument: own.stock }),
  ],
  ['Plain', 'account_id', 'account', () => ({ type: 'Fee', trade_date: date, amount: -1 })],
  [
    'Plain',
    'depository_id',
    'depository',
    () => ({ type: 'Fee', trade_date: date, amount: -1, account_id: own.account }),
  ],
  [
    'Plain',
    'instrument_id',
    'instrument',
    () => ({ type: 'Fee', trade_date: date, amount: -1, account_id: own.account }),
  ],
  [
    'Plain',
    'counter_account_id',
    'account',
    () => ({ type: 'Transfer', trade_date: date, amount: 1, account_id: own.account }),
  ],
  [
    'Plain',
    'target_instrument_id',
    'instrument',
    () => ({
      type: 'CorporateAction',
      trade_date: date,
      action: 'symbol-change',
      account_id: own.account,
      instrument_id: own.stock,
    }),
  ],
  ['v1', 'account_id', 'account', () => ({ type: 'fee', date, amount: '-1' })],
  ['v1', 'depository_id', 'depository', () => ({ type: 'fee', date, amount: '-1', account_id: own.account })],
  ['v1', 'instrument_id', 'instrument', () => ({ type: 'fee', date, amount: '-1', account_id: own.account })],
  ['v1', 'counter_account_id', 'account', () => ({ type: 'deposit', date, amount: '1', account_id: own.account })],
  [
    'v1',
    'counter_depository_id',
    'depository',
    () => ({ type: 'withdrawal', date, quantity: '1', account_id: own.account, instrument_id: own.stock }),
  ],
  [
    'v1',
    'target_instrument_id',
    'instrument',
    () => ({
      type: 'corporate-action',
      date,
      action: 'symbol-change',
      account_id: own.account,
      instrument_id: own.stock,
    }),
  ],
];

/** The id of a household's record of a kind. */
function idOfKind(kind: string, household: LedgerHousehold | typeof stranger): string {
  if (kind === 'instrument') return 'secret' in household ? household.secret : household.stock;
  return kind === 'account' ? household.account : household.depository;
}

function notThere(wire: LedgerWire, field: string, kind: string): object {
  return {
    status: 404,
    code: `${kind}-not-found`,
    detail: `There is no such ${kind}.`,
    pointer: pointerFor(wire, field),
  };
}

describe.each(['both', 'store-only'] as const)('with tenant filters: %s', (tenantFilters) => {
  let scoped: Caller;
  let unscoped: Caller;

  beforeAll(async () => {
    scoped = await admin.becomeApplication({ scoped_to: own.client });
    unscoped = admin;
    if (tenantFilters === 'both') return;
    const node = await startTestService({ database: service.database, clock: service.clock, tenantFilters });
    [scoped, unscoped] = [await node.admin.becomeApplication({ scoped_to: own.client }), node.admin];
    return () => node.stop();
  });

  test.each(rows)('on %s, %s cannot refer to another tenant’s record', async (wire, field, kind, fields) => {
    const strangers: [who: string, caller: Caller, id: string][] = [
      ['nobody', unscoped, unknownId],
      ['another workspace', unscoped, idOfKind(kind, otherWorkspaceHousehold)],
      ['a client that is not visible', scoped, idOfKind(kind, stranger)],
    ];
    for (const [label, caller, id] of strangers) {
      const reply = await book(caller, wire, { ...fields(), [field]: id });
      expect([label, faultsOf(reply)]).toEqual([label, [notThere(wire, field, kind)]]);
    }
  });

  test.each(rows.filter(([, field]) => !['account', 'account_id'].includes(field)))(
    "on %s, %s names nothing of another client's that the caller sees",
    async (wire, field, kind, fields) => {
      const reply = await book(unscoped, wire, { ...fields(), [field]: idOfKind(kind, stranger) });
      const detail = `The ${kind} belongs to another client than the transaction.`;
      expect(faultsOf(reply)).toEqual([
        { status: 422, code: 'different-client', detail, pointer: pointerFor(wire, field) },
      ]);
    },
  );

  test('a transaction of another tenant is not found', async () => {
    const id = bookedId(await book(admin, 'v1', { type: 'fee', date, amount: '-1', account_id: stranger.account }));
    const replies: Reply[] = [
      await scoped.get(`/v1/transactions/${id}`),
      await scoped.patch(`/v1/transactions/${id}`, { comment: 'mine' }),
      await scoped.delete(`/v1/transactions/${id}`),
      await scoped.delete(`/v2/transactions/${id}`),
      await scoped.delete(`/api/v2/transactions/${id}`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await admin.get(`/v1/transactions/${id}`)).status).toBe(200);
  });

  test('a transaction stays with its client', async () => {
    const id = bookedId(await book(unscoped, 'v1', { type: 'fee', date, amount: '-1', account_id: own.account }));
    const [fault] = faultsOf(await unscoped.patch(`/v1/transactions/${id}`, { account_id: stranger.account }));
    expect(fault).toMatchObject({ status: 422, code: 'different-client', pointer: '/account_id' });
  });

  test('a coupon comes from a trade of its own account', async () => {
    const trade = { type: 'buy', date, quantity: '1', price: '99', instrument_id: own.bond };
    const bought = bookedId(await book(unscoped, 'v1', { ...trade, account_id: own.account }));
    const coupon = { type: 'coupon', date, amount: '1', instrument_id: own.bond, trade_id: bought };
    expect((await book(unscoped, 'v1', { ...coupon, account_id: own.account })).body.trade_id).toBe(bought);
    const fault = { ...notThere('v1', 'trade_id', 'transaction') };
    expect(faultsOf(await book(unscoped, 'v1', { ...coupon, account_id: own.savings }))).toEqual([fault]);
    expect(faultsOf(await book(unscoped, 'v1', { ...coupon, account_id: own.account, trade_id: unknownId }))).toEqual([
      fault,
    ]);
  });
});

describe('records that transactions refer to cannot be deleted', () => {
  let blockedHousehold: LedgerHousehold;

  beforeAll(async () => {
    blockedHousehold = await makeLedgerHousehold(admin, 'Dohle');
  });

  const blockingCases: [what: string, path: () => string, fields: () => Fields, code: string, detail: string][] = [
    [
      'an account',
      () => `/v1/accounts/${blockedHousehold.account}`,
      () => ({ type: 'fee', date, amount: '-1' }),
      'account-in-use',
      'The account cannot be deleted while these remain: 1 transaction.',
    ],
    [
      'the other account of a move',
      () => `/api/v2/accounts/${blockedHousehold.savings}`,
      () => ({ type: 'deposit', date, amount: '1', counter_account_id: blockedHousehold.savings }),
      'account-in-use',
      'The account cannot be deleted while these remain: 1 transaction of another account with it.',
    ],
    [
      'a depository',
      () => `/v1/depositories/${blockedHousehold.depository}`,
      () => ({ type: 'fee', date, amount: '-1', depository_id: blockedHousehold.depository }),
      'depository-in-use',
      'The depository cannot be deleted while these remain: 1 transaction.',
    ],
    [
      'the depository that units were moved to',
      () => `/v1/depositories/${blockedHousehold.vault}`,
      () => ({
        type: 'withdrawal',
        date,
        quantity: '1',
        instrument_id: blockedHousehold.stock,
        counter_depository_id: blockedHousehold.vault,
      }),
      'depository-in-use',
      'The depository cannot be deleted while these remain: 1 transaction of another depository with it.',
    ],
    [
      'an instrument',
      () => `/v1/instruments/${blockedHousehold.fund}`,
      () => ({ type: 'drawing', date, amount: '-1', instrument_id: blockedHousehold.fund }),
      'instrument-in-use',
      'The instrument cannot be deleted while these remain: 1 transaction.',
    ],
    [
      'the target of a corporate action',
      () => `/v1/instruments/${blockedHousehold.target}`,
      () => ({
        type: 'corporate-action',
        date,
        action: 'symbol-change',
        instrument_id: blockedHousehold.stock,
        target_instrument_id: blockedHousehold.target,
      }),
      'instrument-in-use',
      'The instrument cannot be deleted while these remain: 1 corporate action that leads to it.',
    ],
  ];

  test.each(blockingCases)('%s, until they are deleted', async (_what, path, fields, code, detail) => {
    const id = bookedId(await book(admin, 'v1', { account_id: blockedHousehold.account, ...fields() }));
    const { status, body } = await admin.delete(path());
    const error = body.errors?.[0] ?? body;
    expect([status, error.code, error.detail]).toEqual([409, code, detail]);
    await admin.delete(`/v1/transactions/${id}`);
    if (path().includes(blockedHousehold.account)) return;
    expect((await admin.delete(path())).status).toBe(204);
  });

  test('a client cannot be deleted either', async () => {
    await book(admin, 'v1', { type: 'fee', date, amount: '-1', account_id: blockedHousehold.account });
    expect((await admin.delete(`/v1/clients/${blockedHousehold.client}`)).body.detail).toMatch(/, 1 transaction\./);
  });

  test('an account whose transactions are all deleted can be deleted, and their versions are kept', async () => {
    const account = await makeRecord(admin, 'accounts', { entity_id: blockedHousehold.legalEntity, currency: 'CHF' });
    const id = bookedId(await book(admin, 'v1', { type: 'fee', date, amount: '-1', account_id: account }));
    await admin.delete(`/v1/transactions/${id}`);
    expect((await admin.delete(`/v1/accounts/${account}`)).status).toBe(204);
    const { body } = await admin.get(`/v1/audit-log?subject_id=${id}`);
    expect(body.data.map(({ act }: { act: string }) => act)).toEqual(['delete', 'create']);
  });
});
