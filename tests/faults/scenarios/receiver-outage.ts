// A receiver of webhooks is down for simulated days.

import { hourMs } from '../../../src/kit/clock.ts';
import { LocalDeployment } from '../deployment/local-deployment.ts';
import { Proving } from '../load/proving.ts';
import type { Receiver } from '../load/receiver.ts';
import { ScenarioContext, type Scenario } from '../scenario.ts';
import { comesTrue, pause } from '../waiting.ts';

/** Enough for a node to look what is due, also on a busy machine. */
const attemptWithinMs = 20_000;

class Outage {
  readonly #context: ScenarioContext;
  readonly #deployment: LocalDeployment;
  readonly #proving: Proving;
  readonly #receiver: Receiver;
  #aheadHours = 0;

  constructor(context: ScenarioContext, parts: { deployment: LocalDeployment; proving: Proving; receiver: Receiver }) {
    this.#context = context;
    this.#deployment = parts.deployment;
    this.#proving = parts.proving;
    this.#receiver = parts.receiver;
  }

  /** Books, then nobody answers for so many hours, while attempts are made. */
  async last({ hours, stepHours }: { readonly hours: number; readonly stepHours: number }): Promise<void> {
    this.#receiver.state = this.#context.random.between(0, 1) === 0 ? 'failing' : 'absent';
    this.#proving.load.start();
    await pause(this.#context.random.between(500, 1_000));
    await this.#proving.load.stop();
    for (let passed = 0; passed < hours; passed += stepHours) {
      const { turnedAway } = this.#receiver;
      await this.moveClock(stepHours);
      await comesTrue(() => this.#receiver.turnedAway > turnedAway, { withinMs: attemptWithinMs });
    }
    this.#receiver.state = 'up';
  }

  async moveClock(hours: number): Promise<void> {
    this.#aheadHours += hours;
    for (const node of this.#deployment.nodes) await node.setClockAhead(this.#aheadHours * hourMs);
  }

  async countPending(): Promise<{ readonly pending: number; readonly dead: number }> {
    const { webhooks } = await this.#proving.api.call({ path: '/v1/diagnostics' });
    const [one] = webhooks as readonly { readonly pending_count: number; readonly dead_letter_count: number }[];
    return { pending: one?.pending_count ?? 0, dead: one?.dead_letter_count ?? 0 };
  }

  /** Retries have at most an hour between them. */
  async untilNothingPending(): Promise<void> {
    await this.moveClock(1);
    const isDone = await comesTrue(async () => (await this.countPending()).pending === 0, { withinMs: 90_000 });
    this.#context.check(isDone, 'deliveries were still pending after the receiver had come back');
  }
}

async function replay({ api }: Proving): Promise<number> {
  let replayed = 0;
  for await (const { id } of api.list('/v1/webhooks')) {
    const path = `/v1/webhooks/${id}/replay-dead-letters`;
    for (let queued = 1; queued > 0; replayed += queued) {
      const answer = await api.call({ method: 'POST', path, body: { since: '2020-01-01T00:00:00Z' } });
      queued = Object.values(answer as Record<string, number>)[0] ?? 0;
    }
  }
  return replayed;
}

export const receiverOutage: Scenario = {
  name: 'receiver-outage',
  does: 'A receiver of webhooks is down for 20 simulated hours, then for 30: longer than deliveries are retried. Its dead letters are replayed.',
  holds: [
    'after less than a day, everything arrives by itself, in order',
    'after more than a day, every event has arrived or is a dead letter, and all of them arrive when they are replayed, in order',
    'no event is missing at the end',
  ],
  needs: 'own-nodes',
  async run(context) {
    const server = await context.getServer();
    const deployment = await LocalDeployment.start({ databaseUrl: await server.createDatabase(), nodes: 1 });
    context.defer(() => deployment.stop());
    const proving = await Proving.open(context, { target: deployment.target, deployment });
    const { receiver } = proving;
    if (receiver === undefined) throw new Error('This scenario needs a receiver.');
    const outage = new Outage(context, { deployment, proving, receiver });
    const rounds = context.pick({ short: 1, long: 6 });
    const stepHours = context.pick({ short: 5, long: 2 });
    let [dead, replayed] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      await outage.last({ hours: 20, stepHours });
      await outage.untilNothingPending();
      context.check((await outage.countPending()).dead === 0, 'there were dead letters after less than a day');
      await outage.last({ hours: 30, stepHours });
      await outage.untilNothingPending();
      dead += (await outage.countPending()).dead;
      replayed += await replay(proving);
      await outage.untilNothingPending();
    }
    context.check(dead > 0 && dead === replayed, `${dead} dead letters, ${replayed} replayed`);
    const figures = await proving.conclude();
    return {
      'simulated hours': rounds * 52,
      'attempts that failed': receiver.turnedAway,
      'dead letters': dead,
      replayed,
      ...figures,
    };
  },
};
