// Declares what a transaction is to each position that it touches: a flow measured in cash or in units. The flow of a set is the
// sum of its positions' flows, because both legs of a pair are the same figure with opposite signs.

import { traitsOfKind, type AmountSides } from '../../model/ledger/kind-traits.ts';
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

interface AmountSource {
  readonly kind: TransactionKind;
  readonly instrument: unknown;
}

export function amountSides({ kind, instrument }: AmountSource): AmountSides {
  const { sides } = traitsOfKind(kind);
  return instrument === null ? sides.ofCash : sides.ofInstrument;
}
