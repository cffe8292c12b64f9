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

export interface WindowOptions {
  readonly width: number;
  readonly height: number;
  /** The session of a signed-in person, as `SignedInCaller` has it. */
  readonly person?: { readonly cookie: string; readonly origin: string };
  readonly locale?: string;
  readonly scripts?: 'on' | 'off';
}

export interface Chromium {
  open(options?: WindowOptions): Promise<BrowserWindow>;
}

/** Opens browser windows that share no state. */
export function chromiumForThisFile(): Chromium {
  let browser: Browser;
  beforeAll(async () => {
    // The sandbox does not work for root, which test machines often run as.
    browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  });
  afterAll(() => browser.close());
  return {
    async open({ width, height, person, locale = 'en-GB', scripts = 'on' } = { width: 1_280, height: 800 }) {
      const context = await browser.newContext({
        viewport: { width, height },
        locale,
        javaScriptEnabled: scripts === 'on',
      });
      if (person !== undefined) {
        const [name = '', value = ''] = person.cookie.split('=', 2);
        await context.addCookies([{ name, value, url: person.origin }]);
      }
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
