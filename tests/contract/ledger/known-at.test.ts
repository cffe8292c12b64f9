// v1 answers as of an earlier moment: what was known then, regardless of later corrections, deletions and additions, also page by
// page.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { bookedId, book, makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord, makeHousehold } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let household: LedgerHousehold;

/** A versioned record type: its list, and how to create, correct and delete records. */
interface VersionedKind {
  readonly list: () => string;
  readonly item: string;
  readonly put: (date: string, value: string) => Promise<Reply>;
  readonly correct: (id: string, date: string, value: string) => Promise<Reply>;
  readonly field: string;
}

const versionedKinds: Record<string, VersionedKind> = {
  transactions: {
    list: () => `/v1/transactions?account_id=${household.account}`,
    item: '/v1/transactions',
    put: (date, value) => book(admin, 'v1', { type: 'fee', date, amount: `-${value}`, account_id: household.account }),
    correct: (id, _date, value) => admin.patch(`/v1/transactions/${id}`, { amount: `-${value}` }),
    field: 'amount',
  },
  prices: {
    list: () => `/v1/instruments/${household.stock}/prices?`,
    item: '/v1/prices',
    put: (date, value) => admin.post(`/v1/instruments/${household.stock}/prices`, { date, value }),
    correct: (_id, date, value) => admin.post(`/v1/instruments/${household.stock}/prices`, { date, value }),
    field: 'value',
  },
  'fx-rates': {
    list: () => '/v1/fx-rates?base=EUR',
    item: '/v1/fx-rates',
    put: (date, rate) => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date, rate }),
    correct: (_id, date, rate) => admin.post('/v1/fx-rates', { base: 'EUR', quote: 'CHF', date, rate }),
    field: 'rate',
  },
  'historical-holdings': {
    list: () => `/v1/historical-holdings?account_id=${household.savings}`,
    item: '/v1/historical-holdings',
    put: (date, value) =>
      admin.post('/v1/historical-holdings', {
        kind: 'account',
        account_id: household.savings,
        date,
        market_value: value,
      }),
    correct: (id, _date, value) => admin.patch(`/v1/historical-holdings/${id}`, { market_value: value }),
    field: 'market_value',
  },
};

const kinds = Object.keys(versionedKinds);

/** For each type: the three records, and the list at each moment in order of time. */
const recordIds: Record<string, string[]> = {};
const moments: { at: string; answers: Record<string, string> }[] = [];

async function recordAnswers(): Promise<void> {
  const answers: Record<string, string> = {};
  for (const kind of kinds) answers[kind] = (await admin.get(versionedKinds[kind]!.list())).text;
  moments.push({ at: new Date(service.clock.now()).toISOString(), answers });
  service.clock.advance(60_000);
}

const days = ['2026-01-05', '2026-01-06', '2026-01-07'];

beforeAll(async () => {
  ({ admin } = service);
  household = await makeLedgerHousehold(admin);
  await recordAnswers();
  for (const kind of kinds) {
    const { put } = versionedKinds[kind]!;
    recordIds[kind] = [];
    for (const [index, day] of days.entries()) recordIds[kind].push(bookedId(await put(day, `${index + 1}`)));
  }
  await recordAnswers();
  for (const kind of kinds) await versionedKinds[kind]!.correct(recordIds[kind]![1]!, days[1]!, '20');
  await recordAnswers();
  for (const kind of kinds) await admin.delete(`${versionedKinds[kind]!.item}/${recordIds[kind]![0]}`);
  await recordAnswers();
  for (const kind of kinds) await versionedKinds[kind]!.put(days[0]!, '100');
  await recordAnswers();
});

function isoAfter(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}

describe.each(kinds)('%s', (kind) => {
  const { list, item, field } = versionedKinds[kind]!;
  const valuesOf = ({ body }: Reply): string[] =>
    body.data.map((one: Record<string, string>) => one[field]!.replace('-', ''));

  test('are listed as they were, to the byte, at each moment and until the next change', async () => {
    const values: string[][] = [];
    for (const { at, answers } of moments) {
      const then = await admin.get(`${list()}&known_at=${at}`);
      expect([then.status, then.text]).toEqual([200, answers[kind]]);
      const later = await admin.get(`${list()}&known_at=${isoAfter(at, 59_999)}`);
      expect(later.text).toBe(answers[kind]);
      values.push(valuesOf(then));
    }
    expect(values).toEqual([[], ['1', '2', '3'], ['1', '20', '3'], ['20', '3'], ['100', '20', '3']]);
  });

  test('come in the same pages, whatever has changed since', async () => {
    for (const { at, answers } of moments) {
      const walked: unknown[] = [];
      for (let cursor = ''; ;) {
        const { body } = await admin.get(`${list()}&limit=1&known_at=${at}${cursor}`);
        walked.push(...body.data);
        if (!body.has_more) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(walked).toEqual(JSON.parse(answers[kind]!).data);
    }
  });

  test('have cursors that are valid only for their moment', async () => {
    const { body } = await admin.get(`${list()}&limit=1&known_at=${moments[1]!.at}`);
    const other = await admin.get(`${list()}&limit=1&known_at=${moments[2]!.at}&cursor=${body.next_cursor}`);
    expect([other.status, other.body.code]).toEqual([400, 'cursor-invalid']);
  });

  test('can be read one by one as they were, but not before they were known or after they were deleted', async () => {
    const [first, second] = recordIds[kind]!;
    const read = async (id: string): Promise<unknown[]> => {
      const replies: unknown[] = [];
      for (const { at } of moments) {
        const { status, body } = await admin.get(`${item}/${id}?known_at=${at}`);
        replies.push(status === 200 ? body[field].replace('-', '') : [status, body.code.replace(/^.*-not/, 'not')]);
      }
      return replies;
    };
    const missing = [404, 'not-found'];
    expect(await read(first!)).toEqual([missing, '1', '1', missing, missing]);
    expect(await read(second!)).toEqual([missing, '2', '20', '20', '20']);
  });

  test.each([
    [
      'in the future',
      () => isoAfter(new Date(service.clock.now()).toISOString(), 1),
      'known_at must not be in the future.',
    ],
    ['malformed', () => '2026-11-15', 'known_at must be a timestamp with an offset, such as 2026-11-15T14:00:00Z.'],
    ['an invalid time', () => '2026-11-15T25:00:00Z', 'known_at must be a time and an offset that exist.'],
  ])('are refused at a moment that is %s', async (_what, at, detail) => {
    for (const path of [`${list()}&known_at=${at()}`, `${item}/${recordIds[kind]![1]}?known_at=${at()}`]) {
      const { status, body } = await admin.get(path);
      const faults = body.errors.map((fault: Record<string, unknown>) => [fault['parameter'], fault['detail']]);
      expect([status, body.code, faults]).toEqual([400, 'invalid-parameter', [['known_at', detail]]]);
    }
  });

  test('are known up to this very moment', async () => {
    const at = new Date(service.clock.now()).toISOString();
    expect((await admin.get(`${list()}&known_at=${at}`)).text).toBe(moments.at(-1)!.answers[kind]);
  });
});

describe('an earlier moment', () => {
  test('may have any offset', async () => {
    const at = encodeURIComponent(moments[1]!.at.replace(/T12(.*)Z/, 'T14$1+02:00'));
    expect((await admin.get(`${versionedKinds['prices']!.list()}&known_at=${at}`)).text).toBe(
      moments[1]!.answers['prices'],
    );
  });

  test('shows the source that counted then, page by page', async () => {
    const bearer = await makeRecord(admin, 'instruments', { type: 'other-instrument', name: 'Boat' });
    const path = `/v1/instruments/${bearer}/prices`;
    const put = (source: string, date: string, value: string): Promise<Reply> =>
      admin.post(path, { date, value, source });
    await admin.post(`${path}/bulk`, {
      data: days.flatMap((date, index) => [
        { date, value: `${index + 1}1`, source: 'reference' },
        { date, value: `${index + 1}2`, source: 'custodian' },
      ]),
    });
    const before = new Date(service.clock.now()).toISOString();
    service.clock.advance(1_000);
    for (const date of days) await put('manual', date, '9');
    for (const date of days) await put('custodian', date, '8');
    const after = new Date(service.clock.now()).toISOString();
    const walk = async (limit: number, at: string): Promise<string[]> => {
      const values: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await admin.get(`${path}?limit=${limit}&known_at=${at}${cursor}`);
        values.push(...body.data.map(({ value }: { value: string }) => value));
        if (!body.has_more) return values;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    for (const limit of [1, 2, 100]) {
      expect(await walk(limit, before)).toEqual(['12', '22', '32']);
      expect(await walk(limit, after)).toEqual(['9', '9', '9']);
    }
    const ofReference = await admin.get(`${path}?source=reference&known_at=${before}`);
    expect(ofReference.body.data.map(({ value }: { value: string }) => value)).toEqual(['11', '21', '31']);
  });

  test('shows a transaction also for the account on its other side', async () => {
    const move = { type: 'withdrawal', date: '2026-05-05', amount: '-5', account_id: household.account };
    const id = bookedId(
      await book(admin, 'v1', { ...move, counter_account_id: household.euros, counter_amount: '4.9' }),
    );
    const at = new Date(service.clock.now()).toISOString();
    service.clock.advance(1_000);
    await admin.delete(`/v1/transactions/${id}`);
    const { body } = await admin.get(`/v1/transactions?account_id=${household.euros}&known_at=${at}`);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await admin.get(`/v1/transactions?account_id=${household.euros}`)).body.data).toEqual([]);
  });

  test('can be read as CSV too', async () => {
    const { at, answers } = moments[1]!;
    const { status, text } = await admin.get(`${versionedKinds['transactions']!.list()}&known_at=${at}&format=csv`);
    const ids = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]);
    expect([status, ids]).toEqual([
      200,
      JSON.parse(answers['transactions']!).data.map((one: { id: string }) => one.id),
    ]);
  });

  test('has the same tenant filters as the current state', async () => {
    const stranger = await makeHousehold(admin, 'Bussard');
    const scoped = await admin.becomeApplication({ rights: ['read'], scoped_to: stranger.client });
    const { at } = moments[1]!;
    for (const kind of ['transactions', 'historical-holdings']) {
      const { item } = versionedKinds[kind]!;
      expect((await scoped.get(`${item}?known_at=${at}`)).body.data).toEqual([]);
      expect((await scoped.get(`${item}/${recordIds[kind]![0]}?known_at=${at}`)).status).toBe(404);
    }
    const otherWorkspace = await service.openWorkspace();
    for (const kind of kinds) {
      const { item } = versionedKinds[kind]!;
      expect((await otherWorkspace.get(`${item}/${recordIds[kind]![0]}?known_at=${at}`)).status).toBe(404);
    }
  });
});
