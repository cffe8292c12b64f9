// Makes names safe to show in mail. A name can contain anything; here it becomes one short line that cannot act as a link, a header or a
// change of text direction.

import { graphemesOf } from '../../../kit/text/graphemes.ts';

const lengthMax = 100;

/** Control characters, line and paragraph separators, and characters that change the text direction. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Mail programs take a word that contains one of these characters for an address and turn it into a link. */
const linkTriggers = /([.:/@])(?=\S)/gu;

/** U+2060, which is invisible. */
const wordJoiner = '\u2060';

export function safeDisplayName(name: string): string {
  const line = name.normalize('NFC').replace(unsafeCharacters, ' ').replace(/\s+/gu, ' ').trim();
  const all = graphemesOf(line);
  const shortened = all.length > lengthMax ? `${all.slice(0, lengthMax - 1).join('')}…` : line;
  return shortened.replace(linkTriggers, `$1${wordJoiner}`);
}
