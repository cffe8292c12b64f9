// The report of a run as JUnit XML, which build servers read, and as a page.

import type { Report, Result } from './run-checks.ts';

function escapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  // Control characters do not exist in XML 1.0.
  return text.replaceAll(/[&<>"]/g, (mark) => named[mark] ?? mark).replaceAll(/[^\t\n\r\u0020-\uFFFD]/g, '?');
}

export function toJUnit({ results, failed, skipped }: Report): string {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(3);
  const total = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const cases = results.map(({ area, title, outcome, reason = '', durationMs }) => {
    const inside =
      outcome === 'failed'
        ? `<failure message="${escapeXml(reason)}"/>`
        : outcome === 'skipped'
          ? `<skipped message="${escapeXml(reason)}"/>`
          : '';
    return `  <testcase classname="${escapeXml(area)}" name="${escapeXml(title)}" time="${seconds(durationMs)}">${inside}</testcase>`;
  });
  const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}" time="${seconds(total)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="holdfast-conformance" ${counts}>\n${cases.join('\n')}\n</testsuite>\n`;
}

const style = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  ul { padding-left: 1.2rem; } li { margin: 0.3rem 0; } .failed { color: #b3261e; } .skipped { opacity: 0.7; } small { opacity: 0.7; }
  @media (prefers-color-scheme: dark) { .failed { color: #ff8a80; } }`;

function line({ area, title, outcome, reason, figures }: Result, isAreaShown = false): string {
  const mark = { passed: '✓', failed: '✗', skipped: '–' }[outcome];
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  const figure = shown.length === 0 ? '' : ` <small>${escapeXml(shown.join(', '))}</small>`;
  const why = reason === undefined ? '' : `<br><small>${escapeXml(reason)}</small>`;
  return `<li class="${outcome}"><span aria-label="${outcome}">${mark}</span> ${escapeXml(isAreaShown ? `${area}: ${title}` : title)}${figure}${why}</li>`;
}

export function toHtml({ url, startedAt, passed, failed, skipped, requests, results }: Report): string {
  const areas = [...new Set(results.map(({ area }) => area))];
  const list = (own: readonly Result[], isAreaShown = false): string =>
    `<ul>\n${own.map((one) => line(one, isAreaShown)).join('\n')}\n</ul>`;
  const faults = results.filter(({ outcome }) => outcome === 'failed');
  const parts = areas.map((area) => {
    const own = results.filter((result) => result.area === area);
    const good = own.filter(({ outcome }) => outcome === 'passed');
    const rest = own.filter(({ outcome }) => outcome === 'skipped');
    const passedHere = `<details><summary>${good.length} of ${own.length} passed</summary>\n${list(good)}\n</details>`;
    return `<h2>${escapeXml(area)}</h2>\n${rest.length === 0 ? '' : list(rest)}\n${passedHere}`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${escapeXml(url)}</title>
<style>${style}</style>
<h1>Conformance of ${escapeXml(url)}</h1>
<p>${passed} passed, ${failed} failed, ${skipped} skipped; ${requests} requests, from ${escapeXml(startedAt)}.</p>
${faults.length === 0 ? '' : `<h2>What failed</h2>\n${list(faults, true)}`}
${parts.join('\n')}
</html>
`;
}
