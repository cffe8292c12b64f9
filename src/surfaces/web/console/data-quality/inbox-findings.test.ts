// Which findings of several reporting entities stand on a page, and whether there is another page.

import { describe, expect, test } from 'vitest';
import type { FindingCode } from '../../../../model/report/finding.ts';
import type { Page } from '../../signed-in-page.ts';
import { chosenCodes, readOne, readSeveral, type Inbox, type InboxEntity } from './inbox-findings.ts';

interface Wanted {
  readonly cursor?: string;
  readonly isFile?: true;
  readonly codes?: readonly FindingCode[];
}

const everyCode = chosenCodes('', '');

function finding(fields: object): any {
  const place = { account_id: 'a', depository_id: null, instrument_id: null, date: null, quantity: null };
  const rest = { currency: null, to_currency: null, transaction_ids: [], historical_holding_ids: [] };
  return { code: 'estimated-value', severity: 'notice', effect: '1', ...place, ...rest, ...fields };
}

/** So many findings, each with another account, those with the largest effect first. */
function findings(count: number, name = 'a'): any[] {
  return Array.from({ length: count }, (_none, index) =>
    finding({ account_id: `${name}${index + 1}`, effect: String(10_000 - index) }),
  );
}

/** Reads the inbox of reporting entities with these findings, and what was read of the API for it. */
async function read(
  lists: Readonly<Record<string, readonly any[]>>,
  { cursor, isFile, codes = everyCode }: Wanted = {},
  clientOf: (entity: string) => string = () => 'c',
): Promise<{ readonly inbox: Inbox; readonly accounts: readonly string[]; readonly reads: readonly any[] }> {
  const reads: any[] = [];
  const api = {
    async get(_path: string, question: any) {
      reads.push(question);
      const all = lists[question.reporting_entity_id] ?? [];
      const start = Number(question.cursor ?? 0);
      const end = start + Number(question.limit);
      const bySeverity = Map.groupBy(all, ({ severity }) => severity);
      const counts = [...bySeverity].map(([severity, own]) => ({ severity, count: own.length }));
      const hasMore = all.length > end;
      return { data: all.slice(start, end), has_more: hasMore, next_cursor: hasMore ? String(end) : null, counts };
    },
  };
  const query = new URLSearchParams(cursor === undefined ? {} : { cursor });
  const page = { api, query } as unknown as Page;
  const entities = Object.keys(lists).map((id): InboxEntity => ({ id, name: id, client_id: clientOf(id) }));
  const wanted = { entities, codes, currency: 'CHF' };
  const [only, other] = entities;
  const isOne = only !== undefined && other === undefined;
  const inbox = await (isOne
    ? readOne(page, wanted, only)
    : readSeveral(page, wanted, isFile === true ? 'all' : 'page'));
  return { inbox, accounts: inbox.findings.map((found) => found.finding.account_id), reads };
}

const names = (from: number, to: number, name = 'a'): string[] =>
  Array.from({ length: to - from + 1 }, (_none, index) => `${name}${from + index}`);

describe('the pages of several reporting entities', () => {
  test('have 25 findings each, and lead to one another until all are shown', async () => {
    const lists = { one: findings(60), other: [] };
    const shown = [];
    for (const cursor of ['0', '25', '50']) {
      const { inbox, accounts } = await read(lists, { cursor });
      shown.push([accounts, inbox.next, inbox.isCut]);
    }
    expect(shown).toEqual([
      [names(1, 25), '25', false],
      [names(26, 50), '50', false],
      [names(51, 60), null, false],
    ]);
  });

  test.each([
    ['one page', 25, undefined],
    ['a page after pages of the API', 125, '100'],
    ['as many as are listed', 500, '475'],
  ] as const)('end with %s that is just full', async (_what, count, cursor) => {
    const { inbox, accounts } = await read({ one: findings(count), other: [] }, cursor === undefined ? {} : { cursor });
    expect([accounts, inbox.next, inbox.isCut]).toEqual([names(count - 24, count), null, false]);
  });

  test('go on where one more is left, up to 500 findings, of which the last page says that there are more', async () => {
    const next = async (count: number, cursor: string): Promise<unknown> => {
      const { inbox } = await read({ one: findings(count), other: [] }, { cursor });
      return [inbox.findings.length, inbox.next, inbox.isCut];
    };
    expect(await next(126, '100')).toEqual([25, '125', false]);
    expect(await next(501, '450')).toEqual([25, '475', false]);
    expect(await next(501, '475')).toEqual([25, null, true]);
    // From two lists of which neither has more than a page.
    const halves = { one: findings(13), other: findings(13, 'b') };
    expect((await read(halves)).inbox.next).toBe('25');
  });

  test('read no more of the API than they need', async () => {
    const limits = async (cursor: string): Promise<unknown> =>
      (await read({ one: findings(300), other: [] }, { cursor })).reads
        .filter((question) => question.reporting_entity_id === 'one')
        .map((question) => [question.limit, question.cursor ?? null]);
    expect(await limits('0')).toEqual([['25', null]]);
    expect(await limits('75')).toEqual([['100', null]]);
    expect(await limits('100')).toEqual([
      ['100', null],
      ['100', '100'],
    ]);
  });

  test('begin with the first where the address says no page, and end with the last', async () => {
    const lists = { one: findings(501), other: [] };
    for (const cursor of ['x', '-1', '1000', '']) expect((await read(lists, { cursor })).accounts[0]).toBe('a1');
    expect((await read(lists, { cursor: '999' })).accounts[0]).toBe('a476');
  });

  test('are one file of at most 500, whatever page it was taken from', async () => {
    const { inbox, accounts } = await read({ one: findings(501), other: [] }, { cursor: '25', isFile: true });
    expect([accounts, inbox.next]).toEqual([names(1, 500), null]);
  });
});

describe('the findings of several reporting entities', () => {
  test('are counted by severity, also those of other pages', async () => {
    const error = finding({ severity: 'error', effect: null });
    const { inbox } = await read({ one: [error, ...findings(30)], other: [error, error] });
    expect(inbox.counts).toEqual({ error: 3, notice: 30 });
  });

  test('stand by what they could move: without it errors first and others last, and of the same in the order of codes', async () => {
    const [first = '', second = ''] = everyCode;
    const one = [
      finding({ account_id: 'error', severity: 'error', effect: null }),
      finding({ account_id: 'large', effect: '100' }),
      finding({ account_id: 'second', code: second, effect: '10' }),
      finding({ account_id: 'unknown', effect: null }),
    ];
    const other = [
      finding({ account_id: 'larger', effect: '100.01' }),
      finding({ account_id: 'first', code: first, effect: '10' }),
      finding({ account_id: 'small', effect: '9' }),
    ];
    const { accounts } = await read({ one, other });
    expect(accounts).toEqual(['error', 'larger', 'large', 'first', 'second', 'small', 'unknown']);
  });

  test('are listed once for a client, with how many others have them, unless they are about the entity itself', async () => {
    const own = finding({ code: 'no-portfolio', account_id: null });
    const same = finding({ instrument_id: 'i' });
    const lists = { one: [same, own], two: [same, own], three: [same] };
    const { inbox } = await read(lists, {}, (entity) => (entity === 'three' ? 'elsewhere' : 'c'));
    const shown = inbox.findings.map(({ entity, finding: { code }, others }) => `${entity.id}: ${code} ${others}`);
    expect(shown.toSorted()).toEqual([
      'one: estimated-value 1',
      'one: no-portfolio 0',
      'three: estimated-value 0',
      'two: no-portfolio 0',
    ]);
  });
});

test('one reporting entity is paged by the API, which narrows to chosen codes', async () => {
  const codes = [...everyCode].slice(0, 2);
  const { inbox, reads } = await read({ one: findings(26) }, { codes });
  expect([inbox.findings.length, inbox.next, inbox.counts]).toEqual([25, '25', { notice: 26 }]);
  const question = { reporting_entity_id: 'one', sort: 'effect', currency: 'CHF', limit: '25' };
  expect(reads).toEqual([{ ...question, code: codes.join(','), cursor: null }]);
  expect((await read({ one: findings(26) }, { cursor: '25' })).accounts).toEqual(['a26']);
});
