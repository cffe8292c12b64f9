// Metrics of background work: what this node has delivered, mailed, fetched and calculated, by how it ended.

import { Counter, Histogram, type Registry } from 'prom-client';
import type { DeliveryEnd } from '../../actions/events/delivery-attempt.ts';
import type { RoundEnd } from '../../jobs/round-worker.ts';
import { feedErrors } from '../../model/custody/feed-run.ts';

type MailEnd = 'sent' | 'failed' | 'put-off';

const deliveryEnds: readonly DeliveryEnd[] = ['delivered', 'retried', 'dead'];
const roundEnds: readonly RoundEnd[] = ['finished', 'failed', 'handed-back'];
const mailEnds: readonly MailEnd[] = ['sent', 'failed', 'put-off'];
const feedEnds: readonly string[] = ['finished', ...feedErrors];
/** The longest waits of custodians and receivers are tens of seconds, those of rounds minutes. */
const longBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export class JobMetrics {
  readonly #deliveries: Counter<'outcome'>;
  readonly #deliverySeconds: Histogram;
  readonly #deadLetters: Counter;
  readonly #rounds: Counter<'outcome'>;
  readonly #roundSeconds: Histogram;
  readonly #mails: Counter<'outcome'>;
  readonly #feedRuns: Counter<'outcome'>;
  readonly #failures: Counter<'work'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const byOutcome = (name: string, help: string, outcomes: readonly string[]): Counter<'outcome'> => {
      const counter = new Counter({ name, help, labelNames: ['outcome'], registers });
      for (const outcome of outcomes) counter.inc({ outcome }, 0);
      return counter;
    };
    const seconds = (name: string, help: string): Histogram =>
      new Histogram({ name, help, registers, buckets: longBuckets });
    this.#deliveries = byOutcome(
      'holdfast_delivery_attempts_total',
      'Attempts of this node to deliver an event to a webhook.',
      deliveryEnds,
    );
    this.#deliverySeconds = seconds(
      'holdfast_delivery_attempt_seconds',
      'Time from the resolution of a receiver to the end of its answer, in seconds.',
    );
    this.#deadLetters = new Counter({
      name: 'holdfast_dead_letters_total',
      help: 'Deliveries that this node gave up, tried or held back by one that was.',
      registers,
    });
    this.#rounds = byOutcome('holdfast_rounds_total', 'Calculation rounds that this node ran.', roundEnds);
    this.#roundSeconds = seconds('holdfast_round_seconds', 'Time to evaluate a client in a round, in seconds.');
    this.#mails = byOutcome('holdfast_mails_total', 'Mail that this node sent, postponed, or gave up on.', mailEnds);
    this.#feedRuns = byOutcome(
      'holdfast_feed_runs_total',
      'Runs of feeds that this node finished, and attempts that failed, by why.',
      feedEnds,
    );
    this.#failures = new Counter({
      name: 'holdfast_job_failures_total',
      help: 'Failures of background work on this node, each of which is tried again.',
      labelNames: ['work'],
      registers,
    });
  }

  countDelivery(outcome: DeliveryEnd, durationMs: number): void {
    this.#deliveries.inc({ outcome });
    this.#deliverySeconds.observe(durationMs / 1_000);
  }

  countDeadLetters(count: number): void {
    this.#deadLetters.inc(count);
  }

  countRound(outcome: RoundEnd, durationMs: number): void {
    this.#rounds.inc({ outcome });
    this.#roundSeconds.observe(durationMs / 1_000);
  }

  countMail(outcome: MailEnd): void {
    this.#mails.inc({ outcome });
  }

  countFeedRun(outcome: string): void {
    this.#feedRuns.inc({ outcome });
  }

  /** `work`: the name of a job, of which there are few. */
  countFailure(work: string): void {
    this.#failures.inc({ work });
  }
}
