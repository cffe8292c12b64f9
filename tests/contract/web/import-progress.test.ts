// The progress of work on a large import, seen half-way: it is told by the API, moves on with every look, and belongs to no window.

import pg from 'pg';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runSql } from '../../setup/database/sql.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import type { BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const iban = 'CH9300762011623852957';
let client: string;
let other: string;
let browser: SignedInBrowser;

function statement(reference: string, rowCount: number): string {
  const entries = Array.from({ length: rowCount }, (_, index) => [
    `:61:2603310331C1,00NTRFNONREF//${reference}${index}`,
    ':86:Rent',
  ]);
  const head = [':20:STATEMENT', `:25:${iban}`, ':28C:00031/001', ':60F:C260330CHF0,00'];
  return [...head, ...entries.flat(), `:62F:C260331CHF${rowCount},00`, '-', ''].join('\r\n');
}

/** Rows with these numbers wait, whoever writes them, until a test lets them pass. */
const heldRows = [2_010, 4_010];
const gates = `
  CREATE FUNCTION hold_row() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(NEW.number); RETURN NEW; END';
  CREATE TRIGGER hold_row BEFORE INSERT OR UPDATE ON import_row
    FOR EACH ROW WHEN (NEW.number IN (${heldRows.join(', ')})) EXECUTE FUNCTION hold_row()`;

beforeAll(async () => {
  const household = await makeHousehold(service.admin, 'Amsel');
  client = household.client;
  const account = { name: 'Current', currency: 'CHF', external_identifier: iban };
  await makeRecord(service.admin, 'accounts', { entity_id: household.legalEntity, ...account });
  other = await service.admin.makeClient('Drossel');
  await runSql(service.database, gates);
});

beforeEach(async () => {
  browser = await signedInBrowser(service, await insertAdministrator(service));
});

/** Closes the gate of a row, and returns what opens it. */
async function close(row: number): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: service.database.url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('SELECT pg_advisory_lock($1)', [row]);
  return async () => void (await holder.query('SELECT pg_advisory_unlock($1)', [row]));
}

/** Looks again and again, as a reader does, until the page says so. */
function lookUntil(path: string, text: string): Promise<BrowserPage> {
  const look = async (): Promise<BrowserPage | false> => {
    const page = await browser.open(path);
    return page.visibleText.includes(text) && page;
  };
  return vi.waitUntil(look, { timeout: 120_000, interval: 250 }) as Promise<BrowserPage>;
}

async function sendFile(reference: string, rowCount: number): Promise<string> {
  const { status, body } = await service.admin.send(`/v1/imports?client_id=${client}&file_name=${reference}.sta`, {
    method: 'POST',
    raw: statement(reference, rowCount),
    headers: { 'content-type': 'text/plain' },
  });
  expect([status, body.counts?.rows]).toEqual([201, rowCount]);
  return body.id;
}

async function underWay(): Promise<any[]> {
  return (await service.admin.get('/v1/import-work')).body.data;
}

test('booking and undoing tell how many rows are done, to whoever looks, and nothing when they have ended', async () => {
  const id = await sendFile('A', 4_020);
  const address = `/console/imports/${id}`;
  expect(await underWay()).toEqual([]);
  const [openFirst, openSecond] = [await close(2_010), await close(4_010)];
  await browser.press(await browser.open(address), 'Book 4,020 rows');
  const early = await lookUntil(address, '2,000 of 4,020 rows');
  expect(early.text).toContain('<noscript><meta http-equiv="refresh" content="3" /></noscript>');
  expect(await underWay()).toEqual([
    expect.objectContaining({ import_id: id, client_id: client, act: 'book', done_rows: 2_000, total_rows: 4_020 }),
  ]);
  const own = await service.admin.becomeApplication({ rights: ['read'], scoped_to: client });
  const stranger = await service.admin.becomeApplication({ rights: ['read'], scoped_to: other });
  const seenBy = async (caller: typeof own): Promise<number> => (await caller.get('/v1/import-work')).body.data.length;
  expect([await seenBy(own), await seenBy(stranger)]).toEqual([1, 0]);
  expect((await (await service.openWorkspace()).get('/v1/import-work')).body.data).toEqual([]);
  await openFirst();
  await lookUntil(address, '4,000 of 4,020 rows');
  await openSecond();
  await lookUntil(address, 'Booked 4,020');
  expect(await underWay()).toEqual([]);

  // From the last row to the first.
  const openAgain = await close(2_010);
  await browser.press(await browser.open(`${address}/undo`), 'Undo the import', { confirm_name: 'A.sta' });
  await lookUntil('/console/imports/under-way', 'The rows are being undone');
  await lookUntil(address, '2,000 of 4,020 rows');
  expect((await browser.open('/console/imports')).visibleText).toContain('One import is being worked on');
  await openAgain();
  await lookUntil(address, '4,020 closed');
  expect(await underWay()).toEqual([]);
});

test('a file that is still being checked tells how many rows were read, and then leads to the list', async () => {
  const open = await close(2_010);
  const form = await browser.open('/console/imports');
  const file = { name: 'B.sta', content: statement('B', 2_020) };
  const waiting = await browser.upload(form, 'Check the file', { file, fields: { client_id: client } });
  expect(new URL(waiting.url).pathname).toBe('/console/imports/under-way');
  await lookUntil('/console/imports/under-way', '2,000 rows so far');
  await open();
  await lookUntil('/console/imports/under-way', 'B.sta Checked, not booked');
  expect(await underWay()).toEqual([]);
});

test('work that fails leaves nothing under way, and its page says why', async () => {
  const open = await close(2_010);
  const form = await browser.open('/console/imports');
  const camt = new CamtText({ version: 8 });
  const entries = Array.from({ length: 4_020 }, (_, index) => camt.entry({ reference: `C${index}` }));
  const content = camt.document([{ entries }]).slice(0, -20);
  const fields = { client_id: client };
  await browser.upload(form, 'Check the file', { file: { name: 'C.xml', content }, fields });
  await lookUntil('/console/imports/under-way', '2,000 rows so far');
  await open();
  await lookUntil('/console/imports/under-way', 'The file was not imported');
  expect(await underWay()).toEqual([]);
});
