// FIFO lots with the engine's quick pass over the generated columns.

import { oneYearHoldingPeriod } from '../../../src/engine/lots/realisation.ts';
import type { QuantityAndCost } from '../../../src/engine/lots/lot.ts';
import type { TradeColumns } from '../../../src/engine/quick/lot-pass-state.ts';
import { quickLots, type QuickLots } from '../../../src/engine/quick/quick-lots.ts';
import { places, type GeneratedLedger } from '../ledger/generated-ledger.ts';

export type CostCurrencies = 'trade' | 'trade and reference';

export function quickLedgerOf(ledger: GeneratedLedger, wanted: CostCurrencies): TradeColumns {
  const cost = { values: ledger.amounts, scale: places.amount };
  const referenceCost = wanted === 'trade' ? cost : { values: ledger.referenceAmounts, scale: places.amount };
  const quantity = { values: ledger.quantities, scale: places.quantity };
  return { positions: ledger.rowPositions, days: ledger.days, quantity, cost, referenceCost };
}

export interface HoldfastLots {
  readonly lots: readonly (QuickLots | undefined)[];
  /** By position. */
  readonly totals: readonly QuantityAndCost[];
}

export function holdfastLots(ledger: TradeColumns, positionCount: number): HoldfastLots {
  const lots = quickLots(ledger, { rules: { method: 'FIFO', longAfter: oneYearHoldingPeriod }, positionCount });
  const totals = lots.map((one, position) => {
    if (one === undefined)
      throw new Error(`Position ${position} needs the full lot book, so the quick pass cannot compute it.`);
    return one.total;
  });
  return { lots, totals };
}
