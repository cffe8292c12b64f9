// A real browser for the tests that want one: the Chromium of the machine, or the one that CHROMIUM names.

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export interface BrowserWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser itself has complained of: scripts, styles and forms that a page may not have, and what is missing. */
  readonly consoleErrors: readonly string[];
}

/** Windows that know nothing of each other. */
export function chromiumForThisFile(): { open(options?: { width: number; height: number }): Promise<BrowserWindow> } {
  let browser: Browser;
  beforeAll(async () => {
    // The sandbox wants a user other than root, which machines that run tests often are.
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  });
  afterAll(() => browser.close());
  return {
    async open(viewport = { width: 1_280, height: 800 }) {
      const context = await browser.newContext({ viewport });
      const page = await context.newPage();
      const consoleErrors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') consoleErrors.push(message.text());
      });
      page.on('pageerror', (error) => consoleErrors.push(String(error)));
      return { page, context, consoleErrors };
    },
  };
}
