// A caller as an integrator would write one: renews its token, and repeats what was not answered or could not be served, with the same key.

import { parseRetryAfter } from './retry-after.ts';
import type { RemoteTarget } from '../scenario.ts';
import { pause } from '../waiting.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
  /** Gives up the first attempt after this time, as an impatient caller does. */
  readonly firstAttemptMs?: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  readonly isReplayed: boolean;
  readonly knownAt: string | null;
}

/** Counts over all requests of a client. */
export interface ApiCounts {
  requests: number;
  /** Attempts after the first. */
  retries: number;
  replayed: number;
  /** Requests that got no answer within all patience. */
  givenUp: number;
}

const attemptMsMax = 60_000;
const pauseMsMax = 1_000;

/** Whether the same request may be answered later. */
function isTemporary(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

export class ApiClient {
  readonly target: RemoteTarget;
  readonly counts: ApiCounts = { requests: 0, retries: 0, replayed: 0, givenUp: 0 };
  readonly #patienceMs: number;
  #token: Promise<string> | undefined;

  constructor(target: RemoteTarget, { patienceMs = 180_000 }: { readonly patienceMs?: number } = {}) {
    this.target = target;
    this.#patienceMs = patienceMs;
  }

  /** Sends until there is an answer that repeating does not change. Throws if none comes in time. */
  async send(request: ApiRequest): Promise<ApiAnswer> {
    this.counts.requests++;
    const end = performance.now() + this.#patienceMs;
    let last = 'no answer';
    for (let attempt = 0; performance.now() < end; attempt++) {
      if (attempt > 0) this.counts.retries++;
      const outcome = await this.attempt(request, attempt).catch((error: unknown) => String(error));
      if (typeof outcome !== 'string' && !isTemporary(outcome.status)) return this.#count(outcome);
      last = typeof outcome === 'string' ? outcome : `${outcome.status} ${outcome.text.slice(0, 500)}`;
      const pauseMs = typeof outcome === 'string' ? 20 * (attempt + 1) : parseRetryAfter(outcome.retryAfter) / 4;
      await pause(Math.min(pauseMsMax, Math.max(20, pauseMs)));
    }
    this.counts.givenUp++;
    throw new Error(`${request.method ?? 'GET'} ${request.path}: ${last}`);
  }

  #count(answer: ApiAnswer): ApiAnswer {
    if (answer.isReplayed) this.counts.replayed++;
    return answer;
  }

  /** One attempt, with a new token if the one at hand is not accepted. */
  async attempt(request: ApiRequest, attempt = 0): Promise<ApiAnswer & { readonly retryAfter: string | null }> {
    const token = await this.getToken();
    const answer = await this.#fetch(request, token, attempt);
    if (answer.status !== 401) return answer;
    this.#token = undefined;
    return this.#fetch(request, await this.getToken(), attempt);
  }

  async #fetch({ method = 'GET', path, body, key, firstAttemptMs }: ApiRequest, token: string, attempt: number) {
    const timeoutMs = attempt === 0 && firstAttemptMs !== undefined ? firstAttemptMs : attemptMsMax;
    const answer = await fetch(this.target.address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: answer.status,
      text: await answer.text(),
      isReplayed: answer.headers.get('idempotent-replayed') === 'true',
      knownAt: answer.headers.get('known-at'),
      retryAfter: answer.headers.get('retry-after'),
    };
  }

  getToken(): Promise<string> {
    this.#token ??= this.#fetchToken().catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }

  async #fetchToken(): Promise<string> {
    const { address, clientId: client_id, clientSecret: client_secret } = this.target;
    const answer = await fetch(`${address}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
      signal: AbortSignal.timeout(attemptMsMax),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`No token: ${answer.status} ${text}`);
    return JSON.parse(text).access_token;
  }

  /** The parsed body of an answer with a status below 300. */
  async call(request: ApiRequest): Promise<any> {
    const { status, text } = await this.send(request);
    if (status >= 300) throw new Error(`${request.method ?? 'GET'} ${request.path}: ${status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Creates a record, once however often it is sent, and returns its id. */
  async make(plural: string, body: object): Promise<string> {
    const key = crypto.randomUUID();
    return (await this.call({ method: 'POST', path: `/v1/${plural}`, body, key })).id;
  }

  /** Every record of a list, page by page. */
  async *list(path: string): AsyncGenerator<any> {
    let cursor: string | undefined;
    do {
      const joint = path.includes('?') ? '&' : '?';
      const next: string = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { data: unknown[]; next_cursor?: string | null } = await this.call({
        path: `${path}${joint}limit=100${next}`,
      });
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}
