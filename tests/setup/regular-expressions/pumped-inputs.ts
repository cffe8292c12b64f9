// Makes the texts that a regular expression is slowest on: the beginning of a text that matches, a part that is repeated very often, and
// an end that does not match.

import { parseRegExpLiteral, visitRegExpAST, type AST } from '@eslint-community/regexpp';

export interface PumpedInput {
  readonly prefix: string;
  /** Is repeated. */
  readonly pump: string;
  readonly suffix: string;
}

/** The repeated part has this length. */
export function inputOf({ prefix, pump, suffix }: PumpedInput, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

/** A control character, which hardly any expression accepts, and a line break, which `.` does not match. */
const suffixes = ['', '\u0001', '\n'];
const suffixesMax = 4;
const samplesMax = 6;
const prefixesMax = 10;
const charactersMax = 6;
const pumpsMax = 60;

/** So many repetitions count as without bound. */
const manyTimes = 100;

type CharacterElement = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** Characters of every kind that classes tell apart, ordinary ones first. */
const candidates = ['0', 'a', 'A', ' ', '-', '.', '/', '_', '"', '\n', '\t', 'é', '\u0001', '😀'];

export function pumpedInputs(expression: RegExp): PumpedInput[] {
  const parsed = parseRegExpLiteral(expression);
  if (!repeatsWithoutBound(parsed)) return [];
  const pieces = new Set<string>();
  const prefixes = new Set<string>(['']);
  const whole = new Set<string>();
  for (let variant = 0; variant < samplesMax; variant++) {
    const sample = new Sample(variant, pieces);
    sample.add(parsed.pattern);
    for (const prefix of sample.prefixes) prefixes.add(prefix);
    whole.add(sample.text);
  }
  const pumps = pumpsOf(charactersOf(parsed), [...whole, ...pieces]);
  const ends = first(new Set([...suffixes, ...excludedCharacters(parsed)]), suffixesMax);
  return first(prefixes, prefixesMax).flatMap((prefix) =>
    pumps.flatMap((pump) => ends.map((suffix) => ({ prefix, pump, suffix }))),
  );
}

/** An expression that repeats nothing without bound looks at a bounded part of the text from each place. */
function repeatsWithoutBound(parsed: AST.RegExpLiteral): boolean {
  let found = false;
  visitRegExpAST(parsed, {
    onQuantifierEnter({ max }) {
      found ||= max >= manyTimes;
    },
  });
  return found;
}

/** Characters that end what an expression repeats. */
function excludedCharacters(parsed: AST.RegExpLiteral): string[] {
  const characters: string[] = [];
  visitRegExpAST(parsed, {
    onCharacterClassEnter({ negate, elements }) {
      if (!negate) return;
      for (const element of elements)
        if (element.type === 'Character') characters.push(String.fromCodePoint(element.value));
    },
  });
  return characters;
}

/** Each character, each pair of two, and what the expression repeats or matches as a whole. */
function pumpsOf(characters: readonly string[], texts: readonly string[]): string[] {
  const pairs = characters.flatMap((one) => characters.map((other) => one + other));
  const short = texts.filter(({ length }) => length > 0 && length <= 40);
  return first(new Set([...characters, ...short.slice(0, 18), ...pairs]), pumpsMax);
}

function first(texts: ReadonlySet<string>, max: number): string[] {
  return [...texts].slice(0, max);
}

/** One character for each part of the expression that matches characters. */
function charactersOf(parsed: AST.RegExpLiteral): string[] {
  const characters = new Set<string>();
  const add = (element: CharacterElement): void => {
    const character = characterOf(element, 0);
    if (character !== undefined) characters.add(character);
  };
  visitRegExpAST(parsed, { onCharacterEnter: add, onCharacterSetEnter: add, onCharacterClassEnter: add });
  return first(characters, charactersMax);
}

/** A character that the element matches; which one of several, the variant says. */
function characterOf(element: CharacterElement, variant: number): string | undefined {
  if (element.type === 'Character') return String.fromCodePoint(element.value);
  const own = element.type === 'CharacterClass' ? literalsIn(element) : [];
  const matcher = new RegExp(`^(?:${element.raw})$`, /\\p|\\u\{/i.test(element.raw) ? 'u' : '');
  const matched = [...own, ...candidates].filter((character) => matcher.test(character));
  return matched.length === 0 ? undefined : matched[variant % matched.length];
}

function literalsIn({ negate, elements }: AST.CharacterClass): string[] {
  if (negate) return [];
  return elements.flatMap((one) =>
    one.type === 'Character'
      ? String.fromCodePoint(one.value)
      : one.type === 'CharacterClassRange'
        ? String.fromCodePoint(one.min.value)
        : [],
  );
}

/** One text that the expression matches, apart from assertions. Variants take other alternatives and repeat more often. */
class Sample {
  readonly prefixes: string[] = [];
  readonly #variant: number;
  readonly #pieces: Set<string>;
  readonly #groups = new Map<AST.CapturingGroup, string>();
  text = '';

  constructor(variant: number, pieces: Set<string>) {
    this.#variant = variant;
    this.#pieces = pieces;
  }

  add(node: AST.Pattern | AST.Alternative | AST.Element): void {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
        return this.#addOneOf(node.alternatives);
      case 'CapturingGroup': {
        const start = this.text.length;
        this.#addOneOf(node.alternatives);
        this.#groups.set(node, this.text.slice(start));
        return;
      }
      case 'Alternative':
        for (const element of node.elements) {
          this.add(element);
          this.prefixes.push(this.text);
        }
        return;
      case 'Quantifier':
        return this.#repeat(node);
      case 'Backreference': {
        const [group] = [node.resolved].flat();
        this.text += (group && this.#groups.get(group)) ?? '';
        return;
      }
      case 'Assertion':
        return;
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        this.text += characterOf(node, this.#variant) ?? '';
        return;
    }
  }

  #addOneOf(alternatives: readonly AST.Alternative[]): void {
    const alternative = alternatives[this.#variant % alternatives.length];
    if (alternative !== undefined) this.add(alternative);
  }

  #repeat({ min, max, element }: AST.Quantifier): void {
    const count = Math.min(max, min + (this.#variant % 3 === 0 ? 1 : this.#variant % 3 === 1 ? 0 : 2));
    for (let at = 0; at < count; at++) {
      const start = this.text.length;
      this.add(element);
      if (max > min) this.#pieces.add(this.text.slice(start));
    }
  }
}
