// The portal's pages of figures and explanations in Chromium, and the report on paper.

import { describe, expect, test } from 'vitest';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { cutByPaper, pageFaults } from '../setup/people/page-quality.ts';
import { serviceForThisFile } from '../setup/node/test-service.ts';
import { pageTable } from '../setup/web/page-table.ts';
import { worldForThisFile } from '../setup/web/page-worlds.ts';

const service = serviceForThisFile();
const chromium = chromiumForThisFile();
const world = worldForThisFile(service, 'portal-figures');

const address = (path: string): string => world().at(`/entities/{entity}/${path}`);

test.each(pageTable['portal-figures'])('$name: no fault', async (page) => {
  expect(await pageFaults(chromium, world().open(page))).toEqual([]);
});

test('the keyboard alone leads from a return to the booking behind it', async () => {
  const { page, context } = await chromium.open({ width: 1_280, height: 800, person: world().person });
  await page.goto(address('income?start=2025-01-01&as_of=2026-09-30'));
  for (let step = 0; step < 10; step++) {
    const link = page.locator('.figure-link').first();
    if ((await link.count()) === 0) break;
    const from = page.url();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href !== from);
  }
  expect(await page.getByRole('heading', { name: 'Where it comes from' }).count()).toBe(1);
  expect(await page.getByText('A booking').count()).toBe(1);
  await context.close();
});

describe('the report on paper', () => {
  const sheets = { A4: { width: 210 - 28, format: 'A4' }, Letter: { width: 215.9 - 28, format: 'Letter' } } as const;

  test.each(['A4', 'Letter'] as const)('%s has a page for each part, and nothing is cut', async (name) => {
    const { width: millimetres, format } = sheets[name];
    const width = Math.floor((millimetres / 25.4) * 96);
    const { page, context } = await chromium.open({ width, height: 1_000, person: world().person });
    await page.emulateMedia({ media: 'print' });
    await page.goto(address('report?start=2025-01-01&as_of=2026-09-30'));
    expect(await cutByPaper(page)).toEqual([]);
    for (const hidden of ['.top', '.tabs', '.controls', '.files', '.api']) {
      expect(await page.locator(hidden).first().isVisible()).toBe(false);
    }
    const pdf = await page.pdf({ format });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    const parts = await page.locator('.sheet').count();
    expect(parts).toBe(5);
    expect(pages).toBeGreaterThanOrEqual(parts);
    expect(pages).toBeLessThanOrEqual(parts + 2);
    await context.close();
  });
});
