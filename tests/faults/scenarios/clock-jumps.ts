// Sets the clocks of nodes forward and back while they book.

import { hourMs, secondMs } from '../../../src/kit/clock.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { Scenario } from '../scenario.ts';
import { comesTrue } from '../waiting.ts';

const backWithinMs = 90_000;
/** Less than a day altogether: answers are kept that long for a repeated idempotency key. */
const jumpHoursMax = 20;

export const clockJumps: Scenario = {
  name: 'clock-jumps',
  does: 'Two nodes under load whose clocks differ by seconds and jump together by up to 20 hours, forward and back.',
  holds: [
    'bookings and deliveries go on after every jump',
    'no acknowledged booking is lost, none is booked twice, holdings are the sums of what was acknowledged',
    'each booking has one event, and a receiver gets all of them in order; the audit chain holds',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const deployment = await LocalDeployment.start({ databaseUrl: await server.createDatabase(), nodes: 2 });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment });
    proving.load.start();
    const jumps = context.pick({ short: 6, long: 120 });
    let aheadMs = 0;
    for (let jump = 0; jump < jumps; jump++) {
      // Forward and back in turn, so that both happen whatever the seed.
      aheadMs = jump % 2 === 0 ? context.random.between(1, jumpHoursMax) * hourMs : 0;
      for (const node of deployment.nodes) await node.setClockAhead(aheadMs + context.random.between(0, 4) * secondMs);
      const { acknowledged } = proving.load;
      const delivered = proving.receiver?.distinctCount ?? 0;
      const goesOn = (): boolean =>
        proving.load.acknowledged > acknowledged + 20 && (proving.receiver?.distinctCount ?? 0) > delivered;
      const isBack = await comesTrue(goesOn, { withinMs: backWithinMs });
      context.check(isBack, `bookings or deliveries did not go on after the clocks were set to +${aheadMs / hourMs} h`);
    }
    // Equal again, and later than anything before: what was known at a moment is asked of both.
    for (const node of deployment.nodes) await node.setClockAhead((jumpHoursMax + 1) * hourMs);
    await proving.rememberAnswers();
    return { jumps, ...(await proving.conclude()) };
  },
};
