// Facts about every page: a table has it, so that the tests in Chromium visit it, it is small, nothing foreign runs in it, and it says what it
// did when somebody last read it. After an intended change run this with `-u`, read the difference, and commit it.

import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedAddresses } from '../../../src/surfaces/web/operations.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { isAt, notLookedAt, pageTable, type PageGroup, type TablePage } from '../../setup/web/page-table.ts';
import { pageWords } from '../../setup/web/page-words.ts';
import { weighPage } from '../../setup/web/page-weight.ts';
import { GroupWorld, pageWorlds } from '../../setup/web/page-worlds.ts';

const groups = Object.entries(pageTable) as [PageGroup, readonly TablePage[]][];
const tablePages = groups.flatMap(([, pages]) => pages);
const lookedAt = openedAddresses.filter((path) => !notLookedAt.includes(path));

describe('the table of pages', () => {
  test('has every page that is served: one that is missing is visited by no test in Chromium', () => {
    expect(lookedAt.filter((path) => !tablePages.some((page) => isAt(path, page)))).toEqual([]);
  });

  test('has no page that is not served, except the one that shows that', () => {
    const unserved = tablePages.filter((page) => !lookedAt.some((path) => isAt(path, page)));
    expect(unserved.map(({ path }) => path)).toEqual(['/nowhere']);
    expect(notLookedAt.filter((path) => !openedAddresses.includes(path))).toEqual([]);
  });

  test('is visited group by group by the tests in Chromium', () => {
    const folder = new URL('../../browser/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
    const sources = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
    const visited = new Set(
      [...sources.matchAll(/test\.each\(pageTable(?:\.|\[')([\w-]+)/g)].map(([, group]) => group),
    );
    expect(groups.map(([group]) => group).filter((group) => !visited.has(group))).toEqual([]);
  });
});

/** They show when a retry is due, how long requests took, and which of them came first. */
const chancePages = ['a webhook that fails', 'a delivery that failed', 'the request log', 'the usage'];

const bytesMax = { portal: 60 * 1024, console: 150 * 1024 } as const;

const service = serviceForThisFile({ settings: { REQUEST_LOG: 'on' } });

describe.each(groups)('%s', (group, pages) => {
  let world: GroupWorld;
  const words: string[] = [];
  beforeAll(async () => {
    world = await GroupWorld.make(service, pageWorlds[group]);
  });

  test.each(pages)('$name is small and lets nothing foreign in', async (page) => {
    const { address, person, area, status } = world.open(page);
    const answer = await weighPage(address, person?.cookie);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.totalBytes).toBeLessThanOrEqual(bytesMax[area]);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(answer.text).not.toMatch(/<style|\sstyle=|\son\w+="|<script(?! type="module" src="\/islands\/)/);
    if (!chancePages.includes(page.name)) words.push(`=== ${page.name}\n${pageWords(answer.text)}\n`);
    for (const form of answer.text.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gs)) {
      expect(form[0]).toMatch(/name="form_token" value="[^"]/);
    }
  });

  test('every page says and links what it did when somebody last read it', async () => {
    await expect(words.join('\n')).toMatchFileSnapshot(`pages/${group}.txt`);
  });
});
