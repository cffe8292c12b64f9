// Takes a request apart: its query and body as the operation declares them, and the token it carries.

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { parseJson, readUtf8, type Json } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { bulkFormats, type BulkFormat } from '../bulk/bulk-rows.ts';
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

export function parseOpenRequest(request: FastifyRequest): Omit<ParsedOpenRequest, 'hosts'> {
  const { headers } = request;
  return {
    contentType: headers['content-type'],
    accept: headers.accept,
    body: bodyBytes(request),
    params: request.params as Record<string, string>,
    search: searchString(request),
    headers,
  };
}

export function parseRequest(operation: Operation, request: FastifyRequest): ParsedRequest {
  const search = searchString(request);
  const bytes = bodyBytes(request);
  return {
    params: request.params as Record<string, string>,
    query: readQuery(search, operation.query),
    body: operation.body === undefined ? undefined : readBody(bytes, request, operation.wire.mediaType),
    ...(operation.bulk === undefined ? {} : { format: readBulkFormat(request) }),
    headers: request.headers,
    digest: () => createHash('sha256').update(`${request.method} ${request.url}\n`).update(bytes).digest(),
  };
}

function readBody(bytes: Buffer, request: FastifyRequest, mediaType: string): Json {
  if (bytes.length === 0) throw new Refusal('malformed-json', 'A body is needed here.');
  checkContentType(request.headers['content-type'], mediaType);
  checkEncoding(request);
  return parseJson(readUtf8(bytes));
}

function checkEncoding(request: FastifyRequest): void {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    const detail = 'The body must be sent without a content encoding.';
    const fault = { code: 'unsupported-media-type', detail, header: 'Content-Encoding' };
    throw new Refusal('unsupported-media-type', detail, { faults: [fault] });
  }
}

function readBulkFormat(request: FastifyRequest): BulkFormat {
  const formats = Object.keys(bulkFormats) as BulkFormat[];
  if (Number(request.headers['content-length'] ?? 1) === 0 || request.body === undefined) {
    throw new Refusal('malformed-request', 'A body is needed here.');
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
