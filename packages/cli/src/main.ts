#!/usr/bin/env node
// `holdfast`: runs the command, and turns failures into messages and exit codes.

import { reportFailure } from './failure.ts';
import { makeProgram } from './program.ts';

// A reader that has seen enough, such as `head`, ends the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const program = makeProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, program.opts()['json'] === true);
}
