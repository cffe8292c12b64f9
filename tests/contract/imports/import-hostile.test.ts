// Files as the world sends them: cut off, named wrongly, in other encodings, with days that never were, for accounts of others.

import { connect } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { rawHead } from '../../setup/http/raw-request.ts';
import { serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { CsvReader } from '../../../src/kit/csv-reader.ts';
import { recognitionLength } from '../../../src/statements/recognise.ts';
import { makeHousehold, makeRecord, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
const camt = new CamtText({ version: 8 });
const number = 'CH9300762011623852957';

async function setUp() {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const account = await addAccount(admin, legalEntity);
  return { admin, client, account };
}

const addAccount = (admin: Caller, entity: string, name = number): Promise<string> =>
  makeRecord(admin, 'accounts', { entity_id: entity, currency: 'CHF', external_identifier: name });

function sendFile(caller: Caller, query: string, file: string | Uint8Array, type = 'text/plain'): Promise<Reply> {
  return caller.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers: { 'content-type': type } });
}

async function listLedger(caller: Caller, account: string): Promise<string[]> {
  const { data } = (await caller.get(`/v1/transactions?account_id=${account}&limit=100`)).body;
  return data.map(({ date, amount, comment }: any) => [date, amount, comment].filter(Boolean).join(' '));
}

const statement = camt.document([{ entries: [camt.entry({ amount: '5.00', reference: 'A-1', note: 'Zürich' })] }]);

test('a file for the account of another client waits for an account, and is booked to neither', async () => {
  const { admin, account } = await setUp();
  const other = await makeHousehold(admin, 'Buchfink');
  const default_ = await addAccount(admin, other.legalEntity, 'other');
  for (const query of [`client_id=${other.client}`, `account_id=${default_}`]) {
    const { body } = await sendFile(admin, `${query}&book=true`, statement);
    expect(body.counts).toMatchObject({ rows: 1, booked: 0, needs: 1 });
  }
  const mixed = await sendFile(admin, `client_id=${other.client}&account_id=${account}&book=true`, statement);
  expect([mixed.status, mixed.body.code]).toEqual([422, 'different-client']);
  expect([...(await listLedger(admin, account)), ...(await listLedger(admin, default_))]).toEqual([]);
});

test.each([
  ['client', 404, 'client-not-found'],
  ['account', 404, 'account-not-found'],
  ['depository', 404, 'depository-not-found'],
])('a file for the %s of an unknown id is refused, and is no import', async (type, status, code) => {
  const { admin } = await setUp();
  const reply = await sendFile(admin, `${type}_id=${unknownId}&book=true`, statement);
  expect([reply.status, reply.body.code, reply.body.errors[0].parameter]).toEqual([status, code, `${type}_id`]);
  expect((await admin.get('/v1/imports')).body.data).toEqual([]);
});

test('a file whose connection is lost in the middle leaves nothing, and comes whole the next time', async () => {
  const { admin, client, account } = await setUp();
  const { hostname, port } = new URL(admin.address);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const seen = vi.fn();
  service.server.app.server.once('request', seen);
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'text/plain' };
  const length = { 'content-length': String(statement.length + 10_000) };
  socket.write(rawHead('POST', `/v1/imports?client_id=${client}&book=true`, { ...headers, ...length }));
  socket.write(statement);
  await vi.waitFor(() => expect(seen).toHaveBeenCalled(), { interval: 10, timeout: 120_000 });
  socket.destroy();
  const { body } = await sendFile(admin, `client_id=${client}&book=true`, statement);
  expect(body.counts).toMatchObject({ booked: 1 });
  expect((await admin.get('/v1/imports')).body.data).toHaveLength(1);
  expect(await listLedger(admin, account)).toHaveLength(1);
});

test('the same file on two nodes at the same moment is booked once', async () => {
  const { admin, client, account } = await setUp();
  const settings = { BASE_URL: service.addresses.baseUrl };
  const node = await startTestService({ database: service.database, clock: service.clock, settings });
  onTestFinished(() => node.stop());
  const callers = [admin, admin.atAddress(node.admin.address)];
  const replies = await Promise.all(callers.map((at) => sendFile(at, `client_id=${client}&book=true`, statement)));
  expect(replies.map(({ body }) => body.counts.booked).toSorted()).toEqual([0, 1]);
  expect(await listLedger(admin, account)).toHaveLength(1);
});

const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const csv = [
  'Auftragskonto;Buchungstag;Valutadatum;Buchungstext;Verwendungszweck;Beguenstigter/Zahlungspflichtiger;Betrag;Waehrung;Info',
  `${number};31.01.2024;31.01.2024;GUTSCHRIFT;Zürich;;1.234,56;CHF;Umsatz gebucht`,
  `${number};29.02.2024;29.02.2024;LASTSCHRIFT;Miete;;-5,00;CHF;Umsatz gebucht`,
  '',
];

test.each([
  ['camt.053 in UTF-16 with its mark', utf16(statement.replace('UTF-8', 'UTF-16'))],
  ['camt.053 in ISO-8859-1', latin(statement.replace('UTF-8', 'ISO-8859-1'))],
  ['camt.053 with the mark of UTF-8', `\ufeff${statement}`],
  ['camt.053 with lines that end in CR', statement.replaceAll('\n', '\r')],
])('%s', async (_what, file) => {
  const { admin, client, account } = await setUp();
  expect((await sendFile(admin, `client_id=${client}&book=true`, file)).body.counts).toMatchObject({ booked: 1 });
  expect(await listLedger(admin, account)).toEqual(['2024-03-01 5 Zürich']);
});

test.each([
  ['CSV in UTF-16 with its mark', utf16(csv.join('\r\n'))],
  ['CSV in ISO-8859-1 with lines that end in CR', latin(csv.join('\r'))],
])('%s', async (_what, file) => {
  const { admin, account } = await setUp();
  const { body } = await sendFile(admin, `account_id=${account}&book=true`, file);
  expect(body.counts).toMatchObject({ rows: 2, booked: 2 });
  expect(await listLedger(admin, account)).toEqual(['2024-01-31 1234.56 Zürich', '2024-02-29 -5 Miete']);
});

const heading = [':20:X', `:25:${number}`, ':28C:1/1', ':60F:C240114CHF0,00'];
const ofx = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CHF<BANKACCTFROM><ACCTID>${number}</BANKACCTFROM><BANKTRANLIST>`;

test.each([
  ['camt.053', statement.replaceAll('2024-03-01', '2024-02-30')],
  ['camt.053 of the year zero', statement.replaceAll('2024-03-01', '0000-03-01')],
  ['mt940', [...heading, ':61:2402300230C5,00NTRFNONREF//A', ':62F:C240115CHF5,00', '-', ''].join('\r\n')],
  [
    'ofx',
    `${ofx}<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240230<TRNAMT>5.00<FITID>A</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
  ],
  ['csv', csv.slice(0, 2).join('\n').replaceAll('31.01.2024', '30.02.2024')],
  ['csv of a month that is none', csv.slice(0, 2).join('\n').replaceAll('31.01.2024', '01.31.2024')],
])('a day that never was is refused with its line: %s', async (_what, file) => {
  const { admin, account } = await setUp();
  const { status, body } = await sendFile(admin, `account_id=${account}&book=true`, file);
  expect([status, body.counts]).toMatchObject([201, { rows: 1, refused: 1 }]);
  const [row] = (await admin.get(`/v1/imports/${body.id}/rows`)).body.data;
  expect(row).toMatchObject({
    outcome: 'refused',
    line: expect.any(Number),
    detail: expect.stringMatching(/date|day/i),
  });
  expect(await listLedger(admin, account)).toEqual([]);
});

test.each([
  ['mt940', statement],
  ['camt.053', [...heading, '-'].join('\r\n')],
  ['semt.017', statement],
  ['ofx', csv.join('\n')],
  ['csv', statement],
])('a file that is not of the format it is said to be is refused: %s', async (format, file) => {
  const { admin, account } = await setUp();
  const { status, body } = await sendFile(admin, `account_id=${account}&book=true&format=${format}`, file);
  expect([status, body.code]).toEqual([422, expect.stringMatching(/^(?:unreadable-file|unknown-file-format)$/)]);
  expect((await admin.get('/v1/imports')).body.data).toEqual([]);
});

test('a form may call its file anything; it has one, and its name is kept as far as it is one', async () => {
  const { admin, client } = await setUp();
  const send = (...parts: string[]): Promise<Reply> => {
    const body = parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join('');
    return sendFile(admin, `client_id=${client}`, `${body}--x--\r\n`, 'multipart/form-data; boundary=x');
  };
  const file = (name: string): string => `name="file"; filename="${name}"\r\n\r\n${statement}`;
  expect((await send(file('a.xml'), file('b.xml'))).body.code).toBe('malformed-request');
  expect((await send(file(`../../${'é'.repeat(300)}`))).body.file_name).toBe('é'.repeat(200));
  expect((await send(file('a\u0000b\u0007.xml'))).body.file_name).toBe('a b .xml');
  expect((await send(file('\u0000'))).body.file_name).toBeNull();
});

test('only the beginning of a file is looked at to recognise it, however much of it arrives at once', async () => {
  const { admin, client } = await setUp();
  const push = vi.spyOn(CsvReader.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  const file = `Wann;Wieviel\n${'31.01.2024;-5.00\n'.repeat(10_000)}`;
  expect((await sendFile(admin, `client_id=${client}`, file)).body.counts).toMatchObject({ rows: 10_000 });
  expect(Math.max(...push.mock.calls.map(([text]) => text.length))).toBeLessThanOrEqual(recognitionLength);
});

test('the database hears of the transaction while a long file is read that has nothing to write', async () => {
  const { admin, client } = await setUp();
  const tripsFor = async (length: number): Promise<number> => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const comments = `<!--${'x'.repeat(1_000)}-->`.repeat(length / 1_000);
    const { status } = await sendFile(
      admin,
      `client_id=${client}`,
      statement.replace('<BkToCstmrStmt>', `<BkToCstmrStmt>${comments}`),
    );
    const trips = query.mock.calls.length;
    query.mockRestore();
    expect(status).toBe(201);
    return trips;
  };
  await tripsFor(1_000);
  const short = await tripsFor(2_000);
  expect((await tripsFor(40_000_000)) - short).toBeGreaterThanOrEqual(5);
});

test('a token of one client names the client of a file: without one, an import belongs to all', async () => {
  const { admin, client, account } = await setUp();
  const scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client });
  const refused = await sendFile(scoped, 'book=true', statement);
  expect([refused.status, refused.body.code]).toEqual([403, 'outside-reach']);
  for (const query of [`client_id=${client}`, `account_id=${account}`])
    expect((await sendFile(scoped, query, statement)).body.client_id).toBe(client);
  expect((await sendFile(admin, '', statement)).body.client_id).toBeNull();
});

test('of very many equal entries and their reversals, none has the others put in order for it', async () => {
  const { admin, client } = await setUp();
  const count = 300;
  const lines = (kind: 'C' | 'RC'): string[] =>
    Array.from({ length: count }, (_, index) => `:61:2601050105${kind}1,00NTRF${kind}${index}`);
  const head = [':20:ST', `:25:${number}`, ':28C:1/1', ':60F:C260101CHF0,00'];
  const file = [...head, ...lines('C'), ...lines('RC'), ':62F:C260131CHF0,00', '-', ''].join('\n');
  const { toSorted } = Array.prototype;
  let sorted = 0;
  const spy = vi.spyOn(Array.prototype, 'toSorted').mockImplementation(function (this: unknown[], ...order) {
    sorted += this.length;
    return toSorted.apply(this, order);
  });
  onTestFinished(() => spy.mockRestore());
  const { body } = await sendFile(admin, `client_id=${client}`, file);
  expect(body.counts).toMatchObject({ rows: 2 * count, refused: 0, needs: 0 });
  expect(sorted).toBeLessThan(count * 50);
});
