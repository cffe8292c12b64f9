// The reports of a run: what failed stands first, whatever a service has answered, and nothing in it is taken for markup.

import { expect, test } from 'vitest';
import { toHtml, toJUnit } from './reports.ts';

const common = { figures: {}, durationMs: 1_500 };
const report = {
  url: 'https://holdfast.example',
  startedAt: '2026-11-18T00:00:00.000Z',
  passed: 1,
  failed: 1,
  skipped: 1,
  requests: 7,
  results: [
    { ...common, area: 'tokens', title: 'a token is issued', outcome: 'passed' },
    { ...common, area: 'v1', title: 'GET /v1/clients', outcome: 'failed', reason: 'got <b>"500"</b>\u0000' },
    { ...common, area: 'v1', title: 'GET /v1/feeds', outcome: 'skipped', reason: 'nothing to try' },
  ],
} as const;

test('the page has what failed before everything else', () => {
  const page = toHtml(report);
  expect(page.indexOf('v1: GET /v1/clients')).toBeGreaterThan(0);
  expect(page.indexOf('v1: GET /v1/clients')).toBeLessThan(page.indexOf('<h2>tokens</h2>'));
  expect(page).toContain('got &lt;b&gt;&quot;500&quot;&lt;/b&gt;?');
  expect(page).toContain('0 of 2 passed');
  expect(toHtml({ ...report, results: report.results.slice(0, 1) })).not.toContain('What failed');
});

test('JUnit has each check with its outcome', () => {
  expect(toJUnit(report)).toContain('tests="3" failures="1" skipped="1" time="4.500"');
  expect(toJUnit(report)).toContain('<failure message="got &lt;b&gt;&quot;500&quot;&lt;/b&gt;?"/>');
});
