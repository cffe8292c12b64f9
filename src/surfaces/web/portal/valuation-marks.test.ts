// Tests what a value says about itself on the pages of the portal, and what the legend says about the marks.

import { expect, test } from 'vitest';
import { html } from '../../../kit/html.ts';
import { marksHtml, marksLegend } from '../parts/marks.ts';
import type { EntityView } from './entity-view.ts';
import { valuationMarks } from './valuation-marks.ts';

const view = {
  page: { formats: { dateShort: (date: string) => date }, reader: { language: 'en' } },
} as unknown as EntityView;

const [old, estimated, oldRate] = [
  { kind: 'old', text: 'Old value, of 2026-01-05' },
  { kind: 'estimated', text: 'Estimated, from 2026-01-05' },
  { kind: 'old', text: 'Old exchange rate, of 2026-02-06' },
] as const;

test.each([
  [{ stale: false, estimated: false }, []],
  [{ stale: true, estimated: false }, [old]],
  [{ stale: false, estimated: true }, [estimated]],
  [{ stale: false, estimated: false, stale_rate_date: '2026-02-06' }, [oldRate]],
  [{ stale: true, estimated: false, stale_rate_date: '2026-02-06' }, [old, oldRate]],
  [{ stale: false, estimated: true, stale_rate_date: '2026-02-06' }, [estimated, oldRate]],
])('a value with %o has the marks %o', (valuation, marks) => {
  expect(valuationMarks(view, { date: '2026-01-05', ...valuation })).toEqual(marks);
});

test('an estimate without a day says no day', () => {
  const marks = valuationMarks(view, { date: null, stale: false, estimated: true });
  expect(marks).toEqual([{ kind: 'estimated', text: 'Estimated' }]);
});

test('the legend explains the marks that the page has, each once', () => {
  const reader = { language: 'en', locale: 'en-GB' } as const;
  expect(marksLegend(html`<p>No mark</p>`, reader).text).toBe('');
  const { text } = marksLegend(html`${marksHtml([old, oldRate])}`, reader);
  expect(text.match(/class="mark \w+"/g)).toEqual(['class="mark old"']);
});
