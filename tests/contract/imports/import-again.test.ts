// A file that comes again changes nothing: no transaction, no instrument and no mapping, however its securities are named and whatever came
// in between. Instruments that it created are found again by its own words.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import {
  csvFile,
  csvProfile,
  flexFile,
  namedTrade,
  ofxFile,
  type NamedTrade,
} from '../../setup/statements/named-securities.ts';
import { makeHousehold, makeRecord, type Household } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
/** A client with an account in each currency, both of one number. */
interface Place extends Household {
  readonly admin: Caller;
  readonly accounts: readonly string[];
}

async function makePlace(admin?: Caller): Promise<Place> {
  const caller = admin ?? (await service.openWorkspace());
  if (admin === undefined) await makeRecord(caller, 'import-profiles', csvProfile);
  const household = await makeHousehold(caller, 'Amsel');
  const fields = { entity_id: household.legalEntity, external_identifier: 'U1234567', institution: 'Broker of laws' };
  const accounts = [];
  for (const currency of ['USD', 'CHF']) accounts.push(await makeRecord(caller, 'accounts', { ...fields, currency }));
  return { ...household, admin: caller, accounts };
}

/** `custodian`: with the custodian of an account, as its feed would bring the file. */
async function importFile({ admin, client, accounts }: Place, file: string, origin: 'file' | 'custodian' = 'file') {
  const place = origin === 'file' ? `client_id=${client}` : `account_id=${accounts[0]}`;
  const path = `/v1/imports?${place}&book=true&create_instruments=true`;
  const { status, body } = await admin.send(path, { method: 'POST', raw: file });
  expect([status, body.detail]).toEqual([201, undefined]);
  return body;
}

async function listAll(admin: Caller, path: string): Promise<any[]> {
  const records: any[] = [];
  for (let after = ''; ;) {
    const { body } = await admin.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${after}`);
    records.push(...body.data);
    if (body.next_cursor == null) return records;
    after = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

async function listTransactions({ admin, accounts }: Place): Promise<any[]> {
  const lists = await Promise.all(accounts.map((account) => listAll(admin, `/v1/transactions?account_id=${account}`)));
  return lists.flat();
}

/** Everything that an import may change, with what it says. */
async function stateOf(place: Place) {
  const [transactions, instruments, mappings] = await Promise.all([
    listTransactions(place),
    listAll(place.admin, '/v1/instruments'),
    listAll(place.admin, '/v1/identifier-mappings'),
  ]);
  return { transactions, instruments, mappings };
}

/** What an act changes, and how many rows it books and amends. */
async function changeOf(place: Place, act: () => Promise<any>): Promise<unknown> {
  const before = await stateOf(place);
  const { counts } = await act();
  const after = await stateOf(place);
  const { booked, amended } = counts;
  return { booked, amended, ...(isDeepStrictEqual(before, after) ? {} : { before, after }) };
}

const nothing = { booked: 0, amended: 0 };

const writers = { flex: flexFile, ofx: ofxFile, csv: csvFile };
const format = fc.constantFrom<keyof typeof writers>('flex', 'ofx', 'csv');
const trades = fc.array(namedTrade, { minLength: 1, maxLength: 5 });
const numRuns = 12;

describe('any file changes nothing', () => {
  test('when it comes again, from the custodian or as a file', async () => {
    await fc.assert(
      fc.asyncProperty(trades, format, fc.boolean(), async (rows, kind, isFileFirst) => {
        const place = await makePlace();
        const file = writers[kind](rows);
        await importFile(place, file, isFileFirst ? 'file' : 'custodian');
        expect(await changeOf(place, () => importFile(place, file, isFileFirst ? 'custodian' : 'file'))).toEqual(
          nothing,
        );
        expect(await changeOf(place, () => importFile(place, file))).toEqual(nothing);
      }),
      { numRuns },
    );
  });

  test('after another file about some of the same securities, or after its own pieces', async () => {
    await fc.assert(
      fc.asyncProperty(trades, trades, format, async (rows, others, kind) => {
        const place = await makePlace();
        const file = writers[kind](rows);
        await importFile(place, file);
        await importFile(place, writers[kind === 'flex' ? 'ofx' : 'flex'](others));
        expect(await changeOf(place, () => importFile(place, file))).toEqual(nothing);
        const pieces = await makePlace();
        for (const row of rows) await importFile(pieces, writers[kind]([row]));
        await importFile(pieces, file);
        expect(await changeOf(pieces, () => importFile(pieces, file))).toEqual(nothing);
      }),
      { numRuns },
    );
  });

  test('after it was undone and imported again', async () => {
    await fc.assert(
      fc.asyncProperty(trades, format, async (rows, kind) => {
        const place = await makePlace();
        const file = writers[kind](rows);
        const { id } = await importFile(place, file);
        await place.admin.send(`/v1/imports/${id}/undo`, { method: 'POST' });
        await importFile(place, file);
        expect(await changeOf(place, () => importFile(place, file))).toEqual(nothing);
      }),
      { numRuns },
    );
  });
});

const option: NamedTrade['security'] = {
  ticker: 'SPY 21JUN24 500 C',
  name: 'SPY 21JUN24 500 C',
  currency: 'USD',
  type: 'option',
};
const trade = (security: NamedTrade['security'], units: number): NamedTrade => ({
  security,
  day: 15,
  units,
  isReferenced: true,
});

async function unitsOf(place: Place): Promise<Record<string, number>> {
  const units: Record<string, number> = {};
  for (const { instrument_id, quantity } of await listTransactions(place))
    units[instrument_id] = (units[instrument_id] ?? 0) + Number(quantity);
  return units;
}

test.each<[string, NamedTrade['security'], (rows: readonly NamedTrade[]) => string]>([
  ['an option with neither ISIN nor conid', option, flexFile],
  ['an option that only its name tells', { name: 'SPY 21JUN24 510 C', currency: 'USD', type: 'option' }, ofxFile],
  [
    'a fund with a CUSIP whose check digit is wrong',
    { cusip: '99999X999', name: 'Money fund', currency: 'USD', type: 'fund' },
    ofxFile,
  ],
  ['a share with a ticker alone', { ticker: 'ZZT', currency: 'USD', type: 'stock' }, csvFile],
])('%s that is opened in one file and closed in the next is one instrument', async (_what, security, write) => {
  const place = await makePlace();
  const opening = write([trade(security, 3)]);
  const { counts } = await importFile(place, opening);
  expect(counts).toMatchObject({ booked: write === ofxFile ? 2 : 1, needs: 0 });
  await importFile(place, write([{ ...trade(security, 2), day: 16 }]).replaceAll(/\b([TFC])0\b/g, '$11'));
  expect(Object.values(await unitsOf(place))).toEqual([5]);
  // Another client's file finds what is in the catalogue that all clients share.
  const other = await makePlace(place.admin);
  await importFile(other, opening);
  expect(Object.keys(await unitsOf(other))).toEqual(Object.keys(await unitsOf(place)));
});

test('two imports of one file at once, for two clients, create each instrument once', async () => {
  const place = await makePlace();
  const second = await makePlace(place.admin);
  const securities: NamedTrade['security'][] = [
    { ticker: 'QQA', currency: 'USD', type: 'stock' },
    { cusip: '99999Y998', name: 'Pool', currency: 'USD', type: 'fund' },
    { ticker: 'QQA 21JUN24 500 C', currency: 'USD', type: 'option' },
    { code: 'own-77', ticker: 'QQB', currency: 'CHF', type: 'stock' },
  ];
  const file = flexFile(securities.map((security) => trade(security, 3)));
  const imports = await Promise.all([place, second, place, second].map((one) => importFile(one, file)));
  const instruments = (await listAll(place.admin, '/v1/instruments')).filter(({ name }) => /QQ|Pool/.test(name));
  expect(instruments).toHaveLength(securities.length);
  expect(imports.map(({ counts }) => counts.booked).toSorted()).toEqual([0, 0, 4, 4]);
  for (const one of [place, second])
    expect(Object.keys(await unitsOf(one)).toSorted()).toEqual(instruments.map(({ id }) => id).toSorted());
});

test('a file finds no private instrument and no learned word of another client', async () => {
  const place = await makePlace();
  const other = await makePlace(place.admin);
  const entity = { name: 'Other, all', client_id: other.client };
  const reporting_entity_id = await makeRecord(place.admin, 'reporting-entities', entity);
  const own = { type: 'stock-instrument', name: 'Private', ticker: 'PRV', currency: 'USD', reporting_entity_id };
  const hidden = await makeRecord(place.admin, 'instruments', own);
  const file = csvFile([trade({ ticker: 'PRV', currency: 'USD', type: 'stock' }, 3)]);
  await importFile(other, file);
  expect(Object.keys(await unitsOf(other))).toEqual([hidden]);
  await importFile(place, file);
  const [found, ...others] = Object.keys(await unitsOf(place));
  expect(others).toEqual([]);
  expect(found).not.toBe(hidden);
  const mappings = await listAll(place.admin, '/v1/identifier-mappings');
  const meanings = mappings.map(({ client_id, scheme, value, instrument_id }) => [
    client_id,
    scheme,
    value,
    instrument_id,
  ]);
  expect(meanings).toEqual([
    [other.client, 'ticker', 'PRV', hidden],
    [place.client, 'ticker', 'PRV', found],
  ]);
});

test('an instrument that a person has chosen for a ticker goes before what was learned', async () => {
  const place = await makePlace();
  const { admin } = place;
  const file = (reference: string) =>
    csvFile([trade({ ticker: 'CHO', currency: 'USD', type: 'stock' }, 3)]).replace('C0', reference);
  await importFile(place, file('C1'));
  const [learned] = await listAll(admin, '/v1/identifier-mappings');
  const chosen = await makeRecord(admin, 'instruments', { type: 'stock-instrument', name: 'Chosen', ticker: 'CHO' });
  expect((await admin.patch(`/v1/identifier-mappings/${learned.id}`, { instrument_id: chosen })).status).toBe(200);
  await importFile(place, file('C2'));
  expect(await unitsOf(place)).toMatchObject({ [chosen]: 3 });
  const coded = await makeRecord(admin, 'instruments', {
    type: 'stock-instrument',
    name: 'Coded',
    isin: 'US4592001014',
    ticker: 'CHO',
  });
  const named = { isin: 'US4592001014', ticker: 'CHX', currency: 'USD', type: 'stock' } as const;
  await importFile(place, csvFile([trade(named, 1)]).replace('C0', 'C3'));
  expect(await unitsOf(place)).toMatchObject({ [coded]: 1 });
});

test('rows that say a wrong ISIN beside a known code are booked with those that do not', async () => {
  const place = await makePlace();
  const security = { code: 'own-12', ticker: 'WRG', currency: 'USD', type: 'stock' } as const;
  const file = flexFile([trade({ ...security, isin: 'XXXXXUSD' }, 1), trade(security, 2)]);
  expect((await importFile(place, file)).counts).toMatchObject({ booked: 2, needs: 0 });
  expect(await changeOf(place, () => importFile(place, file))).toEqual(nothing);
});
