// Tests imports over HTTP: a file is checked, booked, sent again and undone, as a body or as a form.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const camt = new CamtText({ version: 8 });
const iban = 'CH93 0076 2011 6238 5295 7';

const statement = camt.document([
  {
    balances: [camt.balance('OPBD', '1000.00', '2024-03-01'), camt.balance('CLBD', '1150.00', '2024-03-01')],
    entries: [
      camt.entry({ amount: '200.00', direction: 'CRDT', reference: 'A-1' }),
      camt.entry({ amount: '50.00', direction: 'DBIT', reference: 'A-2' }),
      camt.entry({ amount: '7.00', direction: 'DBIT', status: 'PDNG', reference: 'A-3' }),
    ],
  },
]);

async function setUp(number = iban) {
  const admin = await service.openWorkspace();
  const household = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', {
    entity_id: household.legalEntity,
    currency: 'CHF',
    external_identifier: number,
  });
  return { admin, account, ...household };
}

function sendFile(
  caller: Caller,
  query: string,
  file: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const raw = { 'content-type': 'application/xml', ...headers };
  return caller.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers: raw });
}

async function listAmounts(caller: Caller, account: string): Promise<string[]> {
  const { body } = await caller.get(`/v1/transactions?account_id=${account}`);
  return body.data.map(({ amount, source }: any) => `${amount} ${source}`);
}

const noCounts = { rows: 3, booked: 0, amended: 0, unchanged: 0, refused: 0, needs: 0 };

test('a file is checked, booked, unchanged when it comes again, and undone', async () => {
  const { admin, account, client } = await setUp();
  const created = await sendFile(admin, `client_id=${client}&file_name=march.xml`, statement);
  expect(created.status).toBe(201);
  const { id } = created.body;
  expect(created.headers.get('location')).toMatch(new RegExp(`/v1/imports/${id}$`));
  expect(created.body).toMatchObject({
    state: 'checked',
    origin: 'file',
    format: 'camt.053',
    file_name: 'march.xml',
    client_id: client,
    counts: { ...noCounts, booked: 2, unchanged: 1 },
    warnings: [{ code: 'opening-missing', stated: '1000' }],
    booked_at: null,
  });
  expect(await listAmounts(admin, account)).toEqual([]);
  const rows = (await admin.get(`/v1/imports/${id}/rows`)).body.data;
  expect(rows[0]).toMatchObject({ number: 1, item: 'entry', outcome: 'booked', account_id: account });
  expect(rows[0].stated).toMatchObject({ amount: '200', currency: 'CHF', reference: 'A-1', kind: 'flow' });
  expect(rows[2]).toMatchObject({ outcome: 'unchanged', code: 'pending' });

  const booked = await admin.send(`/v1/imports/${id}/book`, { method: 'POST' });
  expect([booked.status, booked.body.state, booked.body.counts.booked]).toEqual([200, 'booked', 2]);
  expect(await listAmounts(admin, account)).toEqual(['200 custodian', '-50 custodian']);
  const [row] = (await admin.get(`/v1/imports/${id}/rows?outcome=booked&limit=1`)).body.data;
  expect((await admin.get(`/v1/transactions/${row.became.id}`)).body.external_reference).toBe('A-1');

  const again = await sendFile(admin, `client_id=${client}&book=true`, statement);
  expect(again.body.counts).toEqual({ ...noCounts, unchanged: 3 });

  const undone = await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
  expect(undone.body).toMatchObject({ state: 'undone', undone: { closed: 2, restored: 0, kept: 0 } });
  expect(await listAmounts(admin, account)).toEqual([]);
  for (const act of ['book', 'undo']) {
    const { status, body } = await admin.send(`/v1/imports/${id}/${act}`, { method: 'POST' });
    expect([status, body.code]).toEqual([409, 'import-not-possible']);
  }
});

test('undoing keeps what was corrected since; the file sent again books the rest alone', async () => {
  const { admin, account, client } = await setUp();
  const query = `client_id=${client}&book=true`;
  const { id } = (await sendFile(admin, query, statement)).body;
  const [first] = (await admin.get(`/v1/imports/${id}/rows?outcome=booked&limit=1`)).body.data;
  expect((await admin.patch(`/v1/transactions/${first.became.id}`, { amount: '210' })).status).toBe(200);
  const undone = await admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
  expect(undone.body).toMatchObject({ state: 'undone', undone: { closed: 1, restored: 0, kept: 1 } });
  const keptEntries = await runSql(service.database, 'SELECT reference FROM stated_entry WHERE account_id = $1', [
    account,
  ]);
  expect(keptEntries).toEqual([{ reference: 'A-1' }]);
  const again = await sendFile(admin, query, statement);
  expect(again.body.counts).toEqual({ ...noCounts, booked: 1, unchanged: 2 });
  expect((await listAmounts(admin, account)).map((text) => text.split(' ')[0])).toEqual(['210', '-50']);
});

test('a form with the file and its parameters is the same import', async () => {
  const { admin, account, client } = await setUp();
  const boundary = 'limit--x';
  const part = (head: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const form = [
    part('name="client_id"', client),
    part('name="file"; filename="C:\\bank\\march.xml"', statement),
    part('name="book"', 'true'),
    `--${boundary}--\r\n`,
  ].join('');
  const type = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  const { status, body } = await sendFile(admin, '', form, type);
  expect([status, body.state, body.file_name, body.counts.booked]).toEqual([201, 'booked', 'march.xml', 2]);
  expect(await listAmounts(admin, account)).toHaveLength(2);
  const cut = await sendFile(admin, '', form.slice(0, -10), type);
  expect([cut.status, cut.body.code]).toEqual([400, 'malformed-request']);
  const wrong = await sendFile(admin, '', form.replace('name="book"', 'name="bok"'), type);
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid-parameter']);
});

test('rows for an account nobody has wait, and are booked once the account has the number', async () => {
  const { admin, account, client } = await setUp('another number');
  const { body } = await sendFile(admin, `client_id=${client}&account_id=${account}&book=true`, statement);
  expect(body.counts).toEqual({ ...noCounts, unchanged: 1, needs: 2 });
  const { data } = (await admin.get(`/v1/imports/${body.id}/rows?outcome=needs`)).body;
  expect(data[0]).toMatchObject({ needs: 'account', code: 'account-unknown' });
  expect(data[0].stated.account.number.replaceAll(' ', '')).toBe(iban.replaceAll(' ', ''));
  await admin.patch(`/v1/accounts/${account}`, { external_identifier: iban });
  const booked = await admin.send(`/v1/imports/${body.id}/book`, { method: 'POST' });
  expect(booked.body.counts).toEqual({ ...noCounts, booked: 2, unchanged: 1 });
  expect(await listAmounts(admin, account)).toHaveLength(2);
});

test('a statement that does not lead to its closing balance says so with both figures', async () => {
  const { admin, client } = await setUp();
  const { body } = await sendFile(admin, `client_id=${client}`, statement.replace('1150.00', '1160.00'));
  expect(body.warnings).toMatchObject([
    { code: 'opening-missing' },
    { code: 'balances-differ', expected: '1150', stated: '1160' },
  ]);
});

test('a first statement says which call makes its opening balance the beginning of the ledger', async () => {
  const { admin, account, client } = await setUp();
  const { body } = await sendFile(admin, `client_id=${client}&book=true`, statement);
  const [opening] = body.warnings;
  expect(opening).toMatchObject({ code: 'opening-missing', stated: '1000' });
  const [upload] = /\{.*\}$/.exec(opening.detail)!;
  expect(JSON.parse(upload)).toMatchObject({ account_id: account, date: '2024-02-29' });
  const differences = async (): Promise<unknown[]> =>
    (await admin.get(`/v1/reconciliations?client_id=${client}&differences_only=true`)).body.data;
  expect(await differences()).toMatchObject([{ kind: 'cash', difference: '1000' }]);
  expect((await admin.post('/v1/historical-holdings', JSON.parse(upload))).status).toBe(201);
  expect(await differences()).toEqual([]);
  expect((await sendFile(admin, `client_id=${client}&book=true`, statement)).body.warnings).toEqual([]);
});

test('what cannot be read is said in whole sentences: a document type is refused by name', async () => {
  const { admin, client } = await setUp();
  const details: string[] = [];
  for (const file of ['<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "x.dtd"><a/>', statement.slice(0, 400)]) {
    details.push((await sendFile(admin, `client_id=${client}`, file)).body.detail);
  }
  expect(details[0]).toBe(
    'Line 2: Document type declarations are refused. Remove the DOCTYPE and its entities. Nothing was imported.',
  );
  expect(details[1]).toMatch(/[^.]\. Nothing was imported\.$/);
});

describe('a file that cannot be read', () => {
  test.each([
    ['is of no known format', 'Dear bank, hello.', 'unknown-file-format'],
    ['is compressed', gzipSync(statement), 'unknown-file-format'],
    ['is an archive in which a statement is stored', `PK\u0003\u0004\n\u0000a.xml${statement}`, 'unknown-file-format'],
    ['is no text', `a;b\n\u0010;\u0011\n`, 'unknown-file-format'],
    ['is damaged', statement.slice(0, 400).replace('<', '<<'), 'unreadable-file'],
    ['is unknown and has a document type', '<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "x.dtd"><a/>', 'unreadable-file'],
    ['has entities', `<!DOCTYPE x [<!ENTITY a "b">]>${statement.replace(/^<\?xml[^>]*>/, '')}`, 'unreadable-file'],
  ])('%s, and is refused as a whole', async (_what, file, code) => {
    const { admin, client } = await setUp();
    const { status, body } = await sendFile(admin, `client_id=${client}`, file);
    expect([status, body.code]).toEqual([422, code]);
    expect((await admin.get('/v1/imports')).body.data).toEqual([]);
  });
});

test('a file that is damaged while earlier rows are being booked books none of them, and the next file is booked', async () => {
  const { admin, account, client } = await setUp();
  const entries = Array.from({ length: 2_001 }, (_, index) =>
    camt.entry({ amount: '1.00', direction: 'CRDT', reference: `L-${index}` }),
  );
  const damaged = camt.document([{ entries }]).replace(/<\/Stmt>/, '<<');
  const { status, body } = await sendFile(admin, `client_id=${client}&book=true`, damaged);
  expect([status, body.code]).toEqual([422, 'unreadable-file']);
  const { counts } = (await sendFile(admin, `client_id=${client}&book=true`, statement)).body;
  expect(counts).toEqual({ ...noCounts, booked: 2, unchanged: 1 });
  expect(await listAmounts(admin, account)).toEqual(['200 custodian', '-50 custodian']);
});

test('the same file twice at the same time is booked once', async () => {
  const { admin, account, client } = await setUp();
  const replies = await Promise.all(
    Array.from({ length: 3 }, () => sendFile(admin, `client_id=${client}&book=true`, statement)),
  );
  expect(replies.map(({ body }) => body.counts.booked).toSorted()).toEqual([0, 0, 2]);
  expect(await listAmounts(admin, account)).toHaveLength(2);
});

const rates = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube><Cube time="2024-03-01"><Cube currency="USD" rate="1.0813"/><Cube currency="CHF" rate="0.9547"/></Cube></Cube>
</gesmes:Envelope>`;

test('rates are booked for all clients, unchanged when they come again, and closed when the import is undone', async () => {
  const { admin } = await setUp();
  const { body } = await sendFile(admin, 'book=true', rates);
  expect(body.counts).toEqual({ ...noCounts, rows: 2, booked: 2 });
  expect((await sendFile(admin, 'book=true', rates)).body.counts).toEqual({ ...noCounts, rows: 2, unchanged: 2 });
  const corrected = await sendFile(admin, 'book=true', rates.replace('0.9547', '0.9548'));
  expect(corrected.body.counts).toEqual({ ...noCounts, rows: 2, amended: 1, unchanged: 1 });
  const list = async () =>
    (await admin.get('/v1/fx-rates')).body.data.map(({ quote, rate }: any) => `${quote} ${rate}`);
  expect(await list()).toEqual(['CHF 0.9548', 'USD 1.0813']);
  await admin.send(`/v1/imports/${corrected.body.id}/undo`, { method: 'POST' });
  expect(await list()).toEqual(['CHF 0.9547', 'USD 1.0813']);
  await admin.send(`/v1/imports/${body.id}/undo`, { method: 'POST' });
  expect(await list()).toEqual([]);
});
