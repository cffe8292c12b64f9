// Writes a response to the connection: at once, or in chunks if it is too long to hold in memory.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** `commonHeaders` are those that every response carries. */
export function writeResponse(
  response: ServerResponse,
  rendered: RenderedResponse,
  commonHeaders: Readonly<Record<string, string>>,
): void {
  const { status, headers, cookies, text, chunks } = rendered;
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
  const setCookies = cookies === undefined ? {} : { 'set-cookie': [...cookies] };
  response.writeHead(status, { ...commonHeaders, ...headers, ...length, ...setCookies });
  if (chunks === undefined) return void response.end(text ?? undefined);
  // The status is already sent: closing the connection before the end is the only way left to report a failure.
  const body = Readable.from(chunks);
  void pipeline(body, response).catch(() => {
    // A pipeline into a connection that is already closed fails without ending its source.
    body.destroy();
    response.destroy();
  });
}
