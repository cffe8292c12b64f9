// Collects metrics of requests, mail, feeds and the process, and writes them in Prometheus' text format.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AnsweredRequest } from './observer.ts';

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<'operation' | 'method' | 'status'>;
  readonly #seconds: Histogram<'operation'>;
  readonly #defects: Counter;
  readonly #unlogged: Counter;
  readonly #mails: Counter<'outcome'>;
  readonly #mailsWaiting: Gauge;
  readonly #feedRuns: Counter<'outcome'>;
  readonly #feedsLate: Gauge;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: 'holdfast_http_requests_total',
      help: 'Answered requests.',
      labelNames: ['operation', 'method', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'holdfast_http_request_seconds',
      help: 'Time from the start of a request to the end of its response, in seconds.',
      labelNames: ['operation'],
      registers,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#defects = new Counter({
      name: 'holdfast_defects_total',
      help: 'Requests that failed because of a defect of the service.',
      registers,
    });
    this.#unlogged = new Counter({
      name: 'holdfast_request_log_dropped_total',
      help: 'Lines of the request log that were dropped, because the database was slow or could not be reached.',
      registers,
    });
    this.#mails = new Counter({
      name: 'holdfast_mails_total',
      help: 'Mail that this node sent, postponed, or gave up on.',
      labelNames: ['outcome'],
      registers,
    });
    this.#mailsWaiting = new Gauge({
      name: 'holdfast_mails_queued',
      help: 'Mail waiting to be sent, when this node last looked.',
      registers,
    });
    this.#feedRuns = new Counter({
      name: 'holdfast_feed_runs_total',
      help: 'Runs of feeds that this node finished, and attempts that failed, by why.',
      labelNames: ['outcome'],
      registers,
    });
    this.#feedsLate = new Gauge({
      name: 'holdfast_feeds_late',
      help: 'Runs of feeds that are due and not begun, when this node last looked.',
      registers,
    });
  }

  countRequest({ operationId, method, status, durationMs }: AnsweredRequest): void {
    this.#requests.inc({ operation: operationId, method, status });
    this.#seconds.observe({ operation: operationId }, durationMs / 1_000);
  }

  countDefect(): void {
    this.#defects.inc();
  }

  countUnloggedRequests(count: number): void {
    this.#unlogged.inc(count);
  }

  countMail(outcome: 'sent' | 'failed' | 'put-off'): void {
    this.#mails.inc({ outcome });
  }

  setMailsWaiting(count: number): void {
    this.#mailsWaiting.set(count);
  }

  countFeedRun(outcome: string): void {
    this.#feedRuns.inc({ outcome });
  }

  setFeedsLate(count: number): void {
    this.#feedsLate.set(count);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
