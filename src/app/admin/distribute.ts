// The command `distribute`: spreads the workspaces of a database over the servers that its Citus extension knows.

import { distribute, listMissing } from '../../store/postgres/distribution/distribute.ts';
import { readConfig } from '../config.ts';
import { connectionConfig } from '../open-context.ts';
import { SettingFault } from '../setting-reader.ts';
import { printJson, readOptions, type Command } from './command.ts';

export const distributeCommand: Command = {
  name: 'distribute',
  usage: '[--dry-run] [--json]',
  summary: 'spreads workspaces over the servers of Citus, while no node runs; again after each migration',
  details: [
    'Runs create_reference_table and create_distributed_table for each table that is not spread yet, with its rows, in one transaction.',
    '--dry-run prints the statements and changes nothing. docs/scale.md says what it needs.',
  ],
  async run({ args, environment, print }) {
    const options = { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } } as const;
    const { 'dry-run': isDryRun = false, json = false } = readOptions(args, options);
    const config = readConfig(environment);
    if (config.databaseUrl === undefined)
      throw new SettingFault('DATABASE_URL must name the coordinator of Citus. The embedded database is one server.');
    const connection = connectionConfig(config, { connectionString: config.databaseUrl });
    if (json && isDryRun) printJson(print, { missing: await listMissing(connection) });
    else if (json) printJson(print, { run: await distribute(connection, () => {}) });
    else if (isDryRun) for (const text of await listMissing(connection)) print(`${text};`);
    else {
      const done = await distribute(connection, print);
      print(done.length === 0 ? 'Nothing was missing.' : 'Done. Start the nodes again.');
    }
    return true;
  },
};
