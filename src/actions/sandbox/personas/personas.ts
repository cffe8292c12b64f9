// The personas by their keys, and the life of one of their clients up to a day.

import type { Day } from '../../../kit/day.ts';
import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import type { PersonaKey, SandboxCurrency } from '../../../model/sandbox/persona.ts';
import { foundation } from './foundation.ts';
import { hedgeFund } from './hedge-fund.ts';
import { PersonaBook } from './persona-book.ts';
import { nextWeekday, type Life, type Persona } from './persona.ts';
import { privateTrust } from './private-trust.ts';
import { youngCouple } from './young-couple.ts';

export const personaPlans: Readonly<Record<PersonaKey, Persona>> = {
  'young-couple': youngCouple,
  'private-trust': privateTrust,
  foundation,
  'hedge-fund': hedgeFund,
};

export interface LifeTerms {
  readonly persona: PersonaKey;
  readonly home: SandboxCurrency;
  readonly seed: number;
  readonly start: Day;
}

/** Lives through every day from the first to `until`. What it books for a day does not depend on the days after it. */
export async function liveUntil({ persona, home, seed, start }: LifeTerms, until: Day): Promise<PersonaBook> {
  const plan = personaPlans[persona];
  const book = new PersonaBook(plan.structure(home).accounts);
  const life: Life = { home, seed, opening: nextWeekday(start) };
  for (let day = life.opening; day <= until; day++) {
    plan.live(book, day, life);
    await yieldWhenBusy();
  }
  return book;
}
