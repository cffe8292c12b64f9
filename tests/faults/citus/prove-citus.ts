// `npm run prove -- citus`: runs the service on an empty Citus cluster with several workspaces, and does to it what happens there: attacks on
// its walls, a server that dies, workspaces that move, and every command of the operator. Prints figures; throws nothing away that did not hold.

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '../../setup/node/program-environment.ts';
import { FaultNode, findFreePort } from '../deployment/fault-node.ts';
import { ApiClient } from '../load/api-client.ts';
import { makeHousehold, type Household } from '../load/household.ts';
import { comesTrue, pause } from '../waiting.ts';
import { Cluster, type ClusterServer } from './cluster.ts';
import { measureCosts, type CostlyTenant } from './costs.ts';
import { tryWalls } from './walls.ts';

export interface CitusOptions {
  readonly url: string;
  readonly superuserUrl: string;
  readonly phaseSeconds: number;
  print(line: string): void;
}

interface Tenant {
  readonly id: string;
  readonly api: ApiClient;
  readonly household: Household;
  booked: number;
}

const workspacesEach = 2;
const workspacesMax = 24;
const admin = new URL('../../../src/admin.ts', import.meta.url).pathname;

/** What became of the requests of one workspace in a phase, by what was done. */
type Counts = Map<string, number>;

export async function proveCitus(options: CitusOptions): Promise<readonly string[]> {
  const broken: string[] = [];
  /** The last answer of each status that is a refusal. */
  const lastRefusals = new Map<number, string>();
  const lastRefusalsText = (): string => [...lastRefusals].map(([status, said]) => `${status}: ${said}`).join('; ');
  const { print, phaseSeconds } = options;
  const check = (holds: boolean, what: string): void => {
    if (holds) return;
    broken.push(what);
    print(`did not hold: ${what}`);
  };
  const cluster = new Cluster(options.url, options.superuserUrl);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-citus-'));
  const settings = {
    DATABASE_URL: options.url,
    BUDGET_PER_MINUTE: '100000000',
    BUDGET_BURST: '100000000',
    DATA_DIR: folder,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('hex'),
    DEMO: 'off',
    METRICS_PORT: String(await findFreePort()),
  };
  const runAdmin = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const began = performance.now();
    const env = { ...programEnvironment, ...settings, ...more };
    const done = await promisify(execFile)(process.execPath, [admin, ...args], { env, maxBuffer: 2 ** 26 }).catch(
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
    const code = 'code' in done ? done.code : 0;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const last = `${done.stdout}${done.stderr}`.trim().split('\n').at(-1) ?? '';
    print(`${args.slice(0, 2).join(' ')}: exit ${code} after ${seconds} s: ${last}`);
    check(code === 0 || args[0] === 'doctor', `${args.join(' ')} failed: ${done.stdout}${done.stderr}`);
    return done.stdout;
  };
  const node = new FaultNode(await findFreePort(), { program: 'main', settings });
  try {
    node.launch();
    await node.untilReady();
    await node.terminate();
    await runAdmin(['distribute']);
    const workers = await cluster.listWorkers();
    node.launch();
    await node.untilReady();
    const tenants = await makeTenants();
    await compareCosts(tenants);
    await tryAllWalls(workers, tenants);
    await stopOne(workers, tenants);
    await moveUnderLoad(workers, tenants);
    await rebalanceUnderLoad(workers, tenants);
    await isolateUnderLoad(tenants);
    await operate(tenants);
  } finally {
    await node.kill();
    await rm(folder, { recursive: true, force: true });
  }
  return broken;

  /** Workspaces until each server has some. */
  async function makeTenants(): Promise<readonly Tenant[]> {
    const workers = await cluster.listWorkers();
    const held = new Map<string, number>(workers.map(({ name }) => [name, 0]));
    const tenants: Tenant[] = [];
    while ([...held.values()].some((count) => count < workspacesEach) && tenants.length < workspacesMax) {
      const printed = await runAdmin(['workspace', 'create', `Family ${tenants.length + 1}`]);
      const [, id = ''] = /Workspace ([0-9a-f]{24})/.exec(printed) ?? [];
      const [, clientId = '', clientSecret = ''] = /client_id +(\S+)\s+client_secret +(\S+)/.exec(printed) ?? [];
      const api = new ApiClient({ address: node.address, clientId, clientSecret }, { patienceMs: 20_000 });
      tenants.push({ id, api, household: await makeHousehold(api, `Family ${tenants.length + 1}`), booked: 0 });
      const { server } = await cluster.placeOf(id);
      held.set(server, (held.get(server) ?? 0) + 1);
    }
    print(`workspaces: ${[...held].map(([server, count]) => `${count} at ${server}`).join(', ')}`);
    return tenants;
  }

  /** Beside a database of the coordinator's server that spreads nothing. */
  async function compareCosts([tenant]: readonly Tenant[]): Promise<void> {
    if (tenant === undefined) return;
    const plain = await cluster.makePlainDatabase();
    const own = {
      ...settings,
      DATABASE_URL: plain.url,
      DATA_DIR: join(folder, 'plain'),
      METRICS_PORT: String(await findFreePort()),
    };
    const beside = new FaultNode(await findFreePort(), { program: 'main', settings: own });
    try {
      beside.launch();
      await beside.untilReady();
      const costs = await measureCosts(await makePlainTenant(beside, own), tenant);
      for (const { what, plainMs, citusMs, aim } of costs) {
        const ratio = citusMs / plainMs;
        print(`${what}: plain ${plainMs.toFixed(1)} ms, Citus ${citusMs.toFixed(1)} ms, ratio ${ratio.toFixed(2)}`);
        check(ratio <= aim, `${what} costs ${ratio.toFixed(2)} times as much as on a plain database, not ${aim}`);
      }
    } finally {
      await beside.kill();
      await plain.drop();
    }
  }

  async function makePlainTenant({ address }: FaultNode, own: Readonly<Record<string, string>>): Promise<CostlyTenant> {
    const printed = await runAdmin(['workspace', 'create', 'Family 1'], own);
    const [, clientId = '', clientSecret = ''] = /client_id +(\S+)\s+client_secret +(\S+)/.exec(printed) ?? [];
    const api = new ApiClient({ address, clientId, clientSecret }, { patienceMs: 20_000 });
    return { api, household: await makeHousehold(api, 'Family 1') };
  }

  async function tryAllWalls(workers: readonly ClusterServer[], tenants: readonly Tenant[]): Promise<void> {
    await load(tenants, () => pause(phaseSeconds * 1_000));
    for (const worker of workers) {
      const [tenant] = await at(tenants, (server) => server === worker.name);
      if (tenant === undefined) continue;
      const { parts, tries, rowsOfOthers, breaches } = await tryWalls(cluster, worker, tenant.id);
      print(
        `walls at ${worker.name}: ${tries} tries at ${parts} parts with ${rowsOfOthers} rows of others: ${breaches.length} got through`,
      );
      check(breaches.length === 0, breaches.slice(0, 5).join('; '));
      check(rowsOfOthers > 0, `there were no rows of others at ${worker.name}`);
    }
  }

  async function at(tenants: readonly Tenant[], isWanted: (server: string) => boolean): Promise<readonly Tenant[]> {
    const placed = await Promise.all(
      tenants.map(async (tenant) => ({ tenant, place: await cluster.placeOf(tenant.id) })),
    );
    return placed.filter(({ place }) => isWanted(place.server)).map(({ tenant }) => tenant);
  }

  /** One attempt for each, again and again, of each kind; counts by status. */
  async function load(tenants: readonly Tenant[], meanwhile: () => Promise<unknown>): Promise<Map<Tenant, Counts>> {
    const over = new AbortController();
    const counts = new Map<Tenant, Counts>(tenants.map((tenant) => [tenant, new Map()]));
    const callers = tenants.map(async (tenant) => {
      const own = counts.get(tenant) ?? new Map<string, number>();
      while (!over.signal.aborted) {
        for (const [kind, status] of await askOnce(tenant)) {
          const name = `${kind} ${status}`;
          own.set(name, (own.get(name) ?? 0) + 1);
        }
        await pause(20);
      }
    });
    await meanwhile();
    over.abort();
    await Promise.all(callers);
    return counts;
  }

  async function askOnce(tenant: Tenant): Promise<readonly (readonly [kind: string, status: number])[]> {
    const { api, household } = tenant;
    const [account_id] = household.accounts;
    const body = { account_id, date: '2025-03-03', type: 'deposit', amount: '10' };
    const status = (attempt: Promise<{ readonly status: number; readonly text: string }>): Promise<number> =>
      attempt.then(
        (answer) => {
          if (answer.status >= 300) lastRefusals.set(answer.status, answer.text);
          return answer.status;
        },
        (error: unknown) => {
          const refused = Number(/No token: (\d+)/.exec(String(error))?.[1] ?? 0);
          lastRefusals.set(refused, String(error));
          return refused;
        },
      );
    const fresh = new ApiClient(api.target);
    const booking = await status(
      api.attempt({ method: 'POST', path: '/v1/transactions', body, key: crypto.randomUUID() }),
    );
    if (booking === 201) tenant.booked++;
    return [
      ['booking', booking],
      ['list', await status(api.attempt({ path: '/v1/transactions?limit=10' }))],
      ['holdings', await status(api.attempt({ path: `/v1/holdings?reporting_entity_id=${household.entity}` }))],
      ['new token', await status(fresh.attempt({ path: '/v1/me' }))],
    ];
  }

  function sumOf(counts: Map<Tenant, Counts>, tenants: readonly Tenant[]): Readonly<Record<string, number>> {
    const sum: Record<string, number> = {};
    for (const tenant of tenants)
      for (const [name, count] of counts.get(tenant) ?? []) sum[name] = (sum[name] ?? 0) + count;
    return sum;
  }

  /** Asked at the servers that are there: through the coordinator, one that is away fails the question. */
  async function countRounds(tenants: readonly Tenant[], since: Date): Promise<number> {
    const counts = await Promise.all(
      tenants.map(({ id }) =>
        cluster.ask<{ count: number }>(
          'SELECT count(*)::int AS count FROM calculation_round WHERE finished_at > $1 AND workspace_id = $2',
          [since, id],
        ),
      ),
    );
    return counts.flat().reduce((sum, { count }) => sum + count, 0);
  }

  async function stopOne(workers: readonly ClusterServer[], tenants: readonly Tenant[]): Promise<void> {
    const dead = workers.at(-1);
    if (dead === undefined) return;
    const its = await at(tenants, (server) => server === dead.name);
    const others = tenants.filter((tenant) => !its.includes(tenant));
    let away: unknown;
    let rounds = 0;
    const counts = await load(tenants, async () => {
      const revive = await cluster.stop(dead);
      const stoppedAt = new Date();
      try {
        await pause(phaseSeconds * 1_000);
        await comesTrue(async () => (rounds = await countRounds(others, stoppedAt)) > 0, { withinMs: 60_000 });
        away = await (await fetch(`${node.address}/readyz`)).json();
      } finally {
        await revive();
      }
    });
    const [lost, kept] = [sumOf(counts, its), sumOf(counts, others)];
    print(`while ${dead.name} is away, its ${its.length} workspaces: ${text(lost)}`);
    print(
      `meanwhile, the ${others.length} others: ${text(kept)}; rounds done: ${rounds}; /readyz: ${JSON.stringify(away)}`,
    );
    check(failuresIn(kept) === 0, `requests of other workspaces failed: ${text(kept)}; ${lastRefusalsText()}`);
    check(rounds > 0, 'no round of another workspace was done');
    const wrong = Object.keys(lost).filter((name) => !/ (20[01]|503)$/.test(name));
    check(wrong.length === 0, `its own got something else than 503: ${text(lost)}`);
    const isBack = await comesTrue(
      async () => {
        const answers = await Promise.all(its.map((tenant) => askOnce(tenant)));
        return answers.flat().every(([, status]) => status < 300);
      },
      { withinMs: 30_000 },
    );
    check(isBack, 'its workspaces were not served again within 30 s');
  }

  async function moveUnderLoad(workers: readonly ClusterServer[], tenants: readonly Tenant[]): Promise<void> {
    const [tenant] = tenants;
    if (tenant === undefined || workers.length < 2) return;
    const { shard, server } = await cluster.placeOf(tenant.id);
    const [from, to] = [workers.find(({ name }) => name === server), workers.find(({ name }) => name !== server)];
    if (from === undefined || to === undefined) return;
    let seconds = 0;
    const counts = await load(tenants, async () => {
      const began = performance.now();
      await cluster.move(shard, from, to);
      seconds = (performance.now() - began) / 1_000;
      await pause(phaseSeconds * 1_000);
    });
    const sum = sumOf(counts, tenants);
    print(`a shard moved from ${from.name} to ${to.name} within ${seconds.toFixed(1)} s: ${text(sum)}`);
    check(failuresIn(sum) === 0, `requests failed while a shard moved: ${text(sum)}; ${lastRefusalsText()}`);
    check((await cluster.placeOf(tenant.id)).server === to.name, 'the shard is not where it was moved to');
  }

  /** Three parts are moved away from the first server; then Citus brings the servers level, as an operator asks it to. */
  async function rebalanceUnderLoad([from, to]: readonly ClusterServer[], tenants: readonly Tenant[]): Promise<void> {
    if (from === undefined || to === undefined) return;
    for (const shard of (await cluster.shardsAt(from)).slice(0, 3)) await cluster.move(shard, from, to);
    const before = await cluster.shardsAt(from);
    let seconds = 0;
    const counts = await load(tenants, async () => {
      const began = performance.now();
      await cluster.ask(`SELECT citus_rebalance_start(shard_transfer_mode := 'block_writes')`);
      await cluster.ask('SELECT citus_rebalance_wait()');
      seconds = (performance.now() - began) / 1_000;
      await pause(phaseSeconds * 1_000);
    });
    const sum = sumOf(counts, tenants);
    const moved = (await cluster.shardsAt(from)).filter((shard) => !before.includes(shard)).length;
    print(`citus_rebalance_start moved ${moved} parts within ${seconds.toFixed(1)} s: ${text(sum)}`);
    check(moved > 0, 'citus_rebalance_start moved nothing');
    check(failuresIn(sum) === 0, `requests failed while parts were moved: ${text(sum)}; ${lastRefusalsText()}`);
  }

  async function isolateUnderLoad(tenants: readonly Tenant[]): Promise<void> {
    const tenant = tenants.at(-1);
    if (tenant === undefined) return;
    let seconds = 0;
    const counts = await load(tenants, async () => {
      const began = performance.now();
      await cluster.ask(
        `SELECT isolate_tenant_to_new_shard('workspace', $1::text, 'CASCADE', shard_transfer_mode := 'block_writes')`,
        [tenant.id],
      );
      seconds = (performance.now() - began) / 1_000;
      await pause(phaseSeconds * 1_000);
    });
    const sum = sumOf(counts, tenants);
    print(`a workspace isolated within ${seconds.toFixed(1)} s: ${text(sum)}`);
    check(failuresIn(sum) === 0, `requests failed while a workspace was isolated: ${text(sum)}; ${lastRefusalsText()}`);
  }

  async function countRows(tenant: Tenant): Promise<number> {
    const [row] = await cluster.ask<{ count: number }>(
      'SELECT count(*)::int AS count FROM transaction WHERE workspace_id = $1',
      [tenant.id],
    );
    return row?.count ?? 0;
  }

  /** Every command, with what it counts compared with what the database holds. */
  async function operate(tenants: readonly Tenant[]): Promise<void> {
    const [first, second] = tenants;
    if (first === undefined || second === undefined) return;
    for (const tenant of tenants)
      check(
        (await countRows(tenant)) >= tenant.booked,
        `workspace ${tenant.id} has fewer bookings than were acknowledged`,
      );
    await node.terminate();
    await runAdmin(['distribute']);
    await runAdmin(['verify']);
    print(
      (await runAdmin(['doctor']))
        .split('\n')
        .filter((line) => /parts on all servers|What protects|spread/.test(line))
        .join('; '),
    );
    const backup = join(folder, 'backup.tar');
    await runAdmin(['backup', '--to', backup]);
    const exported = join(folder, 'export');
    await runAdmin(['export', '--workspace', first.id, '--to', exported]);
    const restored = { DATABASE_URL: '', DATA_DIR: join(folder, 'restored') };
    await runAdmin(['restore', '--from', backup], restored);
    await runAdmin(['verify'], restored);
    const before = await countRows(first);
    await runAdmin(['workspace', 'close', second.id]);
    await runAdmin(['workspace', 'erase', second.id, '--confirm', 'Family 2']);
    const left = await cluster.ask<{ left: number }>(
      `SELECT ((SELECT count(*) FROM transaction WHERE workspace_id = $1::text) + (SELECT count(*) FROM audit_entry WHERE workspace_id = $1)
         + (SELECT count(*) FROM workspace WHERE workspace_id = $1))::int AS left`,
      [second.id],
    );
    print(`left of the erased workspace: ${left[0]?.left} rows; transactions of the first: ${await countRows(first)}`);
    check(left[0]?.left === 0, 'rows of an erased workspace are left');
    check((await countRows(first)) === before, 'erasing a workspace changed another');
  }
}

const failuresIn = (sum: Readonly<Record<string, number>>): number =>
  Object.entries(sum).reduce((total, [name, count]) => total + (/ 20[01]$/.test(name) ? 0 : count), 0);
const text = (sum: Readonly<Record<string, number>>): string =>
  Object.entries(sum)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
