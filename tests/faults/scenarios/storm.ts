// One workspace storms while its neighbour reads.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Storm } from '../../../bench/storm/scenarios.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { ApiClient } from '../load/api-client.ts';
import { makeHousehold, type Household } from '../load/household.ts';
import { fromCents } from '../load/journal.ts';
import { percentile } from '../percentile.ts';
import type { Figures, Scenario, ScenarioContext } from '../scenario.ts';

const emptyRowCount = 350_000;
const ledgerSize = 3_000;

/** Books many transactions in one body. */
async function fillLedger(api: ApiClient, { accounts, stock }: Household, count: number): Promise<void> {
  const data = Array.from({ length: count }, (_none, index) => {
    const day = new Date(Date.UTC(2016, 0, 1 + (index * 3_500) / count)).toISOString().slice(0, 10);
    const base = { account_id: accounts[index % accounts.length], date: day };
    const price = fromCents(10_000 + (index % 997));
    if (index % 4 === 0) return { ...base, type: 'deposit', amount: '1000' };
    return { ...base, type: 'buy', instrument_id: stock, quantity: '1', price, amount: `-${price}` };
  });
  const body = { data };
  await api.call({ method: 'POST', path: '/v1/transactions/bulk', body, key: crypto.randomUUID() });
}

function stormsOf(token: string, { entity }: Household): Readonly<Record<string, Storm>> {
  const axes = 'account,instrument,class,currency';
  return {
    bulk: {
      method: 'POST',
      path: '/v1/transactions/bulk',
      tokens: [token],
      body: `{"data":[${Array<string>(emptyRowCount).fill('{}').join(',')}]}`,
      connections: 4,
    },
    reports: {
      method: 'GET',
      path: `/v1/performance?reporting_entity_id=${entity}&start=1900-01-01&by=${axes}`,
      tokens: [token],
      connections: 6,
    },
  };
}

/** Reads by turns a client and its holdings; counts what was not answered with 200. */
async function readTimes(
  api: ApiClient,
  { client, entity }: Household,
  limits: { readonly requests: number; readonly seconds: number },
): Promise<{ readonly times: number[]; readonly refused: number }> {
  const paths = [`/v1/clients/${client}`, `/v1/holdings?reporting_entity_id=${entity}`];
  const times: number[] = [];
  let refused = 0;
  const end = performance.now() + limits.seconds * 1_000;
  for (let index = 0; index < limits.requests && performance.now() < end; index++) {
    const began = performance.now();
    const { status } = await api.attempt({ path: paths[index % paths.length] ?? '' });
    times.push(performance.now() - began);
    if (status !== 200) refused++;
  }
  return { times, refused };
}

async function besideStorm(
  context: ScenarioContext,
  storm: Storm & { readonly address: string },
  read: () => ReturnType<typeof readTimes>,
): Promise<Awaited<ReturnType<typeof readTimes>>> {
  const child = fork(new URL('../../../bench/storm/storm.ts', import.meta.url));
  context.defer(() => child.kill('SIGKILL'));
  child.send(storm);
  await once(child, 'message'); // it is at its height
  try {
    return await read();
  } finally {
    child.kill('SIGKILL');
  }
}

export const neighbourStorm: Scenario = {
  name: 'storm',
  does: `One workspace sends bulk bodies of ${emptyRowCount.toLocaleString('en')} rows and reports over three centuries without a pause; its neighbour reads a client and its holdings, first alone and then beside each storm.`,
  holds: ['every request of the neighbour is answered; how much longer its 99th percentile takes is a figure'],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const databaseUrl = await server.createDatabase();
    const deployment = await LocalDeployment.start({ databaseUrl, nodes: 1, settings: { WORK_THREADS: '1' } });
    context.defer(() => deployment.stop());
    const { address } = deployment.nodeAt(0);
    const stormy = new ApiClient({ ...deployment.target, address });
    const large = await makeHousehold(stormy, 'Large');
    await fillLedger(stormy, large, ledgerSize);
    const quiet = new ApiClient({ address, ...(await deployment.nodeAt(0).openWorkspace()) });
    const small = await makeHousehold(quiet, 'Small');
    await fillLedger(quiet, small, 20);
    const limits = context.pick({ short: { requests: 200, seconds: 10 }, long: { requests: 2_000, seconds: 120 } });
    const read = (): ReturnType<typeof readTimes> => readTimes(quiet, small, limits);
    await read();
    const alone = await read();
    const figures: Record<string, Figures[string]> = { 'p99 alone, ms': percentile(alone.times, 0.99).toFixed(1) };
    for (const [name, storm] of Object.entries(stormsOf(await stormy.getToken(), large))) {
      const beside = await besideStorm(context, { ...storm, address }, read);
      context.check(
        beside.refused === 0,
        `${beside.refused} requests of the neighbour were refused during the storm of ${name}`,
      );
      context.check(beside.times.length > 0, `the neighbour had no answer during the storm of ${name}`);
      figures[`p99 beside ${name}, ms`] = percentile(beside.times, 0.99).toFixed(1);
      figures[`× beside ${name}`] = (percentile(beside.times, 0.99) / percentile(alone.times, 0.99)).toFixed(1);
      figures[`requests beside ${name}`] = beside.times.length;
    }
    return figures;
  },
};
