// What is answered to bytes that are not HTTP. They name no path, so no wire is theirs; the connection ends with it.

import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { writeJson } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { toProblem } from '../operation/problem.ts';
import type { Wire } from '../operation/operation.ts';

export interface UnreadableReply {
  readonly requestId: string;
  readonly baseUrl: string;
  /** The wire that speaks where none is asked for. */
  readonly wire: Wire;
  /** What every answer carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the HTTP parser gives up on for a reason worth telling. */
const knownErrors: Readonly<Record<string, readonly [code: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request did not arrive whole in time.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers of the request are too large.'],
};

export function respondToUnreadable(errorCode: string, socket: Socket, makeReply: () => UnreadableReply): void {
  if (errorCode === 'ECONNRESET' || !socket.writable || isResponding(socket)) return void socket.destroy();
  const { requestId, baseUrl, wire, headers } = makeReply();
  const [code, detail] = knownErrors[errorCode] ?? ['malformed-request', 'The request cannot be read as HTTP.'];
  const refusal = new Refusal(code, detail);
  const problem = toProblem(refusal, { requestId, baseUrl, resource: undefined, pointer: wire.pointer });
  const { status } = problem;
  const text = writeJson(wire.problemBody(problem));
  const allHeaders = {
    ...headers,
    'content-type': wire.problemMediaType,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}

/** Whether an answer is under way already, so that another one would run into it. */
function isResponding(socket: Socket): boolean {
  return '_httpMessage' in socket && (socket._httpMessage as ServerResponse | null)?.headersSent === true;
}
