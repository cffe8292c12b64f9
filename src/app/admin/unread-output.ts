// Output that nobody reads any more, as with `| head`: not an error, and no reason to stop what the command is doing.

interface Output {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Only the rest of the words is lost; the exit code still says whether the command has done what it was asked to. */
export function ignoreUnread(...outputs: readonly Output[]): void {
  for (const output of outputs)
    output.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
