// Parses a request: its query and body as the operation declares them, and its bearer token.

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { parseJson, readUtf8, type Json } from '../../../kit/json.ts';
import { keysOf } from '../../../kit/keys.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { bulkFormats, type BulkFormat } from '../bulk/bulk-rows.ts';
import type { Spool } from '../bulk/spool.ts';
import { checkContentType, requireMediaType } from '../negotiation/media-types.ts';
import type { ParsedOpenRequest } from '../operation/open-operation.ts';
import type { Operation, ParsedRequest } from '../operation/operation.ts';
import { readQuery } from '../operation/query-parameters.ts';

function searchString({ url }: FastifyRequest): string {
  const queryStart = url.indexOf('?');
  return queryStart < 0 ? '' : url.slice(queryStart + 1);
}

function bodyBytes({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The router's parameters are strings; Fastify does not type them. */
export function pathParameters({ params }: FastifyRequest): Readonly<Record<string, string>> {
  return params as Readonly<Record<string, string>>;
}

export function parseOpenRequest(request: FastifyRequest): Omit<ParsedOpenRequest, 'hosts'> {
  const { headers } = request;
  return {
    contentType: headers['content-type'],
    accept: headers.accept,
    body: bodyBytes(request),
    params: pathParameters(request),
    search: searchString(request),
    headers,
    address: request.ip,
  };
}

export function parseRequest(operation: Operation, request: FastifyRequest): ParsedRequest {
  const search = searchString(request);
  const bytes = bodyBytes(request);
  return {
    params: pathParameters(request),
    query: readQuery(search, operation.query),
    body: operation.body === undefined ? undefined : readBody(bytes, request, operation.wire.mediaType),
    ...(operation.bulk === undefined ? {} : { format: readBulkFormat(request) }),
    headers: request.headers,
    digest: () => createHash('sha256').update(`${request.method} ${request.url}\n`).update(bytes).digest(),
  };
}

/** Adds the received bulk body, whose own digest stands for it in the digest of the request. */
export function withSpool(
  parsed: ParsedRequest,
  { method, url }: FastifyRequest,
  spool: Spool | undefined,
): ParsedRequest {
  if (spool === undefined) return parsed;
  const digest = (): Buffer => createHash('sha256').update(`${method} ${url}\n`).update(spool.digest).digest();
  return { ...parsed, digest, spool };
}

function readBody(bytes: Buffer, request: FastifyRequest, mediaType: string): Json {
  if (bytes.length === 0) throw new Refusal('malformed-json', 'This request needs a body.');
  checkContentType(request.headers['content-type'], mediaType);
  checkEncoding(request);
  return parseJson(readUtf8(bytes));
}

function checkEncoding(request: FastifyRequest): void {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    const detail = 'Send the body without a content encoding: compressed bodies are not accepted.';
    const fault = { code: 'unsupported-media-type', detail, header: 'Content-Encoding' };
    throw new Refusal('unsupported-media-type', detail, { faults: [fault] });
  }
}

function readBulkFormat(request: FastifyRequest): BulkFormat {
  const formats = keysOf(bulkFormats);
  if (Number(request.headers['content-length'] ?? 1) === 0 || request.body === undefined) {
    throw new Refusal('malformed-request', 'This request needs a body.');
  }
  checkEncoding(request);
  return requireMediaType(request.headers['content-type'], formats);
}

export function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined)
    throw new Refusal('token-missing', 'Send an access token: `Authorization: Bearer …`.');
  if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') {
    throw new Refusal('token-invalid', 'The `Authorization` header must be of the form `Bearer <token>`.');
  }
  return authorization.slice(7).trim();
}
