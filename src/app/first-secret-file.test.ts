// A first start keeps its secrets in a file that nobody else reads and that no start overwrites.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { runSql } from '../../tests/setup/database/sql.ts';
import { makeDatabase } from '../../tests/setup/node/test-service.ts';
import { Keyring } from '../signing/keyring.ts';
import { readConfig } from './config.ts';
import { startService, type Service } from './start-service.ts';

test('the secrets of a first start are in the file, for its owner alone; a later start leaves it, and none overwrites it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-first-'));
  const database = await makeDatabase();
  onTestFinished(async () => {
    await rm(folder, { recursive: true });
    await database.drop();
  });
  const file = join(folder, 'first.json');
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Keyring.generate(),
    DEMO: 'off',
    WORK_THREADS: '0',
    FIRST_SECRET_FILE: file,
  });
  const start = (): Promise<Service> => startService(config, { log: pino({ level: 'silent' }) });

  await writeFile(file, 'of another deployment');
  await expect(start()).rejects.toThrow(
    `FIRST_SECRET_FILE is ${file}, which exists already and is never overwritten. Nothing was created.`,
  );
  expect(await readFile(file, 'utf8')).toBe('of another deployment');
  expect(await runSql(database, 'SELECT FROM workspace')).toEqual([]);

  await rm(file);
  const service = await start();
  const { first, demo } = JSON.parse(await readFile(file, 'utf8'));
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  expect(demo).toBeNull();
  expect(first).toEqual({
    workspace_id: service.firstApplication!.workspaceId,
    environment: 'production',
    client_id: service.firstApplication!.clientId,
    client_secret: service.firstApplication!.clientSecret,
    administrator_link: service.firstLink!.link,
    administrator_link_expires_at: new Date(service.firstLink!.expiresAt).toISOString(),
  });
  await service.stop();

  const before = await readFile(file, 'utf8');
  const again = await start();
  expect(again.firstApplication).toBeUndefined();
  await again.stop();
  expect(await readFile(file, 'utf8')).toBe(before);
});
