// The block at the end of a page with the API calls that do the same.

import { html, type Html } from '../../../kit/html.ts';
import { writeJson } from '../../../kit/json.ts';
import { defineTexts } from '../language/texts.ts';
import type { Reader } from '../language/reader.ts';
import type { MadeCall } from '../page-api.ts';

export const sameByApiTexts = defineTexts({
  en: { title: 'The same by API', reference: 'API reference' },
  de: { title: 'Dasselbe über die API', reference: 'API-Referenz' },
});

/** Bodies with whole files are not shown to their end. */
const bodyLengthMax = 2_000;

function bodyText(body: unknown): string {
  const text = writeJson(body);
  return text.length <= bodyLengthMax ? text : `${text.slice(0, bodyLengthMax)}…`;
}

interface SameByApiView {
  readonly reader: Reader;
  readonly isOpen: boolean;
}

export function sameByApi(calls: readonly MadeCall[], { reader, isOpen }: SameByApiView): Html {
  const text = sameByApiTexts[reader.language];
  const lines = calls.map(({ method, url, body }) => {
    const sent = body === undefined ? '' : `  ${bodyText(body)}`;
    return `${method.padEnd(6)} ${decodeURI(url)}${sent}`;
  });
  return html`<details class="card api" ${html`${isOpen ? 'open' : ''}`}>
    <summary>${text.title}</summary>
    <pre tabindex="0">${lines.join('\n')}</pre>
    <p><a href="/docs">${text.reference}</a></p>
  </details>`;
}
