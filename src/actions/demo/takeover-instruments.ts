// The instruments of the client whose data is still being taken over. Most lack something: a price, a rate, a class, a redemption.

import { parseCalendarDate } from '../../kit/calendar-date.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { keysOf } from '../../kit/keys.ts';
import { indexFactor, interestRate, netAssetValue, price } from '../../model/instrument/series-point.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import type { SeriesResource } from '../instruments/series-point.ts';
import type { Work } from '../core/work.ts';
import { createAndGetId, putDatedPoints, type ClassIds } from './demo-catalogue.ts';

interface TakeoverInstrument {
  /** Null if nobody has stated one. */
  readonly path: string | null;
  readonly fields: { readonly type: string; readonly name: string } & Readonly<Record<string, unknown>>;
  readonly points?: readonly (readonly [series: SeriesResource, values: Readonly<Record<string, string>>])[];
}

const stock = { type: 'stock-instrument', issuerCountry: 'SE', listingCurrency: 'CHF', ccyCode: 'CHF' } as const;
const loan = { type: 'loan-instrument', ccyCode: 'CHF' } as const;
const fund = { type: 'private-market-fund', ccyCode: 'CHF' } as const;
const linked = {
  type: 'index-linked-bond-instrument',
  ccyCode: 'CHF',
  coupon: '0.005',
  maturity: '2034-06-15',
  couponFrequency: 1,
} as const;

const [listed, loans, buyouts] = ['Equities/Small companies', 'Fixed income/Loans', 'Private markets/Private equity'];

const takeoverInstruments = {
  paper: {
    path: listed,
    fields: { ...stock, name: 'Fjäll Papper AB, last price in June' },
    points: [[price, { '2025-12-30': '41.2', '2026-03-31': '43.5', '2026-06-30': '44.1' }]],
  },
  unlisted: { path: listed, fields: { ...stock, name: 'Tärna Beteiligungen AG, never priced' } },
  power: {
    path: listed,
    fields: { ...stock, name: 'Storsjö Kraft AB' },
    points: [[price, { '2026-02-27': '41.5', '2026-10-30': '42.9' }]],
  },
  brewery: { path: listed, fields: { ...stock, name: 'Birka Bryggeri AB, from statements' } },
  forest: {
    path: null,
    fields: { type: 'other-instrument', name: 'Forest near Sälen, no class', ccyCode: 'CHF' },
    points: [[price, { '2026-09-30': '182000' }]],
  },
  loanBookedTwice: {
    path: loans,
    fields: {
      ...loan,
      name: 'Loan to Sälen Stugor AB, booked twice',
      principal: '250000',
      interestRate: '0.02',
      startDate: '2025-01-01',
      maturity: '2030-01-01',
    },
  },
  loanWithoutRate: {
    path: loans,
    fields: {
      ...loan,
      name: 'Floating loan without a rate',
      principal: '80000',
      referenceRate: 'SARON',
      spread: '0.01',
      startDate: '2025-07-01',
      maturity: '2030-07-01',
    },
  },
  loanWithLateRate: {
    path: loans,
    fields: {
      ...loan,
      name: 'Floating loan, first rate too late',
      principal: '60000',
      referenceRate: 'SARON',
      spread: '0.0125',
      startDate: '2025-07-01',
      maturity: '2030-07-01',
    },
    points: [[interestRate, { '2026-01-01': '0.0045', '2026-07-01': '0.004' }]],
  },
  linkedWithoutFactor: {
    path: 'Fixed income/Inflation-linked',
    fields: { ...linked, name: 'Linker 2034 without an index factor', datedDate: '2024-06-15' },
    points: [[price, { '2026-10-30': '99.1' }]],
  },
  linkedWithLateFactor: {
    path: 'Fixed income/Inflation-linked',
    fields: { ...linked, name: 'Linker 2034, first index factor too late', datedDate: '2024-06-15' },
    points: [
      [price, { '2026-10-30': '99.3' }],
      [indexFactor, { '2024-07-15': '107.4', '2026-07-15': '109.1' }],
    ],
  },
  bondPaidTwice: {
    path: 'Fixed income/Corporate',
    fields: {
      type: 'bond-instrument',
      name: 'Fjord Bank 2 % October 2031, coupon booked twice',
      ccyCode: 'CHF',
      coupon: '0.02',
      maturity: '2031-10-15',
      datedDate: '2021-10-15',
    },
    points: [[price, { '2026-10-30': '100.2' }]],
  },
  maturedBond: {
    path: 'Fixed income/Corporate',
    fields: {
      type: 'bond-instrument',
      name: 'Fjord Bank 2 % May 2026, not redeemed',
      ccyCode: 'CHF',
      coupon: '0.02',
      maturity: '2026-05-15',
      datedDate: '2021-05-15',
    },
  },
  pastForward: {
    path: 'Derivatives/FX forwards',
    fields: {
      type: 'fx-forward-cash-settlement-contract',
      name: 'CHF/EUR forward March 2026, not settled',
      nearLeg: { ccyCode: 'CHF', amount: '-94000', date: '2026-03-16' },
      farLeg: { ccyCode: 'EUR', amount: '100000', date: '2026-03-16' },
      forwardRate: '0.94',
    },
  },
  buyoutFund: {
    path: buyouts,
    fields: { ...fund, name: 'Fjord Buyout II, old net asset value', commitment: '150000', vintageYear: 2022 },
    points: [[netAssetValue, { '2025-12-31': '96000', '2026-07-31': '90000' }]],
  },
  bridgeFund: {
    path: buyouts,
    fields: { ...fund, name: 'Fjord Bridge I, wound up', commitment: '110000', vintageYear: 2023 },
    points: [[netAssetValue, { '2024-12-31': '104000', '2025-03-31': '79500', '2025-06-30': '0', '2026-09-30': '0' }]],
  },
  scatteredFund: {
    path: buyouts,
    fields: { ...fund, name: 'Birka Growth I, called at two banks', commitment: '90000', vintageYear: 2025 },
    points: [[netAssetValue, { '2026-09-30': '31000' }]],
  },
  futureFund: {
    path: buyouts,
    fields: { ...fund, name: 'Fjord Buyout III, nothing called', commitment: '200000', vintageYear: 2026 },
  },
  mixedFund: {
    path: buyouts,
    fields: { ...fund, name: 'Birka Growth II, units at one bank only', commitment: '60000', vintageYear: 2025 },
    points: [[netAssetValue, { '2026-09-30': '16000' }]],
  },
  bondOfFormerBank: {
    path: 'Fixed income/Corporate',
    fields: {
      type: 'bond-instrument',
      name: 'Birka Bank 1.5 % November 2029, from statements',
      ccyCode: 'CHF',
      coupon: '0.015',
      maturity: '2029-11-15',
      datedDate: '2024-11-15',
    },
    points: [[price, { '2026-10-30': '99.4' }]],
  },
} as const satisfies Readonly<Record<string, TakeoverInstrument>>;

export type TakeoverInstrumentName = keyof typeof takeoverInstruments;
export type TakeoverInstrumentIds = Readonly<Record<TakeoverInstrumentName, Id>>;

export async function createTakeoverInstruments(
  work: Work,
  { classes, reportingEntity }: { readonly classes: ClassIds; readonly reportingEntity: Id },
): Promise<TakeoverInstrumentIds> {
  const ids: [TakeoverInstrumentName, Id][] = [];
  for (const name of keysOf(takeoverInstruments)) {
    const { path, fields, points = [] }: TakeoverInstrument = takeoverInstruments[name];
    const instrumentClass = path === null ? null : defined(classes.get(path), 'the classes of the demo exist');
    const id = await createAndGetId(work, instrumentRules, { reportingEntity, instrumentClass, ...fields });
    ids.push([name, id]);
    for (const [series, values] of points) {
      const rows = Object.entries(values).map(([date, value]) => ({
        date: parseCalendarDate(date),
        value: parseDecimal(value),
      }));
      await putDatedPoints(work, series, id, rows);
    }
  }
  return Object.fromEntries(ids) as TakeoverInstrumentIds;
}
