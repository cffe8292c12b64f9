// Kills the database without notice while nodes book.

import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { Scenario } from '../scenario.ts';
import { comesTrue, pause } from '../waiting.ts';

const backWithinMs = 120_000;

export const databaseKills: Scenario = {
  name: 'database-kills',
  does: 'Two nodes under load; the main process of PostgreSQL is killed (SIGKILL) at random moments and started again. Nobody touches the nodes.',
  holds: [
    'no acknowledged booking is lost, none is booked twice, holdings are the sums of what was acknowledged',
    'the nodes book again by themselves after each kill, and their processes are the same as before',
    'each booking has one event, and a receiver gets all of them in order; the audit chain holds',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const deployment = await LocalDeployment.start({ databaseUrl: await server.createDatabase(), nodes: 2 });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment });
    const processes = deployment.nodes.map(({ processId }) => processId);
    proving.load.start();
    const kills = context.pick({ short: 2, long: 60 });
    const outagesMs: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await pause(context.random.between(200, 1_500));
      const { acknowledged } = proving.load;
      await server.kill();
      const began = performance.now();
      const isBack = await comesTrue(() => proving.load.acknowledged > acknowledged + 10, { withinMs: backWithinMs });
      context.check(isBack, `nothing was booked for ${backWithinMs / 1_000} s after a kill`);
      outagesMs.push(performance.now() - began);
      if (kill % 5 === 0) await proving.rememberAnswers();
    }
    const figures = await proving.conclude();
    const isSame = deployment.nodes.every(({ processId }, index) => processId === processes[index]);
    context.check(isSame, 'a node has ended');
    const longest = (Math.max(...outagesMs) / 1_000).toFixed(1);
    return { kills, 'longest until bookings go on, s': longest, ...figures };
  },
};
