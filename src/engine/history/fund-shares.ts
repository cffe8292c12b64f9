// Follows the stakes of a private fund that several own places have paid for: calls and distributions go with what moves or leaves.

import type { Day } from '../../kit/day.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import type { DepartedShares, FundPlace } from '../valuation/position-state.ts';
import { heldBefore, movedFraction, splitPoints, type MovedFraction, type MovingUnits } from './unit-moves.ts';

type SharePoints = Pick<FundPlace, 'paidIn' | 'flows'>;

/** The stakes that left one position on one day. */
interface DepartedPlace extends FundPlace {
  readonly position: number;
  readonly leftOn: Day;
}

export interface FundShares {
  of(position: number): SharePoints;
  /** By day. */
  readonly left: readonly DepartedPlace[];
  /** One for each day on which a stake left. */
  readonly departures: readonly DepartedShares[];
}

interface FundShareSource extends MovingUnits {
  /** All places of the fund, in their order. */
  readonly positions: readonly number[];
  own(position: number): SharePoints;
}

export function followFundShares(source: FundShareSource): FundShares {
  const { positions, moves } = source;
  const shares = new Map(positions.map((position) => [position, source.own(position)]));
  const of = (position: number): SharePoints => shares.get(position) ?? source.own(position);
  const left = new Map<string, DepartedPlace>();
  const departures = new Map<Day, DepartedShares>();
  for (const [index, move] of moves.entries()) {
    const fraction = movedFraction(index, source);
    if (fraction === undefined) continue;
    const { from, to, day } = move;
    const [moved, rest] = splitShare(of(from), day, fraction);
    shares.set(from, rest);
    if (to >= 0) {
      shares.set(to, joinShares(of(to), moved));
      continue;
    }
    let gone = moved;
    for (const position of paidForBy(index, source)) {
      const [flows, stay] = splitShare({ ...of(position), paidIn: [] }, day, fraction);
      shares.set(position, { ...of(position), flows: stay.flows });
      gone = joinShares(gone, flows);
    }
    const key = `${day} ${from}`;
    const before = left.get(key) ?? { units: 0n, paidIn: [], flows: [] };
    const units = before.units + fraction.quantity;
    left.set(key, { position: from, leftOn: day, units, ...joinShares(before, gone) });
    const ofDay = [...left.values()].filter(({ leftOn }) => leftOn === day);
    departures.set(day, departedShares(day, { ofDay, of, source }));
  }
  return { of, left: [...left.values()], departures: [...departures.values()] };
}

/** Places that hold nothing. What was called and paid out there belongs to the first that holds some: does the move leave that? */
function paidForBy(index: number, { positions, moves, units }: FundShareSource): readonly number[] {
  const move = moves[index]!;
  const known = { moves, units, earlier: moves.slice(0, index) };
  const isHeld = (position: number): boolean => heldBefore(position, move, known) !== 0n;
  return positions.find(isHeld) === move.from ? positions.filter((position) => !isHeld(position)) : [];
}

interface DayOfDepartures {
  readonly ofDay: readonly DepartedPlace[];
  of(position: number): SharePoints;
  readonly source: FundShareSource;
}

/** Measures stakes by what was paid in for them; if nothing was yet, by units. */
function departedShares(day: Day, { ofDay, of, source: { positions, units } }: DayOfDepartures): DepartedShares {
  const left = sumOf(ofDay.map(({ paidIn }) => paidUntil(paidIn, day)));
  const stayed = sumOf(positions.map((position) => paidUntil(of(position).paidIn, day)));
  if (left + stayed !== 0n) return { day, left, stayed };
  const held = positions.map((position) => units(position).valueOn(day));
  return {
    day,
    left: sumOf(ofDay.map((share) => share.units)),
    stayed: sumOf(held.filter((one) => one > 0n)),
  };
}

function paidUntil(paidIn: readonly Point[], day: Day): bigint {
  return sumOf(paidIn.slice(0, countUntil(paidIn, day)).map(({ value }) => value));
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n);
}

function splitShare(share: SharePoints, day: Day, fraction: MovedFraction): readonly [SharePoints, SharePoints] {
  const paidIn = splitPoints(share.paidIn, day, fraction);
  const flows = splitPoints(share.flows, day, fraction);
  return [
    { paidIn: paidIn.moved, flows: flows.moved },
    { paidIn: paidIn.rest, flows: flows.rest },
  ];
}

function joinShares(one: SharePoints, other: SharePoints): SharePoints {
  return { paidIn: joinPoints(one.paidIn, other.paidIn), flows: joinPoints(one.flows, other.flows) };
}

function joinPoints(some: readonly Point[], others: readonly Point[]): readonly Point[] {
  return [...some, ...others].toSorted((one, other) => one.day - other.day);
}
