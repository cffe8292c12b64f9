// Posts deliveries to their receivers: one request with one deadline, without redirects, to checked addresses only.

import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Agent } from 'undici';
import type { Clock } from '../kit/clock.ts';
import { CheckedAgent, type CheckedAgentOptions } from './checked-agent.ts';
import { AddressRefused } from './checked-lookup.ts';
import { toDeliveryFailure, type FailureReason } from './delivery-failure.ts';
import { WebhookExchange, type ExchangeSummary } from './webhook-exchange.ts';
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

interface Target {
  readonly origin: string;
  readonly path: string;
}

type ResponseSummary = Pick<Extract<WebhookOutcome, { kind: 'answered' }>, 'status' | 'retryAfterMs' | 'responseStart'>;

/** How many addresses a node remembers to have checked. */
const targetsMax = 1_000;

export class WebhookSender {
  readonly #allowPrivate: boolean;
  readonly #clock: Clock;
  readonly #agent: CheckedAgent;
  readonly #interruptions = new Interruptions();
  /** The last URLs that were checked: the rules stay the same while the node runs. */
  readonly #targets = new LRUCache<string, Target>({ max: targetsMax });

  constructor({ clock, ...options }: WebhookSenderOptions) {
    this.#allowPrivate = options.allowPrivate;
    this.#clock = clock;
    this.#agent = new CheckedAgent(options);
  }

  /** Never throws: failures are outcomes. */
  async send(post: WebhookPost): Promise<WebhookOutcome> {
    const startedAt = this.#clock.now();
    const agent = await this.#agent.open();
    const exchange = new WebhookExchange(post.responseBytesMax);
    const timer = setTimeout(() => exchange.interrupt(new DeadlinePassed(post.timeoutMs)), post.timeoutMs);
    const forget = this.#interruptions.add(exchange, post.signal);
    try {
      if (post.signal?.aborted !== true) this.#dispatch(agent, post, exchange);
      return { kind: 'answered', ...this.#summarize(await exchange.done), durationMs: this.#durationSince(startedAt) };
    } catch (error) {
      return { kind: 'failed', ...toFailure(error), durationMs: this.#durationSince(startedAt) };
    } finally {
      clearTimeout(timer);
      forget();
    }
  }

  /** Zero where the clock was set back meanwhile. */
  #durationSince(startedAt: number): number {
    return Math.max(0, this.#clock.now() - startedAt);
  }

  #dispatch(agent: Agent, { url, headers, body }: WebhookPost, exchange: WebhookExchange): void {
    agent.dispatch({ ...this.#targetOf(url), method: 'POST', headers, body }, exchange);
  }

  #summarize({ status, retryAfter, start, isCut }: ExchangeSummary): ResponseSummary {
    return {
      status,
      retryAfterMs: parseRetryAfter(retryAfter, this.#clock.now()),
      responseStart: toText(start, isCut),
    };
  }

  #targetOf(url: string): Target {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    const { origin, pathname, search } = this.#checkTarget(url);
    const target = { origin, path: pathname + search };
    this.#targets.set(url, target);
    return target;
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
    await this.#agent.close();
  }
}

class DeadlinePassed extends Error {
  constructor(timeoutMs: number) {
    super(`The receiver did not respond completely within ${timeoutMs / 1000} seconds.`);
  }
}

class NodeStops extends Error {}

/** Interrupts exchanges when their signal is aborted. Listens once to each signal, which many of them share one after the other. */
class Interruptions {
  readonly #bySignal = new WeakMap<AbortSignal, Set<WebhookExchange>>();

  /** Returns what takes it out again. */
  add(exchange: WebhookExchange, signal: AbortSignal | undefined): () => void {
    if (signal === undefined) return () => {};
    if (signal.aborted) exchange.interrupt(new NodeStops());
    const listening = this.#bySignal.get(signal) ?? this.#listenTo(signal);
    listening.add(exchange);
    return () => void listening.delete(exchange);
  }

  #listenTo(signal: AbortSignal): Set<WebhookExchange> {
    const listening = new Set<WebhookExchange>();
    this.#bySignal.set(signal, listening);
    const stop = (): void => listening.forEach((exchange) => exchange.interrupt(new NodeStops()));
    signal.addEventListener('abort', stop, { once: true });
    return listening;
  }
}

function toFailure(error: unknown): { reason: FailureReason; detail: string } {
  if (error instanceof DeadlinePassed) return { reason: 'timeout', detail: error.message };
  if (error instanceof NodeStops)
    return { reason: 'stopped', detail: 'The delivery was interrupted because this node is stopping.' };
  return toDeliveryFailure(error);
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

/** The beginning of a response as text that can be stored. */
function toText(start: Buffer, isCut: boolean): string {
  if (start.length === 0) return '';
  // Decodes as a stream, which drops a character cut off at the end.
  return new TextDecoder().decode(start, { stream: isCut }).replaceAll('\0', '\uFFFD');
}
