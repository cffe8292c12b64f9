// The command `migrate`: brings the database to the schema of this release, or only says what that would take.

import type pg from 'pg';
import { migrate } from '../../store/postgres/migrate.ts';
import { findMissingMigrations } from '../../store/postgres/missing-migrations.ts';
import { readConfig } from '../config.ts';
import { withAdminDatabase } from './admin-context.ts';
import { printJson, readOptions, type Command, type Print } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '[--check] [--json]',
  summary: 'runs the migrations that the database has not had, as a start of the service does; --check only lists them',
  details: ['With --check, the exit code is 1 if there is anything to run, and nothing is changed.'],
  async run({ args, environment, print }) {
    const options = { check: { type: 'boolean' }, json: { type: 'boolean' } } as const;
    const { check: isCheck = false, json = false } = readOptions(args, options);
    const form = json ? 'json' : 'text';
    return withAdminDatabase(readConfig(environment), (connection) =>
      isCheck ? listMissing(connection, print, form) : runMissing(connection, print, form),
    );
  },
};

type Form = 'json' | 'text';

async function listMissing(connection: pg.ClientConfig, print: Print, form: Form): Promise<boolean> {
  const { last, missing, isOther } = await findMissingMigrations(connection);
  if (form === 'json') {
    printJson(print, { last: last ?? null, missing, is_of_another_release: isOther });
    return missing.length === 0 && !isOther;
  }
  if (isOther)
    print(
      `The database is at ${last}, which this release does not have. A start takes over what an older release made, and refuses what a newer one did.`,
    );
  else if (missing.length === 0) print(`The database is at ${last}: nothing is missing.`);
  else {
    print(`The database is ${last === undefined ? 'empty' : `at ${last}`}. ${missing.length} migrations are missing:`);
    for (const name of missing) print(`  ${name}`);
  }
  return missing.length === 0 && !isOther;
}

async function runMissing(connection: pg.ClientConfig, print: Print, form: Form): Promise<boolean> {
  const before = await findMissingMigrations(connection);
  await migrate(connection);
  const { last } = await findMissingMigrations(connection);
  if (form === 'json') printJson(print, { last: last ?? null, run: before.missing });
  else
    print(
      before.missing.length === 0
        ? `The database is at ${last}: nothing was missing.`
        : `The database is at ${last}: ${before.missing.length} migrations were run.`,
    );
  return true;
}
