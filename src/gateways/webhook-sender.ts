// Posts deliveries to their receivers: one request with one deadline, without redirects, to checked addresses only.

import { isIP } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import type { Clock } from '../kit/clock.ts';
import { abortable, makeCheckedAgent, type CheckedAgentOptions } from './checked-agent.ts';
import { AddressRefused } from './checked-lookup.ts';
import { toDeliveryFailure, type FailureReason } from './delivery-failure.ts';
import { checkTarget, hostWithoutBrackets, TargetFault } from './webhook-target.ts';

export interface WebhookPost {
  readonly url: string;
  /** Content type and signature; `content-length` and `host` are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
  /** From the resolution of the name to the last byte of the response. */
  readonly timeoutMs: number;
  /** How much of the response is kept; the rest is not read. */
  readonly responseBytesMax: number;
  /** Interrupts the delivery when the service stops. */
  readonly signal?: AbortSignal;
}

export type WebhookOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The wait that `Retry-After` asks for; null if there is none. */
      readonly retryAfterMs: number | null;
      /** The beginning of the response body. */
      readonly responseStart: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly reason: FailureReason;
      /** A sentence for the operator of the receiver. */
      readonly detail: string;
      readonly durationMs: number;
    };

export interface WebhookSenderOptions extends CheckedAgentOptions {
  readonly clock: Clock;
}

type ResponseSummary = Pick<Extract<WebhookOutcome, { kind: 'answered' }>, 'status' | 'retryAfterMs' | 'responseStart'>;

export class WebhookSender {
  readonly #allowPrivate: boolean;
  readonly #clock: Clock;
  readonly #agent: Agent;

  constructor({ clock, ...options }: WebhookSenderOptions) {
    this.#allowPrivate = options.allowPrivate;
    this.#clock = clock;
    this.#agent = makeCheckedAgent(options);
  }

  /** Never throws: failures are outcomes. */
  async send(post: WebhookPost): Promise<WebhookOutcome> {
    const startedAt = this.#clock.now();
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(new DeadlinePassed(post.timeoutMs)), post.timeoutMs);
    const stop = (): void => controller.abort(post.signal?.reason);
    post.signal?.addEventListener('abort', stop, { once: true });
    if (post.signal?.aborted) stop();
    try {
      const summary = await abortable(signal, this.#post(post, signal));
      return { kind: 'answered', ...summary, durationMs: this.#durationSince(startedAt) };
    } catch (error) {
      const failure = signal.aborted ? toAbortFailure(signal.reason) : toDeliveryFailure(error);
      return { kind: 'failed', ...failure, durationMs: this.#durationSince(startedAt) };
    } finally {
      clearTimeout(timer);
      post.signal?.removeEventListener('abort', stop);
    }
  }

  /** Zero where the clock was set back meanwhile. */
  #durationSince(startedAt: number): number {
    return Math.max(0, this.#clock.now() - startedAt);
  }

  async #post({ url, headers, body, responseBytesMax }: WebhookPost, signal: AbortSignal): Promise<ResponseSummary> {
    const target = this.#checkTarget(url);
    const response = await this.#agent.request({
      origin: target.origin,
      path: target.pathname + target.search,
      method: 'POST',
      headers,
      body,
      signal,
    });
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], this.#clock.now());
    const responseStart = await readPrefix(response.body, responseBytesMax);
    return { status: response.statusCode, retryAfterMs, responseStart };
  }

  /** Checks again, because the rules may have become stricter since the registration, and IP literals are never resolved. */
  #checkTarget(url: string): URL {
    try {
      return checkTarget(url, { allowPrivate: this.#allowPrivate });
    } catch (error) {
      if (error instanceof TargetFault && isIpLiteral(url)) throw new AddressRefused();
      throw error;
    }
  }

  /** Aborts the deliveries in progress. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

class DeadlinePassed extends Error {
  constructor(timeoutMs: number) {
    super(`The receiver did not respond completely within ${timeoutMs / 1000} seconds.`);
  }
}

function toAbortFailure(reason: unknown): { reason: FailureReason; detail: string } {
  if (reason instanceof DeadlinePassed) return { reason: 'timeout', detail: reason.message };
  return { reason: 'stopped', detail: 'The delivery was interrupted because this node is stopping.' };
}

function isIpLiteral(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isIP(hostWithoutBrackets(parsed)) !== 0;
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function parseRetryAfter(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const retryAt = header.endsWith('GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(retryAt) ? null : Math.max(0, retryAt - now);
}

/** Reads the beginning of a response as text that can be stored. Leaving the loop early closes the connection. */
async function readPrefix(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, bytesMax - length));
    length += part.length;
    if (length > bytesMax) break;
  }
  // Decodes as a stream, which drops a character cut off at the end.
  const text = new TextDecoder().decode(Buffer.concat(parts), { stream: length > bytesMax });
  return text.replaceAll('\0', '\uFFFD');
}
