// Compares what a custodian states of a place on a day with what the ledger holds there, line by line, and classifies the differences.

import type { Day } from '../../kit/day.ts';
import { divide, magnitude, multiply, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';
import { quoteFromPoint, unitsPerPrice } from '../instruments/quote.ts';
import { cashInstrument, findSyntheticInstrument, type PositionKey } from '../ledger/position-key.ts';
import type { HoldingPlace } from '../ledger/transaction.ts';
import { findCashTiming, findUnitTiming, hasUnitMovements } from './settlement-window.ts';

/** What a custodian states of one instrument or currency, at the end of a day. */
export interface StatedLine extends HoldingPlace {
  readonly kind: 'units' | 'cash';
  /** Identifies it within the place, also where no instrument is known. */
  readonly subject: string;
  /** Null if the instrument is unknown. */
  readonly instrument: string | null;
  readonly currency: string | null;
  readonly day: Day;
  /** Units, or the balance. */
  readonly quantity: Fixed;
  readonly price: { readonly value: Fixed; readonly day: Day } | null;
}

export interface Tolerance {
  readonly units: Fixed;
  cash(currency: string): Fixed;
  /** A fraction of the ledger's price. */
  readonly price: Fixed;
  readonly settlementDays: number;
}

export type BreakClass = 'missing-trade' | 'quantity' | 'price' | 'cash' | 'unknown-instrument' | 'timing';

/** A line of both sides. A line that only the ledger has is stated with 0. */
export interface ComparedLine<Line extends StatedLine = StatedLine> {
  readonly stated: Line;
  readonly isStated: boolean;
  /** The positions of the ledger that it is compared with. */
  readonly positions: readonly number[];
  /** Null if the instrument is unknown. */
  readonly ledgerQuantity: Fixed | null;
  /** Stated − ledger. */
  readonly difference: Fixed;
  readonly isWithinTolerance: boolean;
  /** The ledger's price for the day of the stated one; null if there is nothing to compare. */
  readonly ledgerPrice: Fixed | null;
  readonly isPriceWithinTolerance: boolean;
}

/** Lines of one place and day, all of units or all of cash. */
interface Statement<Line> {
  readonly lines: readonly Line[];
  readonly tolerance: Tolerance;
  /** The line, of nothing, for an instrument that a statement with this line does not list. */
  unlisted(beside: Line, instrument: string): Line;
}

/** Points that are older than this, compared with the stated price, say nothing about it. */
const pointAgeMax = 5;

/**
 * Compares a statement with the ledger. A statement of units lists everything that is held there: what it does not list is not held.
 */
export function compareStatement<Line extends StatedLine>(
  history: History,
  { lines, tolerance, unlisted }: Statement<Line>,
): readonly ComparedLine<Line>[] {
  const [first] = lines;
  if (first === undefined) return [];
  const compare = (line: Line, positions: readonly number[]): ComparedLine<Line> =>
    compareLine(history, line, { positions, tolerance });
  if (first.kind === 'cash') return lines.map((line) => compare(line, findCash(history, line)));
  const held = Map.groupBy(coveredPositions(history, first), (position) => history.key(position).instrument);
  const compared = lines.map((line) => compare(line, held.get(line.instrument ?? '') ?? []));
  for (const { instrument } of lines) held.delete(instrument ?? '');
  for (const [instrument, positions] of held) {
    if (quantityOn(history, positions, first.day) === 0n) continue;
    compared.push({ ...compare(unlisted(first, instrument), positions), isStated: false });
  }
  return compared;
}

interface Comparison {
  readonly positions: readonly number[];
  readonly tolerance: Tolerance;
}

function compareLine<Line extends StatedLine>(
  history: History,
  stated: Line,
  { positions, tolerance }: Comparison,
): ComparedLine<Line> {
  const { kind, instrument, day, quantity } = stated;
  const isKnown = kind === 'cash' || instrument !== null;
  const ledgerQuantity = isKnown ? quantityOn(history, positions, day) : null;
  const difference = quantity - (ledgerQuantity ?? 0n);
  const ledgerPrice = quantity === 0n ? null : findLedgerPrice(history, stated, positions);
  return {
    stated,
    isStated: true,
    positions,
    ledgerQuantity,
    difference,
    isWithinTolerance: isKnown && magnitude(difference) <= quantityTolerance(stated, tolerance),
    ledgerPrice,
    isPriceWithinTolerance: isPriceClose(stated, ledgerPrice, tolerance),
  };
}

function findCash({ table }: History, { account, currency }: StatedLine): readonly number[] {
  const found = table.find({ account, depository: null, instrument: cashInstrument(currency ?? '') });
  return found === undefined ? [] : [found];
}

/** The positions of units at a place: at its account, in its depository, or where it names both, at both. */
function coveredPositions({ table }: History, place: HoldingPlace): readonly number[] {
  return table.sortedPositions().filter((position) => {
    const key = table.key(position);
    return isAtPlace(key, place) && findSyntheticInstrument(key.instrument) === undefined;
  });
}

function isAtPlace(key: PositionKey, { account, depository }: HoldingPlace): boolean {
  return (account === null || key.account === account) && (depository === null || key.depository === depository);
}

function quantityOn(history: History, positions: readonly number[], day: Day): Fixed {
  return positions.reduce((sum, position) => sum + history.units(position).valueOn(day), 0n);
}

function quantityTolerance({ kind, currency }: StatedLine, { units, cash }: Tolerance): Fixed {
  return kind === 'units' ? units : cash(currency ?? '');
}

/** The price or net asset value of the ledger for the day of the stated price, at most a few days older. */
function findLedgerPrice(
  history: History,
  { instrument, price }: StatedLine,
  [position]: readonly number[],
): Fixed | null {
  const known = instrument === null ? undefined : history.facts.instruments.get(instrument);
  if (known === undefined || price === null) return null;
  const { day } = price;
  const points = [known.prices.find(day), known.netAssetValues.find(day)].flatMap((point) => point ?? []);
  const [point] = points.toSorted((one, other) => other.day - one.day);
  if (point === undefined || day - point.day > pointAgeMax) return null;
  const changes = position === undefined ? [] : history.changes(position);
  const { numerator, denominator } = quoteFromPoint(point, changes, { day, staleness: { daysMax: pointAgeMax } });
  return numerator / denominator;
}

function isPriceClose({ price }: StatedLine, ledgerPrice: Fixed | null, tolerance: Tolerance): boolean {
  if (price === null || ledgerPrice === null) return true;
  return magnitude(price.value - ledgerPrice) <= magnitude(multiply(ledgerPrice, tolerance.price));
}

/** Whether the ledger agrees with an earlier statement of the same holding. */
export function agreesWith(
  history: History,
  { positions }: ComparedLine,
  earlier: StatedLine,
  tolerance: Tolerance,
): boolean {
  return compareLine(history, earlier, { positions, tolerance }).isWithinTolerance;
}

/** What else is known about a difference of quantities. */
export interface Evidence {
  /** The day of the last statement of the same with which the ledger agreed, if there is one. */
  readonly agreedOn: Day | undefined;
  /** The differences of the accounts that pay for what is held at the place, by currency. */
  readonly cashDifferences: readonly { readonly currency: string; readonly difference: Fixed }[];
}

export interface Classification {
  readonly class: BreakClass;
  /** The numbers of the rows that explain the difference, if it is one of timing. */
  readonly rows: readonly number[];
}

/** Classifies a difference of quantities that is beyond the tolerance. */
export function classify(
  history: History,
  compared: ComparedLine,
  tolerance: Tolerance,
  evidence: Evidence,
): Classification {
  const { stated, positions, ledgerQuantity, difference } = compared;
  if (ledgerQuantity === null) return { class: 'unknown-instrument', rows: [] };
  const { settlementDays } = tolerance;
  const window = { day: stated.day, settlementDays, difference, tolerance: quantityTolerance(stated, tolerance) };
  const [cash] = positions;
  const rows =
    stated.kind === 'units'
      ? findUnitTiming(history, positions, window)
      : cash === undefined
        ? undefined
        : findCashTiming(history, cash, window);
  if (rows !== undefined) return { class: 'timing', rows };
  if (stated.kind === 'cash') return { class: 'cash', rows: [] };
  return { class: isMissingTrade(history, compared, evidence) ? 'missing-trade' : 'quantity', rows: [] };
}

/**
 * A transaction is missing on one side if only the other holds anything, if the cash differs by what it would have cost, or if both
 * sides agreed before and the ledger has booked nothing since. Otherwise something is booked, with another quantity.
 */
function isMissingTrade(
  history: History,
  { stated, positions, ledgerQuantity, difference }: ComparedLine,
  { agreedOn, cashDifferences }: Evidence,
): boolean {
  if (stated.quantity === 0n || ledgerQuantity === 0n) return true;
  const worth = worthOf(history, stated, difference);
  const isPaid = cashDifferences.some(
    (cash) =>
      worth !== undefined &&
      worth.amount !== 0n &&
      cash.currency === worth.currency &&
      magnitude(cash.difference + worth.amount) <= magnitude(worth.amount) / paidWithin,
  );
  if (isPaid) return true;
  if (agreedOn === undefined) return false;
  return !hasUnitMovements(history, positions, { after: agreedOn, until: stated.day });
}

/** A hundredth of the worth: fees, and the difference between the price of the trade and that of the day. */
const paidWithin = 100n;

function worthOf(history: History, stated: StatedLine, units: Fixed): { amount: Fixed; currency: string } | undefined {
  const known = stated.instrument === null ? undefined : history.facts.instruments.get(stated.instrument);
  const price = stated.price?.value;
  if (known === undefined || price === undefined) return undefined;
  const isPerHundred = known.terms.type === 'bond' || known.terms.type === 'zero-coupon';
  const divisor = isPerHundred ? unitsPerPrice['per 100'] : unitsPerPrice[known.priceUnit];
  return { amount: divide(multiply(units, price), divisor * oneFixed), currency: known.currency };
}
