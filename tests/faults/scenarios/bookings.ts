// Books under load against any deployment, and checks over HTTP what it says afterwards.

import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { RemoteTarget, Scenario, ScenarioContext } from '../scenario.ts';
import { pause } from '../waiting.ts';

async function targetOf(context: ScenarioContext): Promise<{ target: RemoteTarget; deployment?: LocalDeployment }> {
  if (context.remote !== undefined) return { target: context.remote };
  const server = await context.getServer();
  const deployment = await LocalDeployment.start({
    databaseUrl: await server.createDatabase(),
    nodes: 1,
    program: 'main',
  });
  context.defer(() => deployment.stop());
  return { target: deployment.target, deployment };
}

export const bookings: Scenario = {
  name: 'bookings',
  does: 'A load of single and bulk bookings with idempotency keys. Against your own deployment: meanwhile, kill and restart what you like.',
  holds: [
    'no acknowledged booking is lost, none is booked twice, holdings are the sums of what was acknowledged',
    'each booking has one event; earlier answers, asked for as known then, have the same bytes',
  ],
  needs: 'http',
  async run(context) {
    const { target, deployment } = await targetOf(context);
    const proving = await Proving.open(context, {
      target,
      ...(deployment === undefined ? {} : { deployment }),
      receives: 'nothing',
    });
    const seconds = context.minutes === undefined ? context.pick({ short: 4, long: 120 }) : context.minutes * 60;
    proving.load.start();
    await pause(seconds * 500);
    await proving.rememberAnswers();
    await pause(seconds * 500);
    return { 'seconds of load': seconds, ...(await proving.conclude()) };
  },
};
