// Says that nobody waits for an answer any more: the connection of a request was closed before it was answered.

import { Refusal } from '../refusal.ts';

/** Ends work whose caller has left. Nobody sees the answer that is made of it. */
export class CallerLeft extends Refusal {
  constructor() {
    super('request-timeout', 'The connection was closed before the request was answered.');
  }
}

/** Aborted with `CallerLeft`. Made when it is first asked for: most requests are answered before anything asks. */
export type LeaveSignal = () => AbortSignal;
