// Sends requests: with a token, a time limit and an idempotency key, again after failures that pass, and never twice to the same effect.

import { fetchBody, isBrowser, type RequestBody } from './bodies.ts';
import type { Answer, LogEntry, WriteOptions } from './calls.ts';
import { errorOf, HoldfastError, noAnswer } from './errors.ts';
import { retryDelay, sleep } from './retries.ts';
import type { Tokens } from './tokens.ts';

export interface OutgoingRequest extends WriteOptions {
  readonly operation: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly accept: string;
  readonly body?: RequestBody | undefined;
  readonly isIdempotent: boolean;
  readonly ifNoneMatch?: string | undefined;
  /** Absent for a request without a token. */
  readonly tokens?: Tokens | undefined;
  /** Reads the body of a good answer; as JSON unless told otherwise. */
  readonly read?: (response: Response) => Promise<any>;
}

export interface TransportOptions {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly timeoutMs: number | undefined;
  readonly userAgent: string;
  readonly log: ((entry: LogEntry) => void) | undefined;
  readonly sleep: typeof sleep;
}

const timeoutMsDefault = 60_000;
/** Rows and files take the time that the network needs. */
const uploadTimeoutMsDefault = 600_000;

export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async send<T>(request: OutgoingRequest): Promise<Answer<T>> {
    const headers = this.#headersOf(request);
    const retries = request.retries ?? this.#options.retries;
    let hasRenewedToken = false;
    for (let attempt = 1; ; attempt++) {
      const token = await request.tokens?.get();
      request.signal?.throwIfAborted();
      try {
        return await this.#attempt<T>(
          request,
          attempt,
          token ? { ...headers, authorization: `Bearer ${token}` } : headers,
        );
      } catch (error) {
        const isLast = attempt > retries || request.body?.isRepeatable === false;
        if (token !== undefined && error instanceof HoldfastError && error.status === 401 && !hasRenewedToken) {
          hasRenewedToken = true;
          const other = await request.tokens?.replace(token);
          if (other !== token && request.body?.isRepeatable !== false) continue;
        }
        const delayMs = isLast ? undefined : retryDelay(error, attempt);
        if (delayMs === undefined) throw error;
        this.#log('retry', request, { attempt, delayMs });
        await this.#options.sleep(delayMs, request.signal);
      }
    }
  }

  #headersOf({
    accept,
    body,
    isIdempotent,
    idempotencyKey,
    ifMatch,
    ifNoneMatch,
  }: OutgoingRequest): Record<string, string> {
    return {
      accept,
      ...(isBrowser ? {} : { 'user-agent': this.#options.userAgent }),
      ...(body === undefined ? {} : { 'content-type': body.mediaType }),
      ...(isIdempotent ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    };
  }

  async #attempt<T>(request: OutgoingRequest, attempt: number, headers: Record<string, string>): Promise<Answer<T>> {
    const { method, path, body, signal, timeoutMs = this.#timeoutOf(request) } = request;
    const limit = timeLimit(timeoutMs, signal);
    this.#log('request', request, { attempt });
    try {
      const content = body === undefined ? {} : await fetchBody(body);
      const init = { method, headers, ...content, redirect: 'manual', signal: limit.signal } as const;
      const response = await this.#options.fetch.call(undefined, this.#options.url + path, init);
      const answer = await readAnswer<T>(response, request);
      this.#log('answer', request, { attempt, status: answer.status, requestId: answer.requestId });
      return answer;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const failure = toFailure(error, limit.signal.aborted ? timeoutMs : undefined);
      const { status, code, requestId } = failure;
      this.#log('failure', request, { attempt, status, code, requestId });
      throw failure;
    } finally {
      limit.end(request.read === undefined);
    }
  }

  #timeoutOf({ body }: OutgoingRequest): number {
    const isUpload = body !== undefined && body.mediaType !== 'application/json';
    return this.#options.timeoutMs ?? (isUpload ? uploadTimeoutMsDefault : timeoutMsDefault);
  }

  #log(
    kind: LogEntry['kind'],
    { operation, method, path }: OutgoingRequest,
    rest: Partial<LogEntry> & { attempt: number },
  ): void {
    this.#options.log?.({ kind, operation, method, path: path.split('?')[0] ?? path, ...rest });
  }
}

/** Aborts when the time is up or the caller aborts. */
function timeLimit(
  timeoutMs: number,
  outer: AbortSignal | undefined,
): { signal: AbortSignal; end(isRead: boolean): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end(isRead) {
      clearTimeout(timer);
      // The caller may still abort a stream that is being read.
      if (isRead) outer?.removeEventListener('abort', abort);
    },
  };
}

function toFailure(error: unknown, timedOutAfterMs: number | undefined): HoldfastError {
  if (error instanceof HoldfastError) return error;
  if (timedOutAfterMs !== undefined)
    return noAnswer('timed-out', `There was no whole answer within ${timedOutAfterMs} ms.`, error);
  return noAnswer(
    'network-failed',
    `There was no answer: ${error instanceof Error ? error.message : String(error)}`,
    error,
  );
}

async function readAnswer<T>(response: Response, { read = readJson }: OutgoingRequest): Promise<Answer<T>> {
  const { status, headers } = response;
  if (!response.ok && status !== 304) throw errorOf(status, headers, await response.text());
  return {
    data: status === 204 || status === 304 ? undefined : await read(response),
    status,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    isReplayed: headers.get('idempotent-replayed') === 'true',
    headers,
  };
}

/** Decimals of v1 are texts, and its numbers are counts that a double holds exactly. */
async function readJson(response: Response): Promise<any> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}
