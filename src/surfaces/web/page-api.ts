// The API as a page uses it: calls made inside the process for the signed-in person, and remembered, so that the page can show them.

import { append } from '../../kit/memory/long-list.ts';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../model/access/caller.ts';
import { callerForOperation } from '../../actions/access/person-caller.ts';
import { defined } from '../../kit/assert.ts';
import { Refusal, type Fault } from '../../kit/refusal.ts';
import type { Method, Operation } from '../http/operation/operation.ts';
import type { LocalRequest } from '../http/pipeline/local-api.ts';
import { collectText, type RenderedResponse } from '../http/operation/rendered-response.ts';

/** Performs a request inside the process. */
export type CallApi = (request: LocalRequest) => Promise<RenderedResponse>;

type Query = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** A call that a page has made; its reader could make the same. */
export interface MadeCall {
  readonly method: Method;
  readonly url: string;
  readonly body?: unknown;
}

/** The problem of a refused call, as v1 answers it. */
export interface ApiProblem {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly { readonly code: string; readonly detail: string; readonly pointer?: string }[];
  /** When to try again. */
  readonly retryAfterSeconds?: number;
}

/** The declared operations by method and path: `POST /v1/accounts`, `PATCH /v1/accounts/{id}`. */
export type ApiOperations = ReadonlyMap<string, Operation>;

export function operationsByAddress(operations: readonly Operation[]): ApiOperations {
  return new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
}

export type Sent = { readonly ok: true; readonly body: any } | { readonly ok: false; readonly problem: ApiProblem };

/** What is read of an answer that comes in pieces. */
const answerBytesMax = 64 * 1024 * 1024;

/** A refused call ends the page with the same status; its title and detail are the API's. */
export class RefusedCall extends Refusal {
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    const faults: readonly Fault[] = problem.errors;
    const { retryAfterSeconds } = problem;
    super(problem.code, problem.detail, { faults, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
    this.problem = problem;
  }
}

interface PageApiParts {
  readonly callApi: CallApi;
  readonly operations: ApiOperations;
  readonly caller: Caller;
  readonly requestId: string;
  /** Ends calls whose answers nobody will see; absent where they are to be carried out to their end. */
  readonly callerLeft?: LocalRequest['callerLeft'];
  /** A file may use up the budget of its reader. Its calls then wait until there is some again. */
  readonly waitsForBudget?: boolean;
}

const longestWaitSeconds = 60;

export class PageApi {
  readonly #parts: PageApiParts;
  readonly #calls: MadeCall[] = [];

  constructor(parts: PageApiParts) {
    this.#parts = parts;
  }

  /** Those that the page has made so far. */
  get calls(): readonly MadeCall[] {
    return this.#calls;
  }

  /** The declaration of an operation, with its body's schema; the path has its parameters in braces. */
  operation(method: Method, path: string): Operation {
    return defined(this.#parts.operations.get(`${method} ${path}`), `${method} ${path} is declared`);
  }

  /** Whether there is such an operation and the person's role is sufficient for it; which records they see is the API's answer. */
  may(method: Method, path: string): boolean {
    const operation = this.#parts.operations.get(`${method} ${path}`);
    return operation !== undefined && this.#refusalOf(operation) === undefined;
  }

  /** Ends the page of somebody who could not send its form anyway. */
  require(method: Method, path: string): void {
    const refusal = this.#refusalOf(this.operation(method, path));
    if (refusal !== undefined) throw refusal;
  }

  #refusalOf({ people, right }: Operation): Refusal | undefined {
    try {
      const caller = callerForOperation(this.#parts.caller, people);
      if (right === 'any' || caller.rights.has(right)) return undefined;
      return new Refusal('right-missing', 'Your role does not allow this. Ask an administrator of the workspace.');
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** Shows a call that a form of the page will make. */
  announce(call: MadeCall): void {
    this.#calls.push(call);
  }

  /** Reads with the entity tag, for a change that must not overwrite another. */
  async read(path: string): Promise<{ readonly body: any; readonly etag: string }> {
    const { sent, etag } = await this.#perform({ method: 'GET', url: path });
    if (sent.ok) return { body: sent.body, etag };
    throw new RefusedCall(sent.problem);
  }

  /** Reads; a refusal becomes the page's own. */
  async get(path: string, query: Query = {}): Promise<any> {
    const sent = await this.#send({ method: 'GET', url: withQuery(path, query) });
    if (sent.ok) return sent.body;
    throw new RefusedCall(sent.problem);
  }

  /** Reads what may be missing or refused: undefined for 404, 403 and 422. */
  async find(path: string, query: Query = {}): Promise<any> {
    const sent = await this.#send({ method: 'GET', url: withQuery(path, query) });
    if (sent.ok) return sent.body;
    if ([403, 404, 422].includes(sent.problem.status)) return undefined;
    throw new RefusedCall(sent.problem);
  }

  /** Reads all pages of a list, up to `most` items; `isCut` tells that there are more. */
  async list(
    path: string,
    query: Query = {},
    most = 1_000,
  ): Promise<{ readonly data: any[]; readonly isCut: boolean }> {
    const data: any[] = [];
    let cursor: string | null = null;
    do {
      const page: any = await this.get(path, { limit: '100', ...query, cursor });
      append(data, page.data);
      cursor = page.has_more === true ? page.next_cursor : null;
    } while (cursor !== null && data.length < most);
    return { data, isCut: cursor !== null };
  }

  /** Writes; the form shows the problem of a refusal. Outages and defects end the page. */
  async send(method: Exclude<Method, 'GET'>, path: string, body?: unknown, headers = {}): Promise<Sent> {
    const sent = await this.#send({ method, url: path, ...(body === undefined ? {} : { body }) }, headers);
    if (!sent.ok && sent.problem.status >= 500) throw new RefusedCall(sent.problem);
    return sent;
  }

  /** Sends a file; the page shows the call without the file's content. */
  async upload(
    path: string,
    query: Query,
    { chunks, mediaType }: { readonly chunks: AsyncIterable<Uint8Array>; readonly mediaType?: string },
  ): Promise<Sent> {
    const call: MadeCall = { method: 'POST', url: withQuery(path, query) };
    const headers = mediaType === undefined ? {} : { 'content-type': mediaType };
    const { sent } = await this.#perform(call, { headers, body: Readable.from(chunks, { objectMode: false }) });
    if (!sent.ok && sent.problem.status >= 500) throw new RefusedCall(sent.problem);
    return sent;
  }

  async #send(call: MadeCall, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
    return (await this.#perform(call, { headers })).sent;
  }

  async #perform(
    call: MadeCall,
    more: Pick<LocalRequest, 'headers' | 'body'> = {},
  ): Promise<{ readonly sent: Sent; readonly etag: string }> {
    const { caller, requestId, callerLeft } = this.#parts;
    if (!this.#calls.some(({ method, url }) => method === call.method && url === call.url)) this.#calls.push(call);
    const [rendered, text] = await this.#answerTo({ requestId, caller, callerLeft, ...call, ...more });
    const body = text === '' ? undefined : JSON.parse(text);
    if (rendered.status < 400) return { sent: { ok: true, body }, etag: rendered.headers['etag'] ?? '' };
    const { title, detail, code, errors = [] } = body;
    const { 'retry-after': retryAfter } = rendered.headers;
    const again = retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) };
    return {
      sent: { ok: false, problem: { status: rendered.status, title, detail, code, errors, ...again } },
      etag: '',
    };
  }

  async #answerTo(request: LocalRequest): Promise<readonly [RenderedResponse, string]> {
    for (;;) {
      const rendered = await this.#parts.callApi(request);
      const text = await collectText(rendered, answerBytesMax);
      if (text === undefined)
        throw new Refusal('report-too-large', 'This is too much for one page. Choose a shorter period.');
      const { 'retry-after': retryAfter } = rendered.headers;
      if (this.#parts.waitsForBudget !== true || rendered.status !== 429 || retryAfter === undefined)
        return [rendered, text];
      await delay(Math.min(Number(retryAfter), longestWaitSeconds) * 1_000, undefined, { ref: false });
    }
  }
}

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const one of typeof value === 'string' ? [value] : value) search.append(name, one);
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}
