// Tests what the address of an entity's page chooses: the moment of knowledge and the period, in the days of the workspace.

import { describe, expect, test } from 'vitest';
import type { Page } from '../signed-in-page.ts';
import { readEntityView, type EntityView } from './entity-view.ts';

/** Half past eleven in the morning in Zurich. */
const now = Date.parse('2026-11-15T10:30:00Z');

function viewOf(query: string, { at = now, timeZone = 'Europe/Zurich' } = {}): EntityView {
  const page = { query: new URLSearchParams(query), now: at, timeZone } as Page;
  return readEntityView(page, 'e', () => Promise.resolve({ id: 'e', name: 'All', clientId: 'c' }));
}

describe('the moment of knowledge', () => {
  test.each([
    ['', undefined],
    ['known_at=', undefined],
    // A day means its end, in summer and in winter.
    ['known_at=2026-11-14', '2026-11-14T22:59:59.999Z'],
    ['known_at=%202026-07-01%20', '2026-07-01T21:59:59.999Z'],
    // What is known at the end of today, or later, is what is known now.
    ['known_at=2026-11-15', undefined],
    ['known_at=2026-11-16', undefined],
    // A moment is that moment; the API says what is wrong with anything else.
    ['known_at=2026-11-15T10:00:00Z', '2026-11-15T10:00:00Z'],
    ['known_at=2026-02-30', '2026-02-30'],
    ['known_at=yesterday', 'yesterday'],
  ])('of "%s" is %s', (query, moment) => {
    const { knownAt, entityQuery } = viewOf(query);
    expect([knownAt, entityQuery]).toEqual([moment, { reporting_entity_id: 'e', known_at: moment }]);
  });

  test('is now until the last millisecond of a day has passed', () => {
    const end = Date.parse('2026-11-14T22:59:59.999Z');
    const moments = [end, end + 1].map((at) => viewOf('known_at=2026-11-14', { at }).knownAt);
    expect(moments).toEqual([undefined, '2026-11-14T22:59:59.999Z']);
  });
});

describe('the period', () => {
  test.each([
    // The first day of the year is found by the API, which knows the last day with data.
    ['', { name: 'year' }],
    ['period=year&as_of=2026-02-28', { name: 'year', end: '2026-02-28' }],
    ['period=2y', { name: 'year' }],
    ['period=all', { name: 'all', start: '1900-01-01' }],
    ['period=all&as_of=2026-02-28', { name: 'all', start: '1900-01-01', end: '2026-02-28' }],
    // A month, a year and three years that end with the day; today without one.
    ['period=1m', { name: '1m', start: '2026-10-16' }],
    ['period=1m&as_of=2026-02-28', { name: '1m', start: '2026-01-29', end: '2026-02-28' }],
    ['period=1m&as_of=2026-03-31', { name: '1m', start: '2026-03-01', end: '2026-03-31' }],
    ['period=1y&as_of=2026-02-28', { name: '1y', start: '2025-03-01', end: '2026-02-28' }],
    ['period=3y&as_of=2026-12-31', { name: '3y', start: '2024-01-01', end: '2026-12-31' }],
    // Own dates win over the name of a period, and what is no day goes to the API as it is.
    ['period=1y&start=2026-01-05', { name: 'own', start: '2026-01-05' }],
    ['start=2026-01-05&as_of=2026-01-31', { name: 'own', start: '2026-01-05', end: '2026-01-31' }],
    ['period=1y&as_of=soon', { name: 'year', end: 'soon' }],
  ])('of "%s"', (query, period) => {
    expect(viewOf(query).period).toEqual(period);
  });

  test('ends with today in the workspace', () => {
    const at = Date.parse('2026-11-15T23:30:00Z');
    const starts = ['Europe/Zurich', 'America/New_York'].map(
      (timeZone) => viewOf('period=1m', { at, timeZone }).period.start,
    );
    expect(starts).toEqual(['2026-10-17', '2026-10-16']);
  });
});
