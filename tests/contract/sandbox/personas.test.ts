// The figures of each persona of the sandbox: whole and exact, the same for the same seed, and the same however its clock is moved.

import { beforeAll, describe, expect, test } from 'vitest';
import { toFixed } from '../../../src/kit/fixed.ts';
import { verifyLaws } from '../../../src/store/postgres/verify/verify-laws.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { madeId, makeSandboxClient } from '../../setup/sandbox/sandbox-clients.ts';
import {
  advance,
  comparable,
  expectWhole,
  getBody,
  quarterLife,
  readFigures,
  sumOf,
} from '../../setup/sandbox/sandbox-figures.ts';

const service = serviceForThisFile();
let caller: Caller;

beforeAll(async () => {
  caller = await service.openWorkspace('sandbox');
});

const days = { start_date: '2023-11-15', end_date: '2026-11-13' } as const;

describe('each persona is whole and exact', () => {
  test('the young couple saves, owns a home, and owes a mortgage', async () => {
    const made = await makeSandboxClient(caller, { persona: 'young-couple', ...days });
    const figures = await readFigures(caller, made);
    expectWhole(figures);
    expect(figures.findings).toEqual(['short', 'short-opened']);
    const short = figures.holdings.filter(({ quantity }) => quantity.startsWith('-'));
    expect(short.map(({ segment_name: name }) => name)).toEqual(['Mortgage Gartenweg 4']);
    expect(made.written.transactions).toBeGreaterThan(400);
  });

  test('the trust has funds below cost at first, and above it later: the J-curve', async () => {
    const made = await makeSandboxClient(caller, { persona: 'private-trust', ...days, start_date: '2021-11-15' });
    const figures = await readFigures(caller, made);
    expectWhole(figures);
    expect(figures.findings).toEqual([]);
    const entity = madeId(made, 'reporting-entity');
    const tvpiOn = async (day: string): Promise<number> => {
      const path = `/v1/performance/private-markets?reporting_entity_id=${entity}&as_of=${day}`;
      const { data } = await getBody(caller, path);
      for (const { multiplier } of data.filter((one: any) => one.multiplier.tvpi !== null))
        expect(sumOf([multiplier.dpi, multiplier.rvpi])).toBe(toFixed(multiplier.tvpi));
      return Number(data[0].multiplier.tvpi);
    };
    expect(await tvpiOn('2022-12-31')).toBeLessThan(0.97);
    expect(await tvpiOn('2026-09-30')).toBeGreaterThan(1.1);
  });

  test('the foundation keeps five limits with headroom, and breaches that on one issuer', async () => {
    const made = await makeSandboxClient(caller, { persona: 'foundation', ...days });
    const figures = await readFigures(caller, made);
    expectWhole(figures);
    expect(figures.findings).toEqual([]);
    expect(sumOf(figures.holdings.map((one) => one.accrued_interest))).toBeGreaterThan(0n);
    await runRounds(caller.address);
    const states: Record<string, string> = {};
    for (const { key, id } of made.records.filter(({ type }: any) => type === 'limit')) {
      const { reporting_entities: entities } = await getBody(caller, `/v1/limits/${id}/status`);
      states[key] = entities[0].state;
    }
    expect(states).toEqual({
      shares: 'compliant',
      bonds: 'compliant',
      liquidity: 'compliant',
      'dollars-limit': 'compliant',
      tobacco: 'compliant',
      'single-issuer': 'breached',
    });
    const breaches = await getBody(caller, `/v1/limit-breaches?client_id=${made.id}`);
    expect(breaches.data.map((one: any) => one.limit_id)).toEqual([madeId(made, 'limit', 'single-issuer')]);
  });

  test('the hedge fund is short of three shares and hedges euros, and nothing else is noticed', async () => {
    const made = await makeSandboxClient(caller, { persona: 'hedge-fund', ...days });
    const figures = await readFigures(caller, made);
    expectWhole(figures);
    expect(figures.findings).toEqual(['short', 'short-opened']);
    expect(figures.holdings.filter(({ quantity }) => quantity.startsWith('-'))).toHaveLength(3);
    expect(figures.holdings.filter(({ segment_name: name }) => name.startsWith('EUR/USD forward'))).toHaveLength(1);
  });
});

test('the same persona and seed give the same figures in another workspace, and another seed others', async () => {
  const other = await service.openWorkspace('sandbox');
  const figuresOf = async (from: Caller, seed: number): Promise<unknown> =>
    comparable(await readFigures(from, await makeSandboxClient(from, { ...quarterLife, seed })));
  const first = await figuresOf(caller, 5);
  expect(await figuresOf(other, 5)).toEqual(first);
  expect(await figuresOf(other, 6)).not.toEqual(first);
});

test('a clock moved in one step or in many gives what would have been made at once', async () => {
  const [once, many] = [await makeSandboxClient(caller, quarterLife), await makeSandboxClient(caller, quarterLife)];
  const whole = await makeSandboxClient(caller, { ...quarterLife, end_date: '2025-08-15' });
  expect((await advance(caller, once.id, { to: '2025-08-15' })).status).toBe(200);
  let written = 0;
  for (const body of [{ days: 1 }, { to: '2025-05-31' }, { days: 60 }, { to: '2025-08-15' }]) {
    const reply = await advance(caller, many.id, body);
    expect(reply.status).toBe(200);
    written += reply.body.written.transactions;
  }
  expect(many.written.transactions + written).toBe(whole.written.transactions);
  const expected = comparable(await readFigures(caller, whole));
  for (const made of [once, many]) expect(comparable(await readFigures(caller, made, '2025-08-15'))).toEqual(expected);
  const references = async (made: any): Promise<unknown> => {
    const account = madeId(made, 'account', 'euros');
    const { data } = await getBody(caller, `/v1/transactions?account_id=${account}&from=2025-06-01&limit=100`);
    return data.map((one: any) => [one.date, one.type, one.amount, one.quantity, one.external_reference]);
  };
  expect(await references(many)).toEqual(await references(whole));
  expect(await references(once)).toEqual(await references(whole));
});

test('the ledgers are as booked: no law of the stored rows is broken', async () => {
  const faults: string[] = [];
  await verifyLaws({ connectionString: service.database.url }, (law) => faults.push(...law.faults));
  expect(faults).toEqual([]);
});
