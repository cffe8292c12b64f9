// A real browser for tests: the Chromium of the machine, or the one that CHROMIUM names.

import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll } from 'vitest';

/** The same browser without its user interface opens and resizes windows with a quarter of the work. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path)) ?? '/usr/bin/chromium';

export interface BrowserWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the browser reported: forbidden scripts, styles and forms, and missing resources. */
  readonly consoleErrors: string[];
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
  /** Opens a window that shares no state with others. */
  open(options?: WindowOptions): Promise<BrowserWindow>;
  /** Returns the window of this file for these options, to visit page after page as a person does. It keeps nothing in its cache. */
  reuse(options: WindowOptions): Promise<BrowserWindow>;
}

/** Only ends steps that hang: a busy machine needs a while to show a large page. */
const stepMsMax = 240_000;

let launched: Promise<Browser> | undefined;

/** One browser for all files of a worker: it ends with the worker. */
function launch(): Promise<Browser> {
  // The sandbox does not work for root, which test machines often run as.
  launched ??= chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  return launched;
}

export function chromiumForThisFile(): Chromium {
  const contexts: BrowserContext[] = [];
  const kept = new Map<string, Promise<BrowserWindow>>();
  const open = async (options: WindowOptions = { width: 1_280, height: 800 }): Promise<BrowserWindow> => {
    const window = await openWindow(await launch(), options);
    contexts.push(window.context);
    return window;
  };
  afterAll(() => Promise.all(contexts.map((context) => context.close())));
  return {
    open,
    async reuse(options) {
      const key = JSON.stringify({ ...options, person: options.person?.cookie });
      const window = await (kept.get(key) ?? open(options).then(withoutCache));
      kept.set(key, Promise.resolve(window));
      await leavePage(window);
      window.consoleErrors.length = 0;
      return window;
    },
  };
}

/** Leaves a page that may be about to load itself again, which would interrupt the visit of the next one. */
async function leavePage({ page }: BrowserWindow): Promise<void> {
  for (let attempt = 1; page.url() !== 'about:blank'; attempt++) {
    try {
      await page.goto('about:blank');
    } catch (error) {
      if (attempt > 5 || !String(error).includes('interrupted by another navigation')) throw error;
    }
  }
}

async function openWindow(browser: Browser, options: WindowOptions): Promise<BrowserWindow> {
  const { width, height, person, locale = 'en-GB', scripts = 'on' } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    locale,
    javaScriptEnabled: scripts === 'on',
  });
  context.setDefaultTimeout(stepMsMax);
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
}

/** Every page is loaded with all that it needs, as by somebody who comes for the first time. */
async function withoutCache(window: BrowserWindow): Promise<BrowserWindow> {
  const session = await window.context.newCDPSession(window.page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return window;
}
