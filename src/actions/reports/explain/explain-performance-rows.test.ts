import { expect, test } from 'vitest';
import { explainPerformance } from './explain-performance-rows.ts';

test('explanations of more than a million points are refused before any is computed', async () => {
  const report = { window: { start: 10, end: 3_662 }, segments: Array.from({ length: 554 }), benchmark: null };
  await expect(explainPerformance({} as never, report as never, 'net')).rejects.toMatchObject({
    code: 'report-too-large',
    message: expect.stringContaining('3,653 days × 554 segments'),
  });
});
