// Metrics of requests: counts and durations by operation, never by the address that was asked for.

import { Counter, Histogram, type Registry } from 'prom-client';
import type { AnsweredRequest } from '../../surfaces/http/pipeline/observer.ts';

/** Others, which only requests for paths that are not served can have, are counted together. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The refusals that ask a caller to send less. */
const budgetCodes: ReadonlySet<string> = new Set(['budget-exceeded', 'too-many-in-flight', 'mail-limit']);

export class RequestMetrics {
  readonly #requests: Counter<'operation' | 'method' | 'status'>;
  readonly #seconds: Histogram<'operation' | 'route' | 'status_class'>;
  readonly #refusals: Counter<'reason'>;
  readonly #defects: Counter;
  readonly #unlogged: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'holdfast_http_requests_total',
      help: 'Answered requests.',
      labelNames: ['operation', 'method', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'holdfast_http_request_seconds',
      help: 'Time from the start of a request to the end of its response, in seconds.',
      labelNames: ['operation', 'route', 'status_class'],
      registers,
      buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
    this.#refusals = new Counter({
      name: 'holdfast_budget_refusals_total',
      help: 'Requests that were refused because their sender asks for too much at a time, by the code of the refusal.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of budgetCodes) this.#refusals.inc({ reason }, 0);
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
  }

  /** Requests of strangers are counted together, as if for a path that is not served: nobody can add series without a token. */
  count({ operationId, route: path, method, status, durationMs, code, isStranger }: AnsweredRequest): void {
    const [operation, route] = isStranger ? ['none', 'none'] : [operationId, path];
    this.#requests.inc({ operation, method: methods.has(method) ? method : 'other', status });
    const labels = { operation, route, status_class: `${Math.floor(status / 100)}xx` };
    this.#seconds.observe(labels, durationMs / 1_000);
    if (code !== undefined && budgetCodes.has(code)) this.#refusals.inc({ reason: code });
  }

  countDefect(): void {
    this.#defects.inc();
  }

  countUnlogged(count: number): void {
    this.#unlogged.inc(count);
  }
}
