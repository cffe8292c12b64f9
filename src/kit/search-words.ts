// The words of a text as they are searched by: without case, accents and punctuation. Knows not what is searched.

const lengthMax = 64;

/** Each once, in the order of the text. */
export function searchWords(text: string): readonly string[] {
  const normalised = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = normalised.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, lengthMax).toWellFormed()))];
}
