// What a report said can be proven: asked later with `known_at` of that moment, every report of v1 gives the same bytes, whatever has
// been corrected since. The same inputs have the same `ledger_version`.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { awaitLockWaits, holdLock } from '../../setup/database/lock-waits.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import {
  correct,
  correctionNames,
  makeCorrectedHousehold,
  type CorrectedHousehold,
  type CorrectionName,
} from '../../setup/reports/corrections.ts';

const service = serviceForThisFile();

/** Every report of v1, in each of its formats, on every axis, explained and in pages. */
function reportPaths({ reportingEntity, stock, limit }: CorrectedHousehold): string[] {
  const report = (path: string, query = ''): string => `/v1/${path}?reporting_entity_id=${reportingEntity}${query}`;
  return [
    report('holdings', '&limit=2'),
    report('holdings', '&as_of=2026-06-30&explain=true'),
    ...['account', 'depository', 'portfolio', 'detailed-class'].map((axis) => report('holdings', `&by=${axis}`)),
    report('holdings', '&format=csv'),
    report('lots', '&limit=1'),
    report('lots', '&format=csv'),
    report('realised-gains', '&by=class&limit=1'),
    report('realised-gains', '&format=csv'),
    report('allocation', '&by=class,currency'),
    report('performance', `&by=class,account,instrument&start=2026-01-01&detail=summary&benchmark=${stock}`),
    report('performance', '&start=2026-10-20&by=portfolio'),
    report('performance', '&start=2026-10-20&format=csv'),
    report('performance', '&start=2026-11-01&format=ndjson'),
    report('performance/private-markets', `&index=${stock}`),
    report('data-quality', '&limit=3'),
    report('activity', '&limit=3'),
    report('activity', '&explain=true'),
    report('explain', '&figure=unrealised_pnl'),
    report('explain', '&figure=gain&start=2026-01-01'),
    `/v1/limits/${limit}/status?`,
  ];
}

/** The bytes of an answer. A refusal always names the same of the rates that are missing; only its request id is another. */
async function answerTo(caller: Caller, path: string): Promise<string> {
  const { status, text, body } = await caller.get(path);
  if (status === 200) return text;
  expect([path, status, body.code]).toEqual([path, 422, 'fx-rate-missing']);
  return text.replace(body.request_id, '');
}

interface Moment {
  readonly at: string;
  readonly answers: ReadonlyMap<string, string>;
}

async function rememberMoment(caller: Caller, household: CorrectedHousehold): Promise<Moment> {
  const answers = new Map<string, string>();
  for (const path of reportPaths(household)) answers.set(path, await answerTo(caller, path));
  return { at: new Date(service.clock.now()).toISOString(), answers };
}

const step = fc.record({
  corrections: fc.array(fc.tuple(fc.constantFrom(...correctionNames), fc.nat(60)), { minLength: 1, maxLength: 4 }),
  /** Corrections that follow each other within one millisecond are told apart too. */
  pauseMs: fc.constantFrom(0, 1, 1_000),
});

describe('every report of v1', () => {
  test('gives the same bytes with known_at of the moment at which it was asked', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 3 }), async (steps) => {
        const { admin, clock } = service;
        const household = await makeCorrectedHousehold(admin, `Family ${++count}`);
        const moments = [await rememberMoment(admin, household)];
        for (const { corrections, pauseMs } of steps) {
          clock.advance(1_000);
          for (const [name, pick] of corrections) {
            await correct(household, name, pick);
            clock.advance(pauseMs);
          }
          await runRounds(admin.address);
          moments.push(await rememberMoment(admin, household));
        }
        clock.advance(1_000);
        for (const { at, answers } of moments) {
          for (const [path, text] of answers) {
            expect([at, path, await answerTo(admin, `${path}&known_at=${at}`)]).toEqual([at, path, text]);
          }
        }
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  test('gives the same bytes in a thread of a node that has read nothing before, after every kind of correction', async () => {
    const { admin, clock, database } = service;
    const household = await makeCorrectedHousehold(admin, 'Old node');
    clock.advance(1_000);
    await correct(household, 'cancel', 2);
    const { at, answers } = await rememberMoment(admin, household);
    clock.advance(1_000);
    for (const name of correctionNames) await correct(household, name, 5);
    clock.advance(1_000);
    const node = await serviceForThisTest({ database, clock, settings: { WORK_THREADS: '1' } });
    for (const [path, text] of answers) {
      expect([path, await answerTo(node.admin, `${path}&known_at=${at}`)]).toEqual([path, text]);
    }
  });
});

describe('Known-At of an answer that others wrote beside', () => {
  test('is when it was read, not when it was asked: it covers a booking that began while the question waited', async () => {
    const { admin, clock, database } = service;
    const household = await makeCorrectedHousehold(admin, 'Busy');
    const ofReport = (path: string): string => `/v1/${path}reporting_entity_id=${household.reportingEntity}`;
    for (const path of [
      ofReport('holdings?'),
      ofReport('performance?start=2026-01-01&detail=summary&'),
      ofReport('activity?'),
    ]) {
      const before = await answerTo(admin, path);
      const release = await holdLock(database, 'LOCK TABLE link_version IN ACCESS EXCLUSIVE MODE');
      const reply = admin.get(path);
      await awaitLockWaits(database, 1);
      clock.advance(1_000);
      expect(await correct(household, 'book', 2)).toBe(201);
      await release();
      const { text, headers } = await reply;
      expect([path, text === before]).toEqual([path, false]);
      clock.advance(1_000);
      expect([path, await answerTo(admin, `${path}&known_at=${headers.get('known-at')}`)]).toEqual([path, text]);
    }
  });
});

describe('ledger_version', () => {
  /** This report is never refused. */
  async function versionOf({ reportingEntity }: CorrectedHousehold, query = ''): Promise<string> {
    const path = `/v1/data-quality?reporting_entity_id=${reportingEntity}${query}`;
    return (await service.admin.get(path)).body.ledger_version;
  }

  test('is the same for the same inputs, also where they were changed and changed back', async () => {
    const { admin, clock } = service;
    const household = await makeCorrectedHousehold(admin, 'Back and forth');
    const version = await versionOf(household);
    const [deposit] = household.transactions;
    const there: [change: () => Promise<unknown>, back: () => Promise<unknown>][] = [
      [() => correct(household, 'book', 2), () => correct(household, 'cancel', household.transactions.length - 1)],
      [
        () => admin.patch(`/v1/transactions/${deposit}`, { amount: '7' }),
        () => admin.patch(`/v1/transactions/${deposit}`, { amount: '10000.55' }),
      ],
      [() => correct(household, 'upload', 2), () => correct(household, 'delete upload', 0)],
      [() => correct(household, 'membership', 1), () => correct(household, 'membership', 0)],
      [
        () => admin.post('/v1/fx-rates', { base: 'GBP', quote: 'CHF', date: '2026-01-02', rate: '1.1' }),
        async () => {
          const { body } = await admin.get('/v1/fx-rates?base=GBP');
          await admin.delete(`/v1/fx-rates/${body.data[0].id}`);
        },
      ],
    ];
    for (const [change, back] of there) {
      clock.advance(1_000);
      await change();
      expect(await versionOf(household)).not.toBe(version);
      clock.advance(1_000);
      await back();
      expect(await versionOf(household)).toBe(version);
    }
  });

  test('is the same at two moments between which nothing changed, and now', async () => {
    const { admin, clock } = service;
    const household = await makeCorrectedHousehold(admin, 'Quiet');
    const moments = [0, 1_000, 60_000].map((pause) => {
      clock.advance(pause);
      return new Date(clock.now()).toISOString();
    });
    const versions = new Set([await versionOf(household)]);
    for (const at of moments) versions.add(await versionOf(household, `&known_at=${at}`));
    expect(versions.size).toBe(1);
  });

  test('changes with every correction', async () => {
    const household = await makeCorrectedHousehold(service.admin, 'Changes');
    const changes: [name: CorrectionName, pick: number][] = [
      ['split', 1],
      ['book', 2],
      ['amend', 2],
      ['cancel', 2],
      ['price', 4],
      ['delete price', 1],
      ['net asset value', 3],
      ['rate', 5],
      ['delete rate', 0],
      ['upload', 2],
      ['correct upload', 0],
      ['upload', 3],
      ['delete upload', 0],
      ['membership', 1],
      ['custody link', 1],
      ['portfolio', 1],
      ['terms', 3],
      ['classification', 1],
      ['class of the tree', 1],
      ['setting', 2],
      ['exclude', 0],
    ];
    const versions = [await versionOf(household)];
    for (const [name, pick] of changes) {
      service.clock.advance(1_000);
      const status = await correct(household, name, pick);
      const version = await versionOf(household);
      expect([name, status < 300, versions.includes(version)]).toEqual([name, true, false]);
      versions.push(version);
    }
  });
});

test('pages of a report continue with known_at, and their cursors do not expire', async () => {
  const { admin, clock } = service;
  const household = await makeCorrectedHousehold(admin, 'Pages');
  const path = `/v1/holdings?reporting_entity_id=${household.reportingEntity}&limit=2`;
  const first = await admin.get(path);
  const second = await admin.get(`${path}&cursor=${first.body.next_cursor}`);
  const at = first.headers.get('known-at');
  expect(at).toBe(new Date(clock.now()).toISOString());
  clock.advance(1_000);
  await correct(household, 'book', 3);
  clock.advance(48 * 3_600_000);
  const later = await service.enter({ workspaceId: service.first.workspaceId as never, environment: 'production' });
  const again = await later.get(`${path}&known_at=${at}`);
  expect([again.text, again.headers.get('known-at')]).toEqual([first.text, at]);
  expect((await later.get(`${path}&known_at=${at}&cursor=${again.body.next_cursor}`)).text).toBe(second.text);
});
