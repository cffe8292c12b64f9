// What a signal to the process does: it stops the service and ends the process. A stop that hangs is given up.

import type { Service } from '../start-service.ts';

/** The service stops within this time by itself, whatever hangs. */
const stopMsMax = 14_000;

/** What this needs of the process. */
export interface SignalledProcess {
  readonly stderr: { write(text: string): unknown };
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
}

/** Prints what went wrong, and ends the process with 1. */
export function fail(ending: Pick<SignalledProcess, 'stderr' | 'exit'>, message: string): void {
  ending.stderr.write(`${message}\n`);
  ending.exit(1);
}

/**
 * On SIGTERM and SIGINT, finishes the requests in progress and exits; gives up on what hangs. Further signals change nothing. Before the service has
 * started there is nothing to finish, and what a start was doing is done by the next one: it exits at once. As the first process of a container it would
 * not end at all without a listener. Returns what to call with the service once it has started.
 */
export function stopOnSignal(own: SignalledProcess): (service: Pick<Service, 'stop'>) => void {
  let started: Pick<Service, 'stop'> | undefined;
  let isStopping = false;
  const stop = (): void => {
    if (started === undefined) return void own.exit(0);
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => own.exit(1), stopMsMax).unref();
    started.stop().then(
      () => own.exit(0),
      (error: unknown) => fail(own, `The service did not stop cleanly: ${String(error)}`),
    );
  };
  own.on('SIGTERM', stop);
  own.on('SIGINT', stop);
  return (service) => void (started = service);
}
