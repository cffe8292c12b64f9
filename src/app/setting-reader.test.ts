// Secrets can be kept in files, as containers and systemd hand them over; a file that cannot be used is named, its content never shown.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { SettingFault, SettingReader } from './setting-reader.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-secrets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(folder, `secret-${Math.random()}`);
  await writeFile(path, text, { mode: 0o400 });
  return path;
}

function faultOf(settings: Readonly<Record<string, string>>): string {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof SettingFault) return error.message;
    throw error;
  }
  return '';
}

const databaseUrl = 'postgresql://holdfast:hush@db.example:5432/holdfast';
const key = '6b1f9a03d4e85c72a90b3e6df25c84170ce4b79a1d683f5298f0d1237ac6be45';

describe('a secret in a file', () => {
  test('counts as if its setting had the text of the file, without the last line break', async () => {
    const config = readConfig({
      NODE_ENV: 'production',
      DATABASE_URL_FILE: await fileWith(`${databaseUrl}\n`),
      ENCRYPTION_KEY_FILE: await fileWith(`${key}\r\n`),
    });
    expect(config).toMatchObject({ databaseUrl, encryptionKey: key, demo: 'off' });
  });

  test.each([
    'DATABASE_URL',
    'ENCRYPTION_KEY',
    'BOOTSTRAP_CLIENT_SECRET',
    'SMTP_URL',
    'PROVIDER_A_CLIENT_SECRET',
    'PROVIDER_B_CLIENT_SECRET',
    'PROVIDER_C_CLIENT_SECRET',
  ])('can be %s', async (name) => {
    const reader = new SettingReader({ [`${name}_FILE`]: await fileWith(' one word more\n\n') });
    expect(reader.text(name)).toBe(' one word more\n');
  });

  test('can have 65,536 bytes', async () => {
    const text = 'x'.repeat(65_536);
    expect(new SettingReader({ SMTP_URL_FILE: await fileWith(text) }).text('SMTP_URL')).toBe(text);
  });

  test('is not shown when it is wrong', async () => {
    expect(faultOf({ ENCRYPTION_KEY_FILE: await fileWith('hush') })).toBe(
      'ENCRYPTION_KEY must be 32 random bytes, as 64 hexadecimal digits or as base64.',
    );
  });
});

describe('a file is refused', () => {
  test('if it cannot be read: the service does not fall back to the embedded database', () => {
    expect(faultOf({ DATABASE_URL_FILE: join(folder, 'none') })).toBe(
      `DATABASE_URL_FILE is ${join(folder, 'none')}, which cannot be read (ENOENT).`,
    );
  });

  test('before anything else is judged: what it should hold is not missing', () => {
    const path = join(folder, 'none');
    expect(faultOf({ NODE_ENV: 'production', DATABASE_URL_FILE: path, PORT: 'any' })).toBe(
      `DATABASE_URL_FILE is ${path}, which cannot be read (ENOENT).`,
    );
  });

  test('if it is no file, empty or too large to be a secret', async () => {
    const [empty, large] = [await fileWith('\n'), await fileWith('x'.repeat(65_537))];
    expect(
      faultOf({ SMTP_URL_FILE: folder, ENCRYPTION_KEY_FILE: empty, DATABASE_URL_FILE: large }).split('\n'),
    ).toEqual([
      `DATABASE_URL_FILE is ${large}, which has more than 65536 bytes.`,
      `ENCRYPTION_KEY_FILE is ${empty}, which is empty.`,
      `SMTP_URL_FILE is ${folder}, which is not a file.`,
    ]);
  });

  test('if the setting itself is set as well', async () => {
    expect(faultOf({ ENCRYPTION_KEY: key, ENCRYPTION_KEY_FILE: await fileWith(key) })).toBe(
      'ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set. Set one of them.',
    );
  });
});
