// Sends the next deliveries of a queue in their order. What was accepted is recorded a little later, several together.

import { defined } from '../../kit/assert.ts';
import { secondMs } from '../../kit/clock.ts';
import type { AttemptResult, QueueOutcome } from '../../store/queues/delivery-queue-types.ts';
import type { AppContext } from '../core/context.ts';
import {
  attemptDelivery,
  givenUpAfterMs,
  type DeliveryEnd,
  type DeliveryPorts,
  type PreparedDeliveries,
} from './delivery-attempt.ts';
import {
  attemptTimeoutMs,
  giveUpOverdue,
  prolongedMs,
  type TenantAttempts,
  type TenantHeldQueue,
} from './delivery-queue.ts';
import { disableGoneWebhook } from './webhook.ts';

/** How many deliveries of a queue may have been accepted without being recorded: what a node that dies sends again. */
export const unrecordedMax = 10;
/** How long an accepted delivery waits for others that are recorded with it, while the next one is sent. */
const gatherMs = secondMs / 2;

interface RunPorts extends Pick<DeliveryPorts, 'send' | 'observer'> {
  record(attempts: TenantAttempts): Promise<QueueOutcome>;
  /** Called with what became of each attempt that was sent, as soon as it was made. */
  onAnswer(end: DeliveryEnd): void;
}

interface DeliveryRun {
  readonly held: TenantHeldQueue;
  readonly prepared: PreparedDeliveries;
  readonly signal: AbortSignal;
}

/** Records attempts of one queue, one batch after the other. */
class AttemptRecorder {
  readonly #context: AppContext;
  readonly #held: TenantHeldQueue;
  readonly #ports: RunPorts;
  #gathered: AttemptResult[] = [];
  /** Gathered, or on their way to the database. */
  #unrecordedCount = 0;
  #recording: Promise<QueueOutcome> = Promise.resolve('open');
  /** False where the last record has failed, or has found that nothing more is to be sent. */
  #isOpen = true;
  /** At least until then. */
  #leasedUntil: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: AppContext, held: TenantHeldQueue, ports: RunPorts) {
    this.#context = context;
    this.#held = held;
    this.#ports = ports;
    this.#leasedUntil = held.leasedUntil;
  }

  gather(attempt: AttemptResult): void {
    this.#gathered.push(attempt);
    this.#unrecordedCount += 1;
    this.#timer ??= setTimeout(() => void this.record(false), gatherMs);
  }

  /** Whether what was gathered has to be recorded before the next delivery is sent. */
  get isDue(): boolean {
    if (!this.#isOpen || this.#unrecordedCount >= unrecordedMax) return true;
    return this.#unrecordedCount > 0 && this.#context.clock.now() + attemptTimeoutMs >= this.#leasedUntil;
  }

  /** Records what was gathered. `isLast`: nothing else was in the queue. Returns the state of the queue. */
  record(isLast: boolean): Promise<QueueOutcome> {
    this.stopTimer();
    this.#recording = this.#recording.then((before) => this.#recordGathered(before, isLast));
    this.#recording.catch(() => (this.#isOpen = false)); // whoever records next gets the error
    return this.#recording;
  }

  stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #recordGathered(before: QueueOutcome, isLast: boolean): Promise<QueueOutcome> {
    const [first, ...others] = this.#gathered;
    if (first === undefined || before === 'lost') return before;
    this.#gathered = [];
    const recordedAt = this.#context.clock.now();
    const { tenant } = this.#held;
    const outcome = await this.#ports.record({ tenant, takenQueue: this.#held, attempts: [first, ...others], isLast });
    this.#unrecordedCount -= 1 + others.length;
    this.#isOpen = outcome === 'open';
    if (outcome === 'open') this.#leasedUntil = Math.max(this.#leasedUntil, recordedAt + prolongedMs);
    if (outcome !== 'lost') for (const attempt of [first, ...others]) this.#observe(attempt);
    return outcome;
  }

  #observe({ state, durationMs }: AttemptResult): void {
    this.#ports.observer?.onAttempt(endOf(state), durationMs);
    if (state === 'dead') this.#ports.observer?.onDeadLetters(1);
  }
}

function endOf(state: AttemptResult['state']): DeliveryEnd {
  return state === 'pending' ? 'retried' : state;
}

/** Sends in order until one delivery fails. Returns the state of the queue; `stopped` where this was interrupted, and the queue is still leased. */
export async function sendNextDeliveries(
  context: AppContext,
  run: DeliveryRun,
  ports: RunPorts,
): Promise<QueueOutcome | 'stopped'> {
  const recorder = new AttemptRecorder(context, run.held, ports);
  try {
    return await sendInOrder(context, run, { recorder, ports });
  } finally {
    recorder.stopTimer();
  }
}

async function sendInOrder(
  context: AppContext,
  { held, prepared, signal }: DeliveryRun,
  { recorder, ports }: { recorder: AttemptRecorder; ports: RunPorts },
): Promise<QueueOutcome | 'stopped'> {
  const { bodies, signer } = prepared;
  for (const [index, nextDelivery] of held.nextDeliveries.entries()) {
    if (recorder.isDue) {
      const outcome = await recorder.record(false);
      if (outcome !== 'open') return outcome;
    }
    const body = defined(bodies[index], 'every next delivery has a body');
    const attempt = signal.aborted
      ? 'stopped'
      : await attemptDelivery(context, { held, nextDelivery, body, signer, signal }, ports.send);
    if (attempt === 'stopped') {
      await recorder.record(false);
      return 'stopped';
    }
    recorder.gather(attempt);
    if (!nextDelivery.isMovedAway) ports.onAnswer(endOf(attempt.state));
    if (attempt.state === 'delivered') continue;
    const isLast = held.isComplete && index === held.nextDeliveries.length - 1;
    return endWith(context, { held, attempt, outcome: await recorder.record(isLast) }, ports);
  }
  return recorder.record(held.isComplete);
}

interface FailedAttempt {
  readonly held: TenantHeldQueue;
  readonly attempt: AttemptResult;
  readonly outcome: QueueOutcome;
}

/** Draws the consequences of an attempt that failed. What has waited as long as a dead letter before it in the queue is given up as well. */
async function endWith(
  context: AppContext,
  { held, attempt, outcome }: FailedAttempt,
  { observer }: RunPorts,
): Promise<QueueOutcome> {
  if (attempt.status === 410 && outcome !== 'lost') await disableGoneWebhook(context, held.tenant, held.webhook);
  if (attempt.state !== 'dead' || outcome !== 'open') return outcome;
  const overdue = { readyBefore: attempt.at - givenUpAfterMs, endedAt: attempt.endedAt };
  const givenUp = await giveUpOverdue(context, held, overdue);
  observer?.onDeadLetters(givenUp);
  return 'open';
}
