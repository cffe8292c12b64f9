// Tells a failure to the one who ran the command: what happened, what to do, and the request to ask about.

import { HoldfastError, NoAnswer, RateLimited, ServiceFailed, Unauthorized } from '@holdfast/sdk';
import { CommanderError } from 'commander';
import { CommandError, exitCodes } from './exit-codes.ts';
import { harmless, oneLine, paint } from './output/terminal-text.ts';

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  // Help and the version are what was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misuse;
  if (error instanceof Unauthorized || (error instanceof HoldfastError && error.code === 'invalid_client'))
    return exitCodes.notSignedIn;
  if (error instanceof NoAnswer || error instanceof ServiceFailed) return exitCodes.noAnswer;
  return exitCodes.refused;
}

const advice: readonly [(error: HoldfastError) => boolean, string][] = [
  [(error) => error.is('right-missing'), 'Sign in with an application that has this right: holdfast login.'],
  [(error) => error instanceof Unauthorized, 'Check the credentials and sign in again: holdfast login.'],
  [(error) => error.is('invalid_client'), 'Check the credentials and sign in again: holdfast login.'],
  [
    (error) => error instanceof NoAnswer,
    'Check the address and whether the service runs; the same command can be run again.',
  ],
  [(error) => error instanceof RateLimited, 'Wait a little, or run fewer commands at a time.'],
  [(error) => error instanceof ServiceFailed, 'Try again later; if it stays, give the request id to the operator.'],
];

function problemText(error: HoldfastError): string {
  const [first, ...others] = error.faults;
  // One fault says the same as the whole.
  const faults = others.length === 0 && first?.detail === error.detail ? [] : error.faults;
  const lines = [
    error.detail,
    ...faults.map(
      (fault) => `  ${[fault.pointer ?? fault.parameter ?? fault.header ?? '', fault.detail].join(' ').trim()}`,
    ),
    `  code     ${error.code}`,
    ...(error.requestId === undefined ? [] : [`  request  ${error.requestId}`]),
    ...(error.help === undefined ? [] : [`  see      ${error.help}`]),
    ...advice
      .filter(([applies]) => applies(error))
      .slice(0, 1)
      .map(([, text]) => `  to do    ${text}`),
  ];
  return `${paint('red', 'Error:', process.stderr)} ${lines.map(harmless).join('\n')}`;
}

/** Prints it to the error stream, and returns the exit code. */
export function reportFailure(error: unknown, isJson: boolean): number {
  const exitCode = exitCodeOf(error);
  // Commander has written what it has to say.
  if (error instanceof CommanderError) return exitCode;
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) {
    const known = error instanceof HoldfastError ? error : undefined;
    const { detail, status, code, faults, requestId } = known ?? {
      detail: message,
      status: undefined,
      code: undefined,
      faults: undefined,
      requestId: undefined,
    };
    process.stderr.write(`${JSON.stringify({ error: { detail, code, status, faults, request_id: requestId } })}\n`);
  } else if (error instanceof HoldfastError) process.stderr.write(`${problemText(error)}\n`);
  else process.stderr.write(`Error: ${oneLine(message)}\n`);
  return exitCode;
}
