// Creates the demo in one transaction: catalogue, prices and rates, a family with ten years of transactions, a client whose data is
// still being taken over, limits, people, and what the office has for itself. It is the same on every deployment, with the same ids except those of people.

import { IdSource, type Id } from '../../kit/id.ts';
import type { Work } from '../core/work.ts';
import { SeededRandom } from './seeded-random.ts';
import { createCatalogue, listClassIds, putDemoRates } from './demo-catalogue.ts';
import { createOffice } from './demo-office.ts';
import { createPeople } from './demo-people.ts';
import { seedFamily } from './seed-family.ts';
import { seedTakeover } from './seed-takeover.ts';
import { importStatement } from './takeover-statement.ts';

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
  const adviser = await createPeople(work, family, takeover);
  // Last, so that what is added here leaves the ids above as they are.
  await createOffice(work, takeover, adviser);
  await importStatement(work, takeover);
  return family.consolidated;
}
