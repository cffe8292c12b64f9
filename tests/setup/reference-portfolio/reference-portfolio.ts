// Types and reads the file of the reference portfolio: its facts and its expected figures.

import { readFileSync } from 'node:fs';

import type { CouponFrequency } from '../../../src/engine/instruments/coupon-schedule.ts';
import type { DayCountConvention } from '../../../src/engine/instruments/day-count.ts';
import type { Settings } from '../../../src/engine/history/facts.ts';
import type { CostMethod, HoldingPeriod } from '../../../src/engine/lots/lot.ts';
import type { PositionKey } from '../../../src/engine/ledger/position-key.ts';
import type { QuoteUnit } from '../../../src/engine/instruments/quote.ts';
import type { TransactionKind } from '../../../src/engine/ledger/transaction.ts';

/** Any JSON value. */
export type Tree = string | number | boolean | null | readonly Tree[] | { readonly [name: string]: Tree };

export const conventions = ['json-api', 'plain'] as const;
export type Convention = (typeof conventions)[number];

export const referenceAxes = ['instrument', 'class', 'depository', 'portfolio'] as const;
export type ReferenceAxis = (typeof referenceAxes)[number];

export interface ReferenceWindow {
  readonly from: string;
  readonly to: string;
}

export type DatedText = readonly [date: string, value: string];

export interface ReferenceInstrument {
  readonly id: string;
  readonly type: 'bond' | 'fund' | 'listed' | 'private-fund';
  readonly currency: string;
  readonly class: readonly string[];
  readonly priceUnit: QuoteUnit;
  readonly bond?: {
    readonly rate: string;
    readonly frequency: CouponFrequency;
    readonly convention: DayCountConvention;
    readonly datedDate: string;
    readonly maturity: string;
  };
  readonly commitment?: string;
  readonly prices?: readonly DatedText[];
  readonly netAssetValues?: readonly DatedText[];
}

export interface CashText {
  readonly kind: 'account';
  readonly day: string;
  readonly account: string;
  readonly marketValue: string;
}

export interface UnitsText {
  readonly kind: 'instrument';
  readonly day: string;
  readonly depository: string;
  readonly instrument: string;
  readonly units: string;
  readonly marketValue: string;
  readonly accruedInterest: string;
  readonly currencyExchangeRate: string;
  readonly reportingCurrency: string;
}

/** The value and the amount already include fees and the trade's own exchange rate. */
export interface ReferenceTransaction {
  readonly row: number;
  readonly kind: TransactionKind;
  readonly day: string;
  readonly account?: string;
  readonly depository?: string;
  readonly instrument?: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly value?: string;
  readonly accrued?: string;
  readonly withholding?: string;
  readonly recallable?: string;
  readonly category?: string;
  readonly counterCash?: { readonly account: string; readonly currency: string; readonly amount: string };
  readonly action?: { readonly action: 'split'; readonly ratio: { numerator: string; denominator: string } };
}

export interface ReferenceLimit {
  readonly id: string;
  readonly kind: 'proportional' | 'absolute';
  readonly filter: unknown;
  readonly bounds: Readonly<Record<string, string>>;
}

export interface ReferenceFacts {
  readonly settings: {
    readonly referenceCurrency: string;
    readonly costMethod: CostMethod;
    readonly longTermAfter: HoldingPeriod;
    readonly staleAfterDays: Readonly<Record<keyof Settings['staleness'], number>>;
    readonly volatilityDaysPerYear: number;
    readonly advisoryCategories: readonly string[];
  };
  readonly structure: {
    readonly accounts: readonly { readonly id: string; readonly currency: string }[];
    readonly depositories: readonly { readonly id: string; readonly accounts: readonly string[] }[];
    readonly portfolios: readonly {
      readonly id: string;
      readonly accounts: readonly string[];
      readonly depositories: readonly string[];
    }[];
  };
  readonly instruments: readonly ReferenceInstrument[];
  readonly cashClass: readonly string[];
  readonly index: { readonly id: string; readonly currency: string; readonly levels: readonly DatedText[] };
  readonly rates: readonly { readonly base: string; readonly quote: string; readonly points: readonly DatedText[] }[];
  readonly uploads: readonly (CashText | UnitsText)[];
  readonly transactions: readonly ReferenceTransaction[];
  readonly limits: readonly ReferenceLimit[];
}

export type TreeMembers = Readonly<Record<string, Tree>>;
export type PlacedMembers = PositionKey & TreeMembers;

export interface DateReports {
  readonly holdings: readonly (PlacedMembers & { readonly valuation: TreeMembers })[];
  readonly totals: TreeMembers & { readonly marketValue: string };
  readonly marketValueBy: TreeMembers;
  readonly lots: readonly PlacedMembers[];
  readonly realisedGains: {
    readonly realisations: readonly TreeMembers[];
    readonly short_term: TreeMembers;
    readonly long_term: TreeMembers;
    readonly total: TreeMembers;
  };
  readonly privateMarkets: TreeMembers;
  readonly limits: TreeMembers;
}

export interface ConventionReports {
  readonly net: TreeMembers;
  readonly gross: TreeMembers;
  readonly segments: Readonly<Record<ReferenceAxis, Readonly<Record<string, TreeMembers>>>>;
}

export interface WindowReports extends ReferenceWindow, Readonly<Record<Convention, ConventionReports>> {
  readonly value: TreeMembers;
  readonly flows: readonly TreeMembers[];
  readonly income: { readonly rows: readonly TreeMembers[]; readonly total: string };
  readonly fees: { readonly rows: readonly TreeMembers[]; readonly total: string; readonly advisory: string };
  readonly moneyWeighted: TreeMembers;
}

export interface ReferenceDay extends Readonly<Record<Convention, number>> {
  readonly day: string;
  readonly before: string;
  readonly flow: string;
  readonly gain: string;
  readonly after: string;
}

export interface ReferencePortfolio {
  readonly tolerance: { readonly ratio: number; readonly rateOfReturn: number };
  readonly facts: ReferenceFacts;
  readonly expected: {
    readonly byDate: Readonly<Record<string, DateReports>>;
    readonly byWindow: readonly WindowReports[];
    readonly daily: {
      readonly days: readonly ReferenceDay[];
      readonly otherDays: readonly { readonly from: string; readonly to: string; readonly gain: string }[];
    };
  };
}

export function readReferencePortfolio(): ReferencePortfolio {
  const file = new URL('../../ledgers/reference-portfolio/reference-portfolio.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ReferencePortfolio;
}
