// Declares operations: address, input, answers and the use case. The router, the checks and the API reference are made from these
// declarations.

import type { IncomingHttpHeaders } from 'node:http';
import type { FieldKind, JsonSchema, WritingStyle } from '../../../kit/field.ts';
import type { Json } from '../../../kit/json.ts';
import type { Resource } from '../../../kit/resource.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { Right, Scope } from '../../../model/access/scope.ts';
import type { Role } from '../../../model/people/role.ts';
import type { FaultItem } from '../../../kit/refusal.ts';
import type { RefusalCode } from '../../../model/refusals/refusals.ts';
import type { Work } from '../../../actions/core/work.ts';
import type { CsvDialect } from '../bulk/csv-rows.ts';
import type { BulkFormat } from '../bulk/bulk-rows.ts';
import type { Spool } from '../bulk/spool.ts';
import type { HostName } from '../negotiation/hosts.ts';
import type { Problem } from './problem.ts';
import type { RenderedResponse } from './rendered-response.ts';
import type { ShownFields } from './shown-fields.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Parameter<T = unknown> {
  readonly kind: FieldKind<T>;
  readonly description: string;
  readonly required?: true;
  /** May be sent several times: the kind reads the values as one text, separated by commas. */
  readonly repeats?: true;
  /** A value as a caller would send it, for the reference's example requests. */
  readonly example?: unknown;
}

/** A parsed request, before its work begins. */
export interface ParsedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, any>>;
  readonly body: Json | undefined;
  /** The format of the rows of a bulk body. */
  readonly format?: BulkFormat;
  /** The complete body of a bulk operation or an upload, on disk. */
  readonly spool?: Spool;
  readonly headers: IncomingHttpHeaders;
  /** A digest of method, address and body. */
  readonly digest: () => Buffer;
}

/** A request with its caller and unit of work. */
export interface RequestContext extends ParsedRequest {
  readonly caller: Caller;
  readonly work: Work;
}

export interface OperationResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written as JSON by the wire, unless it is a `JsonText`. Absent for an answer without a body. */
  readonly body?: unknown;
  /** Text of another media type, written in pieces. */
  readonly chunks?: AsyncIterable<string | Uint8Array>;
}

/** Describes one answer in the API reference. */
export interface ResponseDescription {
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BodyDescription {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** A body with very many rows, which is never in memory as a whole. */
export interface BulkDescription {
  /** The schema of a row: an object of one or several types, whose members are also the columns of a CSV. */
  readonly row: JsonSchema;
  readonly example: readonly Readonly<Record<string, unknown>>[];
  /** Other CSV layouts, recognised by their header. */
  readonly dialects?: readonly CsvDialect[];
}

/** A file of any media type, or a multipart/form-data body with one, which is never in memory as a whole. */
export interface UploadDescription {
  readonly bytesMax: number;
  /** Refuses a body before it is received. */
  readonly requireRoom?: (work: Work) => Promise<void>;
  /** What the reference says about the body, and the media types that it lists. */
  readonly description: string;
  readonly mediaTypes: readonly string[];
  /** A small file, as text. */
  readonly example: string;
  /** The fields that a multipart body may have beside the file. */
  readonly fields: Readonly<Record<string, Parameter>>;
}

export interface Operation<Input = any> {
  readonly id: string;
  readonly wire: Wire;
  readonly method: Method;
  /** With parameters in braces: `/v1/clients/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly group: string;
  readonly resource?: Resource;
  /** What the id in its path identifies, where no operation serves that resource as such. */
  readonly pathResource?: Resource;
  /** The right that the token needs; `any` if every token is sufficient. */
  readonly right: Right | 'any';
  readonly mode: 'read' | 'write';
  /** The role that a person needs; without one, only administrators of the workspace, applications and keys can use the operation. */
  readonly people?: Role;
  /** Changes only what the person who asks has of their own, such as sessions: that belongs to no client, whichever they see. */
  readonly isAboutCaller?: true;
  /** Goes on while the workspace takes as much storage as it may: undoes, ends or erases something. */
  readonly addsNothing?: true;
  /** Exists in the sandbox environment only. */
  readonly sandboxOnly?: true;
  /** Counts towards the budget of heavy work. */
  readonly heavy?: true;
  /** Runs in a worker thread: requests with the same key go to the same thread. */
  threadKey?(parsed: Pick<ParsedRequest, 'params' | 'query' | 'body'>): string;
  readonly query: Readonly<Record<string, Parameter>>;
  /** The declared field that the path sets; its faults have no place in the body. */
  readonly fieldInPath?: string;
  readonly body?: BodyDescription;
  readonly bulk?: BulkDescription;
  readonly upload?: UploadDescription;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Other media types in which the answer is available, as text. */
  readonly alternativeMediaTypes?: readonly string[];
  /** The answer shows a secret, beside text that the caller has sent. */
  readonly answersSecret?: true;
  /** Refusals in addition to those of every operation of its kind. */
  readonly refusals: readonly RefusalCode[];
  /** Reads the request before any work, so that a request that fails here has changed nothing. */
  read(parsed: ParsedRequest): Input;
  handle(request: RequestContext, input: Input): Promise<OperationResponse>;
}

/** A request on its way through a wire: what the wire does around the operation's work. */
export interface OperationCall {
  readonly request: RequestContext;
  readonly operation: Operation;
  /** Runs the operation and renders its answer. */
  proceed(): Promise<RenderedResponse>;
  /** Renders a refusal as an answer. */
  refuse(error: unknown): RenderedResponse;
}

/** A request whose query or body cannot be read. */
export interface UnreadRequest extends Pick<ParsedRequest, 'headers'> {
  readonly operation: Operation;
  /** Path and query. */
  readonly address: string;
  /** Why the request cannot be read. */
  readonly error: unknown;
  readonly readWork: Work;
  /** Runs `task` in a transaction of the caller. */
  write(task: (work: Work) => Promise<RenderedResponse>): Promise<RenderedResponse>;
  /** Renders a refusal as an answer. */
  refuse(error: unknown): RenderedResponse;
  digest(): Buffer;
}

/** A wire format of the API: its media types, the fields it shows, how it renders refusals, and what it does around operations. */
export interface Wire {
  readonly name: 'json-api' | 'plain' | 'v1';
  readonly title: string;
  readonly host: HostName;
  readonly mediaType: string;
  readonly problemMediaType: string;
  readonly style: WritingStyle;
  readonly shownFields: ShownFields;
  /** Whether writes accept an Idempotency-Key, and reads have an entity tag. */
  readonly supportsIdempotencyAndETags: boolean;
  readonly problemSchema: JsonSchema;
  problemBody(problem: Problem): unknown;
  /** The JSON pointer of a declared field in a body. */
  pointer(resource: Resource | undefined, field: string, item?: FaultItem): string;
  /** The scope that a caller has through this wire. */
  scope(scope: Scope): Scope;
  around(call: OperationCall): Promise<RenderedResponse>;
  /** The answer that is stored for a request which was made before, where nothing can be changed now; undefined if there is none. */
  findAnswer?(call: Pick<OperationCall, 'request' | 'operation'>): Promise<RenderedResponse | undefined>;
  /** Whether the answer of an earlier request with the same key is stored; without it, none is. */
  knowsAnswer?(work: Work, headers: IncomingHttpHeaders): Promise<boolean>;
  /** Answers a request that cannot be read; without it, the error is the answer. */
  answerUnread?(request: UnreadRequest): Promise<RenderedResponse>;
}

/** Declares an operation with the type of its input. */
export function defineOperation<Input>(operation: Operation<Input>): Operation {
  return operation;
}

/** Whether the body is streamed into a spool before the work begins. */
export function isStreamed({ bulk, upload }: Operation): boolean {
  return bulk !== undefined || upload !== undefined;
}

/** Whether it is refused while the workspace takes as much storage as it may. */
export function isAdding({ mode, method, addsNothing, isAboutCaller }: Operation): boolean {
  return mode === 'write' && method !== 'DELETE' && addsNothing !== true && isAboutCaller !== true;
}

export function isIdempotent(operation: Operation): boolean {
  return operation.wire.supportsIdempotencyAndETags && operation.mode === 'write';
}
