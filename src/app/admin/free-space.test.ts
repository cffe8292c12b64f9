// How doctor judges the free space of the data folder.

import { expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFinding, spaceFinding } from './free-space.ts';

const [mebibyte, gibibyte] = [2 ** 20, 2 ** 30];

test.each([
  [gibibyte, true, 'ok'],
  [gibibyte - 1, true, 'warn'],
  [100 * mebibyte, true, 'warn'],
  [100 * mebibyte - 1, true, 'fail'],
  // The database is elsewhere.
  [0, false, 'warn'],
  [gibibyte, false, 'ok'],
])('%i bytes, with the database there: %s, are %s', (free, holdsDatabase, level) => {
  const finding = spaceFinding(free, { folder: '/srv', holdsDatabase });
  expect(finding.level).toBe(level);
  expect(finding.what).toBe(`${Math.floor(free / mebibyte)} MiB are free in /srv`);
  expect(finding.remedy !== undefined).toBe(level !== 'ok');
});

/** Has no room for files, since the system itself provides what is in it. */
const fullDisk = process.platform === 'linux' ? '/proc' : '/dev';

test('only where the database is in the folder is it a failure that nothing is free', async () => {
  expect(await diskFinding({ dataDir: fullDisk, databaseUrl: undefined })).toMatchObject({ level: 'fail' });
  expect(await diskFinding({ dataDir: fullDisk, databaseUrl: 'postgresql://db/d' })).toMatchObject({ level: 'warn' });
});

test('a folder that is not there yet is measured where it would be created', async () => {
  const { what } = await diskFinding({ dataDir: join(tmpdir(), 'not', 'there'), databaseUrl: undefined });
  expect(what).toMatch(new RegExp(`^\\d+ MiB are free in ${tmpdir()}$`));
});
