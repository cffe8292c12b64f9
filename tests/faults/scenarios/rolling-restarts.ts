// Restarts one node after the other under load, as an upgrade does.

import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { Scenario } from '../scenario.ts';
import { pause } from '../waiting.ts';

export const rollingRestarts: Scenario = {
  name: 'rolling-restarts',
  does: 'Two nodes, the program as an operator starts it, behind a balancer under load; one after the other is asked to stop (SIGTERM) and started again.',
  holds: [
    'no request fails for a caller that repeats what was not answered, or was answered with 503, with the same idempotency key',
    'every node that is asked to stop ends with 0',
    'no acknowledged booking is lost, none is booked twice; events arrive in order; the audit chain holds',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const databaseUrl = await server.createDatabase();
    const deployment = await LocalDeployment.start({ databaseUrl, nodes: 2, program: 'main' });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment });
    proving.load.start();
    const rounds = context.pick({ short: 1, long: 40 });
    for (let round = 0; round < rounds; round++) {
      for (const node of deployment.nodes) {
        await pause(context.random.between(200, 1_000));
        const code = await node.terminate();
        context.check(code === 0, `a node that was asked to stop ended with ${String(code)}: ${node.errors}`);
        node.launch();
        await node.untilReady();
      }
      await proving.rememberAnswers();
    }
    const figures = await proving.conclude();
    return { restarts: rounds * deployment.nodes.length, 'failed requests': proving.load.failed.length, ...figures };
  },
};
