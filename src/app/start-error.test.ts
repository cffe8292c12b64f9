// Checks that what an operator can fix is described in a sentence that names the setting.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { Refusal } from '../kit/refusal.ts';
import { Keyring } from '../signing/keyring.ts';
import { databaseUnavailable } from '../store/postgres/database-errors.ts';
import { DataDirFault } from '../store/postgres/embedded/embedded-postgres.ts';
import { readConfig } from './config.ts';
import { SettingFault, type EnvironmentVariables } from './setting-reader.ts';
import { describeStartError } from './start-error.ts';
import { startService } from './start-service.ts';

test.each([
  [new SettingFault('PORT must be a number.'), 'PORT must be a number.'],
  [new DataDirFault('DATA_DIR is full.'), 'DATA_DIR is full.'],
  [
    Object.assign(new Error('sorry, too many clients already'), { code: '53300' }),
    'The database has no connection left (sorry, too many clients already). A node uses DATABASE_POOL of them, and 4 more for each of WORK_THREADS.',
  ],
  [
    new Error('unsupported startup parameter in options: plan_cache_mode'),
    'unsupported startup parameter in options: plan_cache_mode: behind PgBouncer set DATABASE_STATEMENTS=unnamed.',
  ],
  [
    Object.assign(new Error('database "x" does not exist'), { code: '3D000' }),
    'The database cannot be used: database "x" does not exist.',
  ],
  [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'The database cannot be used: ECONNREFUSED.'],
  ['thrown as a text', 'thrown as a text'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
    (code): [Error, string] => [
      Object.assign(new Error('it is not trusted'), { code }),
      'The database cannot be used: it is not trusted.',
    ],
  ),
  [
    databaseUnavailable(Object.assign(new Error('password authentication failed for user "u"'), { code: '28P01' })),
    'The database cannot be used: password authentication failed for user "u".',
  ],
  [new Refusal('workspace-suspended', 'The workspace is suspended.'), 'The workspace is suspended.'],
  [
    Object.assign(new Error('password authentication failed for user "u"'), { code: '28P01' }),
    'The database cannot be used: password authentication failed for user "u".',
  ],
])('%s', (error, description) => {
  expect(describeStartError(error)).toBe(description);
});

describe('a start that fails', () => {
  async function faultOf(settings: EnvironmentVariables): Promise<string> {
    const started = Promise.try(() => startService(readConfig({ PORT: '0', DEMO: 'off', ...settings })));
    return started.then(() => 'It has started.', describeStartError);
  }

  test('with invalid settings names each of them', async () => {
    expect(await faultOf({ PORT: 'many', ROLE: 'none' })).toBe(
      'PORT must be a whole number from 0 to 65535, but is "many".\nROLE must be one of all, api, worker, but is "none".',
    );
  });

  test('with an unavailable database does not show its password', async () => {
    const settings = { DATABASE_URL: 'postgresql://u:hush@127.0.0.1:1/x', ENCRYPTION_KEY: Keyring.generate() };
    expect(await faultOf(settings)).toBe('The database cannot be used: connect ECONNREFUSED 127.0.0.1:1.');
  });

  test('with a database that has no TLS says so', async () => {
    const url = new URL(inject('databaseServer'));
    url.searchParams.set('sslmode', 'verify-full');
    const settings = { DATABASE_URL: url.href, ENCRYPTION_KEY: Keyring.generate() };
    expect(await faultOf(settings)).toBe('The database cannot be used: The server does not support SSL connections.');
  });

  test('with a folder below a file as DATA_DIR names it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-refused-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'file'), '');
    expect(await faultOf({ DATA_DIR: `${folder}/file/deeper` })).toMatch(
      new RegExp(`^DATA_DIR is ${folder}/file/deeper, which cannot be used: [^\\n]+$`),
    );
  });

  test('with a folder in one that takes no folders as DATA_DIR names it', async () => {
    expect(await faultOf({ DATA_DIR: '/proc/holdfast' })).toMatch(
      /^DATA_DIR is \/proc\/holdfast, which cannot be used: [^\n]+$/,
    );
  });
});

test('what nobody expected is shown with its stack', () => {
  expect(describeStartError(new TypeError('a defect'))).toMatch(/^TypeError: a defect\n\s+at /);
});
