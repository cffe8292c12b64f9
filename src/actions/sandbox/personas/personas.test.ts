// What personas make up: no account is ever overdrawn, and the past does not depend on how far one looks.

import { describe, expect, test } from 'vitest';
import { parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { personaKeys, sandboxCurrencies } from '../../../model/sandbox/persona.ts';
import { listedKeys, priceOn, sandboxIsin } from '../market/sandbox-market.ts';
import { isIsin } from '../../../model/instrument/security-code.ts';
import { PersonaBook } from './persona-book.ts';
import { nextWeekday } from './persona.ts';
import { liveUntil, personaPlans } from './personas.ts';

const start = toDayNumber(parseCalendarDate('2016-02-27'));
const tenYears = 3_652;
const seeds = [0, 1, 77, 2_147_483_647];

describe.each(personaKeys)('%s', (persona) => {
  test.each(sandboxCurrencies.map((home, index) => [home, seeds[index] ?? 0] as const))(
    'never overdraws an account in ten years of %s with seed %i',
    (home, seed) => {
      const plan = personaPlans[persona];
      const { accounts } = plan.structure(home);
      const book = new PersonaBook(accounts);
      const opening = nextWeekday(start);
      const overdrawn = new Set<string>();
      for (let day = opening; day <= start + tenYears; day++) {
        plan.live(book, day, { home, seed, opening });
        for (const { key } of accounts) if (book.cashOf(key) < 0) overdrawn.add(key);
      }
      expect([...overdrawn]).toEqual([]);
      expect(book.rows.length).toBeGreaterThan(200);
    },
  );

  test('has lived the same days, whenever one looks', async () => {
    const terms = { persona, home: 'EUR', seed: 3, start } as const;
    const [early, late] = [await liveUntil(terms, start + 400), await liveUntil(terms, start + 800)];
    expect(late.rows.slice(0, early.rows.length)).toEqual(early.rows);
    expect(late.points.slice(0, early.points.length)).toEqual(early.points);
    expect(late.instruments.slice(0, early.instruments.length)).toEqual(early.instruments);
    expect(late.rows.length).toBeGreaterThan(early.rows.length);
  });
});

test('every instrument of the market has an ISIN of no country, and prices that stay plausible for decades', () => {
  const isins = listedKeys.map(sandboxIsin);
  expect(new Set(isins).size).toBe(listedKeys.length);
  expect(isins.every((isin) => isIsin(isin) && isin.startsWith('XX'))).toBe(true);
  for (const key of listedKeys)
    for (let years = 0; years < 40; years++) {
      const price = priceOn(key, start + 365 * years);
      expect(price).toBeGreaterThan(100);
      expect(price).toBeLessThan(100_000_000);
    }
});
