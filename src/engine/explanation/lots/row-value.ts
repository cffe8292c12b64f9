// Explains what a row's units cost or brought: units × price, with fees and taxes.

import { tradesUnits } from '../../../model/ledger/kind-traits.ts';
import { magnitude, multiplyDivide, oneFixed, type Fixed } from '../../../kit/fixed.ts';
import type { History } from '../../history/history.ts';
import { priceUnitOf } from '../../valuation/quoted-base-value.ts';
import type { LedgerTransaction } from '../../ledger/transaction.ts';
import { unitsPerPrice, type QuoteUnit } from '../../instruments/quote.ts';
import { amountFigure, formula, halfEven, type Facets, type Figure } from '../figure.ts';

export interface PricedRow {
  readonly price: Fixed;
  readonly priceUnit: QuoteUnit;
  /** Units × price. */
  readonly gross: Fixed;
  /** Fees and taxes; negative if the row states less than its units × price. */
  readonly fees: Fixed;
}

/** Undefined for rows without a price, and for units whose price an index adjusts. */
export function pricedRow(history: History, position: number, row: LedgerTransaction): PricedRow | undefined {
  const { quantity, price, value, kind } = row;
  if (price === null || quantity === 0n || !tradesUnits(kind)) return undefined;
  const instrument = history.instrument(position);
  if ('index' in instrument.terms && instrument.terms.index !== undefined) return undefined;
  const priceUnit = priceUnitOf(instrument);
  const units = magnitude(quantity);
  const gross = multiplyDivide(units, price, unitsPerPrice[priceUnit] * oneFixed);
  return { price, priceUnit, gross, fees: quantity < 0n ? gross - value : value - gross };
}

/** How the value of a row that trades units came about. */
export function rowValueFacets(history: History, position: number, row: LedgerTransaction): Facets {
  const priced = pricedRow(history, position, row);
  if (priced === undefined) return {};
  const { currency: unit } = history.instrument(position);
  const { quantity, day, row: number } = row;
  const facets = { day, source: { kind: 'row', row: number } } as const;
  const units = amountFigure('traded-units', magnitude(quantity), { unit: 'units', ...facets });
  const price = amountFigure('traded-price', priced.price, { unit, ...facets });
  const product = priced.priceUnit !== '1' ? formula`${units} × ${price} ÷ 100` : formula`${units} × ${price}`;
  if (priced.fees === 0n) return { ...product, rounding: halfEven };
  const fees: Figure = amountFigure('fees-and-taxes', priced.fees, { unit, ...facets });
  const whole = quantity < 0n ? formula`${product} − ${fees}` : formula`${product} + ${fees}`;
  return { ...whole, rounding: halfEven };
}
