// Tests what a value says about itself on the pages of the portal.

import { expect, test } from 'vitest';
import type { EntityView } from './entity-view.ts';
import { noteOf } from './value-parts.ts';

const view = {
  page: { formats: { dateShort: (date: string) => date }, reader: { language: 'en' } },
} as unknown as EntityView;

test.each([
  [{ stale: false, estimated: false }, undefined],
  [{ stale: true, estimated: false }, 'Old value, of 2026-01-05'],
  [{ stale: false, estimated: true }, 'Estimated, from 2026-01-05'],
  [{ stale: false, estimated: false, stale_rate_date: '2026-02-06' }, 'Old exchange rate, of 2026-02-06'],
  [
    { stale: true, estimated: false, stale_rate_date: '2026-02-06' },
    'Old value, of 2026-01-05; Old exchange rate, of 2026-02-06',
  ],
  [
    { stale: false, estimated: true, stale_rate_date: '2026-02-06' },
    'Estimated, from 2026-01-05; Old exchange rate, of 2026-02-06',
  ],
])('a value with %o says: %s', (valuation, note) => {
  expect(noteOf(view, { date: '2026-01-05', ...valuation }).note).toBe(note);
});
