// Builds the page of errors: all refusals, each with an anchor that the `type` of a problem links to.

import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../kit/html.ts';
import { keysOf } from '../../../kit/keys.ts';
import { refusals, type RefusalKind } from '../../../model/refusals/refusals.ts';

const style = `
:root { color-scheme: light dark; --line: light-dark(#e3e3e8, #33343a); --soft: light-dark(#5d5f69, #a2a4ae); --mark: light-dark(#fff6d6, #3a3417); }
body { margin: 0 auto; max-width: 52rem; padding: 3rem 1.5rem 6rem; font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; }
h2 { font-size: 1rem; color: var(--soft); margin: 3rem 0 .5rem; font-weight: 600; }
p { margin: .25rem 0; }
code { font: .875em ui-monospace, monospace; background: light-dark(#f3f3f6, #26272c); padding: .1em .35em; border-radius: 4px; }
section { border-top: 1px solid var(--line); padding: 1rem .75rem; margin: 0 -.75rem; scroll-margin-top: 1rem; }
section:target { background: var(--mark); border-radius: 6px; }
section h3 { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; font-size: 1rem; margin: 0; }
section h3 a { color: inherit; text-decoration: none; }
section h3 a:hover { text-decoration: underline; }
section h3 span { font-weight: 400; color: var(--soft); }
`;

/** Allows the page's own style sheet and nothing else. */
export const errorsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Turns backquoted parts of a text into code elements. */
function proseHtml(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function sectionHtml(code: string, { title, meaning }: RefusalKind): string {
  return `<section id="${code}">
<h3><a href="#${code}"><code>${code}</code></a><span>${escapeHtml(title)}</span></h3>
<p>${proseHtml(meaning)}</p>
</section>`;
}

export function errorsPage(): string {
  const codes = keysOf(refusals);
  const statuses = Map.groupBy(codes, (code) => refusals[code].status);
  const parts = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(
      ([status, group]) => `<h2>${status}</h2>\n${group.map((code) => sectionHtml(code, refusals[code])).join('\n')}`,
    );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Holdfast</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Errors</h1>
<p>All errors of this service. The codes are stable: programs may rely on them. Retry on 429 and 5xx; every other status is final. <a href="/docs">API reference</a></p>
${parts.join('\n')}
</body>
</html>
`;
}
