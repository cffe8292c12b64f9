// What a request costs on a cluster beside a plain database of the same server: one caller asks both by turns.

import type { ApiClient, ApiRequest } from '../load/api-client.ts';
import type { Household } from '../load/household.ts';

export interface CostlyTenant {
  readonly api: ApiClient;
  readonly household: Household;
}

interface Work {
  readonly what: string;
  readonly turns: number;
  /** What it may cost of what it costs on a plain database. */
  readonly aim: number;
  request(tenant: CostlyTenant, turn: number): ApiRequest;
}

const bulkRows = 2_000;
const day = '2025-03-03';

const work: readonly Work[] = [
  {
    what: 'read a client',
    turns: 75,
    aim: 2,
    request: ({ household }) => ({ path: `/v1/clients/${household.client}` }),
  },
  { what: 'list 50 transactions', turns: 75, aim: 2, request: () => ({ path: '/v1/transactions?limit=50' }) },
  {
    what: 'change a client',
    turns: 75,
    aim: 2.5,
    request: ({ household }, turn) => ({
      method: 'PATCH',
      path: `/v1/clients/${household.client}`,
      body: { name: `Family ${turn}` },
    }),
  },
  {
    what: 'book one transaction',
    turns: 75,
    aim: 2,
    request: ({ household }) => ({ method: 'POST', path: '/v1/transactions', body: depositInto(household) }),
  },
  {
    what: 'holdings, asked again and again',
    turns: 75,
    aim: 2,
    request: ({ household }) => ({ path: `/v1/holdings?reporting_entity_id=${household.entity}&as_of=${day}` }),
  },
  {
    what: 'holdings, each after a booking',
    turns: 40,
    aim: 2,
    request: ({ household }) => ({ path: `/v1/holdings?reporting_entity_id=${household.entity}&as_of=2025-12-31` }),
  },
  {
    what: `a bulk body of ${bulkRows.toLocaleString('en')}`,
    turns: 7,
    aim: 1.3,
    request: ({ household }) => ({
      method: 'POST',
      path: '/v1/transactions/bulk',
      body: { data: Array.from({ length: bulkRows }, () => depositInto(household)) },
    }),
  },
];

function depositInto({ accounts: [account_id] }: Household): object {
  return { account_id, date: day, type: 'deposit', amount: '10' };
}

export interface Cost {
  readonly what: string;
  readonly plainMs: number;
  readonly citusMs: number;
  readonly aim: number;
}

export async function measureCosts(plain: CostlyTenant, citus: CostlyTenant): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  for (const one of work) {
    const [plainTimes, citusTimes]: [number[], number[]] = [[], []];
    // The first turns prepare statements and fill memories.
    for (let turn = -3; turn < one.turns; turn++)
      for (const [tenant, times] of [
        [plain, plainTimes],
        [citus, citusTimes],
      ] as const) {
        if (one.what.endsWith('after a booking'))
          await send(tenant, { method: 'POST', path: '/v1/transactions', body: depositInto(tenant.household) });
        const took = await send(tenant, one.request(tenant, turn));
        if (turn >= 0) times.push(took);
      }
    costs.push({ what: one.what, aim: one.aim, plainMs: medianOf(plainTimes), citusMs: medianOf(citusTimes) });
  }
  return costs;
}

async function send({ api }: CostlyTenant, request: ApiRequest): Promise<number> {
  const key = request.method === undefined ? {} : { key: crypto.randomUUID() };
  const began = performance.now();
  const { status, text } = await api.attempt({ ...request, ...key });
  if (status >= 300) throw new Error(`${request.path}: ${status} ${text.slice(0, 300)}`);
  return performance.now() - began;
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
