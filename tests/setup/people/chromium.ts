// A real browser for tests: the Chromium of the machine, or the one that CHROMIUM names.

import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export interface BrowserWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the browser reported: forbidden scripts, styles and forms, and missing resources. */
  readonly consoleErrors: readonly string[];
}

/** Opens browser windows that share no state. */
export function chromiumForThisFile(): { open(options?: { width: number; height: number }): Promise<BrowserWindow> } {
  let browser: Browser;
  beforeAll(async () => {
    // The sandbox does not work for root, which test machines often run as.
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
