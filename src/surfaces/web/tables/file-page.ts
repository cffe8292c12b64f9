// The pages of a file that takes long: how far it is, and that it is ready.

import { html, type Html } from '../../../kit/html.ts';
import { withParameters } from '../parts/address.ts';
import { progressBar } from '../parts/notes.ts';
import { card } from '../parts/parts.ts';
import type { Formats } from '../language/formats.ts';
import type { Reader } from '../language/reader.ts';
import { tableTexts } from './table-texts.ts';

/** Says of a file's address that the file itself is wanted, not the page that it is ready. */
export const takeParameter = 'take';

interface FilePage {
  readonly reader: Reader;
  readonly formats: Formats;
  readonly address: string;
  readonly query: URLSearchParams;
}

interface FilePageContent {
  readonly title: string;
  readonly main: Html;
  readonly islands?: readonly string[];
  readonly refreshSeconds?: number;
  readonly continueUrl?: string;
}

/** Looks again by itself, with scripts and without. */
export function fileUnderWayPage({ reader, formats }: FilePage, rows: number): FilePageContent {
  const text = tableTexts[reader.language];
  const bar = progressBar({
    id: 'file',
    label: text.fileUnderWay,
    done: rows,
    total: null,
    text: rows === 0 ? text.fileBegun : text.rowsSoFar(formats.number(String(rows), 0)),
    reader,
  });
  return {
    title: text.fileUnderWay,
    main: card(
      text.working,
      html`<div data-reload-seconds="2">${bar}</div>
        <p>${text.fileStays}</p>`,
    ),
    islands: ['reload'],
    refreshSeconds: 3,
  };
}

/** The browser takes the file by itself; whoever reads the page can take it again. */
export function fileReadyPage({ reader, address, query }: FilePage): FilePageContent {
  const text = tableTexts[reader.language];
  const [table, format] = [query.get('table'), query.get('format')];
  const href = withParameters(address, { table, format, [takeParameter]: '1' });
  return {
    title: text.fileReady,
    main: card(
      text.fileReady,
      html`<p>${text.fileReadyText}</p>
        <p><a class="button" href="${href}">${text.takeFile}</a> · <a href="${address}">${text.backToPage}</a></p>`,
    ),
    continueUrl: href,
  };
}
