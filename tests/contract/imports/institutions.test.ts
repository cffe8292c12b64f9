// Made-up exports of institutions, from the upload to the ledger.

import { expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import type { Decimal } from '../../../src/kit/decimal.ts';
import { fromFixed, toFixed } from '../../../src/kit/fixed.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { ibActivityText } from '../../setup/statements/ib-activity-text.ts';
import { institutionSamples } from '../../setup/statements/institution-samples.ts';
import { itemLine } from '../../setup/statements/item-line.ts';
import { readCsv } from '../../setup/statements/read-csv.ts';
import { readStatement } from '../../setup/statements/read-statement.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

/** A client with an account for each that the file names, else one for all of it. */
async function setUp(items: ReturnType<typeof readCsv>) {
  const admin = await service.openWorkspace();
  const { legalEntity, client } = await makeHousehold(admin, 'Amsel');
  const currency = items.flatMap((item) => ('currency' in item ? (item.currency ?? []) : []))[0] ?? 'EUR';
  const numbers = new Set(items.flatMap((item) => (item.item === 'entry' ? (item.account?.number ?? []) : [])));
  for (const number of numbers)
    await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency, external_identifier: number });
  if (numbers.size > 0) return { admin, place: `client_id=${client}` };
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency });
  return { admin, place: `account_id=${account}` };
}

async function importFile(caller: Caller, query: string, file: string): Promise<any> {
  const headers = { 'content-type': 'application/octet-stream' };
  const { status, body } = await caller.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}

/** What becomes of an item, by its line. */
function outcomeOf(line: string): string[] {
  if (/^(?:opening|closing|notice|instrument)\b/.test(line)) return [];
  if (line.startsWith('"') || line.startsWith('needs')) return ['needs'];
  // A reversal without what it reverses, and what is not booked yet.
  if (/^(?:pending|cancels|position)\b/.test(line)) return ['unchanged'];
  // A split has to say how many units become how many; a spin-off which share of the cost goes with it.
  const lacksTerms = /^corporate-action (?:spin-off|split)\b/.test(line) && !/split .*ratio/.test(line);
  return [line.startsWith('refused') || lacksTerms ? 'refused' : 'booked'];
}

type Items = ReturnType<typeof readCsv>;

interface Outcome {
  readonly outcomes: readonly string[];
  readonly cash: string;
  /** By a second upload of the same file. */
  readonly bookedAgain: number;
}

async function outcomeOfFile(text: string, items: Items): Promise<Outcome> {
  const { admin, place } = await setUp(items);
  const query = `${place}&book=true&create_instruments=true`;
  const { id } = await importFile(admin, query, text);
  const { body: rows } = await admin.get(`/v1/imports/${id}/rows?limit=100`);
  const { body: booked } = await admin.get('/v1/transactions?limit=100');
  const cash: readonly string[] = booked.data.flatMap((one: any) => [one.amount ?? '0', one.counter_amount ?? '0']);
  return {
    outcomes: rows.data.filter((row: any) => row.item !== 'instrument').map((row: any) => row.outcome),
    cash: sumOf(cash),
    bookedAgain: (await importFile(admin, query, text)).counts.booked,
  };
}

function statedOutcome(items: Items): Outcome {
  const lines = items.map(itemLine);
  const cash = items.flatMap((item, index) => {
    const isBooked = item.item === 'entry' && outcomeOf(lines[index] ?? '')[0] === 'booked';
    return isBooked ? [item.amount ?? '0', item.counterAmount ?? '0'] : [];
  });
  return { outcomes: lines.flatMap(outcomeOf), cash: sumOf(cash), bookedAgain: 0 };
}

const sumOf = (amounts: readonly string[]): string =>
  fromFixed(amounts.reduce((sum, amount) => sum + toFixed(amount as Decimal), 0n));

test.each(institutionSamples)(
  '$profile: every line is booked with its cash, or says why not, and a second upload books nothing',
  async ({ text }) => {
    const items = readCsv(text);
    expect(await outcomeOfFile(text, items)).toEqual(statedOutcome(items));
  },
);

test('the activity statement of Interactive Brokers is booked in the same way', async () => {
  const items = readStatement(ibActivityText);
  expect(await outcomeOfFile(ibActivityText, items)).toEqual(statedOutcome(items));
});

test('a file without a header is read by the profile that the request names', async () => {
  const text = '2024-01-31,LADEN,12.34,\n2024-02-01,LOHN,,500.00\n';
  const admin = await service.openWorkspace();
  const { legalEntity } = await makeHousehold(admin, 'Amsel');
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CAD' });
  const { body } = await admin.get('/v1/import-profiles?limit=100');
  const cibc = body.data.find(({ name }: any) => name === 'CIBC, account activity (no header)');
  const unnamed = await importFile(admin, `account_id=${account}&book=true`, text);
  expect([unnamed.profile, unnamed.counts.booked]).toEqual([null, 0]);
  const named = await importFile(admin, `account_id=${account}&book=true&profile=${cibc.id}`, text);
  expect([named.profile, named.counts.booked]).toEqual([cibc.id, 2]);
});
