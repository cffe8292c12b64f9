// Says on the page that a form leads to what the form has done.

import { emptyHtml, type Html } from '../../../../kit/html.ts';
import { note } from '../../parts/notes.ts';
import type { Page } from '../../signed-in-page.ts';

const doneTexts: Readonly<Record<string, string>> = {
  created: 'It was created.',
  changed: 'Your changes are saved.',
  unchanged: 'Nothing was changed.',
  deleted: 'It was deleted.',
  invited: 'The invite is on its way.',
  cancelled: 'The invite was cancelled. Its link no longer works.',
};

/** Says what the form that led here has done: `?done=created`. */
export function doneNote(page: Page, texts: Readonly<Record<string, string>> = doneTexts): Html {
  const text = texts[page.query.get('done') ?? ''];
  return text === undefined ? emptyHtml : note(text, { tone: 'good', isLive: true });
}
