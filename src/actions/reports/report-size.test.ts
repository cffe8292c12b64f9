// Report sizes: ten years of two thousand segments are allowed, two hundred years of them are refused.

import { expect, test } from 'vitest';
import { checkExplainedSize, checkReportSize, explainedPointsMax, reportPointsMax } from './report-size.ts';

test('a report has at most ten million points', () => {
  expect(checkReportSize({ days: 3_650, segments: 2_000 })).toBe(7_300_000);
  expect(() => checkReportSize({ days: 1, segments: reportPointsMax })).not.toThrow();
  expect(() => checkReportSize({ days: 73_050, segments: 2_000 })).toThrow(
    expect.objectContaining({
      code: 'report-too-large',
      message:
        'The report would have 73,050 days × 2,000 segments, more than the limit of 10,000,000 points. Choose a shorter window or fewer axes.',
    }),
  );
});

test('explanations cover at most a million points, and say what to ask for instead', () => {
  expect(() => checkExplainedSize({ days: 1, segments: explainedPointsMax })).not.toThrow();
  expect(() => checkExplainedSize({ days: 3_653, segments: 1_030 })).toThrow(
    expect.objectContaining({
      code: 'report-too-large',
      message:
        'The explanations would cover 3,653 days × 1,030 segments, more than the limit of 1,000,000 points. Choose a shorter window or fewer axes, or ask for the explanation of one figure.',
    }),
  );
});
