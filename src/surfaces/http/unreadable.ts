// What is answered to bytes that are not HTTP. They name no path, so no wire is theirs; the connection ends with it.

import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { writeJson } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { problemOf } from './problem.ts';
import type { Wire } from './wire.ts';

export interface UnreadableFrame {
  readonly requestId: string;
  readonly baseUrl: string;
  /** The wire that speaks where none is asked for. */
  readonly wire: Wire;
  /** What every answer carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the HTTP parser gives up on with a status of its own. */
const statuses: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

export function answerUnreadable(errorCode: string, socket: Socket, frame: () => UnreadableFrame): void {
  if (errorCode === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy();
  const { requestId, baseUrl, wire, headers } = frame();
  const refusal = new Refusal('malformed-request', 'The request cannot be read as HTTP.');
  const problem = problemOf(refusal, { requestId, baseUrl, resource: undefined, pointer: wire.pointer });
  const status = statuses[errorCode] ?? problem.status;
  const text = writeJson(wire.problemBody({ ...problem, status }));
  const head = {
    ...headers,
    'content-type': wire.problemMediaType,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  socket.destroySoon();
}

/** Whether an answer is under way already, so that another one would run into it. */
function isAnswering(socket: Socket): boolean {
  return '_httpMessage' in socket && (socket._httpMessage as ServerResponse | null)?.headersSent === true;
}
