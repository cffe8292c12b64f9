// Instruments as each wire writes them: one of each type with every possible attribute, as a document and as a snake_case body.

import type { Caller } from '../http/caller.ts';
import { testNow, toOne } from '../structure/structure-document.ts';

export type Attributes = Readonly<Record<string, unknown>>;

const commonAttributes = {
  externalIdentifier: 'CUST-77/A',
  ccyCode: 'CHF',
  priceUnit: '1',
  issuerCountry: 'CH',
  tags: ['core', 'Ärzte'],
};

const bondTerms = {
  ...commonAttributes,
  priceUnit: 'per 100',
  coupon: 0.0125,
  maturity: '2034-06-15',
  dayCountConvention: 'ACT/ACT-ICMA',
  couponFrequency: 2,
  datedDate: '2024-06-15',
  firstCouponDate: '2025-01-15',
  issuePrice: 99.75,
  exDividendDays: 7,
  referenceRate: null,
  spread: null,
};

const forwardTerms = {
  ...commonAttributes,
  nearLeg: { ccyCode: 'CHF', amount: -880000.25, date: '2027-03-15' },
  farLeg: { ccyCode: 'USD', amount: 1000000, date: '2027-03-16' },
  settlementDate: '2027-03-16',
  forwardRate: 0.88000025,
};

const { coupon: _coupon, firstCouponDate: _first, exDividendDays: _ex, ...uncouponed } = bondTerms;
const { referenceRate: _rate, spread: _spread, ...zeroTerms } = uncouponed;

/** Every attribute of every type, with a value. Attributes that a fixed rate excludes are null. */
export const fullAttributes: Readonly<Record<string, Attributes>> = {
  'stock-instrument': {
    name: 'Novartis AG',
    ...commonAttributes,
    ticker: 'NOVN',
    exchange: 'XSWX',
    isin: 'CH0012005267',
    listingCurrency: 'CHF',
  },
  'bond-instrument': { name: 'Eidgenossenschaft 2034', isin: 'CH0224397171', ...bondTerms },
  'index-linked-bond-instrument': { name: 'OAT €i 2034', isin: 'FR0011982776', ...bondTerms, baseFactor: 112.40571 },
  'zero-coupon-bond-instrument': { name: 'Strip 2034', isin: 'DE0001142263', ...zeroTerms },
  'mutual-fund-instrument': { name: 'Global Equity Fund', ...commonAttributes, isin: 'LU0323577923', domicile: 'LU' },
  'loan-instrument': {
    name: 'Loan to Holding AG',
    ...commonAttributes,
    principal: 250000,
    interestRate: null,
    referenceRate: 'SARON',
    spread: -0.0025,
    startDate: '2026-01-01',
    maturity: '2031-01-01',
    dayCountConvention: 'ACT/360',
  },
  'fee-instrument': {
    name: 'Mandate fee',
    ...commonAttributes,
    category: 'advisory',
    rate: 0.0075,
    basis: 1000000,
    startDate: '2026-01-01',
    frequency: 4,
  },
  'other-instrument': {
    name: 'Still life',
    ...commonAttributes,
    metadata: { artist: 'A. L.', sizes: [1.5, { deep: true }] },
  },
  'fx-forward-cash-settlement-contract': { name: 'CHF/USD 3/27', ...forwardTerms },
  'fx-forward-physical-delivery-contract': { name: 'CHF/USD 3/27 delivered', ...forwardTerms },
  'private-market-fund': {
    name: 'Alpine Growth IV',
    ...commonAttributes,
    ccyCode: 'EUR',
    commitment: 5000000,
    managerName: 'Alpine Growth Management',
    strategy: 'European buyout',
    vintageYear: 2024,
    schedule: [
      { date: '2027-03-31', kind: 'call', amount: 750000.5 },
      { date: '2029-09-30', kind: 'distribution', amount: 1200000 },
    ],
  },
};

export const instrumentTypeNames = Object.keys(fullAttributes);

/** The required attributes of each type. */
export const minimalAttributes: Readonly<Record<string, Attributes>> = {
  'stock-instrument': { name: 'X' },
  'bond-instrument': { name: 'X', coupon: 0, maturity: '2034-06-15' },
  'index-linked-bond-instrument': { name: 'X', referenceRate: 'EURIBOR 3M', maturity: '2034-06-15' },
  'zero-coupon-bond-instrument': { name: 'X', maturity: '2034-06-15' },
  'mutual-fund-instrument': { name: 'X' },
  'loan-instrument': { name: 'X', principal: 1, interestRate: 0.02, startDate: '2026-01-01' },
  'fee-instrument': { name: 'X', category: 'custody', rate: 0.001, basis: 0, startDate: '2026-01-01' },
  'other-instrument': { name: 'X' },
  'fx-forward-cash-settlement-contract': {
    name: 'X',
    nearLeg: { ccyCode: 'CHF', amount: -1, date: '2027-03-15' },
    farLeg: { ccyCode: 'USD', amount: 1, date: '2027-03-15' },
  },
  'fx-forward-physical-delivery-contract': {
    name: 'X',
    nearLeg: { ccyCode: 'CHF', amount: 1, date: '2027-03-15' },
    farLeg: { ccyCode: 'USD', amount: -1, date: '2027-03-15' },
  },
  'private-market-fund': { name: 'X', ccyCode: 'EUR', commitment: 1 },
};

const wholeNumbers = ['couponFrequency', 'frequency', 'exDividendDays', 'vintageYear'];

export function snakeCaseName(name: string): string {
  return name === 'ccyCode' ? 'currency' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts to v1 form: snake_case names, decimals as strings, `metadata` unchanged. */
export function toSnakeCase(value: unknown, name = ''): any {
  if (typeof value === 'number') return wholeNumbers.includes(name) ? value : String(value);
  if (Array.isArray(value)) return value.map((item) => toSnakeCase(item));
  if (typeof value !== 'object' || value === null || name === 'metadata') return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [snakeCaseName(member), toSnakeCase(one, member)]),
  );
}

/** The whole resource object on JSON:API. */
export function instrumentObject(id: string, type: string, attributes: Attributes, instrumentClass?: string): object {
  const relationships = {
    instrumentClass: instrumentClass === undefined ? { data: null } : toOne('instrument-class', instrumentClass),
  };
  return { type, id, attributes, relationships };
}

interface InstrumentOwnership {
  readonly instrumentClass?: string;
  readonly reportingEntity?: string;
  readonly client?: string;
}

/** The whole body on v1. */
export function v1Instrument(
  id: string,
  type: string,
  attributes: Attributes,
  { instrumentClass, reportingEntity, client }: InstrumentOwnership = {},
): object {
  return {
    id,
    type,
    // The frozen wires do not have it; types with an ISIN do.
    ...('isin' in attributes ? { sedol: null } : {}),
    ...toSnakeCase(attributes),
    created_at: testNow,
    instrument_class_id: instrumentClass ?? null,
    reporting_entity_id: reportingEntity ?? null,
    client_id: client ?? null,
  };
}

/** The id of the class with this path in the default taxonomy of an environment. */
/** The default class of each type. */
export async function defaultClassIds(caller: Caller): Promise<Readonly<Record<string, string>>> {
  const { body } = await caller.get('/v1/instrument-classes?limit=100');
  const pairs = body.data.flatMap((one: { id: string; default_for: string[] }) =>
    one.default_for.map((type) => [type, one.id]),
  );
  return Object.fromEntries(pairs);
}

export async function classIdByPath(caller: Caller, ...path: readonly string[]): Promise<string> {
  const name = encodeURIComponent(path.at(-1)!);
  const { body } = await caller.get(`/v1/instrument-classes?name=${name}`);
  return body.data.find((one: { path: string[] }) => one.path.join() === path.join()).id;
}
