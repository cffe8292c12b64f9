// Long words that may go on in the next line, but only between their parts.

import { html, type Html } from '../../../kit/html.ts';

/** Words that fit the smallest screens in any heading stay whole. */
const wholeLengthMax = 19;
const wordBreak = html`<wbr />`;

/** Browsers would go on in the next line inside a date, and after an ellipsis. */
const wholePattern = /\d-\d|…\S/;

/** A text in which a long word without blanks, such as an address, may go on in the next line after each of its parts. */
export function breakable(text: string): Html {
  return html`${text.split(/(?<=\s)(?=\S)/).map(wordHtml)}`;
}

function wordHtml(word: string): Html {
  if (word.trimEnd().length <= wholeLengthMax) return wholeHtml(word);
  const parts = word.split(/(?<=[/.?&=_@-])/);
  return html`${parts.map((part, index) => html`${index === 0 ? '' : wordBreak}${wholeHtml(part)}`)}`;
}

function wholeHtml(word: string): Html {
  return wholePattern.test(word) ? html`<span class="whole">${word}</span>` : html`${word}`;
}
