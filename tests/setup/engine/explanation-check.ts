// Recomputes the figures of an explanation exactly and independently of the engine, with a parser for its formulas over fractions
// of integers. Throws if a figure does not match its formula.

import type { Explanation, Figure } from '../../../src/engine/explanation/explanation.ts';

export interface Fraction {
  readonly numerator: bigint;
  /** Always positive. */
  readonly denominator: bigint;
}

function fraction(numerator: bigint, denominator: bigint): Fraction {
  if (denominator === 0n) throw new Error('A formula divides by zero.');
  const sign = denominator < 0n ? -1n : 1n;
  let [larger, smaller] = [numerator < 0n ? -numerator : numerator, denominator * sign];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return { numerator: (sign * numerator) / larger, denominator: (sign * denominator) / larger };
}

export function fractionOf(text: string): Fraction {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is no decimal.`);
  const [whole, digits = ''] = text.split('.') as [string, string?];
  return fraction(BigInt(whole + digits), 10n ** BigInt(digits.length));
}

const operations: Readonly<Record<string, (left: Fraction, right: Fraction) => Fraction>> = {
  '+': (a, b) => fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator),
  '−': (a, b) => fraction(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator),
  '×': (a, b) => fraction(a.numerator * b.numerator, a.denominator * b.denominator),
  '÷': (a, b) => fraction(a.numerator * b.denominator, a.denominator * b.numerator),
};

/** A value, and its magnitude if all of its terms had the same sign. */
interface SizedValue {
  readonly value: Fraction;
  readonly size: Fraction;
}

function absoluteOf({ numerator, denominator }: Fraction): Fraction {
  return { numerator: numerator < 0n ? -numerator : numerator, denominator };
}

function applyOperator(operator: string, left: SizedValue, right: SizedValue): SizedValue {
  const sizeOperator = operator === '−' ? '+' : operator;
  return {
    value: operations[operator]!(left.value, right.value),
    // Divides by the actual value: only the dividend may be a difference of large terms.
    size: operations[sizeOperator]!(left.size, operator === '÷' ? absoluteOf(right.value) : right.size),
  };
}

function tokenize(formula: string): string[] {
  const tokens = formula.match(/-?\d+(?:\.\d+)?|[+−×÷()]/gu) ?? [];
  if (tokens.join('') !== formula.replaceAll(' ', '')) throw new Error(`${formula} is no formula.`);
  return tokens;
}

export function evaluateFormula(formula: string): SizedValue {
  const tokens = tokenize(formula);
  let cursor = 0;
  const primary = (): SizedValue => {
    const token = tokens[cursor++];
    if (token === undefined) throw new Error(`${formula} ends too early.`);
    if (token !== '(') return { value: fractionOf(token), size: absoluteOf(fractionOf(token)) };
    const inner = expression();
    if (tokens[cursor++] !== ')') throw new Error(`${formula} does not close.`);
    return inner;
  };
  const chain = (operand: () => SizedValue, operators: string): SizedValue => {
    let value = operand();
    while (cursor < tokens.length && operators.includes(tokens[cursor]!))
      value = applyOperator(tokens[cursor++]!, value, operand());
    return value;
  };
  const product = (): SizedValue => chain(primary, '×÷');
  const expression = (): SizedValue => chain(product, '+−');
  const result = expression();
  if (cursor < tokens.length) throw new Error(`${formula} goes on after its end.`);
  return result;
}

/** Rounds to the nearest multiple of 10^-18, half to even, and returns plain digits. */
function roundHalfEven({ numerator, denominator }: Fraction): string {
  const scaled = numerator * 10n ** 18n;
  let floor = scaled / denominator;
  if (scaled < 0n && floor * denominator !== scaled) floor -= 1n;
  const twice = 2n * (scaled - floor * denominator);
  const roundsUp = twice > denominator || (twice === denominator && floor % 2n !== 0n);
  return plainDigits(roundsUp ? floor + 1n : floor);
}

function plainDigits(scaled: bigint): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(19, '0');
  const rest = digits.slice(-18).replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -18)}${rest && `.${rest}`}`;
}

function toNumber({ numerator, denominator }: Fraction): number {
  const places = 40n + BigInt(denominator.toString().length);
  return Number(`${(numerator * 10n ** places) / denominator}e-${places}`);
}

/**
 * Tolerates a few units in the last place of the value. Ratios are shown with the shortest digits that identify them, so that one
 * may be off by half a unit in its last place; where large terms cancel each other, that much of them remains.
 */
function isNear(value: string, { value: exact, size }: SizedValue): boolean {
  const difference = Math.abs(toNumber(operations['−']!(exact, fractionOf(value))));
  return difference <= 1e-15 * Math.abs(Number(value)) + 2 ** -53 * toNumber(size);
}

function matchesValue({ value, rounding }: Figure, computed: SizedValue): boolean {
  switch (rounding) {
    case undefined:
      return operations['−']!(computed.value, fractionOf(value)).numerator === 0n;
    case 'half-even at 18 places':
      return roundHalfEven(computed.value) === value;
    case 'double':
      return isNear(value, computed);
    default:
      return value === '0' && Math.abs(toNumber(computed.value)) <= 1e-12 * toNumber(computed.size);
  }
}

/** Numbers that formulas may contain literally. */
const constants: ReadonlySet<string> = new Set(['0', '1', '2', '100']);

function checkFormula(figure: Figure, formula: string): void {
  if (!matchesValue(figure, evaluateFormula(formula))) {
    throw new Error(`${figure.name} is ${figure.value}, not ${formula} (${toNumber(evaluateFormula(formula).value)}).`);
  }
  // The parts of a figure that is cut are not shown.
  if ('truncated' in figure) return;
  const numbers = new Set(tokenize(formula).filter((token) => /\d/.test(token)));
  const parts = new Set((figure.of ?? []).map(({ value }) => value));
  for (const number of numbers) {
    if (!parts.has(number) && !constants.has(number))
      throw new Error(`${number} of ${figure.name} is explained by nothing.`);
  }
  for (const part of parts) if (!numbers.has(part)) throw new Error(`${part} is no part of ${figure.name}.`);
}

function checkOperation({ name, value, operation, of = [] }: Figure): void {
  const [first = Number.NaN, second = Number.NaN] = of.map((part) => Number(part.value));
  const computed = Number(value);
  const isNearTo = (right: number, slack = 0): boolean =>
    Math.abs(computed - right) <= Math.abs(computed) * (1e-12 + slack) + Number.MIN_VALUE;
  const isValid = {
    root: () => of.length === 1 && first === 0 && of[0]!.rounding === 'solved',
    'square-root': () => of.length === 1 && isNearTo(Math.sqrt(first)),
    exponential: () => of.length === 1 && isNearTo(Math.exp(first)),
    // The base is a double: its rounding error grows with each multiplication.
    power: () => of.length === 2 && isNearTo(first ** second, (2e-16 * Math.abs(second)) / first),
  }[operation!];
  if (!isValid()) throw new Error(`${name} is ${value}, which is no ${operation} of ${first} and ${second}.`);
}

/** Checks every figure of the tree and returns their names in the order of checking. */
export function checkedFigureNames(explanation: Explanation): string[] {
  const names: string[] = [];
  const check = (figure: Figure): void => {
    const { formula, operation, of = [] } = figure;
    names.push(figure.name);
    if (!/^(?!-0$)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(figure.value))
      throw new Error(`${figure.value} is not plain.`);
    if (formula !== undefined) checkFormula(figure, formula);
    if (operation !== undefined && !('truncated' in figure)) checkOperation(figure);
    of.forEach(check);
  };
  if (explanation.value === null) (explanation.of ?? []).forEach(check);
  else check(explanation);
  return names;
}

/** Renders a checked tree as lines: depth, name, value and formula. */
export function explanationLines(explanation: Explanation, depth = 0): string[] {
  const { name, value, notes = [], of = [] } = explanation;
  const { formula, operation } = explanation.value === null ? {} : explanation;
  const derivation = formula === undefined ? (operation === undefined ? '' : ` = ${operation}`) : ` = ${formula}`;
  const line = `${'  '.repeat(depth)}${name} ${value}${derivation}${notes.map((note) => ` [${note}]`).join('')}`;
  return [line, ...of.flatMap((part) => explanationLines(part, depth + 1))];
}
