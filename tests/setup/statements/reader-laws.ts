// What every reader of statements must hold to: items do not depend on how the text is cut, and damage never crashes it.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { StatementFault, type StatementItem, type StatementReader } from '../../../src/model/custody/statement.ts';

export type OpenReader = () => StatementReader;

interface Outcome {
  readonly items: readonly StatementItem[];
  /** The message of a fault that ended the file. */
  readonly fault?: string;
}

/** Everything that is read, and the fault that ended it. Any other error is thrown on. */
export function outcomeOf(open: OpenReader, pieces: readonly string[]): Outcome {
  const items: StatementItem[] = [];
  try {
    const reader = open();
    for (const piece of pieces) items.push(...reader.push(piece));
    items.push(...reader.end());
    return { items };
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    return { items, fault: error.message };
  }
}

/** A fault at the end is the last problem, or thrown if nothing came before it: compared without that difference. */
function comparable({ items, fault }: Outcome): unknown[] {
  const last = items.at(-1);
  if (fault !== undefined || last?.item !== 'problem') return [...items, fault];
  return [...items.slice(0, -1), `Line ${last.place.line}: ${last.detail}`];
}

/** The first place where cutting the text in two changes what is read; undefined if there is none. */
export function findCutThatMatters(open: OpenReader, text: string): number | 'every character' | undefined {
  const whole = comparable(outcomeOf(open, [text]));
  const differs = (pieces: readonly string[]): boolean =>
    !isDeepStrictEqual(comparable(outcomeOf(open, pieces)), whole);
  for (let at = 1; at < text.length; at++) if (differs([text.slice(0, at), text.slice(at)])) return at;
  return differs([...text]) ? 'every character' : undefined;
}

const snippets = [
  '',
  '\n',
  '"',
  ';',
  ',',
  '<',
  '>',
  '&',
  ':',
  '-',
  '{',
  '}',
  '/',
  '\u0000',
  '\ufffd',
  '9'.repeat(60),
  ' '.repeat(200),
  '</',
  '<X>',
  ':61:',
  ':16R:',
];

/** Cuts, doubles, moves and replaces parts of a text. */
export function damagedText(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length });
  const change = fc.oneof(
    fc.tuple(place, fc.nat({ max: 40 }), fc.constantFrom(...snippets)).map(
      ([at, length, snippet]) =>
        (one: string) =>
          one.slice(0, at) + snippet + one.slice(at + length),
    ),
    place.map((at) => (one: string) => one.slice(0, at)),
    fc.tuple(place, fc.nat({ max: 200 })).map(
      ([at, length]) =>
        (one: string) =>
          one.slice(0, at + length) + one.slice(at),
    ),
    fc.tuple(place, fc.integer({ min: 0, max: 0xffff })).map(
      ([at, code]) =>
        (one: string) =>
          one.slice(0, at) + String.fromCharCode(code) + one.slice(at + 1),
    ),
  );
  return fc
    .array(change, { minLength: 1, maxLength: 6 })
    .map((changes) => changes.reduce((one, apply) => apply(one), text));
}

/** Throws unless a reader gives items or a `StatementFault` for whatever is done to the text, the same ones however it is cut. */
export function checkDamage(open: OpenReader, text: string, numRuns = 200): void {
  fc.assert(
    fc.property(damagedText(text), fc.nat({ max: text.length }), (damaged, at) => {
      const pieces = [damaged.slice(0, at), damaged.slice(at)];
      return isDeepStrictEqual(comparable(outcomeOf(open, pieces)), comparable(outcomeOf(open, [damaged])));
    }),
    { numRuns },
  );
}
