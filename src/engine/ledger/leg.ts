// Declares what a transaction is to each position that it touches: a flow measured in cash or in units. The flow of a set is the
// sum of its positions' flows, because both legs of a pair are the same figure with opposite signs.

import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { TransactionKind } from './transaction.ts';

export type Leg = CashLeg | UnitLeg;

/** Worth an amount, at the day's rate. */
interface CashLeg {
  readonly measure: 'cash';
  readonly position: number;
  readonly amount: Fixed;
  readonly currency: IsoCurrency;
  /** A fee that was owed has been paid: affects cash and the debt only. */
  readonly settles?: 'fees-owed';
  /** Of what an action paid several positions: the position on the other side. */
  readonly other?: number;
}

/** Worth as much as that many units of a position at the end of the day. */
export interface UnitLeg {
  readonly measure: 'units';
  readonly position: number;
  readonly quantity: Fixed;
  readonly valuedPosition: number;
  /** Of units that moved between own places: the position that they left. */
  readonly movedFrom?: number;
}

/**
 * Whose flow a row's amount is. `both`: cash came in and the instrument gave it up, or the reverse. `cash`: it came from outside
 * or from another account. `none`: the cash itself earned or bore it, which is return, not flow.
 */
type AmountSides = 'both' | 'cash' | 'none';

interface AmountSource {
  readonly kind: TransactionKind;
  readonly instrument: unknown;
}

export function amountSides({ kind, instrument }: AmountSource): AmountSides {
  switch (kind) {
    case 'interest':
    case 'dividend':
    case 'coupon':
    case 'fee':
      return instrument === null ? 'none' : 'both';
    case 'flow':
    case 'fx':
      return 'cash';
    default:
      return instrument === null ? 'cash' : 'both';
  }
}
