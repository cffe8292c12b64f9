// Checks the explanations in the answer of a report: every number has one with the same value, and its formulas give it.

import { checkedFigureNames } from './explanation-check.ts';

/** Numbers that are no figures, or whose explanations stand beside others. */
const noFigures: ReadonlySet<string> = new Set([
  'comment',
  'name',
  'every',
  'min',
  'max',
  'series',
  'periods',
  'warnings',
  // Without the rows whose settlement date is after the day: they say it themselves.
  'settled_quantity',
]);

/** Rows that are figures of the row around them: its explanations are theirs. */
const partsOfRows: ReadonlySet<string> = new Set([
  'commitment',
  'cashflow',
  'multiplier',
  'public_market_equivalent',
  'accrued_interest',
]);

const decimalPattern = /^-?\d+(\.\d+)?$/;

interface Expected {
  readonly name: string;
  readonly value: string;
}

function isFigure(name: string, value: unknown): value is string {
  return (
    typeof value === 'string' && decimalPattern.test(value) && !noFigures.has(name) && !/(^id|_ids?|_name)$/.test(name)
  );
}

/** The figures of a row that its explanations should explain. */
function* figuresOf(row: any): Generator<Expected> {
  for (const [name, value] of Object.entries<any>(row)) {
    if (isFigure(name, value)) yield { name, value };
    else if (partsOfRows.has(name) && value !== null) {
      for (const one of figuresOf(value)) yield one.name === 'total' ? { name, value: one.value } : one;
    }
  }
}

/** Returns the names of the figures that were checked, by the path of their row. */
export function checkExplanations(body: any, path = ''): string[] {
  if (typeof body !== 'object' || body === null) return [];
  if (Array.isArray(body)) return body.flatMap((one) => checkExplanations(one, `${path}[]`));
  const names = [...figuresOf(body)].map(({ name, value }) => {
    const explanation = body.explanations?.[name];
    if (explanation?.value !== value)
      throw new Error(`${path}.${name} is ${value}, explained as ${JSON.stringify(explanation)?.slice(0, 500)}.`);
    if (typeof explanation.sentence !== 'string') throw new Error(`${path}.${name} has no sentence.`);
    checkedFigureNames(explanation);
    return `${path}.${name}`;
  });
  const below = Object.entries(body).flatMap(([name, value]) => {
    const isRow = !name.startsWith('explanation') && !partsOfRows.has(name) && !noFigures.has(name);
    return isRow || (name === 'periods' && hasExplanations(value)) ? checkExplanations(value, `${path}.${name}`) : [];
  });
  return [...names, ...below];
}

function hasExplanations(rows: any): boolean {
  return Array.isArray(rows) && rows[0]?.explanations !== undefined;
}
