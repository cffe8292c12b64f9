// Says which browser a session was opened with: "Firefox on Android" in place of a user agent.

import { meTexts } from './me-texts.ts';
import type { Language } from '../language/reader.ts';

/** The first that matches: browsers name the ones that they are built on after themselves. */
const browsers: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:(?:Headless)?Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

/** The first that matches: Android and ChromeOS also name Linux or X11. */
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];

/** What no browser sends is shown as it came. */
export function browserName(userAgent: string | null, language: Language): string {
  if (userAgent === null) return '–';
  const text = meTexts[language];
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : text.browserOn(browser, system);
}

function nameIn(names: typeof browsers, userAgent: string): string | undefined {
  return names.find(([, sign]) => sign.test(userAgent))?.[0];
}
