// Writes a response to the connection: at once, or in chunks if it is too long to hold in memory; compressed if the caller wants that.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import {
  chooseEncoding,
  compress,
  createCompressor,
  encodedLengthMin,
  type Encoding,
} from '../negotiation/content-encoding.ts';
import { encodedTag } from '../negotiation/entity-tag.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import { closeWhenAnswerIsStuck } from './pace.ts';
import { sendChunks } from './send-chunks.ts';

/** The request that is answered. */
type AnsweredRequest = Pick<IncomingMessage, 'method' | 'headers'>;

export function writeResponse(response: ServerResponse, rendered: RenderedResponse, request?: AnsweredRequest): void {
  if (request === undefined || !mayCompress(rendered)) return writePlain(response, rendered);
  const varying = withVary(rendered, 'Accept-Encoding');
  const encoding = rendered.status === 304 ? undefined : chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) writePlain(response, varying);
  else writeCompressed(response, withEncoding(varying, encoding), { encoding, isHead: request.method === 'HEAD' });
}

/** Whether the body depends on `Accept-Encoding`. A 304 stands for a body that does. */
function mayCompress({ status, text, chunks, isCompressible }: RenderedResponse): boolean {
  if (isCompressible !== true) return false;
  return status === 304 || chunks !== undefined || (text !== null && text.length >= encodedLengthMin);
}

/** Adds a request header that the response depends on. */
export function withVary(rendered: RenderedResponse, name: string): RenderedResponse {
  const { vary } = rendered.headers;
  return { ...rendered, headers: { ...rendered.headers, vary: vary === undefined ? name : `${vary}, ${name}` } };
}

function withEncoding(rendered: RenderedResponse, encoding: Encoding): RenderedResponse {
  const { etag } = rendered.headers;
  const ownTag = etag === undefined ? {} : { etag: encodedTag(etag, encoding) };
  return { ...rendered, headers: { ...rendered.headers, 'content-encoding': encoding, ...ownTag } };
}

function allHeaders({ headers, cookies }: RenderedResponse): Record<string, string | string[]> {
  return cookies === undefined ? headers : { ...headers, 'set-cookie': [...cookies] };
}

function writePlain(response: ServerResponse, rendered: RenderedResponse): void {
  const { status, text, chunks } = rendered;
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...allHeaders(rendered), ...length });
  if (chunks === undefined) return endWith(response, text ?? undefined);
  closeWhenAnswerIsStuck(response);
  // The status is already sent: closing the connection before the end is the only way left to report a failure.
  sendChunks(chunks, response).catch(() => response.destroy());
}

/** Nearly every answer leaves at once; for the others the reader is watched. */
function endWith(response: ServerResponse, body: string | Uint8Array | undefined): void {
  response.end(body);
  if (response.socket !== null && response.socket.writableLength > 0) closeWhenAnswerIsStuck(response);
}

function writeCompressed(
  response: ServerResponse,
  rendered: RenderedResponse,
  { encoding, isHead }: { readonly encoding: Encoding; readonly isHead: boolean },
): void {
  const { status, text, chunks, compressed } = rendered;
  if (chunks !== undefined) {
    response.writeHead(status, allHeaders(rendered));
    const compressor = createCompressor(encoding);
    closeWhenAnswerIsStuck(response);
    pipeline(compressor, response).catch(() => response.destroy());
    sendChunks(chunks, compressor).catch(() => compressor.destroy(new Error('The response is not complete.')));
    return;
  }
  // A HEAD may leave out the length, which only compressing the body would tell.
  if (isHead) return void response.writeHead(status, allHeaders(rendered)).end();
  const bytes = compressed?.(encoding) ?? compress(Buffer.from(text ?? ''), encoding);
  bytes.then(
    (body) => endWith(response.writeHead(status, { ...allHeaders(rendered), 'content-length': body.length }), body),
    () => response.destroy(),
  );
}
