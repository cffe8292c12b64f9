// Serves the style sheet of the pages, under an address that changes with its content.

import { hash } from 'node:crypto';
import type { OpenOperation } from '../http/operation/open-operation.ts';

/** Text has a contrast of at least 4.5 to 1 in both colour schemes, sizes follow the reader's settings, and no width is fixed. */
const styleSheet = `:root { color-scheme: light dark; --ink: light-dark(#1c1d22, #eceef2); --soft: light-dark(#565863, #b0b3be);
  --paper: light-dark(#ffffff, #17181c); --line: light-dark(#d5d6dc, #3a3b42); --mark: light-dark(#1d4fd8, #8fb0ff);
  --on-mark: light-dark(#ffffff, #10131f); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between; }
header p, header form { margin: 0; }
.brand { font-weight: 650; color: inherit; text-decoration: none; }
.account { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
main { padding-top: 1.5rem; }
.narrow > * { max-width: 34rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p, ul, dl { margin: 0 0 1rem; }
.soft, footer { color: var(--soft); font-size: .9rem; }
a { color: var(--mark); }
form { margin: 0 0 .75rem; }
button { font: inherit; padding: .6rem 1.1rem; border-radius: .4rem; border: 1px solid var(--mark); background: var(--mark);
  color: var(--on-mark); cursor: pointer; }
button.quiet { background: transparent; color: var(--mark); padding: .3rem .7rem; }
.choices button { width: 100%; text-align: start; }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { position: static; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; color: var(--soft); padding-bottom: .5rem; }
th, td { text-align: start; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
th.figure, td.figure { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
`;

const path = '/console.css';

export const styleAddress = `${path}?v=${hash('sha256', styleSheet, 'base64url').slice(0, 16)}`;

export const styleOperation: OpenOperation = {
  id: 'console.style',
  host: 'base',
  method: 'GET',
  path,
  summary: 'The style sheet of the pages',
  group: 'console',
  responses: { 200: { description: 'The style sheet.', mediaType: 'text/css' } },
  isCompressible: true,
  handle: async () => ({
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
    text: styleSheet,
  }),
};
