// Breaks the network between a node and the database in every way that networks have.

import { openSeverableConnection, type SeverableConnection } from '../../setup/database/severable-connection.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { comesTrue, pause } from '../waiting.ts';

type Breakage = (connection: SeverableConnection) => void;

const breakages: Readonly<Record<string, Breakage>> = {
  'cut off': (connection) => connection.cut(),
  reset: (connection) => connection.reset(),
  'cut before a commit': (connection) => connection.cutAtCommit('before'),
  'cut after a commit': (connection) => connection.cutAtCommit('after'),
  silent: (connection) => connection.silence(),
  'silent from a commit on': (connection) => connection.silenceAtCommit(),
  'half open': (connection) => connection.halfOpen(),
  slow: (connection) => connection.delay(250),
};

/** Shorter than usual, so that a silence need not last half a minute; nothing else differs. */
const timeouts = { connectMs: 3_000, answerMs: 4_000, writeGapMs: 3_000, readinessMs: 2_000 };
const backWithinMs = 120_000;

async function breakAndRestore(
  context: ScenarioContext,
  { connection, proving, name }: { connection: SeverableConnection; proving: Proving; name: string },
): Promise<number> {
  breakages[name]?.(connection);
  await pause(context.random.between(300, 2_500));
  connection.restore();
  const began = performance.now();
  const { acknowledged } = proving.load;
  const isBack = await comesTrue(() => proving.load.acknowledged > acknowledged + 10, { withinMs: backWithinMs });
  context.check(isBack, `nothing was booked for ${backWithinMs / 1_000} s after the network was ${name}`);
  return performance.now() - began;
}

export const networks: Scenario = {
  name: 'networks',
  does: `A proxy between a node and the database breaks the network under load: ${Object.keys(breakages).join(', ')}.`,
  holds: [
    'no acknowledged booking is lost, none is booked twice, holdings are the sums of what was acknowledged',
    'the node books again by itself once the network is back',
    'each booking has one event, and a receiver gets all of them in order; the audit chain holds',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const databaseUrl = await server.createDatabase();
    const connection = await openSeverableConnection({ url: databaseUrl });
    context.defer(() => connection.close());
    const nodeDatabaseUrl = connection.url;
    const deployment = await LocalDeployment.start({ databaseUrl, nodeDatabaseUrl, nodes: 1, timeouts });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment });
    proving.load.start();
    const rounds = context.pick({ short: 1, long: 20 });
    const outagesMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const name of Object.keys(breakages))
        outagesMs.push(await breakAndRestore(context, { connection, proving, name }));
      await proving.rememberAnswers();
    }
    const longest = (Math.max(...outagesMs) / 1_000).toFixed(1);
    return { breakages: outagesMs.length, 'longest until bookings go on, s': longest, ...(await proving.conclude()) };
  },
};
