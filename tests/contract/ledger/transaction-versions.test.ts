// Earlier versions of a transaction are kept: unique external references, amendments, deletions, ledger versions, and the dirty
// flags that they set.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import {
  book,
  bookedId,
  makeLedgerHousehold,
  makeStock,
  type LedgerHousehold,
} from '../../setup/ledger/ledger-household.ts';
import { listDirtyFlags, clearDirtyFlags } from '../../setup/limits/dirty-flags.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  faultsOf,
  testNow,
  sendBehindLock,
  unknownField,
} from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LedgerHousehold;

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLedgerHousehold(admin);
});

type Fields = Readonly<Record<string, unknown>>;

const fee = { type: 'fee', date: '2026-03-12', amount: '-25' };

function send(fields: Fields): ReturnType<typeof book> {
  return book(admin, 'v1', { account_id: household.account, ...fee, ...fields });
}

interface Version {
  readonly comment: string | null;
  readonly sequence: number;
  readonly known_from: string;
  readonly known_until: string | null;
  readonly opened_version: number;
  readonly closed_version: number | null;
}

function versionsOf(id: string): Promise<Version[]> {
  return runSql<Version>(
    service.database,
    `SELECT comment, sequence::int, opened_version::int, closed_version::int,
       to_char(known_from AT TIME ZONE 'UTC', 'HH24:MI') AS known_from, to_char(known_until AT TIME ZONE 'UTC', 'HH24:MI') AS known_until
     FROM transaction WHERE id = '${id}' ORDER BY opened_version`,
  );
}

async function versionOf(account: string): Promise<number> {
  const rows = await runSql<{ version: string }>(
    service.database,
    `SELECT version FROM account_ledger WHERE account_id = '${account}'`,
  );
  return Number(rows[0]?.version ?? 0);
}

async function countRows(): Promise<number> {
  const [row] = await runSql<{ count: string }>(service.database, 'SELECT count(*) FROM transaction');
  return Number(row!.count);
}

describe('an external reference', () => {
  test('sent again unchanged books nothing, on any wire', async () => {
    const first = await send({ external_reference: 'same' });
    const before = await countRows();
    const again = await send({ external_reference: 'same' });
    expect([again.status, again.body, again.headers.get('location')]).toEqual([200, first.body, null]);
    const plain = {
      type: 'Fee',
      trade_date: fee.date,
      amount: -25,
      account_id: household.account,
      external_reference: 'same',
    };
    expect([(await book(admin, 'Plain', plain)).status, await countRows()]).toEqual([200, before]);
  });

  test('sent changed amends', async () => {
    const id = bookedId(await send({ external_reference: 'changed' }));
    const again = await send({ external_reference: 'changed', amount: '-26' });
    expect([again.status, again.body.id, again.body.amount]).toEqual([200, id, '-26']);
    expect((await versionsOf(id)).map(({ known_until: until }) => until)).toEqual(['12:00', null]);
  });

  test('is different for another account or source', async () => {
    const replies = [
      await send({ external_reference: 'R' }),
      await send({ external_reference: 'R', account_id: household.savings }),
      await send({ external_reference: 'R', source: 'custodian' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
  });

  test('can be used again once its transaction is deleted', async () => {
    const id = bookedId(await send({ external_reference: 'gone' }));
    await admin.delete(`/v1/transactions/${id}`);
    expect((await send({ external_reference: 'gone' })).status).toBe(201);
  });

  test('sent twice at the same time books once', async () => {
    const lock = `SELECT FROM client WHERE id = '${household.client}' FOR UPDATE`;
    const request = () => send({ external_reference: 'at once' });
    const replies = await sendBehindLock({ database: service.database, lock, waiting: 2 }, [request, request]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
  });

  test('of another transaction cannot be taken over', async () => {
    await send({ external_reference: 'taken' });
    const id = bookedId(await send({ external_reference: 'free' }));
    expect(faultsOf(await admin.patch(`/v1/transactions/${id}`, { external_reference: 'taken' }))).toEqual([
      {
        status: 409,
        code: 'external-reference-taken',
        detail: 'Another transaction of this account and source has this reference.',
        pointer: '/external_reference',
      },
    ]);
  });

  test('is optional: without one, two identical requests both book', async () => {
    expect(bookedId(await send({}))).not.toBe(bookedId(await send({})));
  });
});

describe('an amendment', () => {
  test('closes one version and opens the next, under the same id and number', async () => {
    const booked = await send({ comment: 'first' });
    const { id, created_at: createdAt } = booked.body;
    service.clock.advance(60_000);
    const amended = await admin.patch(`/v1/transactions/${id}`, { comment: 'second' });
    expect([amended.status, amended.body]).toEqual([200, { ...booked.body, comment: 'second' }]);
    expect(createdAt).toBe(testNow);
    const [before, after] = await versionsOf(id);
    expect(before).toMatchObject({ comment: 'first', known_from: '12:00', known_until: '12:01' });
    expect(after).toMatchObject({
      comment: 'second',
      known_from: '12:01',
      known_until: null,
      sequence: before!.sequence,
    });
    expect(after!.opened_version).toBe(before!.closed_version);
    const { body } = await admin.get(`/v1/audit-log?subject_id=${id}&limit=1`);
    expect(body.data[0]).toMatchObject({ act: 'change', before: { comment: 'first' }, after: { comment: 'second' } });
  });

  test('that changes nothing opens nothing', async () => {
    const id = bookedId(await send({ comment: 'calm' }));
    const before = await versionOf(household.account);
    const { status, body, headers } = await admin.get(`/v1/transactions/${id}`);
    const reply = await admin.patch(`/v1/transactions/${id}`, body);
    expect([reply.status, reply.body, reply.headers.get('etag')]).toEqual([status, body, headers.get('etag')]);
    expect([(await versionsOf(id)).length, await versionOf(household.account)]).toEqual([1, before]);
  });

  test('may change its type, with the fields of the new type', async () => {
    const id = bookedId(await send({ category: 'custody' }));
    const path = `/v1/transactions/${id}`;
    expect(faultsOf(await admin.patch(path, { type: 'interest', category: 'custody' }))).toEqual([
      unknownField('field', 'category', '/category'),
    ]);
    const { body } = await admin.patch(path, { type: 'interest' });
    expect([body.type, body.amount, 'category' in body]).toEqual(['interest', '-25', false]);
  });

  test('removes fields sent as null, and computes the amount again', async () => {
    const trade = {
      type: 'buy',
      quantity: '10',
      price: '5',
      amount: undefined,
      instrument_id: household.stock,
      comment: 'x',
    };
    const path = `/v1/transactions/${bookedId(await send(trade))}`;
    const { body } = await admin.patch(path, { price: '6', amount: null, comment: null });
    expect([body.price, body.amount, body.comment]).toEqual(['6', '-60', null]);
    expect(faultsOf(await admin.patch(path, { date: null }))[0]).toMatchObject({
      pointer: '/date',
      detail: 'date is required.',
    });
  });

  test('keeps fields that the caller cannot set', async () => {
    const id = bookedId(await send({}));
    const sent = { created_at: '2020-01-01T00:00:00Z', client_id: household.account };
    expect(faultsOf(await admin.patch(`/v1/transactions/${id}`, sent))).toEqual(
      immutableFaults('/created_at', '/client_id'),
    );
  });

  test('is refused if the transaction has changed since it was read', async () => {
    const id = bookedId(await send({}));
    const path = `/v1/transactions/${id}`;
    const stale = { 'if-match': '"stale"' };
    expect((await admin.patch(path, { comment: 'x' }, stale)).body.code).toBe('precondition-failed');
    expect((await admin.delete(path, stale)).body.code).toBe('precondition-failed');
    const etag = (await admin.get(path)).headers.get('etag')!;
    expect((await admin.patch(path, { comment: 'x' }, { 'if-match': etag })).status).toBe(200);
  });

  test('changes both ledgers if it moves the transaction to another account', async () => {
    const id = bookedId(await send({}));
    const [from, to] = [await versionOf(household.account), await versionOf(household.savings)];
    await admin.patch(`/v1/transactions/${id}`, { account_id: household.savings });
    const raised = Math.max(from, to) + 1;
    expect([await versionOf(household.account), await versionOf(household.savings)]).toEqual([raised, raised]);
  });
});

describe('a deletion', () => {
  test.each(['/v1/transactions', '/v2/transactions', '/api/v2/transactions'])(
    'on %s closes the version',
    async (path) => {
      const id = bookedId(await send({}));
      expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
      const [version, ...more] = await versionsOf(id);
      expect([more, version!.known_until !== null, version!.closed_version]).toEqual([
        [],
        true,
        await versionOf(household.account),
      ]);
      const again = await admin.delete(`${path}/${id}`);
      expect([again.status, again.body.errors?.[0].code ?? again.body.code]).toEqual([404, 'transaction-not-found']);
      expect((await admin.get(`/v1/transactions/${id}`)).status).toBe(404);
      const { body } = await admin.get(`/v1/audit-log?subject_id=${id}&limit=1`);
      expect(body.data[0]).toMatchObject({ act: 'delete', before: { id }, after: null });
    },
  );

  test('does not release its number', async () => {
    const id = bookedId(await send({}));
    await admin.delete(`/v1/transactions/${id}`);
    const next = bookedId(await send({}));
    const [[gone], [booked]] = [await versionsOf(id), await versionsOf(next)];
    expect(booked!.sequence).toBe(gone!.sequence + 1);
  });
});

describe('the ledger of an account', () => {
  test('gets a new version with every booking, for both accounts of a move, which the row contains', async () => {
    const [one, other] = [await versionOf(household.account), await versionOf(household.savings)];
    const move = { type: 'withdrawal', amount: '-5', counter_account_id: household.savings };
    const id = bookedId(await send(move));
    const raised = Math.max(one, other) + 1;
    expect([await versionOf(household.account), await versionOf(household.savings)]).toEqual([raised, raised]);
    expect((await versionsOf(id))[0]!.opened_version).toBe(raised);
    await admin.delete(`/v1/transactions/${id}`);
    expect([await versionOf(household.account), await versionOf(household.savings)]).toEqual([raised + 1, raised + 1]);
  });

  test('keeps its version if nothing was booked', async () => {
    const before = await versionOf(household.account);
    await send({ amount: '0' });
    await send({ depository_id: household.account });
    expect(await versionOf(household.account)).toBe(before);
  });

  test('accepts concurrent moves in both directions without a deadlock', async () => {
    const [from, to] = [household.account, household.savings];
    const move = (account: string, counter: string) => () =>
      send({ type: 'withdrawal', amount: '-1', account_id: account, counter_account_id: counter });
    const requests = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? move(from, to) : move(to, from)));
    const before = await versionOf(from);
    const replies = await Promise.all(requests.map((request) => request()));
    expect(replies.map(({ status }) => status)).toEqual(requests.map(() => 201));
    expect([await versionOf(from), await versionOf(to)]).toEqual([before + 12, before + 12]);
    const ids = replies.map(({ body }) => `'${body.id}'`).join();
    const [row] = await runSql<{ numbers: string }>(
      service.database,
      `SELECT count(DISTINCT sequence) AS numbers FROM transaction WHERE id IN (${ids})`,
    );
    expect(Number(row!.numbers)).toBe(12);
  });
});

describe('the dirty flag for a round', () => {
  test('is set once by a booking, an amendment and a deletion, and not by a refused one', async () => {
    await clearDirtyFlags(service);
    await send({ amount: '0' });
    expect(await listDirtyFlags(service)).toEqual({});
    const id = bookedId(await send({}));
    await send({});
    expect(await listDirtyFlags(service)).toEqual({ [household.client]: ['transaction'] });
    await clearDirtyFlags(service);
    await admin.patch(`/v1/transactions/${id}`, { comment: 'marked' });
    expect(await listDirtyFlags(service)).toEqual({ [household.client]: ['transaction'] });
    await clearDirtyFlags(service);
    await admin.delete(`/v1/transactions/${id}`);
    expect(await listDirtyFlags(service)).toEqual({ [household.client]: ['transaction'] });
  });

  test('is set for all clients by a transaction for all holders', async () => {
    await clearDirtyFlags(service);
    const other = await admin.makeClient('Bystander');
    const split = {
      type: 'corporate-action',
      date: fee.date,
      action: 'split',
      ratio: '2:1',
      instrument_id: household.stock,
    };
    expect((await book(admin, 'v1', split)).status).toBe(201);
    expect(await listDirtyFlags(service)).toEqual({ [household.client]: ['transaction'], [other]: ['transaction'] });
  });
});

describe('a corporate action for all holders', () => {
  const split = (): Fields => ({
    type: 'corporate-action',
    date: fee.date,
    action: 'split',
    ratio: '2:1',
    instrument_id: household.target,
  });

  test('has no client, is visible to all and written only by callers who see all clients', async () => {
    const { status, body } = await book(admin, 'v1', split());
    expect([status, body.account_id, body.client_id]).toEqual([201, null, null]);
    const [version] = await versionsOf(body.id);
    expect(version!.sequence).toBeLessThan(0);
    const scoped = await admin.becomeApplication({ scoped_to: household.client });
    expect((await scoped.get(`/v1/transactions/${body.id}`)).body).toEqual(body);
    const refusals = [
      await book(scoped, 'v1', split()),
      await scoped.patch(`/v1/transactions/${body.id}`, { comment: 'x' }),
      await scoped.delete(`/v1/transactions/${body.id}`),
    ];
    expect(refusals.map((reply) => [reply.status, reply.body.code])).toEqual([
      [403, 'outside-reach'],
      [403, 'outside-reach'],
      [403, 'outside-reach'],
    ]);
    expect((await admin.patch(`/v1/transactions/${body.id}`, { ratio: '3:1' })).body.ratio).toBe('3:1');
    expect((await admin.delete(`/v1/transactions/${body.id}`)).status).toBe(204);
  });

  test('stays for all holders, and one of an account stays in that account', async () => {
    const detail = 'A transaction for one account cannot become one for all holders, or the reverse.';
    const fault = { status: 422, code: 'immutable-attribute', detail, pointer: '/account_id' };
    const forAll = bookedId(await book(admin, 'v1', split()));
    const forOne = bookedId(await book(admin, 'v1', { ...split(), account_id: household.account }));
    const own = {
      ...split(),
      instrument_id: await makeStock(admin, 'Club', 'CHF', { reporting_entity_id: household.reportingEntity }),
    };
    const privately = bookedId(await book(admin, 'v1', own));
    expect(faultsOf(await admin.patch(`/v1/transactions/${privately}`, { account_id: household.account }))).toEqual([
      fault,
    ]);
    expect(faultsOf(await admin.patch(`/v1/transactions/${forOne}`, { account_id: null }))).toEqual([fault]);
    expect((await admin.patch(`/v1/transactions/${forAll}`, { comment: 'still' })).status).toBe(200);
  });

  test('of a private instrument belongs to its client', async () => {
    const own = await makeStock(admin, 'Family vehicle', 'CHF', { reporting_entity_id: household.reportingEntity });
    const { body } = await book(admin, 'v1', { ...split(), instrument_id: own });
    expect([body.account_id, body.client_id]).toEqual([null, household.client]);
  });

  test.each([
    [
      'cash',
      { action: 'return-of-capital', ratio: undefined, amount: '5' },
      '/account_id',
      'A transaction with a cash amount must name its account.',
    ],
    [
      'a depository',
      { depository_id: 'depository' },
      '/depository_id',
      'A transaction for all holders cannot name a depository.',
    ],
    [
      'a reference',
      { external_reference: 'R' },
      '/external_reference',
      'A transaction for all holders cannot have an external reference.',
    ],
  ] as const)('has no %s', async (_what, more, pointer, detail) => {
    const fields = 'depository_id' in more ? { depository_id: household.depository } : more;
    const faults = faultsOf(await book(admin, 'v1', { ...split(), ...fields }));
    expect(faults.map((fault) => [fault.pointer, fault.detail])).toContainEqual([pointer, detail]);
  });

  test('needs an account on the frozen wires, and every other type needs one on all', async () => {
    const { type, date, action, ratio } = split() as Record<string, string>;
    const document = await book(admin, 'JSON:API', { type, date, action, ratio, instrument: household.target });
    expect(faultsOf(document)[0]).toMatchObject({ pointer: '/data/relationships/account', code: 'missing-attribute' });
    expect(faultsOf(await book(admin, 'v1', fee))[0]).toMatchObject({
      pointer: '/account_id',
      code: 'missing-attribute',
    });
  });
});
