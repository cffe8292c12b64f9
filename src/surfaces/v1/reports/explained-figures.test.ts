// Checks over the schemas of all reports of v1 that each figure has an explanation beside it, or says here why it has none.

import { expect, test } from 'vitest';
import { operations } from '../../operations.ts';

/** Figures without an explanation of their own, by report and path. */
const exceptions: Readonly<Record<string, string>> = {
  '/v1/holdings data[].settled_quantity': '`quantity` without the rows whose `settlement_date` is after the day',
  '/v1/performance data[].series[]': 'a day has thousands of figures: each is asked for with as_of at /v1/explain',
  '/v1/performance data[].periods[]':
    'a period is a window: each figure is asked for with start and end at /v1/explain',
  '/v1/performance data[].money_weighted_roots[]': 'explained within `money_weighted_return`, each with its check',
  '/v1/performance benchmark.series[]': 'as the days of a segment',
  '/v1/performance/private-markets data[].irr_roots[]': 'explained within `irr`, each with its check',
  '/v1/performance/private-markets data[].public_market_equivalent.ln_pme_roots[]':
    'explained within `ln_pme_irr`, each with its check',
  '/v1/performance/private-markets data[].public_market_equivalent.direct_alpha_roots[]':
    'explained within `direct_alpha`, each with its check',
  '/v1/limits/{id}/status reporting_entities[].min': 'the bound as it was set',
  '/v1/limits/{id}/status reporting_entities[].max': 'the bound as it was set',
  '/v1/reconciliations data[]': 'a comparison: each line has both sides, and `ledger` is the quantity of a holding',
  '/v1/transactions/{id}/versions data[]': 'a version of what was booked, not what anything was computed from',
};

/** Members whose explanation has another name: a commitment is explained as such, not as its total. */
const otherNames: Readonly<Record<string, string>> = { 'commitment.total': 'commitment' };

interface Schema {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** Decimals by path, each with whether an object around it has an explanation with its name. */
function* decimalsOf(schema: Schema, path: string, explained: ReadonlySet<string>): Generator<[string, boolean]> {
  const { properties = {}, items, format, anyOf = [], oneOf = [] } = schema;
  for (const one of [...anyOf, ...oneOf]) yield* decimalsOf(one, path, explained);
  if (items !== undefined) yield* decimalsOf(items, `${path}[]`, new Set());
  if (format === 'decimal') {
    const name = otherNames[path.split('.').slice(-2).join('.')] ?? path.split('.').at(-1);
    yield [path, explained.has(name ?? '')];
  }
  const own = properties['explanations']?.properties;
  const known = own === undefined ? explained : new Set(Object.keys(own));
  for (const [name, member] of Object.entries(properties)) {
    if (name === 'explanation' || name === 'explanations') continue;
    yield* decimalsOf(member, path === '' ? name : `${path}.${name}`, known);
  }
}

const reports = operations.filter(
  ({ id }) => /^v1\..*\.report$/.test(id) || id === 'v1.transaction.versions' || /^v1\.limit.*status/.test(id),
);

test('every figure of every report has an explanation, or a reason why it needs none', () => {
  const unexplained = new Set<string>();
  let figureCount = 0;
  for (const { path: report, responses } of reports) {
    for (const [path, isExplained] of decimalsOf(responses[200]!.schema as Schema, '', new Set())) {
      figureCount++;
      if (!isExplained) unexplained.add(`${report} ${path}`);
    }
  }
  expect(figureCount).toBeGreaterThan(100);
  const covered = (one: string): string | undefined => Object.keys(exceptions).find((key) => one.startsWith(key));
  expect([...unexplained].filter((one) => covered(one) === undefined)).toEqual([]);
  expect(Object.keys(exceptions).filter((key) => ![...unexplained].some((one) => covered(one) === key))).toEqual([]);
});
