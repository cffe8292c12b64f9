// What one operation of the interface is: an address, what it takes and gives, and the use case behind it. The router,
// the checks before and after, and the API reference are all made from these.

import type { IncomingHttpHeaders } from 'node:http';
import type { FieldKind, JsonSchema, WritingStyle } from '../../../kit/field.ts';
import type { Json } from '../../../kit/json.ts';
import type { Resource } from '../../../kit/resource.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { Right, Scope } from '../../../model/access/scope.ts';
import type { Role } from '../../../model/people/role.ts';
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
  /** May be sent several times: its kind reads what was sent as one text with commas between. */
  readonly repeats?: true;
  /** A value as a caller would send it, for the reference's example requests. */
  readonly example?: unknown;
}

/** A request before its work begins: what was sent, taken apart. */
export interface ParsedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, any>>;
  readonly body: Json | undefined;
  /** What the rows of a bulk body are written in. */
  readonly format?: BulkFormat;
  /** A bulk body, taken in whole. */
  readonly spool?: Spool;
  readonly headers: IncomingHttpHeaders;
  /** A digest of the method, the address and the body. */
  readonly digest: () => Buffer;
}

/** A request at work. */
export interface RequestContext extends ParsedRequest {
  readonly caller: Caller;
  readonly work: Work;
}

export interface OperationResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Turned into JSON by the wire, if it is not a `JsonText` already; absent for an answer without a body. */
  readonly body?: unknown;
  /** Text of another media type that is written as it comes. */
  readonly chunks?: AsyncIterable<string | Uint8Array>;
}

/** One answer in the reference. */
export interface ResponseDescription {
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BodyDescription {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** A body of very many rows, which is never in memory as a whole. */
export interface BulkDescription {
  /** One row: an object, of one or several types, whose members are the columns of a CSV as well. */
  readonly row: JsonSchema;
  readonly example: readonly Readonly<Record<string, unknown>>[];
  /** Other layouts of CSV that are told by their header. */
  readonly dialects?: readonly CsvDialect[];
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
  /** What the caller's token must allow; `any` where being a caller is enough. */
  readonly right: Right | 'any';
  readonly mode: 'read' | 'write';
  /** The role that opens it to people, for what they may read; without one it is for applications and keys alone. */
  readonly people?: Role;
  /** Counts against the budget of heavy work. */
  readonly heavy?: true;
  /** Is done in another thread than the listener's: what the request is about, so that all about it go to the same one. */
  threadKey?(parsed: Pick<ParsedRequest, 'params' | 'query' | 'body'>): string;
  readonly query: Readonly<Record<string, Parameter>>;
  /** The declared field that the path gives: what is wrong with it has no place in the body. */
  readonly fieldInPath?: string;
  readonly body?: BodyDescription;
  readonly bulk?: BulkDescription;
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Text in one of these media types instead, for who accepts it. */
  readonly alternativeMediaTypes?: readonly string[];
  /** Refusals beyond those that every operation of its kind can give. */
  readonly refusals: readonly RefusalCode[];
  /** Reads what was sent. Runs before any work, so that what fails here has done nothing. */
  read(parsed: ParsedRequest): Input;
  handle(request: RequestContext, input: Input): Promise<OperationResponse>;
}

/** A request on its way through a wire: what the wire does around the operation's work. */
export interface OperationCall {
  readonly request: RequestContext;
  readonly operation: Operation;
  /** Does the work and renders its answer. */
  proceed(): Promise<RenderedResponse>;
  /** Renders a refusal as an answer. */
  refuse(error: unknown): RenderedResponse;
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
  /** Whether a write may carry an Idempotency-Key, and a read is answered conditionally. */
  readonly supportsIdempotencyAndETags: boolean;
  readonly problemSchema: JsonSchema;
  problemBody(problem: Problem): unknown;
  /** The JSON pointer of a declared field in a body. */
  pointer(resource: Resource | undefined, field: string, item?: number | string): string;
  /** The scope that a caller has through this wire. */
  scope(scope: Scope): Scope;
  around(call: OperationCall): Promise<RenderedResponse>;
}

/** Lets each operation say its input's type once. */
export function defineOperation<Input>(operation: Operation<Input>): Operation {
  return operation;
}

export function isIdempotent(operation: Operation): boolean {
  return operation.wire.supportsIdempotencyAndETags && operation.mode === 'write';
}
