// Responds to bytes that cannot be read as HTTP, and closes the connection.

import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { writeJson } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { toProblem } from '../operation/problem.ts';
import type { Wire } from '../operation/operation.ts';

export interface UnreadableReply {
  readonly requestId: string;
  readonly baseUrl: string;
  /** The wire to use, since no path says which. */
  readonly wire: Wire;
  /** Adds the headers that every response carries. */
  withCommon(own: Readonly<Record<string, string>>): Record<string, string>;
}

/** Parser errors with a refusal of their own; all others are `malformed-request`. */
const knownErrors: Readonly<Record<string, readonly [code: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request took too long to arrive. Send it again.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers of the request are too large.'],
};

export function respondToUnreadable(errorCode: string, socket: Socket, makeReply: () => UnreadableReply): void {
  if (errorCode === 'ECONNRESET' || !socket.writable || isResponding(socket)) return void socket.destroy();
  const [code, detail] = knownErrors[errorCode] ?? ['malformed-request', 'The request cannot be read as HTTP.'];
  refuseUnread(new Refusal(code, detail), socket, makeReply());
}

/** Refuses whatever a connection sends, and closes it. */
export function refuseUnread(
  refusal: Refusal,
  socket: Socket,
  { requestId, baseUrl, wire, withCommon }: UnreadableReply,
): void {
  const problem = toProblem(refusal, { requestId, baseUrl, resource: undefined, pointer: wire.pointer });
  const { status } = problem;
  const text = writeJson(wire.problemBody(problem));
  const allHeaders = withCommon({
    ...problem.headers,
    'content-type': wire.problemMediaType,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  });
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}

/** Whether a response has begun on this connection: a second one would be written into it. Reads a private field of Node's. */
function isResponding(socket: Socket): boolean {
  return '_httpMessage' in socket && (socket._httpMessage as ServerResponse | null)?.headersSent === true;
}
