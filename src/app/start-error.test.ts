// Checks that what an operator can fix is described in a sentence that names the setting.

import { expect, test } from 'vitest';
import { describeStartError } from './start-error.ts';
import { SettingFault } from './setting-reader.ts';
import { DataDirFault } from '../store/postgres/embedded/embedded-postgres.ts';

test.each([
  [new SettingFault('PORT must be a number.'), 'PORT must be a number.'],
  [new DataDirFault('DATA_DIR is full.'), 'DATA_DIR is full.'],
  [
    Object.assign(new Error('sorry, too many clients already'), { code: '53300' }),
    'The database has no connection left (sorry, too many clients already). A node uses DATABASE_POOL of them, and 4 more for each of WORK_THREADS.',
  ],
  [
    Object.assign(new Error('password authentication failed for user "u"'), { code: '28P01' }),
    'The database cannot be used: password authentication failed for user "u".',
  ],
])('%s', (error, description) => {
  expect(describeStartError(error)).toBe(description);
});

test('what nobody expected is shown with its stack', () => {
  expect(describeStartError(new TypeError('a defect'))).toMatch(/^TypeError: a defect\n\s+at /);
});
