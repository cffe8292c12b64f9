// Long words that may go on in the next line, but only between their parts.

import { html, type Html } from '../../../kit/html.ts';

/** Words that fit the smallest screens in any heading stay whole. */
const wholeLengthMax = 19;
const wordBreak = html`<wbr />`;

/** A text in which a long word without blanks, such as an address, may go on in the next line after each of its parts; a date may not. */
export function breakable(text: string): Html {
  return html`${text.split(/(?<=\s)(?=\S)/).map(wordHtml)}`;
}

function wordHtml(word: string): Html {
  if (word.trimEnd().length > wholeLengthMax) return parts(word);
  return /\d-\d/.test(word) ? html`<span class="whole">${word}</span>` : html`${word}`;
}

function parts(word: string): Html {
  return html`${word.split(/(?<=[/.?&=_@-])/).map((part, index) => html`${index === 0 ? '' : wordBreak}${part}`)}`;
}
