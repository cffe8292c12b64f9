// What imports keep in the database: little of rows that nothing can be made of, nothing for ever that nobody books, and no more than a
// workspace may take.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { Keyring } from '../../../src/signing/keyring.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import { unkeptProblemsMax } from '../../../src/model/custody/import.ts';
import { refusedKeptMax, unreadableKeptMax } from '../../../src/actions/imports/row-keeping.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { operatorOf } from '../../setup/node/operator.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { flexDocument, flexRow, flexStatement, purchaseRow } from '../../setup/statements/flex-text.ts';
import { makeHousehold, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const encryptionKey = Keyring.generate();
const service = serviceForThisFile({ settings: { ENCRYPTION_KEY: encryptionKey, IMPORT_RETENTION_DAYS: '30' } });
const operator = operatorOf(() => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey }));
const camt = new CamtText({ version: 8 });
const iban = 'CH9300762011623852957';

let admin: Caller;
let workspace: string;
let client: string;
let account: string;

beforeEach(async () => {
  admin = await service.openWorkspace();
  workspace = (await tenantOf(admin)).workspaceId;
  const household = await makeHousehold(admin, 'Amsel');
  client = household.client;
  const place = { entity_id: household.legalEntity, currency: 'CHF', external_identifier: iban };
  account = await makeRecord(admin, 'accounts', place);
});

function sendFile(file: string, query = '', caller = admin): Promise<Reply> {
  const headers = { 'content-type': 'text/plain' };
  return caller.send(`/v1/imports?client_id=${client}${query}`, { method: 'POST', raw: file, headers });
}

const sendEntries = (count: number, { query = '', prefix = 'A', caller = admin } = {}): Promise<Reply> =>
  sendFile(
    camt.document([
      { entries: Array.from({ length: count }, (_, index) => camt.entry({ reference: `${prefix}-${index}` })) },
    ]),
    query,
    caller,
  );

const act = (id: string, verb: string): Promise<Reply> => admin.send(`/v1/imports/${id}/${verb}`, { method: 'POST' });
const remove = (id: string, headers = {}, caller = admin): Promise<Reply> =>
  caller.send(`/v1/imports/${id}`, { method: 'DELETE', headers });

interface Stored {
  readonly rows: number;
  readonly bytes: number;
}

async function storedOf(id: string): Promise<Stored> {
  const [row] = await runSql<Stored & Record<string, unknown>>(
    service.database,
    'SELECT count(*)::int AS rows, coalesce(sum(pg_column_size(r.*)), 0)::int AS bytes FROM import_row r WHERE import_id = $1',
    [id],
  );
  return row ?? { rows: 0, bytes: 0 };
}

describe('rows that nothing can be made of', () => {
  test('are counted by their problem beyond some hundreds, also when the import is booked', async () => {
    const count = 4 * unreadableKeptMax;
    const trades = [...Array.from({ length: count }, () => '<Trade/>'), flexRow('Trade', purchaseRow)];
    const { body } = await sendFile(flexDocument([flexStatement({ Trades: trades })]));
    const unkept = count - unreadableKeptMax;
    const [first] = (await admin.get(`/v1/imports/${body.id}/rows?outcome=refused&limit=1`)).body.data;
    const problem = { outcome: 'refused', code: first.code, detail: first.detail, rows: unkept };
    const firstLine = first.line + unreadableKeptMax;
    expect(body.counts).toMatchObject({ rows: count + 1, refused: count });
    expect(body.not_kept).toEqual({ rows: unkept, problems: [{ ...problem, first_line: firstLine }] });
    expect((await storedOf(body.id)).rows).toBe(unreadableKeptMax + 1);
    const last = (await admin.get(`/v1/imports/${body.id}/rows?outcome=needs`)).body.data;
    expect(last).toMatchObject([{ number: count + 1, stated: { reference: '5001' } }]);
    const booked = (await act(body.id, 'book')).body;
    expect([booked.counts, booked.not_kept]).toEqual([body.counts, body.not_kept]);
    expect((await act(body.id, 'book')).body.counts).toEqual(body.counts);
  });

  test('are counted in the same way beyond the lines that may wait until their columns are named', async () => {
    const unkept = 500;
    const { body } = await sendFile(`Wann;Wieviel\n${'31.01.2024;-5.00\n'.repeat(refusedKeptMax + unkept)}`);
    expect(body.counts).toMatchObject({ rows: refusedKeptMax + unkept, needs: refusedKeptMax + unkept });
    expect(body.not_kept).toMatchObject({
      rows: unkept,
      problems: [{ outcome: 'needs', code: 'unmapped', rows: unkept }],
    });
    expect((await storedOf(body.id)).rows).toBe(refusedKeptMax);
  });

  test('of very many different problems are counted by their code alone', async () => {
    const different = unreadableKeptMax + unkeptProblemsMax + 50;
    const lines = Array.from(
      { length: different },
      (_, index) => `:61:26${String(index).padStart(4, '0')}XX0101C5,00NTRF${index}`,
    );
    const file = [':20:X', `:25:${iban}`, ':28C:1/1', ':60F:C260101CHF0,00', ...lines, ':62F:C260131CHF0,00', '-', ''];
    const { counts, not_kept: notKept } = (await sendFile(file.join('\n'))).body;
    expect(counts.refused).toBe(different);
    expect(notKept.rows).toBe(different - unreadableKeptMax);
    expect(notKept.problems.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(notKept.rows);
    expect(notKept.problems.length).toBeLessThanOrEqual(unkeptProblemsMax + 1);
  });
});

test('refused rows that may be booked later are kept, up to many', async () => {
  const count = refusedKeptMax + 10;
  const file = [
    'Date,USD,',
    ...Array.from({ length: count }, (_, index) => `${new Date(index * dayMs).toISOString().slice(0, 10)},0,`),
  ];
  const { body } = await sendFile(`${file.join('\n')}\n`);
  const { rows, refused } = body.counts;
  expect([rows, (await storedOf(body.id)).rows + body.not_kept.rows]).toEqual([count, count]);
  expect(refused).toBeGreaterThanOrEqual(body.not_kept.rows);
});

test('a name that is too long to mean a record is said in the row, and not stored with each', async () => {
  const long = 'U'.repeat(4_000);
  const trades = Array.from({ length: 300 }, (_, index) =>
    flexRow('Trade', { ...purchaseRow, accountId: long, tradeID: String(index) }),
  );
  const { body } = await sendFile(flexDocument([flexStatement({ Trades: trades }, long)]));
  expect(body.counts).toMatchObject({ rows: 300, refused: 300 });
  const [row] = (await admin.get(`/v1/imports/${body.id}/rows?limit=1`)).body.data;
  expect(row.detail).toBe('The name of an account has 4000 characters. At most 200 are read.');
  expect((await storedOf(body.id)).bytes).toBeLessThan(300 * 1_000);
});

test('long words of a row are cut as the ledger cuts them, and what is booked from the check is the same', async () => {
  const [note, reference] = ['Miete '.repeat(700), 'R'.repeat(900)];
  const file = camt.document([{ entries: [camt.entry({ reference, note })] }]);
  const checked = (await sendFile(file)).body;
  expect((await storedOf(checked.id)).bytes).toBeLessThan(4_000);
  await act(checked.id, 'book');
  const list = async () => (await admin.get(`/v1/transactions?account_id=${account}`)).body.data;
  const [booked] = await list();
  expect(booked.comment).toBe(note.slice(0, 2_000).trim());
  expect((await sendFile(file, '&book=true')).body.counts).toMatchObject({ unchanged: 1 });
  expect(await list()).toHaveLength(1);
});

describe('an import', () => {
  test('that is only checked is deleted with its rows, by whoever may write and says what it is', async () => {
    const { id } = (await sendEntries(3)).body;
    const reader = await admin.becomeApplication({ rights: ['read'] });
    expect((await remove(id, {}, reader)).status).toBe(403);
    expect((await remove(id, { 'if-match': '"another"' })).status).toBe(412);
    const { etag } = Object.fromEntries((await admin.get(`/v1/imports/${id}`)).headers);
    const headers = { 'if-match': etag, 'idempotency-key': 'delete-once' };
    expect((await remove(id, headers)).status).toBe(204);
    expect((await remove(id, headers)).status).toBe(204);
    expect((await remove(id)).body.code).toBe('import-not-found');
    expect((await admin.get(`/v1/imports/${id}/rows`)).status).toBe(404);
    expect(await storedOf(id)).toMatchObject({ rows: 0 });
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body;
    expect(data.map((line: any) => line.act).toSorted()).toEqual(['create', 'delete']);
    expect((await remove(unknownId)).status).toBe(404);
  });

  test('that is booked has to be undone first', async () => {
    const { id } = (await sendEntries(2, { query: '&book=true' })).body;
    const refused = await remove(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'import-not-possible']);
    expect(refused.body.detail).toContain('Undo it first');
    expect((await storedOf(id)).rows).toBe(2);
    await act(id, 'undo');
    expect((await remove(id)).status).toBe(204);
    expect(await storedOf(id)).toMatchObject({ rows: 0 });
  });

  test('of another client is nothing that a token of one client can delete', async () => {
    const { id } = (await sendEntries(1)).body;
    const other = await makeHousehold(admin, 'Buchfink');
    const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: other.client });
    expect((await remove(id, {}, scoped)).status).toBe(404);
    expect((await storedOf(id)).rows).toBe(1);
  });

  test('that nobody books is deleted after the days that the settings say; a booked one stays', async () => {
    const booked = (await sendEntries(2, { query: '&book=true' })).body.id;
    const checked = (await sendEntries(3, { prefix: 'B' })).body.id;
    service.clock.advance(30 * dayMs);
    await deleteExpired(service.context);
    expect([(await storedOf(checked)).rows, (await storedOf(booked)).rows]).toEqual([3, 2]);
    service.clock.advance(1);
    await deleteExpired(service.context);
    expect([(await storedOf(checked)).rows, (await storedOf(booked)).rows]).toEqual([0, 2]);
    const later = await Caller.withCredentials(service.admin.address, service.first);
    expect(later.token).not.toBeNull();
  });
});

describe('a workspace', () => {
  const usageOf = async (): Promise<any> => {
    const { stdout } = await operator('usage', '--json');
    return JSON.parse(stdout).find((row: any) => row.workspace_id === workspace && row.environment === 'production');
  };

  test('has a quota of rows, which its operator sets, sees and takes back', async () => {
    const usual = await usageOf();
    expect(usual).toMatchObject({ import_rows: 0, import_rows_max: 20_000_000, import_bytes_max: 20_000_000_000 });
    const set = await operator('workspace', 'settings', workspace, '--import-rows', '5');
    expect([set.code, set.stderr]).toEqual([0, '']);
    expect(set.stdout).toMatch(/^import-rows +production +5 +workspace +0$/m);
    expect(set.stdout).toMatch(/^import-megabytes +production +20000 +installation +0$/m);
    const { id } = (await sendEntries(3)).body;
    const refused = await sendEntries(3, { prefix: 'B' });
    expect([refused.status, refused.body.code]).toEqual([409, 'import-quota-reached']);
    expect(refused.body.detail).toContain('imports would take 6 rows. The quota of the workspace is 5.');
    expect((await admin.get('/v1/imports')).body.data).toHaveLength(1);
    expect(await usageOf()).toMatchObject({ import_rows: 3, import_rows_max: 5 });
    expect((await usageOf()).import_bytes).toBeGreaterThan(1_000);
    await remove(id);
    expect(await usageOf()).toMatchObject({ import_rows: 0, import_bytes: 0 });
    expect((await sendEntries(5, { prefix: 'B' })).status).toBe(201);
    expect((await sendEntries(1, { prefix: 'C' })).body.detail).toContain('The quota of the workspace is 5.');
    await operator('workspace', 'settings', workspace, '--import-rows', 'default');
    expect((await sendEntries(1, { prefix: 'C' })).status).toBe(201);
    const { data } = (await admin.get('/v1/audit-log?subject_type=workspace')).body;
    expect(data.map(({ after }: any) => after.import_rows)).toEqual([null, 5]);
  });

  test('has a quota of bytes, beyond which a file is not read on', async () => {
    await operator('workspace', 'settings', workspace, '--import-megabytes', '1');
    const refused = await sendEntries(5_000);
    expect([refused.status, refused.body.code]).toEqual([409, 'import-quota-reached']);
    expect(await usageOf()).toMatchObject({ import_rows: 0, import_bytes: 0, import_bytes_max: 1_000_000 });
    expect((await sendEntries(100)).status).toBe(201);
  });

  test('passes its quota by no two uploads at once, whatever clients they are for', async () => {
    await operator('workspace', 'settings', workspace, '--import-rows', '10');
    const scoped = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: client });
    const sent = ['A', 'B', 'C', 'D'].map((prefix, index) =>
      sendEntries(4, { prefix, caller: index % 2 === 0 ? admin : scoped }),
    );
    await nextTurn();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409]);
    expect(await usageOf()).toMatchObject({ import_rows: 8 });
  });

  test('gets back what the imports of a deleted client took', async () => {
    await sendEntries(4);
    const other = (await admin.post('/v1/clients', { name: 'Buchfink', reference_currency: 'CHF' })).body.id;
    const owned = { method: 'POST', raw: camt.document([{ entries: [camt.entry({ reference: 'X' })] }]) } as const;
    expect((await admin.send(`/v1/imports?client_id=${other}`, owned)).status).toBe(201);
    expect(await usageOf()).toMatchObject({ import_rows: 5 });
    expect((await admin.delete(`/v1/clients/${other}`)).status).toBe(204);
    expect(await usageOf()).toMatchObject({ import_rows: 4 });
  });
});
