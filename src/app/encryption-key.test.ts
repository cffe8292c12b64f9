import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../../tests/setup/node/test-service.ts';
import type { Config } from './config.ts';
import { getKeyring } from './encryption-key.ts';
import { Keyring } from '../signing/keyring.ts';

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-key-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return dataDir;
}

test('the key file is created once, readable by its owner only, and reused at the next start', async () => {
  const dataDir = await folder();
  const config = { dataDir } as Config;
  const keyrings = await Promise.all([getKeyring(config), getKeyring(config), getKeyring(config)]);
  const again = await getKeyring(config);
  expect(keyrings.map((keyring) => keyring.fingerprint())).toEqual(Array(3).fill(again.fingerprint()));
  expect(await readdir(dataDir)).toEqual(['encryption.key']);
  expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600);
});

test('a key in the settings takes precedence over the file', async () => {
  const dataDir = await folder();
  const encryptionKey = Keyring.generate();
  await writeFile(join(dataDir, 'encryption.key'), Keyring.generate());
  const keyring = await getKeyring({ dataDir, encryptionKey } as Config);
  expect(keyring.fingerprint()).toBe(Keyring.fromText(encryptionKey).fingerprint());
});

test('a start with a key other than the one the database was created with is refused, naming the key', async () => {
  const { database, stop } = await startTestService();
  try {
    const settings = { ENCRYPTION_KEY: Keyring.generate() };
    await expect(startTestService({ database, settings })).rejects.toThrow(/^ENCRYPTION_KEY is not the key/);
  } finally {
    await stop();
  }
});
