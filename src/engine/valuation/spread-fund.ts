// Values one place of an investment in a private fund that several own places have paid for. The net asset value is that of the whole
// investment: it is split by what each place had paid in by its day, and each place is rolled forward by its own calls and
// distributions. What is paid out at a place beyond its value lowers the value of the others, so that the places always add up to
// the whole. A stake that was sold or given away counts as one more place until it leaves, and takes its part of later net asset values.

import type { Day } from '../../kit/day.ts';
import { multiplyDivide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { countUntil, type Point } from '../amounts/series.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import { lotValues } from '../lots/lot-values.ts';
import { baseValueWithoutPoint, summedValuation, type BaseValue } from './base-value.ts';
import type { DepartedShares, FundPlace, FundPlaces, ValuationSubject } from './position-state.ts';
import { findPointBaseValue } from './quoted.ts';
import type { Valuation, ValuationFinding, ValuePart } from './value-part.ts';

export function spreadFundValuation(subject: ValuationSubject, { places, own, departures }: FundPlaces): Valuation {
  const { instrument, held, context } = subject;
  const one = { ...subject, held: { ...emptyState, quantity: oneFixed, lastTrade: held.lastTrade } };
  const whole = findPointBaseValue(one);
  const holders = joinToHolders(places, whole?.day ?? -Infinity);
  const index = holders.findIndex(({ place }) => place === own);
  const start =
    whole === undefined
      ? startOfFlows(instrument.currency, holders)
      : startOfShare(whole, { holders, index, departures, day: context.day });
  return summedValuation(
    start.base,
    rollForward(start.values, holders, { index, after: start.day, until: context.day }),
  );
}

/** All that a point needs to be found for the whole. */
const emptyState = {
  cost: 0n,
  lots: [],
  quantities: [],
  upload: null,
  fundFlows: [],
  boughtInterest: [],
  boughtWithoutInterest: [],
  coupons: [],
  lastFee: null,
} as const;

interface Holder extends FundPlace {
  readonly place: number;
}

/** The places with units, and stakes that left on the day of the net asset value or later. Flows elsewhere are those of the first. */
function joinToHolders(places: readonly FundPlace[], navDay: Day): readonly Holder[] {
  const holders = places.flatMap((one, place) => {
    const isHolder = one.units !== 0n && (one.leftOn === undefined || one.leftOn >= navDay);
    return isHolder ? [{ ...one, place }] : [];
  });
  const [first] = holders;
  const elsewhere = places.flatMap(({ units, flows }) => (units === 0n ? flows : []));
  if (first === undefined || elsewhere.length === 0) return holders;
  const flows = [...first.flows, ...elsewhere].toSorted((one, other) => one.day - other.day);
  return [{ ...first, flows }, ...holders.slice(1)];
}

interface Start {
  readonly base: BaseValue;
  /** What each holder starts from. */
  readonly values: readonly Fixed[];
  /** Later flows are added. */
  readonly day: Day;
}

function startOfFlows(currency: IsoCurrency, holders: readonly Holder[]): Start {
  const base = { ...baseValueWithoutPoint({ currency, source: 'flows' }), isEstimated: true };
  return { base, values: holders.map(() => 0n), day: -Infinity };
}

interface Share {
  readonly holders: readonly Holder[];
  readonly index: number;
  readonly departures: readonly DepartedShares[];
  readonly day: Day;
}

function startOfShare(whole: BaseValue, { holders, index, departures, day }: Share): Start {
  const [quoted] = whole.parts;
  if (quoted?.kind !== 'quoted') throw new RangeError('The value of a point is one part.');
  const navDay = quoted.quote.point.day;
  const weights = paidInShares(holders, { navDay, day });
  const earlier = departuresBefore(navDay, departures);
  const values = splitBy(weights, amountThatStayed(quoted.amount, earlier));
  const shares = {
    departures: earlier,
    before: sumOf(weights.slice(0, index)),
    paidIn: weights[index]!,
    all: sumOf(weights),
  };
  const base: BaseValue = { ...whole, parts: [{ kind: 'fund-share', amount: values[index]!, quoted, ...shares }] };
  return { base, values, day: navDay };
}

/** Once all had left, what came later is a whole stake again. */
function departuresBefore(navDay: Day, departures: readonly DepartedShares[]): readonly DepartedShares[] {
  const earlier = departures.filter(({ day }) => day < navDay);
  return earlier.slice(earlier.findLastIndex(({ stayed }) => stayed === 0n) + 1);
}

/** Who took over a stake also takes over its part of what is called and paid later, and so of every later net asset value. */
function amountThatStayed(amount: Fixed, departures: readonly DepartedShares[]): Fixed {
  return departures.reduce((rest, { left, stayed }) => multiplyDivide(rest, stayed, left + stayed), amount);
}

/** What was paid in by the day of the net asset value; if nothing was, what has been since; if nothing has, the units decide. */
function paidInShares(holders: readonly Holder[], { navDay, day }: { navDay: Day; day: Day }): readonly Fixed[] {
  const paidBy = (until: Day): Fixed[] =>
    holders.map(({ paidIn }) => sumOf(paidIn.slice(0, countUntil(paidIn, until)).map(({ value }) => value)));
  const candidates = [
    () => paidBy(navDay),
    () => paidBy(day),
    () => holders.map(({ units }) => (units > 0n ? units : 0n)),
  ];
  for (const weigh of candidates) {
    const weights = weigh();
    if (weights.some((one) => one > 0n)) return weights;
  }
  return holders.map((_, index) => (index === 0 ? oneFixed : 0n));
}

function sumOf(amounts: readonly Fixed[]): Fixed {
  return amounts.reduce((sum, one) => sum + one, 0n);
}

/** Rounds the running total, so that the parts add up to the whole. */
function splitBy(weights: readonly Fixed[], amount: Fixed): readonly Fixed[] {
  const parts = weights.map((quantity) => ({ quantity }));
  return lotValues(amount, parts);
}

interface PlacedFlow {
  readonly index: number;
  readonly flow: Point;
}

/** By day; within a day calls come before distributions. */
function flowsBetween(
  holders: readonly Holder[],
  { after, until }: { readonly after: Day; readonly until: Day },
): readonly PlacedFlow[] {
  return holders
    .flatMap(({ flows }, index) =>
      flows.slice(countUntil(flows, after), countUntil(flows, until)).map((flow) => ({ index, flow })),
    )
    .toSorted(
      (one, other) => one.flow.day - other.flow.day || Number(one.flow.value < 0n) - Number(other.flow.value < 0n),
    );
}

function rollForward(
  start: readonly Fixed[],
  holders: readonly Holder[],
  { index, ...days }: { readonly index: number; readonly after: Day; readonly until: Day },
) {
  const parts: ValuePart[] = [];
  const values = [...start];
  let excess = 0n;
  for (const { index: at, flow } of flowsBetween(holders, days)) {
    const { day, value: amount } = flow;
    if (at === index) parts.push({ kind: 'flow', amount, flow, conversion: null });
    values[at]! += amount;
    const missing = -values[at]!;
    if (missing <= 0n) continue;
    values[at] = 0n;
    const borne = takeFromOthers(values, missing, (one) => day <= (holders[one]!.leftOn ?? Infinity));
    const taken = sumOf(borne);
    if (at !== index && borne[index]! !== 0n) parts.push({ kind: 'paid-elsewhere', amount: -borne[index]!, day });
    if (at !== index) continue;
    if (taken !== 0n) parts.push({ kind: 'paid-elsewhere', amount: taken, day });
    const beyond = missing - taken;
    if (beyond === 0n) continue;
    parts.push({ kind: 'beyond-value', amount: beyond, paid: -amount, available: -amount - beyond, day });
    excess += beyond;
  }
  const findings: ValuationFinding[] = excess === 0n ? [] : [{ kind: 'paid-out-beyond-value', amount: excess }];
  return { parts, findings };
}

/** Takes as much as there is, from each that still was there by its share, and returns what each bears. */
function takeFromOthers(values: Fixed[], missing: Fixed, wasThere: (index: number) => boolean): readonly Fixed[] {
  const bearing = values.map((value, index) => (wasThere(index) ? value : 0n));
  const total = sumOf(bearing);
  if (total === 0n) return values.map(() => 0n);
  const borne = splitBy(bearing, missing < total ? missing : total);
  for (const [index, one] of borne.entries()) values[index]! -= one;
  return borne;
}
