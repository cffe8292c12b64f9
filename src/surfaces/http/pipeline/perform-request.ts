// Performs an operation for its caller and renders the response in the operation's wire. Uses no connection, so that it can run in a
// worker thread.

import type { AppContext } from '../../../actions/core/context.ts';
import { openReadWork, runInTransaction, type Author } from '../../../actions/core/work.ts';
import { JsonText, writeJson } from '../../../kit/json.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { allClients } from '../../../model/access/scope.ts';
import { isUnwritable } from '../../../model/refusals/unwritable.ts';
import type {
  Operation,
  OperationResponse,
  ParsedRequest,
  RequestContext,
  UnreadRequest,
  Wire,
} from '../operation/operation.ts';
import { isDefect, toProblem, type Problem } from '../operation/problem.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import { whenFree } from './request-turns.ts';

/** A request that was admitted and parsed. */
export interface RequestTask {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly requestId: string;
  readonly parsed: ParsedRequest;
  readonly input: unknown;
  /** Ends a long computation whose caller has left. */
  readonly signal?: AbortSignal | undefined;
}

type CallersTask = Pick<RequestTask, 'operation' | 'caller' | 'requestId'>;

export function authorOf({ operation: { wire, isAboutCaller }, caller, requestId }: CallersTask): Author {
  const { subject, rights } = caller;
  const own = wire.scope(caller.scope);
  const scope = isAboutCaller === true ? { ...own, visibleClients: allClients } : own;
  return { scope, fields: wire.shownFields, subject, rights, requestId };
}

/** A request that was admitted, but cannot be read. */
export interface UnreadTask extends CallersTask, Pick<UnreadRequest, 'headers' | 'address' | 'error' | 'digest'> {}

/** Lets the wire answer, which may know an earlier request with the same key. Else throws the error that the request has. */
export async function performUnread(app: AppContext, task: UnreadTask): Promise<RenderedResponse> {
  const { operation, requestId, headers, address, error, digest } = task;
  const { wire } = operation;
  if (isDefect(error) || wire.answerUnread === undefined) throw error;
  const author = authorOf(task);
  return wire.answerUnread({
    operation,
    headers,
    address,
    error,
    digest,
    readWork: openReadWork(app, author),
    write: (write) => whenFree(() => runInTransaction(app, author, write)),
    refuse: (refused) => renderProblem(refused, { operation, wire, requestId, baseUrl: app.addresses.baseUrl }),
  });
}

export function perform(app: AppContext, task: RequestTask): Promise<RenderedResponse> {
  const { operation, caller, requestId, parsed, input, signal } = task;
  const { wire } = operation;
  const author = authorOf(task);
  const context = { operation, wire, requestId, baseUrl: app.addresses.baseUrl };
  const performWith = (request: RequestContext): Promise<RenderedResponse> =>
    wire.around({
      request,
      operation,
      refuse: (error) => renderProblem(error, context),
      proceed: async () => render(await operation.handle(request, input), wire),
    });
  if (operation.mode === 'read') {
    const reader = signal === undefined ? app : { ...app, callerLeft: signal };
    return performWith({ ...parsed, caller, work: openReadWork(reader, author) });
  }
  const writing = whenFree(() => runInTransaction(app, author, (work) => performWith({ ...parsed, caller, work })));
  return writing.catch(async (error: unknown) => {
    if (!isUnwritable(error)) throw error;
    const request = { ...parsed, caller, work: openReadWork(app, author) };
    const answer = await wire.findAnswer?.({ operation, request });
    if (answer === undefined) throw error;
    return answer;
  });
}

interface RefusedRequest {
  readonly operation: Operation | undefined;
  readonly wire: Wire;
  readonly requestId: string;
  readonly baseUrl: string;
}

export function describeProblem(error: unknown, { operation, wire, requestId, baseUrl }: RefusedRequest): Problem {
  return toProblem(error, {
    requestId,
    baseUrl,
    resource: operation?.resource,
    fieldInPath: operation?.fieldInPath,
    pointer: wire.pointer,
  });
}

export function renderProblem(error: unknown, refused: RefusedRequest): RenderedResponse {
  const { wire } = refused;
  const problem = describeProblem(error, refused);
  return {
    status: problem.status,
    problemCode: problem.code,
    headers: { ...problem.headers, 'content-type': wire.problemMediaType },
    text: writeJson(wire.problemBody(problem)),
  };
}

function render({ status, headers, body, chunks }: OperationResponse, wire: Wire): RenderedResponse {
  if (chunks !== undefined) return { status, headers: headers ?? {}, text: null, chunks };
  if (body === undefined) return { status, headers: headers ?? {}, text: null };
  const text = body instanceof JsonText ? body.text : writeJson(body);
  return { status, headers: { 'content-type': wire.mediaType, ...headers }, text };
}
