// The checker of pages itself: it finds what it is there for.

import { expect, test } from 'vitest';
import { chromiumForThisFile } from '../setup/people/chromium.ts';
import { pageFaults } from '../setup/people/page-quality.ts';

const chromium = chromiumForThisFile();

function faultsOf(style: string, body: string): Promise<readonly string[]> {
  const page = `<!doctype html><html lang="en"><title>Page</title><style>${style}</style><main>${body}</main></html>`;
  return pageFaults(chromium, { address: `data:text/html,${encodeURIComponent(page)}`, text: 'Heading' });
}

test('a calm page has no fault', async () => {
  expect(await faultsOf('', '<h1>Heading</h1><p><a href="#top">Words</a></p>')).toEqual([]);
});

test.each([
  [
    'a date letter under letter',
    'td { width: 1ch; overflow-wrap: anywhere }',
    '<table><td>2026-10-30</table>',
    'broken',
  ],
  [
    'a cell narrower than its words',
    'dd { width: 3ch; overflow: hidden; white-space: nowrap }',
    '<dl><dt>Value<dd>12,345,678.90</dl>',
    'is narrower than',
  ],
  [
    'text on text',
    'b { position: absolute; top: 40px; left: 20px }',
    '<b>First words</b><b>Other words</b>',
    'overlaps',
  ],
  ['a page that is too wide', 'p { width: 1500px }', '<p>Words', 'scrolls sideways'],
  ['two headings', '', '<h1>Again</h1>', 'has 2 h1'],
  [
    'a focus that nobody sees',
    'a { outline: none !important }',
    '<a href="#x">Words</a>',
    'light: the focus is invisible',
  ],
  [
    'a current link that nobody can tell from the others',
    'a[aria-current] { box-shadow: 0 2px green }',
    '<nav><a href="#x" aria-current="page">Here</a> <a href="#y">There</a></nav>',
    'forced colours: the current link looks like the others',
  ],
  ['text that is too faint', 'p { color: #ccc }', '<p>Words', 'color-contrast'],
  [
    'a name that is missing in the dark',
    '@media (prefers-color-scheme: dark) { label { display: none } }',
    '<p><label for="x">Words</label><input id="x"></p>',
    'dark: label',
  ],
])('finds %s', async (_name, style, body, fault) => {
  const faults = await faultsOf(style, `<h1>Heading</h1>${body}`);
  expect(faults.filter((one) => one.includes(fault))).not.toEqual([]);
});
