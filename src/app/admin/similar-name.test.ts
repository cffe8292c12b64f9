// A name that is none of the settings, but nearly one, is recognised as a slip.

import { expect, test } from 'vitest';
import { isLikeOneOf } from './similar-name.ts';

const names = new Set(['DATABASE_URL', 'PORT', 'SMTP_URL', 'LOG_LEVEL', 'DATA_DI']);

test.each([
  ['DATABASE_URL', false],
  ['DATABASE_URI', true],
  ['database_ur', true],
  ['DATABSAE_URL', true],
  ['DATABASE__URLS', true],
  ['TABASE_URL', true],
  ['ABASE_URL', false],
  ['MYDATABASE_URL', true],
  ['OURDATABASE_URL', false],
  ['DATAPASE_URI', true],
  ['DATEPASE_URI', false],
  ['DATABASE_URLSXY', false],
  ['DTBASE_UL', false],
  ['XXXABASE_URL', false],
  ['PORTS', false],
  ['LOGLEVEL', true],
  ['LOGLEVELS', true],
  ['LOG_EVXY', false],
  ['DATA_D', true],
  ['ATA_', false],
  ['', false],
])('%s: %s', (name, expected) => {
  expect(isLikeOneOf(name, names)).toBe(expected);
});
