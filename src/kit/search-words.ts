// Splits a text into search words, without case, accents and punctuation.

/** Longer words are cut. */
const lengthMax = 64;

/** Returns each word once, in the order of the text. */
export function searchWords(text: string): readonly string[] {
  const normalised = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = normalised.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, lengthMax).toWellFormed()))];
}
