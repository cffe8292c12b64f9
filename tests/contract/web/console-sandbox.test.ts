// Families of the sandbox in the console: made by persona, their clocks moved, deleted whole, and nowhere but in the sandbox.

import { beforeAll, expect, test, vi } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import type { BrowserPage } from '../../setup/people/cookie-browser.ts';
import { inSandbox, insertAdministrator } from '../../setup/people/person-caller.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';

const service = workspaceForThisFile();
let browser: SignedInBrowser;

beforeAll(async () => {
  const sandbox = await inSandbox(service);
  browser = await signedInBrowser(sandbox, await insertAdministrator(sandbox));
});

/** The page of the families, once what a form has begun is done. */
function familiesWith(text: string): Promise<BrowserPage> {
  const look = async (): Promise<BrowserPage | false> => {
    const page = await browser.open('/console/sandbox');
    return page.visibleText.includes(text) && page;
  };
  return vi.waitUntil(look, { timeout: 120_000, interval: 100 }) as Promise<BrowserPage>;
}

test('production has neither the page nor its place in the menu', async () => {
  const production = await signedInBrowser(service, await insertAdministrator(service));
  expect((await production.open('/console')).text).not.toContain('/console/sandbox');
  const refused = await production.open('/console/sandbox');
  expect([refused.status, refused.visibleText]).toEqual([403, expect.stringContaining('sandbox environment only')]);
  expect((await browser.open('/console')).text).toContain('href="/console/sandbox"');
});

test('a family is made, its clock moved, and it is deleted by its name', async () => {
  const form = await browser.open('/console/sandbox');
  expect(form.visibleText).toContain('None was made yet');
  expect(form.text).toMatch(/POST +\/v1\/sandbox\/clients/);
  const wanted = { persona: 'foundation', name: 'Abend & <Stern>', end_date: '2026-06-30' };
  const wrong = await browser.press(form, 'Make a family', { ...wanted, years: '11' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/id="field-years-error"/);
  expect(wrong.text).toContain('value="Abend &amp; &lt;Stern&gt;"');
  await browser.press(wrong, 'Make a family', { ...wanted, years: '1' });
  const made = await familiesWith('30 Jun 2026');
  expect(made.visibleText).toContain('Abend & <Stern>');
  const [, family = ''] = /href="(\/console\/sandbox\/[^"/]+)"/.exec(made.text) ?? [];
  const page = await browser.open(family);
  expect((await browser.press(page, 'Let them pass', { days: '3', to: '2026-07-03' })).status).toBe(422);
  await browser.press(page, 'Let them pass', { days: '3' });
  await familiesWith('3 Jul 2026');
  const removal = await browser.open(`${family}/delete`);
  expect((await browser.press(removal, 'Delete the family', { confirm_name: 'Abend' })).status).toBe(422);
  await browser.press(removal, 'Delete the family', { confirm_name: 'Abend & <Stern>' });
  await familiesWith('None was made yet');
});
