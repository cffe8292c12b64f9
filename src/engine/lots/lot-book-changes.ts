// Declares what the lot books need from their surroundings, and what a transaction changes in them.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { CurrencyContext } from '../currencies/reference-money.ts';
import type { Leg } from '../ledger/leg.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import type { PositionTable } from '../ledger/position-table.ts';
import type { CostGap } from './cost-gap.ts';
import type { LotRules } from './lot-book.ts';
import type { LotObserver } from './lot-observer.ts';
import type { LotFinding, QuantityAndCost, Realisation } from './lot.ts';

/** Units of a position on a day. */
export interface UnitsOnDay {
  readonly position: number;
  readonly quantity: Fixed;
  readonly day: Day;
}

export interface UnitWorth extends Omit<QuantityAndCost, 'quantity'> {
  /** Present if a rate is missing. */
  readonly gap?: CostGap;
  /** True if nothing says what a unit is worth: then both are zero. */
  readonly isUnknown?: boolean;
}

export interface LotBookContext {
  readonly table: PositionTable;
  /** Positions with the same method have the same rules. */
  rulesOf(position: number): LotRules;
  currencyContext(position: number): CurrencyContext;
  /** Whether a row must find all lots that it names. If it does not, it changes nothing, and what is missing is a finding. */
  mustFindLots?(row: number): boolean;
  /** The units' value in both currencies, without accrued interest. */
  unitWorth(units: UnitsOnDay): UnitWorth;
  /** Hears what happens to the lots of a position. */
  observe?(position: number): LotObserver;
}

export interface PositionRealisation extends Realisation {
  readonly position: number;
}

export type PositionFinding = LotFinding & { readonly position: number; readonly row: number; readonly day: Day };

export interface LotBookChanges {
  readonly realised: readonly PositionRealisation[];
  readonly findings: readonly PositionFinding[];
  /** Units and money that came from or went to another position or the outside, beyond the amount of the row. */
  readonly legs: readonly Leg[];
  /** Positions whose units or cost may have changed. */
  readonly changedPositions: readonly number[];
}

/** While a row is applied. */
export interface LotBookChangesDraft {
  readonly transaction: LedgerTransaction;
  readonly realised: PositionRealisation[];
  readonly findings: PositionFinding[];
  readonly legs: Leg[];
  readonly changedPositions: Set<number>;
}
