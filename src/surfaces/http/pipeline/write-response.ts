// Writes an answer to the connection: whole, or piece by piece where it is longer than should be held at once. Knows no wire.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Rendered } from '../operation/wire.ts';

/** `frame` is what every answer carries. */
export function writeAnswer(
  response: ServerResponse,
  rendered: Rendered,
  frame: Readonly<Record<string, string>>,
): void {
  const { status, headers, cookies, text, pieces } = rendered;
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
  const setCookies = cookies === undefined ? {} : { 'set-cookie': [...cookies] };
  response.writeHead(status, { ...frame, ...headers, ...length, ...setCookies });
  if (pieces === undefined) return void response.end(text ?? undefined);
  // What fails in the midst can only be told by ending the connection: the answer has no end then.
  void pipeline(Readable.from(pieces), response).catch(() => response.destroy());
}
