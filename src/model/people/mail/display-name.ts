// Names as mail shows them. They were written by somebody and can hold anything: here they are one line of some length that is read
// as a name, and never as a link, another direction of reading, or a header.

const lengthMax = 100;

/** Controls, line and paragraph separators, and what turns the direction of reading. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Where one of these signs stands in the midst of a word, mail programs see an address and make a link of it. */
const linkTriggers = /([.:/@])(?=\S)/gu;

/** U+2060, which nobody sees. */
const wordJoiner = '\u2060';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function safeDisplayName(name: string): string {
  const line = name.normalize('NFC').replace(unsafeCharacters, ' ').replace(/\s+/gu, ' ').trim();
  const all = [...graphemes.segment(line)].map(({ segment }) => segment);
  const shortened = all.length > lengthMax ? `${all.slice(0, lengthMax - 1).join('')}…` : line;
  return shortened.replace(linkTriggers, `$1${wordJoiner}`);
}
