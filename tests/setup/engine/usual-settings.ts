// The settings of a client in euros who has chosen none.

import type { Settings } from '../../../src/engine/history/facts.ts';
import { oneYearHoldingPeriod } from '../../../src/engine/lots/realisation.ts';
import { defaultStaleness } from '../../../src/engine/valuation/valuation.ts';
import { oneFixed } from '../../../src/kit/fixed.ts';

export const usualSettings: Settings = {
  referenceCurrency: 'EUR',
  method: 'FIFO',
  longAfter: oneYearHoldingPeriod,
  staleness: defaultStaleness,
  valueChangeBound: oneFixed / 2n,
  advisoryCategories: new Set(['advisory']),
};
