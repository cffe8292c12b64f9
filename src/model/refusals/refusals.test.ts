import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { errorsFile, errorsMarkdown } from '../../../scripts/write-errors.ts';
import { isRefusalCode, refusals, type RefusalKind } from './refusals.ts';

const declared = Object.entries<RefusalKind>(refusals);

/** The statuses of the error table, and those that other rules require, such as for an expired invite, If-Match or an unavailable node. */
const statuses = new Set([400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, 500]).union(
  new Set([408, 410, 412, 417, 431, 503]),
);

describe('refusals', () => {
  test('docs/errors.md lists them as declared (npm run errors writes it)', async () => {
    expect(await readFile(errorsFile, 'utf8')).toBe(errorsMarkdown());
  });

  test('the table has one row for each code', () => {
    const rows = [...errorsMarkdown().matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code);
    expect(rows.toSorted()).toEqual(Object.keys(refusals).toSorted());
  });

  test.each(declared)(
    '%s is in kebab-case, has a known status, and is explained in complete sentences',
    (code, kind) => {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(statuses).toContain(kind.status);
      expect(kind.title).toMatch(/^[A-Z].*[^.]$/);
      expect(kind.meaning).toMatch(/^[A-Z`].*\.$/);
    },
  );

  test('no two have the same title', () => {
    const titles = declared.map(([, { title }]) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('an inherited property name is not a code', () => {
    expect(isRefusalCode('constructor')).toBe(false);
    expect(isRefusalCode('client-not-found')).toBe(true);
  });
});
