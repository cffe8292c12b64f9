// The commands of `holdfast`, and what all of them have in common.

import { Command } from 'commander';
import { addCompletion } from './commands/completion.ts';
import { addExplain } from './commands/explain.ts';
import { addImport } from './commands/import.ts';
import { addLogin } from './commands/login.ts';
import { addOpen } from './commands/open.ts';
import { addRecords } from './commands/records.ts';
import { addReports } from './commands/reports.ts';
import { addTail } from './commands/tail.ts';
import { addWebhooks } from './commands/webhooks.ts';

const notes = `
Credentials come from HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET (or HOLDFAST_TOKEN) with HOLDFAST_URL, else from the profile that
\`holdfast login\` has kept.

Exit codes: 0 done, 1 refused, 2 wrong command, 3 not signed in, 4 no answer, 5 done with something left to do.`;

export function makeProgram(): Command {
  const program = new Command('holdfast')
    .description('Holdfast on the command line: bring data in, look at it, follow what happens.')
    .version('0.2.0')
    .option('-p, --profile <name>', 'the profile to use', process.env['HOLDFAST_PROFILE'] ?? 'default')
    .option('--url <address>', 'the address of the service')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', notes)
    .showHelpAfterError('(holdfast --help shows all commands)')
    .exitOverride();
  addLogin(program);
  addRecords(program);
  addImport(program);
  addReports(program);
  addExplain(program);
  addTail(program);
  addWebhooks(program);
  addOpen(program);
  addCompletion(program);
  for (const command of program.commands) command.exitOverride();
  return program;
}
