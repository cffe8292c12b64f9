// Creates the investment limits of the demo families.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { limitRules } from '../limits/limit.ts';
import type { Work } from '../core/work.ts';
import { createAndGetId } from './demo-catalogue.ts';
import type { ListedName } from './demo-market.ts';

function inClass(name: string): object {
  return { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: [name] };
}

interface FamilyToLimit {
  readonly client: Id;
  readonly consolidated: Id;
  readonly son: Id;
  readonly instruments: ReadonlyMap<ListedName, Id>;
}

/** All are met except that on one share, which has grown beyond it. */
export async function createFamilyLimits(work: Work, family: FamilyToLimit): Promise<void> {
  const { client, consolidated, son, instruments } = family;
  const limits = [
    { name: 'Equities', maxPct: '0.6', filter: inClass('Equities') },
    { name: 'Private markets', maxPct: '0.1', filter: inClass('Private markets') },
    { name: 'Liquidity', minPct: '0.05', filter: inClass('Cash') },
    {
      name: 'Companies of the family',
      maxPct: '0.1',
      filter: { kind: 'condition', field: 'tags', operator: 'contains', value: ['family-connection'] },
    },
    {
      name: 'Cascade Software',
      maxPct: '0.15',
      filter: {
        kind: 'condition',
        field: 'instrument.id',
        operator: 'equals',
        value: [defined(instruments.get('software'), 'the demo has this instrument')],
      },
    },
  ];
  for (const limit of limits) {
    const scope = { client, reportingEntity: consolidated };
    await createAndGetId(work, limitRules, { ...scope, kind: 'proportional', ...limit });
  }
  await createAndGetId(work, limitRules, {
    client,
    reportingEntity: son,
    kind: 'absolute',
    name: 'Reserve of Erik Lindqvist',
    minAmount: '200000',
    maxAmount: '2500000',
    filter: inClass('Cash'),
  });
}

/** For all reporting entities of the client: met by what is known, and not evaluable where nothing is held or a rate is missing. */
export async function createTakeoverLimit(work: Work, client: Id): Promise<void> {
  const fields = { client, kind: 'proportional', name: 'Equities', maxPct: '0.6', filter: inClass('Equities') };
  await createAndGetId(work, limitRules, fields);
}
