// Takes apart a text that says several fields: `Buy 5 Seefeld AG@21.31 USD (CH0038863350)`.

/** A longer text is no text of this kind. */
const textLengthMax = 500;

/** The values that may have spaces in them: of these, a pattern has at most one. */
const spacedNames: ReadonlySet<string> = new Set(['instrument_name', 'comment']);

/** `Buy {quantity} {instrument_name}@{price} *`: words with values between them. */
export class TextPattern {
  readonly #names: readonly string[];
  /** Before, between and behind the values. */
  readonly #words: readonly string[];
  /** Whether anything may follow. */
  readonly #hasRest: boolean;

  constructor(pattern: string) {
    const plain = pattern.replace(/\s+/g, ' ').trim();
    this.#hasRest = plain.endsWith('*');
    const written = this.#hasRest ? plain.slice(0, -1) : plain;
    this.#names = valuesOfPattern(written);
    this.#words = written
      .split(/[{}]/)
      .filter((_, index) => index % 2 === 0)
      .map((words) => words.toLowerCase());
  }

  /** The values by their names; undefined if the text is written in another way. */
  read(text: string): ReadonlyMap<string, string> | undefined {
    if (text.length > textLengthMax) return undefined;
    const folded = text.toLowerCase();
    // A few capitals are longer in lower case, and the places would shift.
    const lower = folded.length === text.length ? folded : text;
    const values = new Map<string, string>();
    const spaced = this.#names.findIndex((name) => spacedNames.has(name));
    const forward = this.#readForward(lower, spaced < 0 ? this.#names.length : spaced);
    if (forward === undefined) return undefined;
    const backward = spaced < 0 ? { spans: [], at: lower.length } : this.#readBackward(lower, spaced, forward.at);
    if (backward === undefined) return undefined;
    const between = spaced < 0 ? [] : [{ index: spaced, from: forward.at, to: backward.at }];
    for (const { index, from, to } of [...forward.spans, ...between, ...backward.spans]) {
      const name = this.#names[index] ?? '*';
      const value = text.slice(from, to).trim();
      if (value === '' || (index !== spaced && value.includes(' '))) return undefined;
      if (name !== '*') values.set(name, value);
    }
    return values;
  }

  /** From the beginning up to a value. */
  #readForward(lower: string, count: number): Spans | undefined {
    const spans: Span[] = [];
    const [before = ''] = this.#words;
    if (!lower.startsWith(before)) return undefined;
    let at = before.length;
    for (let index = 0; index < count; index++) {
      const words = this.#words[index + 1] ?? '';
      const isLast = index === this.#names.length - 1 && !this.#hasRest;
      const to = isLast ? lower.length - words.length : words === '' ? lower.length : lower.indexOf(words, at);
      if (to < at || !lower.startsWith(words, to)) return undefined;
      spans.push({ index, from: at, to });
      at = to + words.length;
    }
    return count === this.#names.length && !this.#hasRest && at !== lower.length ? undefined : { spans, at };
  }

  /** From the end down to a value. */
  #readBackward(lower: string, spaced: number, from: number): Spans | undefined {
    const spans: Span[] = [];
    let end = lower.length;
    for (let index = this.#names.length - 1; index >= spaced; index--) {
      const words = this.#words[index + 1] ?? '';
      const isBehind = index === this.#names.length - 1 && !this.#hasRest;
      const start = isBehind ? end - words.length : words === '' ? end : lower.lastIndexOf(words, end - words.length);
      if (start < from || !lower.startsWith(words, start)) return undefined;
      if (index < this.#names.length - 1) spans.push({ index: index + 1, from: start + words.length, to: end });
      end = start;
    }
    return { spans, at: end };
  }
}

/** The names in its braces. */
export function valuesOfPattern(pattern: string): readonly string[] {
  const parts = pattern.split(/[{}]/);
  return parts.filter((_, index) => index % 2 === 1).map((name) => name.trim());
}

interface Span {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

interface Spans {
  readonly spans: readonly Span[];
  /** Where it ended. */
  readonly at: number;
}
