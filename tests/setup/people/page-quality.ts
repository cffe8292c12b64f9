// What every page has to stand: widths, colour schemes, zoom, screen readers, the keyboard, no scripts, and its size.
// `expect(await pageFaults(chromium, { address, person })).toEqual([])`, for each page of a table.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page, Request } from 'playwright-core';
import type { BrowserWindow, Chromium, WindowOptions } from './chromium.ts';

interface CheckedPage {
  /** The whole address. */
  readonly address: string;
  readonly person?: WindowOptions['person'];
  readonly locale?: string;
  /** A page of the console may be larger. */
  readonly area?: 'portal' | 'console';
  /** What the page answers; checked where it is given. */
  readonly status?: number;
  /** Text that has to be there, also without scripts. */
  readonly text?: string;
  /** The page looks again by itself: it is judged without doing so. */
  readonly refreshes?: true;
}

/** Phones, a tablet, 1280 px at 200 % zoom, and a desk. `BROWSER_WIDTHS=ends` looks at the smallest and the largest only. */
const widths = process.env['BROWSER_WIDTHS'] === 'ends' ? [320, 1_280] : [320, 375, 640, 768, 1_280];

/** Colours differ by scheme and barely by width: these widths are judged by their contrasts in every scheme. */
const colourWidths: readonly number[] = [375, 1_280];

const appearances = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colours', media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

/** The size that a page is opened with. */
const opened = { width: 1_280, height: 800 } as const;

const bytesMax = { portal: 60 * 1024, console: 150 * 1024 } as const;
/** Half as long as what the package loads, and as much less to read for the browser. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const geometryScript = readFileSync(new URL('page-geometry.js', import.meta.url), 'utf8');

export async function pageFaults(chromium: Chromium, checked: CheckedPage): Promise<readonly string[]> {
  const window = await chromium.reuse(windowOptions(checked));
  try {
    if (checked.refreshes === true) await holdRefresh(window, checked.address);
    await window.page.setViewportSize(opened);
    await window.page.emulateMedia(appearances[0].media);
    const { size, status, source } = await openCounted(window, checked.address);
    const faults = status === (checked.status ?? status) ? [] : [`the page answers ${status}`];
    faults.push(...faultsWithoutScripts(source, checked));
    const judgedSets = new Set<string>();
    for (const { name, media } of appearances) {
      await window.page.emulateMedia(media);
      for (const width of widths) {
        await window.page.setViewportSize({ width, height: 800 });
        const found = await geometryFaults(window.page);
        const judged = await axeFaults(window.page, await rulesFor(window.page, width, judgedSets));
        faults.push(...[...found, ...judged].map((fault) => `${width} px, ${name}: ${fault}`));
      }
      faults.push(...(await currentFaults(window.page)).map((fault) => `${name}: ${fault}`));
      const unfocused = name === 'light' ? await tabFaults(window.page) : await focusFaults(window.page);
      faults.push(...unfocused.map((fault) => `${name}: ${fault}`));
    }
    const limit = bytesMax[checked.area ?? 'portal'];
    if (size > limit) faults.push(`the page takes ${size} bytes, more than ${limit}`);
    faults.push(...reportedErrors(window, checked).map((error) => `the browser reports ${error}`));
    return faults;
  } finally {
    await window.page.unrouteAll();
  }
}

function windowOptions({ person, locale }: CheckedPage): WindowOptions {
  return {
    ...opened,
    ...(person === undefined ? {} : { person }),
    ...(locale === undefined ? {} : { locale }),
  };
}

/** A page that shows a refusal has its status, which the browser reports once. */
function reportedErrors({ consoleErrors }: BrowserWindow, { status = 200 }: CheckedPage): readonly string[] {
  const own = consoleErrors.findIndex((error) => error.includes(`with a status of ${status} `));
  return status < 400 ? consoleErrors : consoleErrors.filter((_error, index) => index !== own);
}

interface OpenedPage {
  /** The bytes that were transferred for it, with style sheets and scripts, as compressed. */
  readonly size: number;
  /** None for a page that was not sent. */
  readonly status: number | undefined;
  /** What came, before any script has changed it. */
  readonly source: string;
}

function holdRefresh({ page }: BrowserWindow, address: string): Promise<unknown> {
  return page.route(address, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/<meta http-equiv="refresh"[^>]*>/, '');
    await route.fulfill({ response, body });
  });
}

async function openCounted({ page }: BrowserWindow, address: string): Promise<OpenedPage> {
  const sizes: Promise<number>[] = [];
  const addSize = (request: Request): void => {
    if (request.url().startsWith('data:')) return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  };
  page.on('requestfinished', addSize);
  const response = await page.goto(address, { waitUntil: 'load' });
  page.off('requestfinished', addSize);
  const size = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
  return { size, status: response?.status(), source: (await response?.text()) ?? (await page.content()) };
}

/** Tables are judged as they open: the keyboard may have scrolled them, and then the first column lies over the others. */
export async function geometryFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate("for (const table of document.querySelectorAll('.scroll')) table.scrollLeft = 0");
  return page.evaluate(geometryScript);
}

/** What the paper cuts off at its right edge. */
export function cutByPaper(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('main *')]
    .filter((element) => element.getClientRects().length > 0 && element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 80))`);
}

type Rules = 'all' | 'colours' | 'none';

/** Which elements are shown, by their places. */
const shownSet = `[...document.querySelectorAll('body *')].map((element) => Number(element.checkVisibility({ checkVisibilityCSS: true }))).join('')`;

/** Names, roles and order are those of what is shown: a width or a scheme that shows the same is judged by its colours alone. */
async function rulesFor(page: Page, width: number, judgedSets: Set<string>): Promise<Rules> {
  const shown: string = await page.evaluate(shownSet);
  const isNew = !judgedSets.has(shown);
  judgedSets.add(shown);
  if (isNew) return 'all';
  return colourWidths.includes(width) ? 'colours' : 'none';
}

async function axeFaults(page: Page, rules: Rules): Promise<readonly string[]> {
  if (rules === 'none') return [];
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeScript);
  const options = { resultTypes: ['violations'], ...(rules === 'all' ? {} : { runOnly: ['color-contrast'] }) };
  const violations: readonly axe.Result[] = await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html.slice(0, 120)})`);
}

const tabStopsMax = 40;

const focusState = `((element) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return {
    isEnd: element === document.body,
    isShown: outlineStyle !== 'none' && outlineWidth !== '0px',
    html: element.outerHTML.slice(0, 100),
  };
})`;

interface FocusState {
  readonly isEnd: boolean;
  readonly isShown: boolean;
  readonly html: string;
}

function invisibleFocus(states: readonly FocusState[]): readonly string[] {
  return [...new Set(states.filter(({ isShown }) => !isShown).map(({ html }) => `the focus is invisible on ${html}`))];
}

/** Keys that are pressed before the page is asked again where they led. */
const tabStopsAtOnce = 8;

/** Notes what gets the focus, until it leaves the page. */
const noteFocus = `(() => {
  const noted = { states: [], isEnd: false };
  window.notedFocus = noted;
  document.activeElement?.blur();
  addEventListener('focusin', ({ target }) => {
    if (!noted.isEnd) noted.states.push(${focusState}(target));
  });
  addEventListener('focusout', ({ relatedTarget }) => {
    noted.isEnd ||= relatedTarget === null;
  });
})()`;

/** Goes through the page with the tabulator: what has the focus shows it. */
async function tabFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(noteFocus);
  let noted: { readonly states: readonly FocusState[]; readonly isEnd: boolean };
  do {
    for (let stop = 0; stop < tabStopsAtOnce; stop++) await page.keyboard.press('Tab');
    noted = await page.evaluate('notedFocus');
  } while (!noted.isEnd && noted.states.length > 0 && noted.states.length < tabStopsMax);
  return invisibleFocus(noted.states);
}

/** The same in other colours, without the way: after a key, a focus that a script gives is shown as the keyboard's is. */
async function focusFaults(page: Page): Promise<readonly string[]> {
  await page.keyboard.press('Tab');
  const states: readonly FocusState[] = await page.evaluate(`
    [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
      .filter((element) => element.checkVisibility())
      .slice(0, ${tabStopsMax})
      .map((element) => {
        element.focus();
        return ${focusState}(document.activeElement);
      })
      .filter(({ isEnd }) => !isEnd)`);
  return invisibleFocus(states);
}

/** What links show of themselves, beside the words. */
const linkLook = `((link) => {
  const { color, backgroundColor, boxShadow, fontWeight, textDecorationLine } = getComputedStyle(link);
  return [color, backgroundColor, boxShadow, fontWeight, textDecorationLine].join();
})`;

/** The link of where one is looks different from those beside it. */
function currentFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('a[aria-current]')]
    .filter((link) => link.checkVisibility())
    .filter((link) => [...(link.closest('nav, ul, ol')?.querySelectorAll('a:not([aria-current])') ?? [])]
      .some((other) => ${linkLook}(other) === ${linkLook}(link)))
    .map((link) => 'the current link looks like the others: ' + link.outerHTML.slice(0, 100))`);
}

/** A browser without scripts shows what came. */
function faultsWithoutScripts(source: string, { text }: CheckedPage): readonly string[] {
  const faults = /<h1>\s*\S/.test(source) ? [] : ['the page has no heading without scripts'];
  return text === undefined || source.includes(text)
    ? faults
    : [...faults, `the page does not say “${text}” without scripts`];
}
