// Long words that may go on in the next line, but only between their parts.

import { graphemesOf } from '../../../kit/text/graphemes.ts';
import { html, type Html } from '../../../kit/html.ts';

/** Words that fit the smallest screens in any heading stay whole. */
const wholeLengthMax = 19;
const wordBreak = html`<wbr />`;
/** Where a part is longer still, it goes on after so many characters. */
const pieceLength = 8;

/** Browsers would go on in the next line inside a date, and after an ellipsis. */
const wholePattern = /\d-\d|…\S/;

/** A text in which a long word without blanks, such as an address, may go on in the next line after each of its parts. */
export function breakable(text: string, lengthMax = wholeLengthMax): Html {
  return html`${text.split(/(?<=\s)(?=\S)/).map((word) => wordHtml(word, lengthMax))}`;
}

function wordHtml(word: string, lengthMax: number): Html {
  if (word.trimEnd().length <= lengthMax) return wholeHtml(word);
  const parts = word.split(/(?<=[/.?&=_@-])/).flatMap((part) => pieces(part, lengthMax));
  return html`${parts.map((part, index) => html`${index === 0 ? '' : wordBreak}${wholeHtml(part)}`)}`;
}

function pieces(part: string, lengthMax: number): readonly string[] {
  if (part.length <= lengthMax) return [part];
  const all = graphemesOf(part);
  return Array.from({ length: Math.ceil(all.length / pieceLength) }, (_, index) =>
    all.slice(index * pieceLength, (index + 1) * pieceLength).join(''),
  );
}

function wholeHtml(word: string): Html {
  return wholePattern.test(word) ? html`<span class="whole">${word}</span>` : html`${word}`;
}
