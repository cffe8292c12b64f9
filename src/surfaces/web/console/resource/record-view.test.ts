// How a record reads: values of each kind in words, figures with all their digits, and what it refers to by name as far as somebody may read it.

import { describe, expect, test } from 'vitest';
import { figuresOf } from '../../../../../tests/setup/people/page-text.ts';
import { account } from '../../../../model/structure/account.ts';
import { portfolio } from '../../../../model/structure/portfolio.ts';
import { formatsOf } from '../../language/formats.ts';
import type { Page } from '../../signed-in-page.ts';
import { recordFacts, type ApiRecord } from './record-view.ts';

/** A page that can read accounts, whose names are their ids in capitals, and what it read. */
function openPage(isGone: (id: string) => boolean = () => false): { readonly page: Page; readonly reads: string[] } {
  const reads: string[] = [];
  const named = (id: string): object => ({ id, name: id.toUpperCase() });
  const api = {
    may: (_method: string, path: string) => path === '/v1/accounts',
    async find(path: string) {
      reads.push(path);
      const id = path.replace('/v1/accounts/', '');
      return isGone(id) ? undefined : named(id);
    },
    async list(path: string, _query: object, most: number) {
      reads.push(`${path} up to ${most}`);
      return { data: ids(40).map(named), isCut: true };
    },
  };
  return { page: { api, formats: formatsOf('en-GB') } as unknown as Page, reads };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_none, index) => `a${index + 1}`);

async function shown(record: ApiRecord, options: Partial<Parameters<typeof recordFacts>[2]> = {}): Promise<string> {
  return (await recordFacts(openPage().page, record, { resource: undefined, ...options })).text;
}

const nested = [{ year: 2027, amount: '-5' }];

test.each<[string, ApiRecord, string]>([
  ['nothing', { comment: null }, 'Comment –'],
  ['an empty text', { comment: '' }, 'Comment –'],
  ['an empty list', { tags: [] }, 'Tags –'],
  ['yes', { exclude_from_reporting: true }, 'Left out of consolidated reports Yes'],
  ['no', { exclude_from_reporting: false }, 'Left out of consolidated reports No'],
  ['a day', { maturity: '2034-06-15' }, 'Maturity 15 June 2034'],
  ['a moment', { created_at: '2026-11-15T12:00:00.5Z' }, 'Created 15 Nov 2026, 12:00 UTC'],
  ['a word', { type: 'stock-instrument' }, 'Type Stock instrument'],
  ['a word of several', { state: 'in_kind' }, 'State In kind'],
  ['a word in capitals', { accounting_method: 'SPECIFIC_ID' }, 'How sales are matched with lots Chosen lots'],
  ['a code in capitals', { currency: 'CHF' }, 'Currency CHF'],
  ['a figure', { quantity: '1234567.012345678' }, 'Quantity 1,234,567.012345678'],
  ['a figure that is a number', { quantity: 1234 }, 'Quantity 1234'],
  ['a number at a bank', { external_identifier: '1234567' }, 'Number at the custodian 1234567'],
  [
    'words',
    { allowed_transaction_types: ['buy', 'corporate-action'] },
    'Allowed transaction types Buy, Corporate action',
  ],
])('%s', async (_what, record, fact) => {
  expect(figuresOf(await shown(record))).toEqual([fact]);
});

test('a list of parts is indented JSON that the keyboard can scroll', async () => {
  const quoted = JSON.stringify(nested, null, 2).replaceAll('"', '&quot;');
  expect(await shown({ schedule: nested })).toContain(`<dd><pre tabindex="0">${quoted}</pre></dd>`);
});

test('parts of a value stand below it with titles of their own', async () => {
  const text = await shown({ metadata: { hull_number: 7, owners: { first: null } } });
  expect(text.replaceAll(/\s*<[^>]*>\s*/g, '|').replaceAll(/\|+/g, '|')).toBe(
    '|Metadata|Hull number|7|Owners|First|–|',
  );
});

test('what programs need stands last, and what is shown in another way does not stand there', async () => {
  const text = await shown({ id: '0a1', name: 'Cash', currency: 'CHF' }, { without: ['currency'] });
  expect(figuresOf(text)).toEqual(['Name Cash', 'Id 0a1']);
});

describe('a reference', () => {
  const facts = async (
    record: ApiRecord,
    isGone?: (id: string) => boolean,
  ): Promise<[readonly string[], string[], string]> => {
    const { page, reads } = openPage(isGone);
    const { text } = await recordFacts(page, record, { resource: 'entity_id' in record ? account : portfolio });
    return [figuresOf(text), reads, text];
  };

  test('has the name of its record and leads to it', async () => {
    const [shownFacts, reads, text] = await facts({ account_ids: ['a1', 'a2', 'a3'] });
    expect(shownFacts).toEqual(['Accounts A1 , A2 , A3']);
    expect(reads).toEqual(['/v1/accounts/a1', '/v1/accounts/a2', '/v1/accounts/a3']);
    expect(text).toContain('<a href="/console/accounts/a1">A1</a>, <a href="/console/accounts/a2">A2</a>, ');
  });

  test('keeps its id, without a link, where the record is gone or not for this person to read', async () => {
    const [gone, , text] = await facts({ account_ids: ['a1', 'a2'] }, (id) => id === 'a1');
    expect([gone, text.includes('a1</a>')]).toEqual([['Accounts a1, A2'], false]);
    expect(await facts({ entity_id: 'e1' })).toEqual([['Legal entity e1'], [], expect.not.stringContaining('<a ')]);
  });

  test('to nothing is a dash', async () => {
    expect((await facts({ account_ids: [] }))[0]).toEqual(['Accounts –']);
    expect(await facts({ account_id: null })).toEqual([['Account –'], [], expect.any(String)]);
  });

  test('of more than three is named by one list, twenty are shown, and the rest is counted', async () => {
    const [four, reads] = await facts({ account_ids: ids(4) });
    expect([four, reads]).toEqual([['Accounts A1 , A2 , A3 , A4'], ['/v1/accounts up to 1000']]);
    expect((await facts({ account_ids: ids(20) }))[0]).toEqual([`Accounts ${ids(20).join(' , ').toUpperCase()}`]);
    const [more] = await facts({ account_ids: ids(21) });
    expect(more).toEqual([`Accounts ${ids(20).join(' , ').toUpperCase()} and 1 more`]);
  });
});
