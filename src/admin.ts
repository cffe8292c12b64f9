// The entry of the operator's commands: `holdfast <command>`, or `npm run admin -- <command>`, for operators who can reach the database and have the key.

import { runCommand } from './app/admin/run-command.ts';
import { ignoreUnread } from './app/admin/unread-output.ts';

ignoreUnread(process.stdout, process.stderr);

process.exit(await runCommand(process.argv.slice(2), process.env, process));
