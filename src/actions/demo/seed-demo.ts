// Creates the demo in one transaction: catalogue, prices and rates, a family with ten years of transactions, a client whose data is
// still being taken over, limits and people. It is the same on every deployment, with the same ids except those of people.

import { IdSource, type Id } from '../../kit/id.ts';
import type { Work } from '../core/work.ts';
import { SeededRandom } from './seeded-random.ts';
import { createCatalogue, listClassIds, putDemoRates } from './demo-catalogue.ts';
import { createPeople } from './demo-people.ts';
import { seedFamily } from './seed-family.ts';
import { seedTakeover } from './seed-takeover.ts';

/** Ids from a fixed seed and a fixed time, so that they are the same everywhere. */
export function demoIds(): IdSource {
  const random = new SeededRandom(1);
  return new IdSource({ now: () => Date.UTC(2016, 0, 4, 8) }, (length) => random.bytes(length));
}

/** Returns the id of the reporting entity that covers the whole family. */
export async function seedDemoData(work: Work): Promise<Id> {
  const classes = await listClassIds(work);
  const catalogue = { classes, instruments: await createCatalogue(work, classes) };
  await putDemoRates(work);
  const family = await seedFamily(work, catalogue);
  const takeover = await seedTakeover(work, catalogue);
  await createPeople(work, family, takeover);
  return family.consolidated;
}
