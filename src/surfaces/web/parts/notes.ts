// Parts that say something: `note(content, 'warn')`, `stateDot('Failing', 'down')`, `definitionList(items)`, `emptyState({ … })` and
// `progressBar({ … })`.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { formatsOf } from '../language/formats.ts';
import type { Reader } from '../language/reader.ts';
import { linkableAddress } from './address.ts';
import { attributesHtml, elementId } from './attributes.ts';
import { breakable } from './breakable.ts';
import { partsTexts } from './parts-texts.ts';

type NoteTone = 'info' | 'good' | 'warn' | 'danger';

/** A message in a frame. What changed because of the reader's action is announced: `isLive`. */
export function note(
  content: Html | string,
  { tone = 'info', isLive = false }: { readonly tone?: NoteTone; readonly isLive?: boolean } = {},
): Html {
  const role = isLive ? html` role="status"` : emptyHtml;
  return html`<div class="notice ${tone}" ${role}>${content}</div>`;
}

/** A sentence of the API: its dates stay in one piece, and what stands between backticks is code. */
export function sentenceHtml(sentence: string): Html {
  const parts = sentence.split(/(\d{4}-\d{2}-\d{2}\S*|`[^`]+`)/);
  return html`${parts.map((part, index) => {
    if (index % 2 === 0) return html`${part}`;
    return part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : html`<span class="whole">${part}</span>`;
  })}`;
}

/** A state in words after its dot; the colour says nothing that the words do not. */
export function stateDot(text: string, tone: 'up' | 'down' | 'warn' | 'soft' = 'soft'): Html {
  return html`<span class="state ${tone}">${text}</span>`;
}

interface Definition {
  readonly title: string;
  readonly value: Html | string;
  readonly href?: string | undefined;
}

export function definitionList(items: readonly Definition[]): Html {
  return html`<dl class="facts">
    ${items.map(({ title, value, href }) => {
      const address = linkableAddress(href);
      const text = typeof value === 'string' ? breakable(value) : value;
      const shown = address === undefined ? text : html`<a href="${address}">${text}</a>`;
      return html`<div>
        <dt>${title}</dt>
        <dd>${shown}</dd>
      </div>`;
    })}
  </dl>`;
}

interface EmptyState {
  readonly title: string;
  /** What to do first. */
  readonly text: Html | string;
  readonly action?: { readonly title: string; readonly href: string } | undefined;
}

/** Stands where a list will be. */
export function emptyState({ title, text, action }: EmptyState): Html {
  const address = linkableAddress(action?.href);
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    <p>${text}</p>
    ${
      action === undefined || address === undefined
        ? emptyHtml
        : html`<p><a class="button primary" href="${address}">${action.title}</a></p>`
    }
  </div>`;
}

interface Progress {
  readonly id: string;
  readonly label: string;
  readonly done: number;
  /** Null while nobody knows how much there is to do. */
  readonly total: number | null;
  /** In place of "40 of 100". */
  readonly text?: string;
  readonly reader: Reader;
}

/** An island finds it by its id and moves `<progress>` and `.progress-text`; without scripts a reload does. */
export function progressBar({ id, label, done, total, text, reader }: Progress): Html {
  const words = partsTexts[reader.language];
  const formats = formatsOf(reader.locale);
  const count = (value: number): string => formats.number(String(value), 0);
  const counted = total === null ? words.working : words.progress(count(done), count(total));
  const barId = elementId(id, 'bar');
  const state = attributesHtml(total === null ? {} : { value: Math.min(done, total), max: Math.max(total, 1) });
  return html`<div class="progress" id="${elementId(id)}">
    <label for="${barId}">${label}</label>
    <progress id="${barId}" ${state}>${counted}</progress>
    <span class="progress-text" role="status">${text ?? counted}</span>
  </div>`;
}
