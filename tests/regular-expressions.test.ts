// Measures every regular expression of the service and its packages on texts made to slow it down. Time must grow with the length of the
// text, or one text stops a node for everybody.

import { expect, test } from 'vitest';
import { inputOf, pumpedInputs, type PumpedInput } from './setup/regular-expressions/pumped-inputs.ts';
import { sourceExpressions } from './setup/regular-expressions/source-expressions.ts';

/** Patterns that are composed at run time from more than names, each with what bounds it. */
const composedElsewhere = ['packages/conformance/src/contract/json-schema.ts'];

/** Long enough for exponential time, for cubic time, and for quadratic time: each would stop the test at the next length. */
const lengths = [24, 250, 2_500];
/** A text that takes longer than this is measured; linear time stays far below. */
const suspiciousMs = 0.3;
/** Four times the length: four times the time if it is linear, sixteen times if it is quadratic. */
const growthMax = 8;
const runsPerLength = 3;
/** A measurement that something else disturbed is not slow each time. */
const confirmations = 3;
/** How often an expression that is known to be slow is measured until it is found. */
const triesMax = 20;

/** Applies it as the code does: once, or from match to match. */
function run(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  let match = expression.exec(text);
  if (!expression.global && !expression.sticky) return;
  for (; match !== null; match = expression.exec(text)) if (match[0] === '') expression.lastIndex++;
}

/** In milliseconds of this thread: what else the machine does is left out. */
function timeOf(expression: RegExp, text: string): number {
  const before = process.threadCpuUsage();
  run(expression, text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

function leastTime(expression: RegExp, input: PumpedInput, length: number): number {
  const text = inputOf(input, length);
  return Math.min(...Array.from({ length: runsPerLength }, () => timeOf(expression, text)));
}

/** Whether time grows faster than the length. */
function isSuperlinear(expression: RegExp, input: PumpedInput, length: number): boolean {
  const short = leastTime(expression, input, length);
  if (short < suspiciousMs) return false;
  // Exponential time would not end at four times the length.
  if (length === lengths[0]) return true;
  const grows = (times: number): boolean =>
    leastTime(expression, input, length * times * 4) > leastTime(expression, input, length * times) * growthMax;
  return grows(1) && grows(2);
}

/** The first text on which the expression is slow. */
function slowInput(expression: RegExp): PumpedInput | undefined {
  const inputs = pumpedInputs(expression);
  for (const length of lengths) {
    const found = inputs.find(
      (input) =>
        timeOf(expression, inputOf(input, length)) > suspiciousMs &&
        Array.from({ length: confirmations }).every(() => isSuperlinear(expression, input, length)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

const { known, composed } = sourceExpressions();

test('every regular expression takes time in proportion to the text', () => {
  const slow = known.flatMap(({ pattern, flags, places }) => {
    const input = slowInput(new RegExp(pattern, flags));
    return input === undefined
      ? []
      : { expression: `/${pattern}/${flags}`, places: places.join(' '), input: JSON.stringify(input) };
  });
  expect(slow).toEqual([]);
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
])('a slow expression is found: %s', (_, expression) => {
  // A busy machine may disturb each of the measurements that have to agree; a quick expression is found by none of many.
  expect(Array.from({ length: triesMax }).some(() => slowInput(expression) !== undefined)).toBe(true);
});

test.each([/^(\d+(?:[.,]\d*)?)[A-Z]/, /(?<!\/)\/+$/, /\s+/g, /^(\d{3})(?!\d)\s*(.*)$/s])(
  'a quick expression is left alone: %s',
  (expression) => expect(slowInput(expression)).toBeUndefined(),
);
