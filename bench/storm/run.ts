// Measures how one tenant's flood of requests affects another tenant: the time of a small request, alone and during each storm.
// `npm run bench:storm`.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { startBenchDatabase } from '../bench-database.ts';
import { getOnce, makeAgent } from '../http-load.ts';
import { writeReport, type Times } from './report.ts';
import { scenariosOf, type Scenario, type StormFixture } from './scenarios.ts';
import { seedStorm } from './seed.ts';

const requests = Number(process.env['REQUESTS'] ?? 300);
/** Of a storm in which the small request is so slow that all of them would take too long. */
const secondsMax = Number(process.env['SECONDS'] ?? 60);
const clientsOfStorm = 2_000;
const listConnections = 64;

const database = await startBenchDatabase();
const { settings } = database;
try {
  const [loadBefore] = loadavg();
  const fixture = await seedStorm(settings, clientsOfStorm);
  const list = listScenario(fixture);
  const limits = {
    bounded: await measureBoth(list, fixture),
    unbounded: await measureBoth(list, fixture, { BUDGET_IN_FLIGHT: '1000', BUDGET_HEAVY: '1000' }),
  };
  const scenarios: { readonly name: string; readonly times: Times }[] = [];
  for (const scenario of scenariosOf(fixture))
    scenarios.push({ name: scenario.name, times: await measureBoth(scenario, fixture) });
  const text = writeReport({ requests, clientsOfStorm, listConnections, loadBefore: loadBefore!, limits, scenarios });
  process.stdout.write(text);
  if (process.env['WRITE'] !== 'off') await writeFile(new URL('results.md', import.meta.url), text);
} finally {
  await database.remove();
}

function listScenario({ tokens, neighbourClient }: StormFixture): Scenario {
  const [token] = tokens;
  const storm = { method: 'GET', path: '/api/v2/clients', tokens: [token], connections: listConnections } as const;
  return { name: 'lists', storm, small: `/v1/clients/${neighbourClient}` };
}

/** Measures on a fresh node with these settings. */
async function measureBoth(
  { storm, small }: Scenario,
  { neighbour }: StormFixture,
  more: Record<string, string> = {},
): Promise<Times> {
  const { child, address } = await startNode(more);
  const stormProcess = fork(new URL('storm.ts', import.meta.url));
  try {
    const request = { url: address + small, headers: { authorization: `Bearer ${neighbour}` } };
    await timesOf(request);
    const alone = await timesOf(request);
    stormProcess.send({ ...storm, address });
    await once(stormProcess, 'message'); // it is at its height
    return { alone, besideStorm: await timesOf(request) };
  } finally {
    stormProcess.kill('SIGKILL');
    child.kill('SIGKILL');
  }
}

async function startNode(more: Record<string, string>): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(new URL('node.ts', import.meta.url), { env: { ...process.env, ...settings, ...more } });
  const address = await new Promise<string>((resolve) =>
    child.once('message', (message) => resolve(message as string)),
  );
  return { child, address };
}

/** In ascending order. */
async function timesOf({ url, headers }: { url: string; headers: Record<string, string> }): Promise<number[]> {
  const agent = makeAgent(1);
  const times: number[] = [];
  const end = performance.now() + secondsMax * 1_000;
  while (times.length < requests && performance.now() < end) {
    const began = performance.now();
    await getOnce({ url, headers, agent });
    times.push(performance.now() - began);
  }
  agent.destroy();
  return times.toSorted((a, b) => a - b);
}
