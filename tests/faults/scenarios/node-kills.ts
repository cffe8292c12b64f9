// Kills nodes without notice while they book.

import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { Scenario } from '../scenario.ts';
import { pause } from '../waiting.ts';

export const nodeKills: Scenario = {
  name: 'node-kills',
  does: 'Two nodes under a load of single and bulk bookings; one of them is killed (SIGKILL) at a random moment and started again, over and over.',
  holds: [
    'no acknowledged booking is lost, none is booked twice, holdings are the sums of what was acknowledged',
    'each booking has one event, and a receiver gets all of them in order',
    'earlier answers, asked for as known then, have the same bytes; the audit chain holds',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const deployment = await LocalDeployment.start({ databaseUrl: await server.createDatabase(), nodes: 2 });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment });
    proving.load.start();
    const kills = context.pick({ short: 4, long: 200 });
    for (let kill = 0; kill < kills; kill++) {
      await pause(context.random.between(100, 1_200));
      const node = deployment.nodeAt(context.random.between(0, 1));
      await node.kill();
      node.launch();
      if (kill % 10 === 1) await proving.rememberAnswers();
      await node.untilReady();
    }
    return { kills, ...(await proving.conclude()) };
  },
};
