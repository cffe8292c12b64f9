// Explains the units and amounts that findings name: what was stated, what was held, and the difference.

import type { Day } from '../../kit/day.ts';
import { fixedText, magnitude, type Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { AccruedInterestFinding } from '../findings/accrued-interest-checks.ts';
import type { PrincipalFinding } from '../findings/loan-findings.ts';
import type { ValueChangeFinding } from '../findings/value-changes.ts';
import type { History } from '../history/history.ts';
import type { UploadFinding } from '../history/unit-replay.ts';
import { findSyntheticInstrument, type PositionKey } from '../ledger/position-key.ts';
import type { PositionFinding } from '../lots/lot-book-changes.ts';
import { explainAccrual } from './accrual.ts';
import { amountFigure, formula, joinOperands, positionSource, sumOperands, type Figure } from './figure.ts';
import { valueSources } from './position-sources.ts';
import { explainUnits } from './units.ts';
import { explainPart } from './value-part.ts';
import type { ValuePart } from '../valuation/valuation.ts';

/** The units that a row sold without holding them, or that its named lots did not have. */
export function explainRowUnits(history: History, finding: PositionFinding): Figure {
  const { kind, position, row: number, day, quantity } = finding;
  const facets = { unit: 'units', day, source: { kind: 'row', row: number } } as const;
  if (kind !== 'short-opened') return amountFigure('units-concerned', quantity, facets);
  const { rows, byPosition } = history;
  const row = byPosition.rowsOf(position).find((one) => rows.numbers[one] === number);
  if (row === undefined) return amountFigure('units-beyond-holding', quantity, facets);
  const taken = magnitude(rows.transaction(row).quantity);
  const difference = formula`${amountFigure('units-that-left', taken, facets)} − ${amountFigure('units-held', taken - quantity, { unit: 'units', day })}`;
  return amountFigure('units-beyond-holding', quantity, { ...facets, ...difference });
}

/** What an upload states, less what rows and earlier uploads had come to. */
export function explainImpliedFlow(history: History, { position, day, quantity }: UploadFinding): Figure {
  const isMoney = findSyntheticInstrument(history.key(position).instrument) !== undefined;
  const unit = isMoney ? history.instrument(position).currency : 'units';
  const stated = history.units(position).valueOn(day);
  const upload = amountFigure('uploaded-units', stated, { unit, day, source: { kind: 'upload', day } });
  const difference = formula`${upload} − ${amountFigure('units-before-upload', stated - quantity, { unit, day })}`;
  return amountFigure('implied-flow', quantity, {
    unit,
    day,
    source: positionSource(history.key(position)),
    ...difference,
  });
}

/** What is held of an instrument in several places. */
export function explainUnitsInPlaces(
  history: History,
  { positions, quantity }: { readonly positions: readonly number[]; readonly quantity: Fixed },
  day: Day,
): Figure {
  const held = positions.map((position) => explainUnits(history, position, day));
  return amountFigure('units', quantity, { unit: 'units', day, ...sumOperands(held) });
}

/** What is held of a loan beyond its principal. */
export function explainPrincipalExcess(history: History, finding: PrincipalFinding, day: Day): Figure {
  const { position, quantity, excess } = finding;
  const { currency: unit } = history.instrument(position);
  const held = explainUnitsInPlaces(history, finding, day);
  const source = positionSource({ ...history.key(position), account: null, depository: null });
  const principal = amountFigure('principal', magnitude(quantity) - excess, { unit, source: { kind: 'terms' } });
  const difference = quantity < 0n ? formula`0 − ${held} − ${principal}` : formula`${held} − ${principal}`;
  return amountFigure('more-than-principal', excess, { unit, day, source, ...difference });
}

/** The value at the end of the day, less that of the day before, what trades paid, and what came in kind. */
export function explainValueChange(history: History, finding: ValueChangeFinding): Figure {
  const { position, day, change, currency: unit, before, after, inKind, trades } = finding;
  const source = positionSource(history.key(position));
  const clean = (value: Fixed, on: Day): Figure =>
    amountFigure('value-without-interest', value, { unit, day: on, source });
  const paid = trades.map((trade) =>
    amountFigure('paid-by-trade', trade.paid, { unit, day, source: { kind: 'row', row: trade.row } }),
  );
  const kind = inKind === 0n ? [] : [amountFigure('moved-in-kind', inKind, { unit, day })];
  const terms = joinOperands([clean(after, day), clean(before, day - 1), ...paid, ...kind], ' − ');
  return amountFigure('unexplained-value-change', change, { unit, day, source, ...terms });
}

/** What an upload or a trade states as accrued interest, less what the terms give. */
export function explainAccruedDifference(history: History, finding: AccruedInterestFinding): Figure {
  const { position, day, stated, expected } = finding;
  const { currency: unit } = history.instrument(position);
  const difference = formula`${explainStatedInterest(history, finding)} − ${explainExpectedInterest(history, finding)}`;
  const source = positionSource(history.key(position));
  return amountFigure('accrued-interest-differs', stated - expected.amount, { unit, day, source, ...difference });
}

export function explainStatedInterest(history: History, finding: AccruedInterestFinding): Figure {
  const { position, day, stated, row } = finding;
  const { currency: unit } = history.instrument(position);
  return row === undefined
    ? amountFigure('uploaded-accrued-interest', stated, { unit, day, source: { kind: 'upload', day } })
    : amountFigure('booked-accrued-interest', stated, { unit, day, source: { kind: 'row', row } });
}

/** By the terms of the bond: nominal × rate × days. */
export function explainExpectedInterest(
  history: History,
  { position, expected, accruedTo }: AccruedInterestFinding,
): Figure {
  const { currency: unit, terms } = history.instrument(position);
  const rate = 'rate' in terms ? terms.rate : undefined;
  return { ...explainAccrual(expected, { unit, rate }), day: accruedTo };
}

/** The nominal for which it was stated. */
export function explainAccruedUnits({ day, quantity, row }: AccruedInterestFinding): Figure {
  const unit = 'units';
  return row === undefined
    ? amountFigure('uploaded-units', quantity, { unit, day, source: { kind: 'upload', day } })
    : amountFigure('traded-units', quantity, { unit, day, source: { kind: 'row', row } });
}

interface StatedDifference {
  readonly key: PositionKey;
  /** Prices are no units that somebody holds. */
  readonly isPrice: boolean;
  readonly day: Day;
  readonly unit: string;
  readonly stated: Fixed;
  readonly ledger: Fixed;
}

/** What a custodian states, less what the ledger has on the same day. */
export function explainStatedDifference(history: History, difference: StatedDifference): Figure {
  const { key, isPrice, day, unit, stated, ledger } = difference;
  const source = positionSource(key);
  const position = isPrice ? undefined : history.table.find(key);
  const held = position === undefined ? undefined : explainUnits(history, position, day);
  const own = held?.value === fixedText(ledger) ? held : amountFigure('in-the-ledger', ledger, { unit, day, source });
  const terms = formula`${amountFigure('stated-by-custodian', stated, { unit, day })} − ${own}`;
  return amountFigure('difference-from-statement', stated - ledger, { unit, day, source, ...terms });
}

interface UnexplainedAmount {
  readonly row: number;
  readonly day: Day;
  readonly currency: IsoCurrency;
  /** As booked. */
  readonly amount: Fixed;
  readonly difference: Fixed;
}

/** The booked amount, less what quantity, price and rate of the row come to. */
export function explainUnexplainedAmount({ row, day, currency: unit, amount, difference }: UnexplainedAmount): Figure {
  const facets = { unit, day, source: { kind: 'row', row } } as const;
  const expected = amountFigure('expected-amount', amount - difference, facets);
  const terms = formula`${amountFigure('row-amount', amount, facets)} − ${expected}`;
  return amountFigure('unexplained-difference', difference, { ...facets, ...terms });
}

interface MeantParts {
  readonly day: Day;
  readonly name: string;
  /** Whether the finding states what the parts take away. */
  readonly isOpposite?: boolean;
  isMeant(part: ValuePart): boolean;
}

/** The terms of a position's value on a day that a finding is about, such as coupons that are due or were paid early. */
export function explainValueParts(
  history: History,
  position: number,
  { day, name, isMeant, isOpposite = false }: MeantParts,
): Figure {
  const { valuation } = history.value(position, day);
  const context = { valuation, sources: valueSources(history, position, day) };
  const meant = valuation.parts.filter(isMeant);
  const sum = meant.reduce((total, part) => total + part.amount, 0n);
  const parts = sumOperands(meant.map((part) => explainPart(part, context)));
  const terms = isOpposite ? formula`0 − (${parts})` : parts;
  return amountFigure(name, isOpposite ? -sum : sum, {
    unit: valuation.currency,
    day,
    source: positionSource(history.key(position)),
    ...terms,
  });
}
