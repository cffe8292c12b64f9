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
    'each booking has one event; a receiver gets all of them in order, and again only what a kill interrupted',
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
    const figures = await proving.conclude();
    // Each kill interrupts at most one delivery of each client, and so does the end of leases.
    const repeatedMax = (kills + 1) * proving.households.length;
    const repeated = proving.receiver?.repeatedCount ?? 0;
    context.check(
      repeated <= repeatedMax,
      `${repeated} deliveries were repeated, at most ${repeatedMax} were interrupted`,
    );
    return { kills, ...figures };
  },
};
