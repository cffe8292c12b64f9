// What most scenarios share: households, a receiver, a load that books into them, and at the end every check of what was acknowledged.

import { minuteMs } from '../../../src/kit/clock.ts';
import type { LocalDeployment } from '../deployment/local-deployment.ts';
import type { Figures, RemoteTarget, ScenarioContext } from '../scenario.ts';
import { comesTrue } from '../waiting.ts';
import { ApiClient } from './api-client.ts';
import { BookingLoad } from './booking-load.ts';
import { compareOrder } from './event-order.ts';
import { makeHousehold, readHoldings, reportDay, type Household } from './household.ts';
import { Journal, toCents, type StatedTransaction } from './journal.ts';
import { Receiver } from './receiver.ts';

interface ProvingParts {
  readonly target: RemoteTarget;
  /** Where it is ours: its operator's commands are run too. */
  readonly deployment?: LocalDeployment;
  readonly households?: number;
  readonly callers?: number;
  readonly receives?: 'events' | 'nothing';
}

/** An answer that must stay the same for the moment at which it was given. */
export interface GivenAnswer {
  readonly path: string;
  readonly text: string;
}

const deliveredWithinMs = 120_000;
/** What a killed node was delivering waits until its lease is over. */
const leasesEndMs = minuteMs;

export class Proving {
  readonly #context: ScenarioContext;
  readonly #deployment: LocalDeployment | undefined;
  readonly api: ApiClient;
  readonly journal = new Journal();
  readonly households: readonly Household[];
  readonly receiver: Receiver | undefined;
  readonly load: BookingLoad;
  readonly #given: GivenAnswer[] = [];
  /** What the service lists of each account, in the order in which it was booked. */
  #booked: ReadonlyMap<string, readonly StatedTransaction[]> = new Map();

  private constructor(
    parts: Pick<Proving, 'api' | 'households' | 'receiver'> & { readonly callers: number },
    context: ScenarioContext,
    deployment: LocalDeployment | undefined,
  ) {
    this.#context = context;
    this.#deployment = deployment;
    this.api = parts.api;
    this.households = parts.households;
    this.receiver = parts.receiver;
    const { journal, api, households } = this;
    this.load = new BookingLoad({ api, journal, households, random: context.random, callers: parts.callers });
  }

  static async open(context: ScenarioContext, parts: ProvingParts): Promise<Proving> {
    const { target, deployment, households: count = 3, callers = 5, receives = 'events' } = parts;
    const api = new ApiClient(target);
    const households: Household[] = [];
    for (let index = 0; index < count; index++) households.push(await makeHousehold(api, `Prove ${index}`));
    const receiver = receives === 'events' ? await openReceiver(context, api) : undefined;
    return new Proving({ api, households, receiver, callers }, context, deployment);
  }

  /**
   * Asks for the holdings of every household as known at this moment; `conclude` asks again. What was in progress at the moment is
   * finished first: a booking is known from when its write began.
   */
  async rememberAnswers(): Promise<readonly GivenAnswer[]> {
    for (const { entity } of this.households) {
      const path = `/v1/holdings?reporting_entity_id=${entity}&as_of=${reportDay}`;
      const { knownAt } = await this.api.send({ path });
      await this.load.untilAnswered();
      const known = `${path}&known_at=${encodeURIComponent(knownAt ?? '')}`;
      const { text, status } = await this.api.send({ path: known });
      this.#context.check(status === 200, `${known} was answered with ${status} ${text}`);
      this.#given.push({ path: known, text });
    }
    return this.#given;
  }

  /** Stops the load and checks everything. */
  async conclude(): Promise<Figures> {
    const { load, api } = this;
    await load.stop();
    for (const node of this.#deployment?.nodes ?? []) await node.passTime(leasesEndMs);
    this.#context.print(`checking ${load.acknowledged} requests`);
    this.#context.check(load.failed.length === 0, `${load.failed.length} requests were given up: ${load.failed[0]}`);
    this.#context.check(load.refused.length === 0, `valid bookings were refused: ${load.refused[0]}`);
    this.#context.check(load.differing.length === 0, `one request had two answers: ${load.differing[0]}`);
    const ledger = await this.#checkLedger();
    await this.#checkSums();
    const events = await this.#checkEvents();
    await this.#checkGivenAnswers();
    return {
      ...ledger,
      retries: api.counts.retries,
      'replayed answers': api.counts.replayed,
      ...events,
      ...(await this.#verify()),
    };
  }

  async #checkLedger(): Promise<Figures> {
    const stated = await listStated(this.api, this.households);
    this.#booked = Map.groupBy(stated, ({ account }) => account);
    const { acknowledged, lost, doubled, changed, unexpected } = this.journal.compare(stated);
    for (const [what, found] of Object.entries({ lost, doubled, changed, unexpected }))
      this.#context.check(found.length === 0, `${found.length} bookings are ${what}: ${found.slice(0, 3).join('; ')}`);
    return { acknowledged, lost: lost.length, doubled: doubled.length };
  }

  /** Cash and units of each household are the sums of what was acknowledged. Needs a load without unknown outcomes. */
  async #checkSums(): Promise<void> {
    const booked = this.journal.withOutcome('acknowledged');
    if (this.journal.withOutcome('sent').length > 0) return;
    for (const household of this.households) {
      const own = booked.filter(({ account }) => household.accounts.includes(account));
      const cents = own.reduce((sum, one) => sum + one.cents, 0);
      const units = own.reduce((sum, one) => sum + one.units, 0);
      const held = await readHoldings(this.api, household);
      const isRight = toCents(held.cash) === cents && held.units === String(units);
      this.#context.check(
        isRight,
        `holdings are ${held.cash} and ${held.units} units, booked were ${cents} cents and ${units}`,
      );
    }
  }

  /** Every booking has exactly one event, and the receiver got all of them in order. */
  async #checkEvents(): Promise<Figures> {
    const transactions: string[] = [];
    for (const { client } of this.households) {
      for await (const { data } of this.api.list(`/v1/events?type=transaction.created&client_id=${client}`))
        transactions.push(data.object.id);
    }
    const booked = new Set([...this.#booked.values()].flat().map(({ id }) => id));
    const distinct = new Set(transactions);
    this.#context.check(distinct.size === transactions.length, 'a booking has more than one event');
    this.#context.check(booked.symmetricDifference(distinct).size === 0, 'events and bookings are not the same');
    const { receiver } = this;
    if (receiver === undefined) return { events: distinct.size };
    const isDelivered = await comesTrue(() => receiver.distinctCount >= distinct.size, { withinMs: deliveredWithinMs });
    this.#context.check(isDelivered, `${distinct.size - receiver.distinctCount} events were not delivered`);
    this.#checkOrder(receiver);
    return { events: distinct.size, 'deliveries repeated': receiver.repeatedCount };
  }

  /** A booking's number, and so its place in the list, is given under the same lock as its place in the queue of events. */
  #checkOrder(receiver: Receiver): void {
    const arrived = Map.groupBy(receiver.accepted, ({ account }) => account);
    for (const [account, stated] of this.#booked) {
      const received = arrived.get(account) ?? [];
      const found = compareOrder(
        stated.map(({ id }) => id),
        received.map(({ transaction }) => transaction),
      );
      this.#context.check(found.disordered === 0, `${found.disordered} events arrived after later ones`);
      this.#context.check(found.repeatedFar === 0, `${found.repeatedFar} events were repeated long after later ones`);
      this.#context.check(found.unknown === 0, `${found.unknown} events are of no booking in the ledger`);
    }
    const wrong = receiver.wrongSignatures;
    this.#context.check(wrong.length === 0, `signatures were wrong: ${wrong[0]}`);
  }

  async #checkGivenAnswers(): Promise<void> {
    for (const { path, text } of this.#given) {
      const again = await this.api.send({ path });
      this.#context.check(again.text === text, `${path} gives other bytes than at that moment`);
    }
  }

  /** Audit logs, the laws of the ledger, references and sums, as an operator checks them. */
  async #verify(): Promise<Figures> {
    if (this.#deployment === undefined) return {};
    const { code, output } = await this.#deployment.admin('verify');
    this.#context.check(code === 0, `\`holdfast verify\` finds faults: ${output}`);
    return {};
  }
}

/** Every transaction of the households, those of an account in the order in which they were booked. */
export async function listStated(api: ApiClient, households: readonly Household[]): Promise<StatedTransaction[]> {
  const stated: StatedTransaction[] = [];
  for (const account of households.flatMap(({ accounts }) => accounts)) {
    for await (const { id, amount, external_reference } of api.list(`/v1/transactions?account_id=${account}`))
      stated.push({ id, account, cents: toCents(amount), reference: external_reference ?? undefined });
  }
  return stated;
}

async function openReceiver(context: ScenarioContext, api: ApiClient): Promise<Receiver> {
  const receiver = await Receiver.start();
  context.defer(() => receiver.stop());
  const body = { url: receiver.url, events: ['transaction.created'] };
  const webhook = await api.call({ method: 'POST', path: '/v1/webhooks', body, key: crypto.randomUUID() });
  receiver.secret = webhook.secret;
  return receiver;
}
