// What calls return: a promise of the answer that can also tell about the response, and lists that read page after page.

import type { ErrorCode } from './generated/error-codes.ts';

/** An answer with what its headers say. */
export interface Answer<T> {
  readonly data: T;
  readonly status: number;
  /** Send it as `ifNoneMatch` to ask whether something has changed, or as `ifMatch` to change only what was read. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** Whether the write had happened before, under the same idempotency key. */
  readonly isReplayed: boolean;
  readonly headers: Headers;
}

/** A promise of the data of an answer. Rejected with a `HoldfastError`. */
export interface Call<T> extends Promise<T> {
  /** The answer as a whole: data, status, entity tag, request id, headers. */
  withResponse(): Promise<Answer<T>>;
}

export function toCall<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((one) => one.data);
  const withResponse = (): Promise<Answer<T>> => {
    // The failure is reported to the one who asked for the response.
    data.catch(() => undefined);
    return answer;
  };
  return Object.assign(data, { withResponse });
}

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

/** Sent as `limit` when all rows are read. */
const pageSizeMax = 100;

/** A list that is read page by page, as far as it is asked for: `for await (const row of list)`. */
export class List<T, P extends Page<T> = Page<T>> implements AsyncIterable<T> {
  readonly #read: (query: { cursor?: string; limit?: number }) => Call<P>;

  constructor(read: (query: { cursor?: string; limit?: number }) => Call<P>) {
    this.#read = read;
  }

  /** One page: the first, or the one at the `cursor` of the query. */
  page(): Call<P> {
    return this.#read({});
  }

  async *pages(): AsyncGenerator<P, void> {
    let page = await this.#read({ limit: pageSizeMax });
    yield page;
    while (page.has_more && page.next_cursor !== undefined) {
      page = await this.#read({ limit: pageSizeMax, cursor: page.next_cursor });
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** All rows, or the first `max`. */
  async toArray({ max = Infinity }: { readonly max?: number } = {}): Promise<T[]> {
    const rows: T[] = [];
    if (max < 1) return rows;
    for await (const row of this) if (rows.push(row) >= max) break;
    return rows;
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For each attempt; 60 seconds unless told otherwise, 10 minutes where rows or a file are sent. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated; 4 times unless told otherwise. */
  readonly retries?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Names the write, so that it happens once however often it is sent. A new one is made for each call unless given. */
  readonly idempotencyKey?: string | undefined;
  /** The entity tag of a read: refused with `PreconditionFailed` if the record has changed since. */
  readonly ifMatch?: string | undefined;
}

/** An entity tag: the answer is undefined if nothing has changed since. */
export interface Unless {
  readonly ifNoneMatch: string;
}

/** Reported to `log`: what is sent and answered, without bodies, queries and secrets. */
export interface LogEntry {
  readonly kind: 'request' | 'answer' | 'failure' | 'retry';
  /** Such as `clients.list`. */
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** From 1 on. */
  readonly attempt: number;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly code?: ErrorCode;
  /** Until the next attempt. */
  readonly delayMs?: number;
}
