// Analyses every regular expression of the service and its packages. Time must grow with the length of the text, or one text stops a node
// for everybody.

import { check } from 'recheck';
import { expect, test } from 'vitest';
import { sourceExpressions } from './setup/regular-expressions/source-expressions.ts';

/** Patterns that are composed at run time from more than names, each with what bounds it. */
const composedElsewhere = ['packages/conformance/src/contract/json-schema.ts'];

/** The analysis counts steps; it ends by its own limits and takes no account of the clock. */
const limits = { timeout: null, randomSeed: 0 } as const;

/** A repetition without a bound, or with one of two digits or more. */
const longRepetition = /[*+]|,\}|,\d\d+\}/g;

/** One long repetition from the beginning of the text on: there is one place to begin and one way to go on. */
function isPlain({ source, multiline }: RegExp): boolean {
  const syntax = source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  const repetitions = syntax.match(longRepetition)?.length ?? 0;
  return repetitions === 0 || (repetitions === 1 && syntax.startsWith('^') && !multiline && !syntax.includes('|'));
}

/** A text on which the expression is slow, or why nothing is known of it. */
async function slowness(expression: RegExp): Promise<string | undefined> {
  if (isPlain(expression)) return undefined;
  const found = await check(expression.source, expression.flags, limits);
  switch (found.status) {
    case 'safe':
      return undefined;
    case 'vulnerable':
      return `${found.complexity.summary}: ${found.attack.pattern}`;
    case 'unknown':
      return `not analysed: ${found.error.kind}`;
  }
}

const { known, composed } = sourceExpressions();

test('every regular expression takes time in proportion to the text', async () => {
  const slow: Record<string, string> = {};
  for (const { pattern, flags, places } of known) {
    const found = await slowness(new RegExp(pattern, flags));
    if (found !== undefined) slow[`/${pattern}/${flags} in ${places.join(' ')}`] = found;
  }
  expect(slow).toEqual({});
});

test('patterns that are composed at run time are known', () => {
  expect(composed.map((place) => place.replace(/:\d+$/, ''))).toEqual(composedElsewhere);
});

test.each([
  ['the same digits twice', /^(\d+[.,]?\d*)[A-Z]/],
  ['the same digits twice behind what has to come first', /^(\d{6})(R[CD]|[CD])(\d+[.,]?\d*)[A-Z]{3}/],
  ['every way to share letters out', /^(?:a+)+$/],
  ['every way to share letters out between alternatives', /^(?:[a-z]|[a-f])+\d$/],
  ['a search that begins anew at every character', /\/+$/],
  ['a search that begins anew at every second character', /"(?:[^"\\]|\\.)*"/g],
  ['a search that begins anew at every word', / \/ .*$/],
  ['a look ahead that goes to the end each time', /\B(?=(?:\d{3})+$)/g],
])('a slow expression is found: %s', async (_, expression) => {
  expect(await slowness(expression)).toBeDefined();
});

test.each([/^(\d+(?:[.,]\d*)?)[A-Z]/, /(?<!\/)\/+$/, /\s+/g, /^(\d{3})(?!\d)\s*(.*)$/s])(
  'a quick expression is left alone: %s',
  async (expression) => expect(await slowness(expression)).toBeUndefined(),
);
