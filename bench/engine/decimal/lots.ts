// FIFO lots in the obvious way with objects and decimal.js: exact to 18 places, rounding half to even.

import { Decimal } from './configured-decimal.ts';

export interface DecimalTrade {
  readonly position: string;
  readonly day: number;
  /** Negative for sold units. */
  readonly quantity: Decimal;
  /** The cost of the units in each currency; for a sell, the proceeds. */
  readonly amount: Decimal;
  readonly referenceAmount?: Decimal;
}

interface DecimalLot {
  readonly day: number;
  quantity: Decimal;
  cost: Decimal;
  referenceCost?: Decimal;
}

export interface DecimalTotal {
  readonly quantity: Decimal;
  readonly cost: Decimal;
  readonly referenceCost?: Decimal;
}

const zero = new Decimal(0);

export class DecimalPosition {
  readonly #lots: DecimalLot[] = [];
  #first = 0;

  apply(trade: DecimalTrade): void {
    if (trade.quantity.isPositive()) this.#buy(trade);
    else this.#sell(trade.quantity.negated());
  }

  total(): DecimalTotal {
    let quantity = zero;
    let cost = zero;
    let referenceCost: Decimal | undefined;
    for (const lot of this.#lots.slice(this.#first)) {
      quantity = quantity.plus(lot.quantity);
      cost = cost.plus(lot.cost);
      if (lot.referenceCost !== undefined) referenceCost = lot.referenceCost.plus(referenceCost ?? zero);
    }
    return referenceCost === undefined ? { quantity, cost } : { quantity, cost, referenceCost };
  }

  #buy({ day, quantity, amount, referenceAmount }: DecimalTrade): void {
    const lot = { day, quantity, cost: amount };
    this.#lots.push(referenceAmount === undefined ? lot : { ...lot, referenceCost: referenceAmount });
  }

  #sell(quantity: Decimal): void {
    let wanted = quantity;
    while (wanted.greaterThan(zero)) {
      const lot = this.#lots[this.#first];
      if (lot === undefined) throw new Error('The sale exceeds the holding.');
      if (wanted.greaterThanOrEqualTo(lot.quantity)) {
        wanted = wanted.minus(lot.quantity);
        this.#first++;
      } else {
        lot.cost = lot.cost.minus(shareOf(lot.cost, wanted, lot.quantity));
        if (lot.referenceCost !== undefined)
          lot.referenceCost = lot.referenceCost.minus(shareOf(lot.referenceCost, wanted, lot.quantity));
        lot.quantity = lot.quantity.minus(wanted);
        wanted = zero;
      }
    }
  }
}

function shareOf(cost: Decimal, wanted: Decimal, held: Decimal): Decimal {
  return cost.times(wanted).div(held).toDecimalPlaces(18);
}

export function decimalLots(trades: readonly DecimalTrade[]): Map<string, DecimalPosition> {
  const positions = new Map<string, DecimalPosition>();
  for (const trade of trades) {
    let position = positions.get(trade.position);
    if (position === undefined) {
      position = new DecimalPosition();
      positions.set(trade.position, position);
    }
    position.apply(trade);
  }
  return positions;
}
