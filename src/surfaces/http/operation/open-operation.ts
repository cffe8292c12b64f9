// Operations that need no access token: token requests, operator endpoints and the API reference.

import type { IncomingHttpHeaders } from 'node:http';
import type { LeaveSignal } from '../../../kit/concurrency/caller-left.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { ResponseDescription, BodyDescription, Method } from './operation.ts';
import type { Problem } from './problem.ts';
import type { RenderedResponse } from './rendered-response.ts';
import type { HostName } from '../negotiation/hosts.ts';
import type { CheckBeginning, Spool } from '../bulk/spool.ts';

export interface ParsedOpenRequest {
  readonly requestId: string;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  /** Empty for an upload, which is received with `receiveUpload`. */
  readonly body: Buffer;
  readonly hosts: ReadonlySet<HostName>;
  readonly params: Readonly<Record<string, string>>;
  /** The query string, without the question mark. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** The network address that the request came from. */
  readonly address: string;
  /** Receives the body of an upload, whose beginning is checked before the rest is taken; whoever calls it discards it. */
  receiveUpload(bytesMax: number, check: CheckBeginning): Promise<Spool>;
  readonly callerLeft: LeaveSignal;
  /** Records who made the request, for the log. */
  noteCaller(caller: Caller): void;
}

export interface OpenResponseDescription extends ResponseDescription {
  readonly mediaType?: string;
}

export interface OpenOperation {
  readonly id: string;
  /** The host that serves it, or any. */
  readonly host: HostName | 'any';
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: string;
  /** What it costs, if it costs something. */
  readonly cost?: string;
  /** For people: the refusals that callers meet first, where they are not those of the wires. */
  readonly frequentRefusals?: readonly string[];
  /** The longest body, where it is shorter than elsewhere. */
  readonly bodyBytesMax?: number;
  /** Whether its body is streamed: it is received when the operation asks for it, so that it can refuse before. */
  readonly isUpload?: true;
  readonly bodies?: Readonly<Record<string, BodyDescription>>;
  readonly responses: Readonly<Record<number, OpenResponseDescription>>;
  /** Whether only people who are signed in get more than a way to sign in. */
  readonly isForSignedIn?: true;
  /** Whether it answers 304 to a caller that already has the answer. */
  readonly isConditional?: true;
  /** Whether the answer may be compressed: it holds no secret. */
  readonly isCompressible?: true;
  /** Whether it is answered under maintenance, too: it is about the node or the API itself, and reads nothing of a workspace. */
  readonly isAlwaysAnswered?: true;
  handle(parsed: ParsedOpenRequest): Promise<RenderedResponse>;
  /** Renders a problem in its own way; undefined to render it as a wire does. */
  showProblem?(problem: Problem, request: Pick<ParsedOpenRequest, 'headers'>): RenderedResponse | undefined;
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): RenderedResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(body) };
}
