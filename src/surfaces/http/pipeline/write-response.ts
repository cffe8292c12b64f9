// Writes an answer to the connection: whole, or piece by piece where it is longer than should be held at once. Knows no wire.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RenderedResponse } from '../operation/rendered-response.ts';

/** `frame` is what every answer carries. */
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
  // What fails in the midst can only be told by ending the connection: the answer has no end then.
  void pipeline(Readable.from(chunks), response).catch(() => response.destroy());
}
