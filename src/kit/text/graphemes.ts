// The characters of a text as a reader sees them, each with the marks that belong to it.

let segmenter: Intl.Segmenter | undefined;

/** The segmenter is made when it is first needed: making it takes 20 ms, which every program and thread would wait for at its start. */
export function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
