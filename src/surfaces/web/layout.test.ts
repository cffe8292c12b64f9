import { describe, expect, test } from 'vitest';
import { html } from '../../kit/html.ts';
import { renderPage, type HtmlPage } from './layout.ts';

const page: HtmlPage = { title: 'Holdings', main: html`<p>main</p>` };
const signedIn = { name: 'Ada', formToken: 'secret', environment: 'production', menu: [] } as const;
const scriptsOf = (text: string) =>
  [...text.matchAll(/<script type="module" src="[^"]*?(\w+)(?:-[\w-]+)?\.?(?:js)?[^"]*"/g)].length;
const refreshOf = (text: string) => /(<noscript>)?<meta http-equiv="refresh" content="([^"]*)"/.exec(text)?.slice(1);

describe('every page', () => {
  test('has the scripts of its islands, and that of the shortcuts in the console only', () => {
    expect(scriptsOf(renderPage(page))).toBe(0);
    expect(renderPage(page)).not.toContain('shortcuts');
    const console = renderPage({ ...page, area: 'console' });
    expect([scriptsOf(console), console.includes('/shortcuts')]).toEqual([1, true]);
    expect(scriptsOf(renderPage({ ...page, area: 'console', islands: ['reload'] }))).toBe(2);
    expect(scriptsOf(renderPage({ ...page, islands: ['reload'] }))).toBe(1);
  });

  test('looks again by itself if it has to, without scripts where a script does so', () => {
    expect(refreshOf(renderPage(page))).toBeUndefined();
    expect(refreshOf(renderPage({ ...page, refreshSeconds: 3 }))).toEqual([undefined, '3']);
    expect(refreshOf(renderPage({ ...page, refreshSeconds: 3, islands: ['reload'] }))).toEqual(['<noscript>', '3']);
    expect(refreshOf(renderPage({ ...page, continueUrl: '/next' }))).toEqual([undefined, '0; url=/next']);
  });

  test('leads its name home: to the console from there, else to the portal', () => {
    expect(renderPage(page)).toContain('<a class="brand" href="/">');
    expect(renderPage({ ...page, area: 'console' })).toContain('<a class="brand" href="/console">');
  });

  test('says in which environment it is: the sandbox everywhere, production in the console', () => {
    const badgeOf = (more: Partial<HtmlPage>, environment: 'production' | 'sandbox') =>
      /<span class="env (\w+)">/.exec(renderPage({ ...page, signedIn: { ...signedIn, environment }, ...more }))?.[1];
    expect([badgeOf({}, 'sandbox'), badgeOf({}, 'production')]).toEqual(['sandbox', undefined]);
    const area = 'console';
    expect([badgeOf({ area }, 'sandbox'), badgeOf({ area }, 'production')]).toEqual(['sandbox', 'production']);
  });

  test('has the menu of who is signed in, and forms to sign out with their token', () => {
    const menu = [
      { title: 'One', href: '/one', isCurrent: true, key: 'o' },
      { title: 'Two', href: '/two', isCurrent: false },
    ];
    const text = renderPage({ ...page, signedIn: { ...signedIn, menu } });
    expect(text).toMatch(/<a href="\/one"\s+aria-current="page" data-key="o">One<\/a>/);
    expect(text).toMatch(/<a href="\/two"\s*>Two<\/a>/);
    expect(text.match(/name="form_token" value="secret"/g)).toHaveLength(2);
    expect(text).toContain('<summary>Ada</summary>');
    expect(renderPage({ ...page, signedIn: { ...signedIn, name: '' } })).toContain('<summary>Signed in</summary>');
    expect(renderPage(page)).not.toContain('<nav');
  });

  test('is as wide as it asks for, and has its lede if there is one', () => {
    expect(renderPage(page)).toContain('<main id="main" class="narrow">');
    expect(renderPage({ ...page, width: 'wide' })).toContain('<main id="main" class="wide">');
    expect(renderPage(page)).not.toContain('class="lede"');
    expect(renderPage({ ...page, lede: html`few words` })).toContain('<p class="lede">few words</p>');
  });
});
