// FIFO lots with the engine's quick pass over the generated columns.

import { untilFirstAnniversary } from '../../../src/engine/lots/realisation.ts';
import type { Stake } from '../../../src/engine/lots/lot.ts';
import { quickLots, type QuickLedger, type QuickLots } from '../../../src/engine/quick/quick-lots.ts';
import { places, type GeneratedLedger } from '../ledger/generated-ledger.ts';

export type CostCurrencies = 'trade' | 'trade and reference';

export function quickLedgerOf(ledger: GeneratedLedger, wanted: CostCurrencies): QuickLedger {
  const cost = { values: ledger.amounts, scale: places.amount };
  const referenceCost = wanted === 'trade' ? cost : { values: ledger.referenceAmounts, scale: places.amount };
  const quantity = { values: ledger.quantities, scale: places.quantity };
  return { positions: ledger.rowPositions, days: ledger.days, quantity, cost, referenceCost };
}

export interface OurLots {
  readonly lots: readonly (QuickLots | undefined)[];
  /** By position. */
  readonly totals: readonly Stake[];
}

export function ourLots(ledger: QuickLedger, positionCount: number): OurLots {
  const lots = quickLots(ledger, { rules: { method: 'FIFO', longAfter: untilFirstAnniversary }, positionCount });
  const totals = lots.map((one, position) => {
    if (one === undefined) throw new Error(`Position ${position} is left to the lot book.`);
    return one.total;
  });
  return { lots, totals };
}
