// How much a custodian's statement may differ from the ledger before it is a break: a setting of the client, with its defaults.

import { parseDecimal, zeroDecimal } from '../../kit/decimal.ts';
import { decimalWithin, integer, type ValueOf } from '../../kit/field.ts';
import { objectOf } from '../../kit/structured-field.ts';

const notNegative = { min: '0', max: '1000000000' } as const;

export const reconciliationSettingsKind = objectOf({
  unitsTolerance: {
    kind: decimalWithin(notNegative, 'must be a decimal from 0 to 1,000,000,000'),
    description: 'How many units may differ; 0 by default.',
    optional: true,
  },
  cashTolerance: {
    kind: decimalWithin(notNegative, 'must be a decimal from 0 to 1,000,000,000'),
    description: 'By how many minor units of its currency (cents) a balance may differ; 1 by default.',
    optional: true,
  },
  priceTolerance: {
    kind: decimalWithin({ min: '0', max: '10' }, 'must be a decimal fraction from 0 to 10: 1 % is 0.01'),
    description: 'By which part of itself a price may differ; 0.01 by default.',
    optional: true,
  },
  settlementDays: {
    kind: integer({ min: 0, max: 60 }),
    description:
      'Within how many calendar days a transaction without a settlement date settles, and how much earlier than the ledger a custodian may book; 5 by default.',
    optional: true,
  },
});

export type ReconciliationSettings = ValueOf<typeof reconciliationSettingsKind>;

const defaults = {
  unitsTolerance: zeroDecimal,
  cashTolerance: parseDecimal('1'),
  priceTolerance: parseDecimal('0.01'),
  settlementDays: 5,
};

type Whole = { readonly [N in keyof typeof defaults]: (typeof defaults)[N] };

/** The settings with every member; later ones go before earlier ones, and what none states is the default. */
export function wholeSettings(...settings: readonly (ReconciliationSettings | null | undefined)[]): Whole {
  return settings.reduce<Whole>((before, one) => (one == null ? before : withStated(before, one)), defaults);
}

/** Member by member: it is done for every client that is shown. */
function withStated(before: Whole, stated: ReconciliationSettings): Whole {
  return {
    unitsTolerance: stated.unitsTolerance ?? before.unitsTolerance,
    cashTolerance: stated.cashTolerance ?? before.cashTolerance,
    priceTolerance: stated.priceTolerance ?? before.priceTolerance,
    settlementDays: stated.settlementDays ?? before.settlementDays,
  };
}
