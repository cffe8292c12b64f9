import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabaseForThisTest } from '../../../../tests/setup/database/empty-database.ts';
import { awaitLockWaits } from '../../../../tests/setup/database/lock-waits.ts';
import type { TestDatabase } from '../../../../tests/setup/database/test-database.ts';
import { blockWriters, requireNoOthers } from './other-connections.ts';

async function connect({ url }: TestDatabase, program?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: program });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test.each(['item', 'Odd name'])(
  'while a database is moved, who writes to %s waits, and who reads does not',
  async (name) => {
    const database = await emptyDatabaseForThisTest();
    const table = pg.escapeIdentifier(name);
    const [mover, writer, reader] = [await connect(database), await connect(database), await connect(database)];
    await mover.query('CREATE TABLE item (id int); CREATE TABLE "Odd name" (id int)');
    await mover.query('BEGIN');
    await blockWriters(mover);
    const written = writer.query(`INSERT INTO ${table} VALUES (1)`);
    await awaitLockWaits(database, 1);
    expect((await reader.query(`SELECT FROM ${table}`)).rowCount).toBe(0);
    await mover.query('COMMIT');
    await written;
    expect((await reader.query(`SELECT FROM ${table}`)).rowCount).toBe(1);
  },
);

test('a database without tables has nothing that could be written to', async () => {
  const mover = await connect(await emptyDatabaseForThisTest());
  await mover.query('BEGIN');
  await expect(blockWriters(mover)).resolves.toBeUndefined();
});

test('a database is moved only while nobody else is connected, and who is connected is named', async () => {
  const database = await emptyDatabaseForThisTest();
  const mover = await connect(database, 'mover');
  await requireNoOthers(mover);
  for (const program of ['node', undefined, 'editor', 'node']) await connect(database, program);
  await expect(requireNoOthers(mover)).rejects.toThrow('to be moved: editor (1), node (2), unnamed (1). Nothing');
});
