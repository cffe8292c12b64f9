// The marks of figures that are not as sure as others, and the one legend that says what each means. A mark has a shape and words, so
// that its colour says nothing alone: `marksHtml([{ kind: 'old', text: 'Old value, of 5 January 2026' }])`.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import type { Reader } from '../language/reader.ts';
import { markTexts } from './mark-texts.ts';

export const markKinds = ['old', 'estimated', 'incomplete'] as const;
export type MarkKind = (typeof markKinds)[number];

export interface Mark {
  readonly kind: MarkKind;
  /** What is meant here, with its day. */
  readonly text: string;
}

export function markHtml({ kind, text }: Mark): Html {
  return html`<span class="mark ${kind}">${text}</span>`;
}

export function marksHtml(marks: readonly Mark[]): Html {
  return html`${marks.map((mark) => markHtml(mark))}`;
}

/** What the marks on a page mean; nothing for a page without. */
export function marksLegend(shown: Html, { language }: Reader): Html {
  const kinds = markKinds.filter((kind) => shown.text.includes(`class="mark ${kind}"`));
  if (kinds.length === 0) return emptyHtml;
  const text = markTexts[language];
  const explained = kinds.map(
    (kind) =>
      html`<div>
        <dt>${markHtml({ kind, text: text[kind] })}</dt>
        <dd>${text[`${kind}Meaning`]}</dd>
      </div>`,
  );
  return html`<section aria-label="${text.legend}">
    <dl class="marks">${explained}</dl>
  </section>`;
}
