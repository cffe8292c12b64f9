// Parses a request: its query and body as the operation declares them, and its bearer token.

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { defined } from '../../../kit/assert.ts';
import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import { parseJson, readUtf8, type Json, type JsonLimits } from '../../../kit/json.ts';
import { keysOf } from '../../../kit/keys.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { bulkFormats, type BulkFormat } from '../bulk/bulk-rows.ts';
import type { SpoolRoom } from '../bulk/spool-room.ts';
import { Spool, type CheckBeginning } from '../bulk/spool.ts';
import type { RateLimit } from './budget.ts';
import { checkContentType, requireMediaType } from '../negotiation/media-types.ts';
import type { ParsedOpenRequest } from '../operation/open-operation.ts';
import type { Operation, ParsedRequest } from '../operation/operation.ts';
import { readQuery } from '../operation/query-parameters.ts';
import type { Caller } from '../../../model/access/caller.ts';

/** A request of the network, or one that a page makes inside the process. */
export interface ServedRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly params: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  caller: Caller | null;
  rateLimit: RateLimit | null;
}

/** The longest body of a bulk request. */
const bulkBytesMax = 256 * 1024 * 1024;
/** Smaller bodies are parsed at once. */
const smallBodyBytesMax = 16 * 1024;
/** Limits how long one body can take to parse and to validate. No declared body has as many values, and no declared object as many members. */
const bodyLimits: JsonLimits = { valuesMax: 100_000, membersMax: 5_000 };

function searchString({ url }: ServedRequest): string {
  const queryStart = url.indexOf('?');
  return queryStart < 0 ? '' : url.slice(queryStart + 1);
}

function bodyBytes({ body }: ServedRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The router's parameters are strings; Fastify does not type them. */
export function pathParameters({ params }: ServedRequest): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>;
}

export function parseOpenRequest(
  request: FastifyRequest,
  room: SpoolRoom,
): Omit<ParsedOpenRequest, 'hosts' | 'callerLeft'> {
  const { headers } = request;
  return {
    requestId: request.id,
    contentType: headers['content-type'],
    accept: headers.accept,
    body: bodyBytes(request),
    params: pathParameters(request),
    search: searchString(request),
    headers,
    address: request.ip,
    receiveUpload: async (bytesMax, check) => {
      requireBody(request);
      checkEncoding(request);
      return receiveBody(request, { bytesMax, room }, check);
    },
    noteCaller: (caller) => void (request.caller = caller),
  };
}

export interface ParsedInput {
  readonly parsed: ParsedRequest;
  readonly input: unknown;
}

/** Parses and validates a request. A large body waits for a turn of the event loop of its own, and so does a fault in any. */
export async function parseInput(operation: Operation, request: ServedRequest): Promise<ParsedInput> {
  const isLarge = bodyBytes(request).length > smallBodyBytesMax;
  if (isLarge) await yieldWhenBusy();
  try {
    const parsed = parseRequest(operation, request);
    if (isLarge) await yieldWhenBusy();
    return { parsed, input: operation.read(parsed) };
  } catch (error) {
    await yieldWhenBusy();
    throw error;
  }
}

function parseRequest(operation: Operation, request: ServedRequest): ParsedRequest {
  const search = searchString(request);
  const bytes = bodyBytes(request);
  return {
    params: pathParameters(request),
    query: readQuery(search, operation.query),
    body: operation.body === undefined ? undefined : readBody(bytes, request, operation.wire.mediaType),
    ...(operation.bulk === undefined ? {} : { format: readBulkFormat(request) }),
    ...checkUpload(operation, request),
    headers: request.headers,
    digest: () => digestRequest(request, bytes),
  };
}

/** A bulk body is represented by its own digest. */
function digestRequest({ method, url }: ServedRequest, body: Buffer): Buffer {
  return createHash('sha256').update(`${method} ${url}\n`).update(body).digest();
}

/** Adds the received bulk body. */
export function withSpool(parsed: ParsedRequest, request: ServedRequest, spool: Spool | undefined): ParsedRequest {
  return spool === undefined ? parsed : { ...parsed, digest: () => digestRequest(request, spool.digest), spool };
}

export function spoolBody({ upload }: Operation, request: ServedRequest, room: SpoolRoom): Promise<Spool> {
  return receiveBody(request, { bytesMax: upload?.bytesMax ?? bulkBytesMax, room });
}

/** Only whoever is signed in or has a token sends such a body. */
function receiveBody(
  request: ServedRequest,
  { bytesMax, room }: { readonly bytesMax: number; readonly room: SpoolRoom },
  check?: CheckBeginning,
): Promise<Spool> {
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const { workspaceId } = defined(request.caller, 'the sender of a large body is known').scope;
  const limits = { announcedBytes, bytesMax, share: room.enter(workspaceId) };
  return Spool.receive(request.body as Readable, limits, check);
}

/** The digest of a request that cannot be parsed; the spool is that of a streamed body. */
export function digestUnread(request: ServedRequest, spool: Spool | undefined): Buffer {
  return digestRequest(request, spool?.digest ?? bodyBytes(request));
}

function readBody(bytes: Buffer, request: ServedRequest, mediaType: string): Json {
  if (bytes.length === 0) throw new Refusal('malformed-json', 'This request needs a body.');
  checkContentType(request.headers['content-type'], mediaType);
  checkEncoding(request);
  return parseJson(readUtf8(bytes), bodyLimits);
}

function checkEncoding(request: ServedRequest): void {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    const detail = 'Send the body without a content encoding: compressed bodies are not accepted.';
    const fault = { code: 'unsupported-media-type', detail, header: 'Content-Encoding' };
    throw new Refusal('unsupported-media-type', detail, { faults: [fault] });
  }
}

function readBulkFormat(request: ServedRequest): BulkFormat {
  const formats = keysOf(bulkFormats);
  requireBody(request);
  checkEncoding(request);
  return requireMediaType(request.headers['content-type'], formats);
}

/** An upload may have any media type: its content says what it is. */
function checkUpload({ upload }: Operation, request: ServedRequest): object {
  if (upload !== undefined) {
    requireBody(request);
    checkEncoding(request);
  }
  return {};
}

function requireBody(request: ServedRequest): void {
  if (Number(request.headers['content-length'] ?? 1) === 0 || request.body === undefined) {
    throw new Refusal('malformed-request', 'This request needs a body.');
  }
}

export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined)
    throw new Refusal('token-missing', 'Send an access token: `Authorization: Bearer …`.');
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') {
    throw new Refusal('token-invalid', 'The `Authorization` header must be of the form `Bearer <token>`.');
  }
  return authorization.slice(7).trim();
}
