// Fills the disk of the database, and makes the database read-only, while a node books.

import { join } from 'node:path';
import {
  fillDiskFor,
  freeDiskFor,
  makeReadOnly,
  makeWritable,
  reconnectNodes,
} from '../../setup/database/full-disk.ts';
import { DatabaseServer, runSql } from '../deployment/database-server.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { SmallDisk } from '../deployment/small-disk.ts';
import { Proving } from '../load/proving.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { comesTrue, pause } from '../waiting.ts';

const diskMegabytes = 400;
const noticedWithinMs = 90_000;
/** So that old segments of the log do not take the small disk. */
const logSettings = { max_wal_size: '64MB', min_wal_size: '32MB' };

interface Outage {
  readonly name: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
  /** What `/readyz/write` may say meanwhile. */
  readonly states: readonly string[];
}

/** Where nothing can be mounted, statements do what PostgreSQL does then. */
function fullDisk(disk: SmallDisk | undefined, databaseUrl: string): Outage {
  const [name, states] = ['full', ['database-full', 'database-away']];
  if (disk !== undefined) return { name, states, begin: () => disk.fill(), end: () => disk.free() };
  return {
    name,
    states,
    begin: () => runSql(databaseUrl, fillDiskFor('transaction')),
    end: () => runSql(databaseUrl, freeDiskFor('transaction')),
  };
}

function readOnly(databaseUrl: string): Outage {
  const databaseName = new URL(databaseUrl).pathname.slice(1);
  return {
    name: 'read-only',
    states: ['database-read-only', 'database-away'],
    begin: () => runSql(databaseUrl, makeReadOnly(databaseName), reconnectNodes),
    end: () => runSql(databaseUrl, makeWritable(databaseName), reconnectNodes),
  };
}

async function undergo(
  context: ScenarioContext,
  outage: Outage,
  { proving, address }: { proving: Proving; address: string },
): Promise<string> {
  const seen = new Set<string>();
  const isNotReady = async (): Promise<boolean> => {
    const answer = await fetch(`${address}/readyz/write`);
    if (answer.status !== 503) return false;
    seen.add(((await answer.json()) as { status: string }).status);
    return true;
  };
  await outage.begin();
  const isNoticed = await comesTrue(isNotReady, { withinMs: noticedWithinMs });
  context.check(isNoticed, `readiness did not say that the disk is ${outage.name}`);
  await pause(context.random.between(200, 1_500));
  await comesTrue(isNotReady, { withinMs: 1_000 });
  const others = [...seen].filter((state) => !outage.states.includes(state));
  context.check(others.length === 0, `while the disk was ${outage.name}, readiness said ${others.join(', ')}`);
  const { acknowledged } = proving.load;
  await outage.end();
  const isBack = await comesTrue(() => proving.load.acknowledged > acknowledged + 10, { withinMs: noticedWithinMs });
  context.check(isBack, `nothing was booked after the disk was ${outage.name}`);
  const isReady = async (): Promise<boolean> => (await fetch(`${address}/readyz/write`)).status === 200;
  const isReadyAgain = await comesTrue(isReady, { withinMs: noticedWithinMs });
  context.check(isReadyAgain, `readiness still said that the disk is ${outage.name} afterwards`);
  return [...seen].toSorted().join(', ');
}

export const disks: Scenario = {
  name: 'disks',
  does: 'A node under load on a database whose disk becomes full (a small memory disk, where one can be mounted), and which accepts no changes for a while.',
  holds: [
    'readiness says so; bookings go on by themselves once there is room or changes are accepted again',
    'no acknowledged booking is lost, none is booked twice, holdings are the sums of what was acknowledged',
    'each booking has one event, and a receiver gets all of them in order; the audit chain holds',
  ],
  needs: 'own-nodes',
  async run(context) {
    const disk = await SmallDisk.mount(diskMegabytes);
    if (disk !== undefined) context.defer(() => disk.unmount());
    const place = disk === undefined ? {} : { dataDir: join(disk.folder, 'data'), settings: logSettings };
    const server = await DatabaseServer.start({ disk: 'memory', ...place });
    context.defer(() => server.stop());
    const databaseUrl = await server.createDatabase();
    const deployment = await LocalDeployment.start({ databaseUrl, nodes: 1 });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment, callers: 4 });
    const { address } = deployment.nodeAt(0);
    proving.load.start();
    const outages = [fullDisk(disk, databaseUrl), readOnly(databaseUrl)];
    const rounds = context.pick({ short: 1, long: 10 });
    const said = new Map<string, string>();
    for (let round = 0; round < rounds; round++) {
      for (const outage of outages) said.set(outage.name, await undergo(context, outage, { proving, address }));
      await proving.rememberAnswers();
    }
    return {
      'full and read-only, times': rounds,
      'how the disk was full': disk === undefined ? 'by statements' : 'really',
      'readiness said': [...said.values()].join('; '),
      ...(await proving.conclude()),
    };
  },
};
