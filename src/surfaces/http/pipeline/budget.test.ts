// Checks the request budget that nodes share, on a real database: each budget here represents a node.

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IdealBucket } from '../../../../tests/setup/http/ideal-bucket.ts';
import type { TestDatabase } from '../../../../tests/setup/database/test-database.ts';
import { makeDatabase } from '../../../../tests/setup/node/test-service.ts';
import { runSql } from '../../../../tests/setup/database/sql.ts';
import { minuteMs, secondMs } from '../../../kit/clock.ts';
import { ManualClock } from '../../../../tests/setup/kit/manual-clock.ts';
import { systemIdSource, type Id } from '../../../kit/id.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { allClients, type Scope } from '../../../model/access/scope.ts';
import { Database } from '../../../store/postgres/database.ts';
import type { Run } from '../../../store/postgres/statement-runner.ts';
import { Stores } from '../../../store/stores.ts';
import type { BudgetSize } from '../../../store/access/request-budget.ts';
import { Budget } from './budget.ts';

class CountingDatabase extends Database {
  leases = 0;

  override write<T>(scope: Scope, work: (run: Run) => Promise<T>): Promise<T> {
    this.leases++;
    return super.write(scope, work);
  }
}

const size: BudgetSize = { requestsPerMinute: 1000, burst: 300 };

let testDatabase: TestDatabase;
let database: CountingDatabase;
let clock: ManualClock;
let caller: Caller;

beforeAll(async () => {
  testDatabase = await makeDatabase();
  database = new CountingDatabase({
    connection: { connectionString: testDatabase.url },
    poolSize: 8,
    statements: 'named',
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(() => {
  clock = newClock();
  caller = newTenant();
  database.leases = 0;
});

const newClock = (): ManualClock => new ManualClock('2026-11-15T12:00:00Z');

let tenants = 0;

function newTenant(): Caller {
  const workspaceId = String(++tenants).padStart(24, '0') as Id;
  const scope = { workspaceId, environment: 'production', visibleClients: allClients, credentialId: null } as const;
  return { scope, rights: new Set(['read']), subject: workspaceId };
}

function node(budgetSize: BudgetSize = size, time = clock): Budget {
  return new Budget(
    { stores: new Stores(database), clock: time, ids: systemIdSource(time) },
    { ...budgetSize, storageBytes: null },
  );
}

async function isAdmitted(budget: Budget, by = caller): Promise<boolean> {
  try {
    await budget.take(by);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'budget-exceeded') return false;
    throw error;
  }
}

/** Sends `count` requests one after the other, and returns how many are admitted. */
async function countAdmitted(budget: Budget, requests: number, by = caller): Promise<number> {
  let admitted = 0;
  for (let request = 0; request < requests; request++) if (await isAdmitted(budget, by)) admitted++;
  return admitted;
}

/** Sends requests to every node until all of them refuse. */
async function drain(nodes: readonly Budget[]): Promise<number> {
  let admitted = 0;
  for (const budget of nodes) while (await isAdmitted(budget)) admitted++;
  return admitted;
}

async function storm(nodes: readonly Budget[], requestsEach: number, by = caller): Promise<number> {
  const all = nodes.flatMap((budget) => Array.from({ length: requestsEach }, () => isAdmitted(budget, by)));
  return (await Promise.all(all)).filter(Boolean).length;
}

describe('a lease', () => {
  test('serves most requests without the database', async () => {
    const budget = node();
    expect(await countAdmitted(budget, 100)).toBe(100);
    expect(database.leases).toBeLessThan(12);
    database.leases = 0;
    expect(await countAdmitted(budget, 100)).toBe(100);
    expect(database.leases).toBeLessThan(5);
  });

  test('serves a request at once, without a promise', async () => {
    const budget = node();
    await countAdmitted(budget, 30);
    expect(budget.take(caller)).toEqual({ left: '"burst";r=269;t=2', policy: '"burst";q=300;w=18' });
  });

  test('of a quiet node reserves little of the budget', async () => {
    const [quiet, busy] = [node(), node()];
    for (let second = 0; second < 9; second++) {
      expect(await isAdmitted(quiet)).toBe(true);
      clock.advance(secondMs);
    }
    expect(await countAdmitted(busy, 300)).toBeGreaterThan(285);
  });

  test('lasts three seconds, and then returns the rest', async () => {
    const budget = node();
    await countAdmitted(budget, 200);
    clock.advance(3 * secondMs - 1);
    database.leases = 0;
    expect(await countAdmitted(budget, 1)).toBe(1);
    expect(database.leases).toBe(0);
    clock.advance(1);
    expect(await countAdmitted(budget, 1)).toBe(1);
    expect(database.leases).toBe(1);
    expect(await countAdmitted(budget, 400)).toBe(300 - 200 + 50 - 2);
  });

  test('of a node that disappeared is refilled for the others', async () => {
    const lostNode = node();
    await countAdmitted(lostNode, 40);
    clock.advance(30 * secondMs);
    expect(await countAdmitted(node(), 400)).toBe(300);
  });

  test('still serves when the database is unavailable; after that requests fail', async () => {
    const lost = new Database({ connection: { connectionString: testDatabase.url }, poolSize: 1, statements: 'named' });
    const budget = new Budget(
      { stores: new Stores(lost), clock, ids: systemIdSource(clock) },
      { ...size, storageBytes: null },
    );
    await countAdmitted(budget, 30);
    await lost.close();
    expect((await budget.take(caller)).left).toMatch(/^"burst";r=269/);
    await expect(countAdmitted(budget, 100)).rejects.toMatchObject({ code: 'database-away' });
  });
});

describe('the limit', () => {
  test.each([1, 2, 4])('with %i node(s) under load, exactly the burst is admitted', async (count) => {
    const nodes = Array.from({ length: count }, () => node());
    expect((await storm(nodes, 150)) + (await drain(nodes))).toBe(300);
    expect(await storm(nodes, 20)).toBe(0);
  });

  test('two nodes used in turn admit the whole burst together', async () => {
    const nodes = [node(), node()];
    let admitted = 0;
    for (let request = 0; request < 400; request++) if (await isAdmitted(nodes[request % 2]!)) admitted++;
    expect(admitted).toBe(300);
  });

  test('no level in the database is ever negative', async () => {
    const nodes = [node(), node(), node()];
    await storm(nodes, 200);
    clock.advance(500);
    await storm(nodes, 200);
    const rows = await runSql<{ subject: string; remaining: number }>(testDatabase, 'SELECT * FROM budget');
    expect(rows.map(({ subject }) => subject)).toContain(caller.subject);
    expect(rows.filter(({ remaining }) => remaining < 0)).toEqual([]);
  });

  test('an empty bucket refuses without the database until it has refilled by one', async () => {
    const budget = node();
    await drain([budget]);
    database.leases = 0;
    clock.advance(59);
    expect(await storm([budget], 100)).toBe(0);
    expect(database.leases).toBe(0);
    clock.advance(1);
    expect(await storm([budget], 100)).toBe(1);
  });

  test.each([
    { requestsPerMinute: 1000, burst: 300, seconds: 1 },
    { requestsPerMinute: 60, burst: 3, seconds: 1 },
    { requestsPerMinute: 6, burst: 3, seconds: 10 },
    { requestsPerMinute: 1, burst: 1, seconds: 60 },
  ])(
    'after a burst of $burst at $requestsPerMinute a minute, another request is admitted $seconds s later',
    async (limits) => {
      const { seconds, ...budgetSize } = limits;
      const budget = node(budgetSize);
      await drain([budget]);
      await expect(budget.take(caller)).rejects.toMatchObject({ code: 'budget-exceeded', retryAfterSeconds: seconds });
      clock.advance(seconds * secondMs);
      expect(await isAdmitted(budget)).toBe(true);
    },
  );
});

describe('refilling', () => {
  test.each([
    { afterMs: 60, more: 1 },
    { afterMs: 119, more: 1 },
    { afterMs: 6 * secondMs, more: 100 },
    { afterMs: 17_999, more: 299 },
    { afterMs: 18 * secondMs, more: 300 },
    { afterMs: 60 * minuteMs, more: 300 },
  ])('$afterMs ms after a used-up burst, $more more are admitted', async ({ afterMs, more }) => {
    const nodes = [node(), node()];
    await storm(nodes, 200);
    await drain(nodes);
    clock.advance(afterMs);
    expect(await countAdmitted(nodes[0]!, 400)).toBe(more);
  });

  test('a clock that is slightly behind changes nothing', async () => {
    await drain([node()]);
    clock.advance(-2 * secondMs);
    const behind = node();
    expect(await isAdmitted(behind)).toBe(false);
    clock.advance(2 * secondMs + 60);
    expect(await countAdmitted(behind, 5)).toBe(1);
  });

  test('a steady thousand a minute is admitted indefinitely, on two nodes', async () => {
    const nodes = [node(), node()];
    await drain(nodes);
    let admitted = 0;
    for (let request = 0; request < 500; request++) {
      clock.advance(60);
      if (await isAdmitted(nodes[request % 2]!)) admitted++;
    }
    expect(admitted).toBe(500);
  });
});

// Each run has its own tenant and clock, so that a run that continues after a timeout does not affect others.
describe('over any sequence of requests', () => {
  const sizes = fc.constantFrom(size, { requestsPerMinute: 60, burst: 5 }, { requestsPerMinute: 6_000, burst: 40 });
  const waitMs = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 }), fc.integer({ min: 200, max: 8_000 }));
  const requests = fc.integer({ min: 1, max: 100 });
  const nodeIndexes = fc.subarray([0, 1, 2], { minLength: 1 });

  test('no period admits more than the burst and the refill, on all nodes together', async () => {
    const steps = fc.array(fc.record({ waitMs, who: nodeIndexes, requests }), { minLength: 2, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(sizes, steps, async (budgetSize, sequence) => {
        const [by, time] = [newTenant(), newClock()];
        const nodes = Array.from({ length: 3 }, () => node(budgetSize, time));
        const ideal = new IdealBucket(budgetSize, time.now());
        for (const step of sequence) {
          time.advance(step.waitMs);
          const targets = step.who.map((index) => nodes[index]!);
          const admitted = await (targets.length > 1
            ? storm(targets, step.requests, by)
            : countAdmitted(targets[0]!, step.requests, by));
          expect(admitted).toBeLessThanOrEqual(ideal.level(time.now()));
          ideal.take(admitted);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a single node admits at least what a bucket smaller by one lease would', async () => {
    const leaseMax = 60;
    const steps = fc.array(fc.record({ waitMs, requests }), { minLength: 2, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const [by, time] = [newTenant(), newClock()];
        const budget = node(size, time);
        const smaller = new IdealBucket({ ...size, burst: size.burst - leaseMax }, time.now());
        let ahead = 0;
        for (const step of sequence) {
          time.advance(step.waitMs);
          const due = Math.min(step.requests, smaller.level(time.now()));
          smaller.take(due);
          ahead += (await countAdmitted(budget, step.requests, by)) - due;
          expect(ahead).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 40 },
    );
  });
});
