// Reads instruments in a ledger text: a name, a type, a currency and the terms of the type.

import type { InterestRate } from '../../../src/engine/instruments/accrued-interest.ts';
import type { CouponFrequency } from '../../../src/engine/instruments/coupon-schedule.ts';
import { dayCountConventions, type DayCountConvention } from '../../../src/engine/instruments/day-count.ts';
import type { ForwardLeg, ValuedInstrument, InstrumentTerms } from '../../../src/engine/instruments/instrument.ts';
import type { QuoteUnit } from '../../../src/engine/instruments/quote.ts';
import type { Day } from '../../../src/kit/day.ts';
import type { Fixed } from '../../../src/kit/fixed.ts';
import type { Points } from './points.ts';
import type { ClauseReaders, Words } from './words.ts';

export interface DeclaredInstrument extends ValuedInstrument {
  /** Asset classes from the top down. */
  readonly classPath: readonly string[];
}

const instrumentTypes: readonly InstrumentTerms['type'][] = [
  'listed',
  'fund',
  'bond',
  'zero-coupon',
  'loan',
  'fee',
  'other',
  'private-fund',
  'forward',
];

const priceUnits: ReadonlyMap<string, QuoteUnit> = new Map([
  ['hundredths', 'hundredths'],
  ['per-100', 'per 100'],
]);

interface InstrumentDraft {
  class?: string;
  unit?: QuoteUnit;
  rate?: Fixed;
  floating?: string;
  spread?: Fixed;
  count?: DayCountConvention;
  maturity?: Day;
  dated?: Day;
  start?: Day;
  frequency?: CouponFrequency;
  exDividendDays?: number;
  firstCoupon?: Day;
  indexBase?: Fixed | null;
  principal?: Fixed;
  basis?: Fixed;
  category?: string;
  commitment?: Fixed;
  legs: ForwardLeg[];
}

/** `instrument B bond EUR, rate 5%, maturity 2026-06-30, count ACT/365, frequency 2` */
export function readInstrument(words: Words, points: Points): DeclaredInstrument {
  const id = words.next('a name');
  const type = words.oneOf(instrumentTypes, 'type');
  const currency = words.next('a currency');
  const draft: InstrumentDraft = { legs: [] };
  words.clauses(clausesInto(words, draft));
  return {
    id,
    currency,
    priceUnit: draft.unit ?? '1',
    terms: termsOf(type, draft, { words, points }),
    prices: points.series('price', id),
    netAssetValues: points.series('nav', id),
    indexFactors: points.series('index', id),
    classPath: draft.class?.split('/') ?? ['other'],
  };
}

function clausesInto(words: Words, draft: InstrumentDraft): ClauseReaders {
  return new Map<string, () => void>([
    ['class', () => void (draft.class = words.next('a class'))],
    ['unit', () => void (draft.unit = priceUnits.get(words.next('a unit')) ?? words.fail('no such price unit'))],
    ['rate', () => void (draft.rate = words.fraction())],
    ['floating', () => void (draft.floating = words.next('an interest rate'))],
    ['spread', () => void (draft.spread = words.fraction())],
    ['count', () => void (draft.count = words.oneOf(dayCountConventions, 'day count'))],
    ['maturity', () => void (draft.maturity = words.date())],
    ['dated', () => void (draft.dated = words.date())],
    ['start', () => void (draft.start = words.date())],
    ['frequency', () => void (draft.frequency = words.whole() as CouponFrequency)],
    ['ex-dividend', () => void (draft.exDividendDays = words.whole())],
    ['first-coupon', () => void (draft.firstCoupon = words.date())],
    ['indexed', () => void (draft.indexBase = words.skip('from') ? words.amount() : null)],
    ['principal', () => void (draft.principal = words.amount())],
    ['basis', () => void (draft.basis = words.amount())],
    ['category', () => void (draft.category = words.next('a category'))],
    ['commitment', () => void (draft.commitment = words.amount())],
    ['receives', () => void draft.legs.push(readLeg(words, 1n))],
    ['pays', () => void draft.legs.push(readLeg(words, -1n))],
  ]);
}

/** `receives 1100 USD on 2024-03-29` */
function readLeg(words: Words, sign: bigint): ForwardLeg {
  const amount = sign * words.amount();
  const currency = words.next('a currency');
  words.expect('on');
  return { currency, amount, day: words.date() };
}

interface TermsContext {
  readonly words: Words;
  readonly points: Points;
}

function termsOf(type: InstrumentTerms['type'], draft: InstrumentDraft, context: TermsContext): InstrumentTerms {
  const need = <Value>(value: Value | undefined, what: string): Value =>
    value ?? context.words.fail(`a ${type} needs a ${what}`);
  const convention = draft.count ?? 'ACT/365';
  switch (type) {
    case 'bond':
      return bondTerms(draft, context);
    case 'zero-coupon':
      return { type, maturity: need(draft.maturity, 'maturity'), convention };
    case 'loan': {
      const [rate, start] = [interestRate(draft, context), need(draft.start, 'start')];
      const principal = need(draft.principal, 'principal');
      return { type, principal, rate, convention, start, maturity: draft.maturity ?? null };
    }
    case 'fee': {
      const [rate, basis] = [need(draft.rate, 'rate'), need(draft.basis, 'basis')];
      return {
        type,
        category: draft.category ?? 'advisory',
        rate,
        basis,
        convention,
        start: need(draft.start, 'start'),
      };
    }
    case 'private-fund':
      return { type, commitment: draft.commitment ?? null };
    case 'forward':
      return { type, legs: draft.legs };
    default:
      return { type };
  }
}

function bondTerms(draft: InstrumentDraft, context: TermsContext): InstrumentTerms {
  const { maturity, frequency, dated, firstCoupon, exDividendDays, indexBase } = draft;
  return {
    type: 'bond',
    schedule: {
      maturity: maturity ?? context.words.fail('a bond needs a maturity'),
      frequency,
      datedDate: dated,
      firstCouponDate: firstCoupon,
      exDividendDays,
    },
    convention: draft.count ?? 'ACT/365',
    rate: interestRate(draft, context),
    ...(indexBase === undefined ? {} : { index: { baseFactor: indexBase } }),
  };
}

function interestRate({ rate, floating, spread = 0n }: InstrumentDraft, { words, points }: TermsContext): InterestRate {
  if (floating !== undefined) return { points: points.list('interest', floating), spread };
  return rate ?? words.fail('a rate is missing: "rate 5%" or "floating NAME"');
}
