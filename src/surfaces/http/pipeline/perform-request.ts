// A request at its work: the operation is done for its caller, and what came of it is rendered in its wire. Knows no connection,
// so that it can be done in whichever thread has the time.

import type { House } from '../../../actions/core/context.ts';
import { readingWork, writingWork, type Author } from '../../../actions/core/work.ts';
import { JsonText, writeJson } from '../../../kit/json.ts';
import type { Caller } from '../../../model/access/scope.ts';
import type { Answer, Ask, Operation, Sent } from '../operation/operation.ts';
import { problemOf, type Problem } from '../operation/problem.ts';
import type { Rendered, Wire } from '../operation/wire.ts';

/** A request that was admitted and read. */
export interface Task {
  readonly operation: Operation;
  readonly caller: Caller;
  readonly requestId: string;
  readonly sent: Sent;
  readonly input: unknown;
}

export function perform(house: House, { operation, caller, requestId, sent, input }: Task): Promise<Rendered> {
  const { wire } = operation;
  const author: Author = { reach: wire.reach(caller.reach), view: wire.name, subject: caller.subject, requestId };
  const context = { operation, wire, requestId, baseUrl: house.addresses.baseUrl };
  const performAs = (ask: Ask): Promise<Rendered> =>
    wire.around({
      ask,
      operation,
      refuse: (error) => renderProblem(error, context),
      proceed: async () => render(await operation.handle(ask, input), wire),
    });
  if (operation.mode === 'read') return performAs({ ...sent, caller, work: readingWork(house, author) });
  return writingWork(house, author, (work) => performAs({ ...sent, caller, work }));
}

export interface RefusedRequest {
  readonly operation: Operation | undefined;
  readonly wire: Wire;
  readonly requestId: string;
  readonly baseUrl: string;
}

export function describeProblem(error: unknown, { operation, wire, requestId, baseUrl }: RefusedRequest): Problem {
  return problemOf(error, {
    requestId,
    baseUrl,
    resource: operation?.resource,
    fieldInPath: operation?.fieldInPath,
    pointer: wire.pointer,
  });
}

export function renderProblem(error: unknown, refused: RefusedRequest): Rendered {
  const { wire } = refused;
  const problem = describeProblem(error, refused);
  return {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': wire.problemMediaType },
    text: writeJson(wire.problemBody(problem)),
  };
}

function render({ status, headers, body, pieces }: Answer, wire: Wire): Rendered {
  if (pieces !== undefined) return { status, headers: headers ?? {}, text: null, pieces };
  if (body === undefined) return { status, headers: headers ?? {}, text: null };
  const text = body instanceof JsonText ? body.text : writeJson(body);
  return { status, headers: { 'content-type': wire.mediaType, ...headers }, text };
}
