// The rules for names of metrics that `promtool check metrics` applies, for machines that do not have it.

import type { Scrape } from './scrape.ts';

const units = 'milliseconds|microseconds|nanoseconds|minutes|hours|days|kilobytes|megabytes|bits|percent';
const typeWords = /_(counter|gauge|histogram|summary)(_|$)/;

/** What is wrong with the names and texts of a node's metrics. */
export function namingFaults({ types, helps }: Scrape): string[] {
  return [...types].flatMap(([name, type]) => {
    const isTotal = name.endsWith('_total');
    return [
      helps.get(name) ? '' : 'has no help text',
      type === 'counter' && !isTotal ? 'is a counter and does not end with _total' : '',
      type !== 'counter' && isTotal ? 'is no counter and ends with _total' : '',
      /_(bucket|sum|count)$/.test(name) ? 'ends like a part of a histogram' : '',
      typeWords.test(name) ? 'has its type in its name' : '',
      new RegExp(`_(${units})(_|$)`).test(name) ? 'is not in base units' : '',
      /^[a-z][a-z0-9_]*$/.test(name) ? '' : 'is not in snake_case',
    ].flatMap((fault) => (fault === '' ? [] : [`${name} ${fault}`]));
  });
}

/** PromQL's own words, and labels, which are no metrics. */
const metricPattern = /\b(?:holdfast|nodejs|process)_[a-z0-9_]+|\bup\b/g;

/** The metrics that an expression names. */
export function metricsIn(expression: string): string[] {
  return expression.match(metricPattern) ?? [];
}
