// The exit codes that scripts can rely on, and the errors that lead to them.

export const exitCodes = {
  done: 0,
  /** The service has refused the request. */
  refused: 1,
  /** The command was not written as it must be. */
  misuse: 2,
  /** There are no credentials, or the service does not accept them. */
  notSignedIn: 3,
  /** The service could not be reached, or failed. */
  noAnswer: 4,
  /** Done, but something is left to do, such as rows of an import that need an account. */
  incomplete: 5,
} as const;

/** A command that cannot go on, with what to do. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.misuse) {
    super(message);
    this.exitCode = exitCode;
  }
}
