// Finding instruments: the filters and the search of v1, the filters of the frozen wires, and results after changes.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { classIdByPath } from '../../setup/instruments/instrument-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord, makeHousehold, unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let caller: Caller;
const ids: Record<string, string> = {};

/** The instruments that the service provides are named by their type. */
function nameOf(id: string): string {
  if (id.startsWith('f'.repeat(16))) return ['cash', 'fees', 'unidentified'][Number(id[17]) - 1]!;
  return Object.keys(ids).find((name) => ids[name] === id) ?? id;
}

function fillIds(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
}

async function add(name: string, fields: object): Promise<void> {
  ids[name] = await makeRecord(caller, 'instruments', JSON.parse(fillIds(JSON.stringify(fields))));
}

beforeAll(async () => {
  caller = await service.openWorkspace();
  ids['equities'] = await classIdByPath(caller, 'Equities');
  ids['view'] = (await makeHousehold(caller)).reportingEntity;
  const stock = { type: 'stock-instrument' };
  await add('nestle', {
    ...stock,
    name: 'Nestlé S.A.',
    ticker: 'NESN',
    isin: 'CH0038863350',
    currency: 'CHF',
    tags: ['core', 'food'],
    instrument_class_id: '{equities}',
  });
  await add('novartis', {
    ...stock,
    name: 'Novartis AG',
    ticker: 'NOVN',
    isin: 'CH0012005267',
    currency: 'CHF',
    tags: ['core'],
  });
  await add('berkshire', {
    ...stock,
    name: 'Berkshire Hathaway',
    ticker: 'BRK.B',
    external_identifier: 'X/99-1',
    currency: 'USD',
  });
  await add('fund', { type: 'mutual-fund-instrument', name: 'Nova Global Equity Fund', external_identifier: 'X/99-1' });
  await add('boat', { type: 'other-instrument', name: 'Yacht Nestor', tags: ['Core'], reporting_entity_id: '{view}' });
  await add('kanji', { type: 'other-instrument', name: '任天堂株式会社 ＡＢＣ Straße', tags: ['a b', '#x'] });
});

async function findNames(path: string): Promise<string> {
  const { status, body, text } = await caller.get(fillIds(path));
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return body.data.map(({ id }: { id: string }) => nameOf(id)).join(' ');
}

describe('v1', () => {
  test.each([
    ['q=nestle', 'nestle'],
    ['q=NESTL%C3%89', 'nestle'],
    ['q=nest', 'nestle boat'],
    ['q=nov', 'novartis fund'],
    ['q=nov%20fund', 'fund'],
    ['q=fund%20global%20nova', 'fund'],
    ['q=s.a.', 'nestle kanji'],
    ['q=estle', ''],
    ['q=nesn', 'nestle'],
    ['q=CH00', 'nestle novartis'],
    ['q=ch0012005267', 'novartis'],
    ['q=brk.b', 'berkshire'],
    ['q=x%2F99', 'berkshire fund'],
    ['q=core', ''],
    ['q=%23core', ''],
    ['q=%E4%BB%BB%E5%A4%A9', 'kanji'],
    ['q=abc', 'kanji'],
    ['q=strasse', ''],
    ['q=stra', 'kanji'],
    ['tag=core', 'nestle novartis'],
    ['tag=Core', 'boat'],
    ['tag=cor', ''],
    ['tag=a%20b', 'kanji'],
    ['tag=%23x', 'kanji'],
    ['tag=core&q=nov', 'novartis'],
    ['type=stock-instrument', 'nestle novartis berkshire'],
    ['type=stock-instrument&currency=CHF', 'nestle novartis'],
    ['type=loan-instrument', ''],
    ['instrument_class_id={equities}', 'nestle novartis berkshire'],
    ['instrument_class_id={equities}&q=nov', 'novartis'],
    ['instrument_class_id={equities}&type=mutual-fund-instrument', ''],
    ['reporting_entity_id={view}', 'boat'],
    ['isin=CH0012005267', 'novartis'],
    ['external_identifier=X%2F99-1', 'berkshire fund'],
    ['external_identifier=X%2F99-1&type=mutual-fund-instrument', 'fund'],
    ['ticker=BRK.B', 'berkshire'],
    ['ticker=brk.b', ''],
    ['currency=USD', 'berkshire cash fees'],
    ['q=a+b+c+d+e+f+g+h', ''],
    ['limit=7', 'nestle novartis berkshire fund boat kanji cash'],
  ])('%s finds %s', async (query, names) => {
    expect(await findNames(`/v1/instruments?${query}`)).toBe(names);
  });

  test.each([
    ['instrument_class_id', 'instrument-class-not-found'],
    ['reporting_entity_id', 'reporting-entity-not-found'],
  ])('an unknown %s is not found', async (parameter, code) => {
    const { status, body } = await caller.get(`/v1/instruments?${parameter}=${unknownId}`);
    expect([status, body.code, body.errors[0].parameter]).toEqual([404, code, parameter]);
  });

  test.each([
    ['q=', 'q must not be empty.'],
    ['q=%2D%2D', 'q must hold a letter or a digit.'],
    ['q=a+b+c+d+e+f+g+h+i', 'q must have at most 8 words.'],
    [`q=${'x'.repeat(201)}`, 'q must have at most 200 characters.'],
    ['type=bond', expect.stringMatching(/^type must be one of stock-instrument, /)],
    ['isin=CH0012005266', 'isin must be an ISIN with a right check digit.'],
    ['currency=chf', 'currency must be an ISO 4217 currency code, such as EUR.'],
    ['name=x', 'The parameter "name" does not exist here.'],
  ])('%s is refused', async (query, detail) => {
    const { status, body } = await caller.get(`/v1/instruments?${query}`);
    expect([status, body.detail]).toEqual([400, detail]);
  });

  test('a search has pages, and its cursor is valid only for that search', async () => {
    const page = (await caller.get('/v1/instruments?q=n&limit=2')).body;
    expect(page.data.map((one: any) => nameOf(one.id))).toEqual(['nestle', 'novartis']);
    const next = (await caller.get(`/v1/instruments?q=n&limit=2&cursor=${page.next_cursor}`)).body;
    expect(next.data.map((one: any) => nameOf(one.id))).toEqual(['fund', 'boat']);
    const other = await caller.get(`/v1/instruments?q=c&limit=2&cursor=${page.next_cursor}`);
    expect([other.status, other.body.code]).toEqual([400, 'cursor-invalid']);
  });

  test('a renamed instrument is found only by its new words, and a deleted one is not found', async () => {
    const id = await makeRecord(caller, 'instruments', {
      type: 'stock-instrument',
      name: 'Zebra Alt',
      ticker: 'ZBR',
      tags: ['zoo'],
    });
    const listSearchWords = (): Promise<object[]> =>
      runSql(service.database, `SELECT word FROM instrument_word WHERE instrument_id = '${id}' ORDER BY word`);
    await caller.patch(`/v1/instruments/${id}`, { name: 'Zebra Neu', ticker: null, tags: ['park'] });
    expect(await listSearchWords()).toEqual(['#park', 'neu', 'zebra'].map((word) => ({ word })));
    expect([await findNames('/v1/instruments?q=alt'), await findNames('/v1/instruments?q=zebra%20neu')]).toEqual([
      '',
      id,
    ]);
    await caller.patch(`/v1/instruments/${id}`, { price_unit: 'hundredths' });
    expect(await findNames('/v1/instruments?tag=park')).toBe(id);
    await caller.delete(`/v1/instruments/${id}`);
    expect([await findNames('/v1/instruments?q=zebra'), await listSearchWords()]).toEqual(['', []]);
  });
});

describe('the frozen track', () => {
  test.each([
    ['type=stock-instrument', 'nestle novartis berkshire'],
    ['name=Novartis%20AG', 'novartis'],
    ['name=Novartis', ''],
    ['externalIdentifier=X%2F99-1', 'berkshire fund'],
    ['externalIdentifier=X%2F99-1&type=stock-instrument', 'berkshire'],
    ['type=mutual-fund-instrument', 'fund'],
    ['instrumentClass={equities}', 'nestle novartis berkshire'],
    ['name=Yacht%20Nestor', ''],
  ])('?%s finds %s in the catalogue', async (query, names) => {
    expect(await findNames(`/api/v3/instruments?${query}`)).toBe(names);
  });

  test.each(['q=nova', 'ticker=NESN', 'filter[name]=X', 'cursor=x'])('?%s is an unknown parameter', async (query) => {
    expect((await caller.get(`/api/v3/instruments?${query}`)).body.errors[0].code).toBe('unknown-parameter');
  });
});
