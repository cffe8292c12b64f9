// Checks laws of the values of every type over generated holdings: a value is the sum of its parts, each part can be recomputed
// from its own numbers, values scale with the holding, and splits do not change them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromFixed, magnitude, oneFixed, type Fixed } from '../../kit/fixed.ts';
import {
  valuationContext,
  day,
  fixed,
  flagsOn,
  holdingState,
  instrument,
  valuationOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { Accretion, Accrual, IndexRatio } from '../instruments/accrued-interest.ts';
import { dayCountConventions, type FractionTerm } from '../instruments/day-count.ts';
import { MissingRateError } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument, InstrumentTerms } from '../instruments/instrument.ts';
import type { QuoteUnit } from '../instruments/quote.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import { Series } from '../amounts/series.ts';
import {
  referenceValue,
  valueHolding,
  type PositionState,
  type PrepaidAmount,
  type ValuationContext,
  type ValuationFinding,
  type ValuePart,
} from './valuation.ts';
import { balanceValuation } from './balance.ts';
import { baseValueWithoutPoint, isAccruedPart, summedValuation } from './base-value.ts';
import { paidUnits } from './booked-coupon.ts';

/** Exact fractions with one half-even rounding, independent of the engine's arithmetic. */
class Fraction {
  readonly over: bigint;
  readonly under: bigint;

  constructor(over: bigint, under = 1n) {
    [this.over, this.under] = under < 0n ? [-over, -under] : [over, under];
  }

  plus({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * under + over * this.under, this.under * under);
  }

  times({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * over, this.under * under);
  }

  by({ over, under }: Fraction): Fraction {
    return this.times(new Fraction(under, over));
  }

  rounded(): bigint {
    const remainder = ((this.over % this.under) + this.under) % this.under;
    const floor = (this.over - remainder) / this.under;
    const isUp = 2n * remainder === this.under ? floor % 2n !== 0n : 2n * remainder > this.under;
    return isUp ? floor + 1n : floor;
  }
}

const one = new Fraction(1n);
const decimal = (value: Fixed): Fraction => new Fraction(value, oneFixed);
const sum = (fractions: readonly Fraction[]): Fraction =>
  fractions.reduce((all, each) => all.plus(each), new Fraction(0n));
const years = (terms: readonly FractionTerm[]): Fraction =>
  sum(terms.map(({ days, denominator }) => new Fraction(BigInt(days), BigInt(denominator))));

function indexOf(index: IndexRatio | undefined): Fraction {
  return index === undefined ? one : new Fraction(index.factor, index.baseFactor);
}

function recomputedAccrual({ parts, index }: Accrual): Fraction {
  const terms = parts.map((part) => new Fraction(part.nominal).times(decimal(part.rate)).times(years([part])));
  return new Fraction(sum(terms).times(indexOf(index)).rounded());
}

function recomputedAccretion({ state, cost, par, elapsed, whole }: Accretion): Fraction {
  if (state === 'ended') return new Fraction(par);
  if (whole.terms.length === 0) return new Fraction(cost);
  const grown = new Fraction(par - cost).times(years(elapsed.terms)).by(years(whole.terms));
  return new Fraction(cost + grown.rounded());
}

function rateOf(conversion: { readonly numerator: bigint; readonly denominator: bigint } | null): Fraction {
  return conversion === null ? one : new Fraction(conversion.numerator, conversion.denominator);
}

function sinceSplit(changes: readonly UnitChange[]): Fraction {
  return changes.reduce((all, { ratio }) => all.times(new Fraction(ratio.denominator, ratio.numerator)), one);
}

const unitsOf: Readonly<Record<QuoteUnit, bigint>> = { '1': 1n, 'per 100': 100n, hundredths: 100n };

function recomputedPrepaid(paid: PrepaidAmount): Fraction {
  if (paid.by === 'terms') return recomputedAccrual(paid.accrual);
  return new Fraction(paid.gross * paid.remaining, paid.nominal);
}

/** The amount of a part, recomputed from its numbers. */
function recomputedAmount(part: ValuePart): Fraction {
  switch (part.kind) {
    case 'quoted': {
      const price = decimal(part.quote.point.value).times(sinceSplit(part.quote.changes));
      const raised = price.by(new Fraction(unitsOf[part.priceUnit])).times(indexOf(part.index));
      return new Fraction(part.quantity).times(raised);
    }
    case 'uploaded':
      return new Fraction(part.upload.marketValue + part.upload.accrued).times(decimal(part.upload.rate));
    case 'implied': {
      const price = new Fraction(part.upload.marketValue, part.upload.quantity);
      return new Fraction(part.quantity).times(price).times(sinceSplit(part.changes));
    }
    case 'cost':
    case 'balance':
    case 'principal':
      return new Fraction(part.amount);
    case 'par':
      return new Fraction(part.nominal).times(indexOf(part.index));
    case 'accretion':
      return recomputedAccretion(part.accretion);
    case 'accrued':
    case 'coupon':
      return recomputedAccrual(part.accrual).times(rateOf(part.conversion));
    case 'prepaid-coupon':
      return new Fraction(-recomputedPrepaid(part.paid).rounded()).times(rateOf(part.conversion));
    case 'carried':
      return new Fraction(part.uploaded).times(rateOf(part.conversion));
    case 'beyond-value':
      return new Fraction(part.paid - part.available);
    case 'bought-interest':
      return new Fraction(part.bought.reduce((sum, { value }) => sum + value, 0n)).times(rateOf(part.conversion));
    case 'flow':
      return new Fraction(part.flow.value).times(rateOf(part.conversion));
    case 'fund-share': {
      const upTo = (paid: bigint) => new Fraction(part.quoted.amount).times(new Fraction(paid, part.all));
      return new Fraction(upTo(part.before + part.paidIn).rounded() - upTo(part.before).rounded());
    }
    case 'paid-elsewhere':
      return new Fraction(part.amount);
    case 'moved-share':
      return new Fraction(part.stayed - part.left);
    case 'leg':
      return new Fraction(part.leg.amount).times(decimal(part.quantity)).times(rateOf(part.conversion));
    default:
      throw new Error(part satisfies never);
  }
}

const first = day('2024-01-01');
const anyDay = fc.integer({ min: first, max: day('2026-12-31') });
const anyAmount = fc.bigInt(-(10n ** 24n), 10n ** 24n);
const anyUnits = anyAmount.filter((units) => units !== 0n);
const anyPrice = fc.bigInt(1n, 10n ** 21n);
const anyPoints = fc
  .dictionary(fc.integer({ min: first - 400, max: day('2026-12-31') }).map(String), anyPrice, { maxKeys: 4 })
  .map((dated) => Object.entries(dated).map(([date, value]) => ({ day: Number(date), value })))
  .map((points) => points.toSorted((a, b) => a.day - b.day));
const anySeries = anyPoints.map((points) => new Series(points));
const anyConvention = fc.constantFrom(...dayCountConventions);
const anyRate = fc.oneof(
  fc.bigInt(0n, 10n ** 17n),
  fc.record({
    points: anyPoints.map((points) => points.map((each) => ({ ...each, value: each.value / 10_000n }))),
    spread: fc.constant(10n ** 16n),
  }),
);

const anyBond = fc
  .record({
    convention: anyConvention,
    rate: anyRate,
    maturity: anyDay,
    exDividendDays: fc.constantFrom(undefined, 7),
    frequency: fc.constantFrom(1, 2, 4),
    index: fc.constantFrom(undefined, { baseFactor: null }, { baseFactor: fixed('97.3') }),
  } as const)
  .map(({ convention, rate, maturity, exDividendDays, frequency, index }) => {
    const schedule = { maturity, frequency: frequency as 1 | 2 | 4, exDividendDays, datedDate: first - 300 };
    return { type: 'bond' as const, schedule, convention, rate, ...(index && { index }) };
  });

const anyTerms: fc.Arbitrary<InstrumentTerms> = fc.oneof(
  fc.constantFrom<InstrumentTerms>({ type: 'listed' }, { type: 'fund' }, { type: 'other' }),
  fc.constant<InstrumentTerms>({ type: 'private-fund', commitment: null }),
  { arbitrary: anyBond, weight: 3 },
  fc.record({ type: fc.constant('zero-coupon'), maturity: anyDay, convention: anyConvention }),
  fc.record({
    type: fc.constant('loan'),
    principal: fc.constantFrom(oneFixed, fixed('0.37')),
    rate: anyRate,
    convention: anyConvention,
    start: anyDay,
    maturity: fc.option(anyDay),
  }),
  fc.record({
    type: fc.constant('fee'),
    category: fc.constant('advisory'),
    rate: anyPrice.map((rate) => rate / 10_000n),
    basis: anyPrice,
    convention: anyConvention,
    start: anyDay,
  }),
  fc.record({
    type: fc.constant('forward'),
    legs: fc.array(fc.record({ currency: fc.constantFrom('EUR', 'USD'), amount: anyAmount, day: anyDay }), {
      maxLength: 2,
    }),
  }),
);

const anyInstrument: fc.Arbitrary<ValuedInstrument> = fc.record({
  id: fc.constant('one'),
  currency: fc.constantFrom('EUR', 'USD'),
  priceUnit: fc.constantFrom<QuoteUnit>('1', 'per 100', 'hundredths'),
  terms: anyTerms,
  prices: anySeries,
  netAssetValues: anySeries,
  indexFactors: anySeries,
});

const anyPosition: fc.Arbitrary<PositionState> = fc
  .record({
    quantity: anyUnits,
    cost: anyAmount,
    bought: anyDay,
    lastTrade: fc.option(fc.record({ day: anyDay, value: anyPrice })),
    upload: fc.option(
      fc.record({
        day: anyDay,
        quantity: anyAmount,
        marketValue: anyAmount,
        accrued: anyAmount,
        currency: fc.constantFrom('EUR', 'USD'),
        rate: anyPrice,
        reportingCurrency: fc.constantFrom('EUR', 'USD'),
      }),
    ),
    fundFlows: anyPoints.map((points) =>
      points.map((each, index) => ({ ...each, value: index % 2 === 0 ? each.value : -each.value })),
    ),
    boughtInterest: anyPoints,
    boughtWithoutInterest: anyPoints.map((points) =>
      points.map(({ day: on, value }) => ({ day: on, nominal: value, since: on - 40 })),
    ),
    booked: fc.array(fc.record({ day: anyDay, gross: anyAmount, currency: fc.constantFrom('EUR', 'USD') }), {
      maxLength: 4,
    }),
    lastFee: fc.option(anyDay),
  })
  .map(({ bought, booked, ...each }) => ({
    ...each,
    coupons: booked
      .map(({ day: on, ...coupon }) => ({
        ...coupon,
        day: on,
        paidOn: on,
        periodEnd: null,
        units: paidUnits((at) => (at < bought ? 0n : at < bought + 50 ? each.quantity / 3n : each.quantity), on),
        movedOn: null,
      }))
      .toSorted((one, other) => one.day - other.day),
    lots: [
      { quantity: each.quantity / 3n, cost: each.cost / 2n, acquired: bought },
      { quantity: each.quantity - each.quantity / 3n, cost: each.cost - each.cost / 2n, acquired: bought + 50 },
    ].map((lot) => ({ ...lot, referenceCost: lot.cost, isEstimated: false })),
    quantities: [
      { day: bought, value: each.quantity / 3n },
      { day: bought + 50, value: each.quantity },
    ],
  }));

const anyRatio = fc.record({ numerator: fc.bigInt(1n, 9n), denominator: fc.bigInt(1n, 9n) });
const anyChanges = fc
  .array(fc.record({ exDay: anyDay, ratio: anyRatio }), { maxLength: 2 })
  .map((changes) => changes.toSorted((a, b) => a.exDay - b.exDay));
const anyContext: fc.Arbitrary<ValuationContext> = fc
  .record({ day: anyDay, changes: anyChanges })
  .map((more) => ({ ...valuationContext('2024-01-01'), ...more }));

/** Without uploads after the day. */
const anyCase = fc.tuple(anyInstrument, anyPosition, anyContext).map(([each, position, when]) => {
  const { upload } = position;
  return [each, { ...position, upload: upload && upload.day <= when.day ? upload : null }, when] as const;
});

test('a value is the sum of its parts, and each part can be recomputed from its own numbers', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyCase, ([each, position, when]) => {
      const { value, accrued, parts } = valueHolding(each, position, when);
      for (const part of parts) expect([part.kind, recomputedAmount(part).rounded()]).toEqual([part.kind, part.amount]);
      expect(parts.reduce((total, { amount }) => total + amount, 0n)).toBe(value);
      const running = parts.map((part) =>
        part.kind === 'uploaded'
          ? new Fraction(part.upload.accrued).times(decimal(part.upload.rate)).rounded()
          : isAccruedPart(part)
            ? part.amount
            : 0n,
      );
      expect(running.reduce((total, amount) => total + amount, 0n)).toBe(accrued);
      for (const { kind } of parts) seen.add(kind);
    }),
    { numRuns: 3_000, seed: 4 },
  );
  expect([...seen].toSorted().join(' ')).toBe(
    'accretion accrued beyond-value bought-interest carried cost coupon flow implied leg par prepaid-coupon principal quoted uploaded',
  );
});

test('valuing a holding twice gives the same value and changes nothing', () => {
  fc.assert(
    fc.property(anyCase, ([each, position, when]) => {
      const before = structuredClone(position);
      const terms = structuredClone(each.terms);
      const answer = valueHolding(each, position, when);
      expect(valueHolding({ ...each, terms }, structuredClone(position), when)).toEqual(answer);
      expect(position).toEqual(before);
    }),
    { numRuns: 300 },
  );
});

function scaled(position: PositionState, factor: bigint): PositionState {
  const { quantity, cost, lots, quantities, upload, fundFlows, boughtInterest, boughtWithoutInterest, coupons } =
    position;
  const all = (points: PositionState['quantities']) =>
    points.map((point) => ({ ...point, value: point.value * factor }));
  return {
    ...position,
    quantity: quantity * factor,
    cost: cost * factor,
    lots: lots.map((lot) => ({ ...lot, quantity: lot.quantity * factor, cost: lot.cost * factor })),
    quantities: all(quantities),
    upload: upload && {
      ...upload,
      quantity: upload.quantity * factor,
      marketValue: upload.marketValue * factor,
      accrued: upload.accrued * factor,
    },
    fundFlows: all(fundFlows),
    boughtInterest: all(boughtInterest),
    boughtWithoutInterest: boughtWithoutInterest.map((one) => ({ ...one, nominal: one.nominal * factor })),
    coupons: coupons.map(({ gross, units, ...coupon }) => ({
      ...coupon,
      gross: gross * factor,
      units: { ...units, nominal: units.nominal * factor, held: units.held * factor },
    })),
  };
}

test('n times the holding is worth n times as much, within the rounding of each part', () => {
  const anyFactor = fc.constantFrom(-1n, 2n, 7n, 1_000n);
  fc.assert(
    fc.property(anyCase, anyFactor, ([each, position, when], factor) => {
      fc.pre(each.terms.type !== 'fee');
      const once = valueHolding(each, position, when);
      const more = valueHolding(each, scaled(position, factor), when);
      expect(more.parts.map(({ kind }) => kind)).toEqual(once.parts.map(({ kind }) => kind));
      const allowed = BigInt(once.parts.length) * (magnitude(factor) + 2n);
      expect(magnitude(more.value - factor * once.value)).toBeLessThanOrEqual(allowed);
      expect([more.currency, more.source, more.day, more.isStale]).toEqual([
        once.currency,
        once.source,
        once.day,
        once.isStale,
      ]);
    }),
    { numRuns: 1_000 },
  );
});

test('a split changes no value, whether it is based on a point, a trade or an upload', () => {
  const anySplitTerms = fc.constantFrom<InstrumentTerms>(
    { type: 'listed' },
    { type: 'fund' },
    { type: 'other' },
    { type: 'private-fund', commitment: null },
    { type: 'forward', legs: [] },
  );
  fc.assert(
    fc.property(anyCase, anySplitTerms, anyRatio, ([each, position, when], terms, ratio) => {
      const split = { ...each, terms };
      const whole = scaled(position, ratio.denominator);
      const before = valueHolding(split, whole, when);
      fc.pre(before.source !== 'upload' || whole.upload!.day < when.day);
      fc.pre(before.day === null || before.day < when.day);
      const exToday = {
        ...when,
        changes: [...when.changes.filter(({ exDay }) => exDay <= when.day), { exDay: when.day, ratio }],
      };
      const units = { ...whole, quantity: position.quantity * ratio.numerator };
      const after = valueHolding(split, units, exToday);
      expect([after.value, after.source, after.day]).toEqual([before.value, before.source, before.day]);
    }),
    { numRuns: 1_000 },
  );
});

describe('the findings of a value', () => {
  const assumed = { kind: 'rate-assumed' } as const;
  const index = (on: number) => ({ kind: 'index-base-assumed', day: on }) as const;
  const beyond = (amount: bigint) => ({ kind: 'paid-out-beyond-value', amount }) as const;
  const coupon = (couponDate: number) => ({ kind: 'coupon-not-booked', couponDate, amount: 1n }) as const;
  const base = baseValueWithoutPoint({ currency: 'EUR', source: 'nothing' });
  const found = (...findings: ValuationFinding[]) =>
    summedValuation({ ...base, findings: findings.slice(0, 1) }, { parts: [], findings: findings.slice(1) }).findings;

  test.each<readonly [string, readonly ValuationFinding[], readonly ValuationFinding[]]>([
    ['one alone', [assumed], [assumed]],
    ['the same assumption once', [assumed, { ...assumed }], [assumed]],
    ['the same assumption once, among others', [assumed, coupon(1), { ...assumed }], [assumed, coupon(1)]],
    ['of an assumption, the earliest day', [index(5), index(3), index(4)], [index(3)]],
    ['of an assumption, the earliest day, wherever it is', [index(3), index(5)], [index(3)]],
    ['of an assumption without a day, the first', [beyond(5n), beyond(7n)], [beyond(5n)]],
    ['each coupon', [coupon(1), coupon(1)], [coupon(1), coupon(1)]],
    ['several assumptions', [assumed, index(1)], [assumed, index(1)]],
  ])('name %s', (_what, findings, expected) => {
    expect(found(...findings)).toEqual(expected);
  });
});

test('cash is worth its own amount, of which nothing has accrued', () => {
  expect(balanceValuation('EUR', -1n)).toEqual({
    currency: 'EUR',
    value: -1n,
    accrued: 0n,
    source: 'balance',
    day: null,
    isStale: false,
    isEstimated: false,
    findings: [],
    parts: [{ kind: 'balance', amount: -1n }],
  });
});

describe('in the reference currency', () => {
  const share = instrument({ type: 'listed' }, { currency: 'USD', prices: { '2025-05-30': '7' } });

  test('a value is converted at the latest rate on or before its day and rounded once', () => {
    const on = (date: string) =>
      referenceValue(
        valuationOn({ instrument: share, holdingState: { quantity: '10' } }, date),
        valuationContext(date),
      );
    expect([on('2025-05-31'), on('2025-06-01')].map(({ value }) => fromFixed(value))).toEqual([
      '56',
      '58.333333333333333333',
    ]);
    const quoted = { base: 'EUR', quote: 'USD', day: day('2025-06-01'), rate: fixed('1.2') };
    expect(on('2025-06-03').conversion).toMatchObject({ from: 'USD', to: 'EUR', quoted: [quoted] });
  });

  test('a missing rate is never treated as 1', () => {
    const inFrancs = { ...valuationContext('2025-06-01'), referenceCurrency: 'CHF' };
    const value = valueHolding(share, holdingState({ quantity: '10' }), inFrancs);
    expect(() => referenceValue(value, inFrancs)).toThrow(
      new MissingRateError({ from: 'USD', to: 'CHF', day: inFrancs.day }),
    );
  });

  test('an upload reported in it needs no rate for the day', () => {
    const upload = { day: '2025-06-01', quantity: '1', marketValue: '50', currency: 'JPY', rate: '0.5' };
    const one = { instrument: { ...share, currency: 'JPY' }, holdingState: { quantity: '1', upload } };
    expect(fromFixed(referenceValue(valuationOn(one, '2025-06-01'), valuationContext('2025-06-01')).value)).toBe('25');
    expect(flagsOn(one, '2025-06-01')).toBe('');
  });
});
