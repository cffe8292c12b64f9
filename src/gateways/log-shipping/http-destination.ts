// Posts batches to a receiver over HTTP: as lines of JSON (Splunk's raw endpoint, Logstash, Vector, Fluent Bit and whatever takes newline-delimited JSON), or as
// OTLP logs (a collector of OpenTelemetry, Loki, Elastic). A batch is taken when the receiver has answered with a status of success.

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { secondMs, type Clock } from '../../kit/clock.ts';
import type { LogDestination, ShippedLine, ShippingOutcome } from '../../model/operations/shipped-log.ts';
import { WebhookSender, type WebhookOutcome } from '../webhook-sender.ts';
import { otlpBody, rejectedByCollector } from './otlp-body.ts';

/** For a batch, from the resolution of the name to the last byte of the answer. */
const batchTimeoutMs = 30 * secondMs;
/** How much of an answer is read. */
const answerBytesMax = 64 * 1024;
/** How much of a refusal the operator is shown. */
const shownLengthMax = 200;
/** Connections to a receiver at the same time. */
const connectionsMax = 8;

/** RFC 9110, section 15.5.14: the batch is too large for the receiver. */
const contentTooLarge = 413;

export interface HttpDestinationOptions {
  /** `https` sends lines of JSON. */
  readonly name: 'https' | 'otlp';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  readonly authorities: string | undefined;
  readonly release: string;
  readonly clock: Clock;
  /** Replaces the usual deadline of a batch. */
  readonly timeoutMs?: number;
}

const compress = promisify(gzip);

export class HttpDestination implements LogDestination {
  readonly name: 'https' | 'otlp';
  readonly #options: HttpDestinationOptions;
  readonly #sender: WebhookSender;

  constructor(options: HttpDestinationOptions) {
    const { name, authorities, clock } = options;
    this.name = name;
    this.#options = options;
    // The operator has chosen the address, which is usually a private one.
    this.#sender = new WebhookSender({ allowPrivate: true, authorities, connectionsMax, clock });
  }

  /** A batch that is too large for the receiver is halved, down to a single line. */
  async ship(lines: readonly ShippedLine[], signal: AbortSignal): Promise<ShippingOutcome> {
    for (let count = lines.length; ; count = Math.ceil(count / 2)) {
      const batch = lines.slice(0, count);
      const outcome = await this.#post(batch, signal);
      if (outcome.kind === 'answered' && outcome.status === contentTooLarge && count > 1) continue;
      return this.#judge(outcome, batch);
    }
  }

  async #post(batch: readonly ShippedLine[], signal: AbortSignal): Promise<WebhookOutcome> {
    const { name, url, headers, release, timeoutMs = batchTimeoutMs } = this.#options;
    const text = name === 'otlp' ? otlpBody(batch, release) : batch.map((line) => `${line.text}\n`).join('');
    return this.#sender.send({
      url,
      headers: {
        'user-agent': `holdfast/${release}`,
        ...headers,
        'content-type': name === 'otlp' ? 'application/json' : 'application/x-ndjson',
        'content-encoding': 'gzip',
      },
      body: await compress(text),
      timeoutMs,
      responseBytesMax: answerBytesMax,
      signal,
    });
  }

  #judge(outcome: WebhookOutcome, batch: readonly ShippedLine[]): ShippingOutcome {
    if (outcome.kind === 'failed') {
      if (outcome.reason === 'stopped') return { kind: 'stopped' };
      return { kind: 'failed', detail: outcome.detail, retryAfterMs: null };
    }
    const { status, retryAfterMs, responseStart } = outcome;
    const shown = responseStart.slice(0, shownLengthMax);
    if (status < 200 || status > 299)
      return { kind: 'failed', detail: `The receiver answered ${status}: ${shown}`, retryAfterMs };
    if (this.name === 'otlp') {
      const rejectedCount = rejectedByCollector(responseStart);
      const detail = `The collector rejected ${rejectedCount} of ${batch.length} lines: ${shown}`;
      if (rejectedCount > 0) return { kind: 'failed', detail, retryAfterMs };
    }
    return { kind: 'acknowledged', count: batch.length };
  }

  close(): Promise<void> {
    return this.#sender.close();
  }
}
