// Says when the caller of a request has closed its connection, so that nobody waits for the answer.

import type { ServerResponse } from 'node:http';
import { CallerLeft, type LeaveSignal } from '../../../kit/concurrency/caller-left.ts';

type LeavableResponse = Pick<ServerResponse, 'closed' | 'once'>;

/** Aborted when the connection is closed; also after a complete answer, which ends nothing. */
export function leaveSignalOf(response: LeavableResponse): LeaveSignal {
  let controller: AbortController | undefined;
  return () => {
    controller ??= abortOnClose(response);
    return controller.signal;
  };
}

function abortOnClose(response: LeavableResponse): AbortController {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new CallerLeft());
  if (response.closed) leave();
  else response.once('close', leave);
  return controller;
}
