// Interest that others have published, as loans and bonds have accrued it on a day.

export interface InterestCase {
  readonly id: string;
  readonly source: string;
  /** The convention, as the service names it. */
  readonly convention: string;
  readonly nominal: string;
  readonly rate: string;
  readonly start: string;
  readonly end: string;
  readonly accrued: number;
  readonly tolerance: number;
  /** A bond with coupons; a loan without it. */
  readonly bond?: { readonly maturity: string; readonly coupon_frequency: number; readonly ex_dividend_days?: number };
}

/** Days of 30/360 and fractions of years: of a nominal of 360, or of 1, at 100 %. */
const dayCounts: readonly (readonly [id: string, convention: string, start: string, end: string, figure: number])[] = [
  ['dc-30E360-2008-02-29-2009-02-28', '30E/360', '2008-02-29', '2009-02-28', 359],
  ['dc-30E360-2006-01-31-2006-02-28', '30E/360', '2006-01-31', '2006-02-28', 28],
  ['dc-30360-bond-basis-2008-02-28-2008-03-31', '30/360-BOND', '2008-02-28', '2008-03-31', 33],
  ['dc-30360-US-2008-02-28-2008-08-31', '30/360-US', '2008-02-28', '2008-08-31', 183],
  ['dc-30360-bond-basis-2008-02-29-2008-08-31', '30/360-BOND', '2008-02-29', '2008-08-31', 182],
  ['dc-30E360-2008-02-29-2008-08-31', '30E/360', '2008-02-29', '2008-08-31', 181],
  ['dc-30360-US-2008-02-29-2009-02-28', '30/360-US', '2008-02-29', '2009-02-28', 360],
  ['dc-30360-US-2007-02-28-2007-08-31', '30/360-US', '2007-02-28', '2007-08-31', 180],
  ['dc-30360-bond-basis-2008-02-29-2009-02-28', '30/360-BOND', '2008-02-29', '2009-02-28', 359],
  ['dc-30360-US-2006-02-28-2006-03-03', '30/360-US', '2006-02-28', '2006-03-03', 3],
  ['dc-30360-bond-basis-2006-02-14-2006-02-28', '30/360-BOND', '2006-02-14', '2006-02-28', 14],
  ['dc-30360-bond-basis-2006-01-31-2006-02-28', '30/360-BOND', '2006-01-31', '2006-02-28', 28],
  ['dc-30360-bond-basis-2007-02-26-2008-02-29', '30/360-BOND', '2007-02-26', '2008-02-29', 363],
  ['dc-30E360-2011-08-31-2012-02-29', '30E/360', '2011-08-31', '2012-02-29', 179],
  ['dc-30360-bond-basis-2006-02-28-2006-03-03', '30/360-BOND', '2006-02-28', '2006-03-03', 5],
  ['dc-30E360-2006-08-31-2007-02-28', '30E/360', '2006-08-31', '2007-02-28', 178],
  ['dc-30360-bond-basis-2008-02-28-2008-08-31', '30/360-BOND', '2008-02-28', '2008-08-31', 183],
  ['dc-30360-bond-basis-2006-08-31-2007-02-28', '30/360-BOND', '2006-08-31', '2007-02-28', 178],
  ['dc-30360-bond-basis-2007-08-31-2008-02-29', '30/360-BOND', '2007-08-31', '2008-02-29', 179],
  ['dc-30360-bond-basis-2006-01-30-2006-02-28', '30/360-BOND', '2006-01-30', '2006-02-28', 28],
  ['yf-actactisda-2003-07-15', 'ACT/ACT-ISDA', '2003-07-15', '2004-01-15', 0.504004790778],
  ['yf-actactisda-1999-07-01', 'ACT/ACT-ISDA', '1999-07-01', '2000-07-01', 1.0013773486],
  ['yf-actactisda-2000-01-30', 'ACT/ACT-ISDA', '2000-01-30', '2000-06-30', 0.415300546448],
  ['yf-actactisda-1999-02-01', 'ACT/ACT-ISDA', '1999-02-01', '1999-07-01', 0.41095890411],
  ['yf-actactisda-2003-11-01', 'ACT/ACT-ISDA', '2003-11-01', '2004-05-01', 0.497724380567],
  ['yf-act365F-2007-12-28', 'ACT/365', '2007-12-28', '2008-02-28', 0.16986301369863013],
];

const sources: Readonly<Record<string, string>> = {
  dc: 'github.com/lballabio/QuantLib@2a13d455 test-suite/daycounters.cpp testThirty360_* (ISDA 2008 examples, https://www.isda.org/2008/12/22/30-360-day-count-conventions/)',
  yf: 'github.com/lballabio/QuantLib@2a13d455 test-suite/daycounters.cpp#testActualActual (ISDA EMU memo examples)',
};

function toCase([id, convention, start, end, accrued]: (typeof dayCounts)[number]): InterestCase {
  const kind = id.slice(0, 2);
  const nominal = kind === 'dc' ? '360' : '1';
  const source = id.startsWith('yf-act365F')
    ? 'github.com/Anexen/pyxirr@5f31a856 src/core/scheduled/day_count.rs tests (deltaquants examples)'
    : (sources[kind] ?? '');
  return { id, source, convention, nominal, rate: '1', start, end, accrued, tolerance: kind === 'dc' ? 0 : 1e-10 };
}

export const interestCases: readonly InterestCase[] = [
  {
    id: 'accrued-gilt-ex',
    source: 'github.com/lballabio/QuantLib@2a13d455 test-suite/bonds.cpp#testExCouponGilt',
    convention: 'ACT/ACT-ICMA',
    nominal: '100',
    rate: '0.08',
    start: '2012-12-07',
    end: '2013-05-30',
    accrued: -0.1758242,
    tolerance: 0.000001,
    bond: { maturity: '2021-06-07', coupon_frequency: 2, ex_dividend_days: 8 },
  },
  {
    id: 'accrued-agb-ex',
    source: 'github.com/lballabio/QuantLib@2a13d455 test-suite/bonds.cpp#testExCouponAustralianBond',
    convention: 'ACT/ACT-ICMA',
    nominal: '100',
    rate: '0.06',
    start: '2014-02-15',
    end: '2014-08-08',
    accrued: -0.116,
    tolerance: 0.001,
    bond: { maturity: '2017-02-15', coupon_frequency: 2, ex_dividend_days: 7 },
  },
  {
    id: 'accrued-us-agency-31st',
    source:
      'github.com/lballabio/QuantLib@2a13d455 test-suite/bonds.cpp#testThirty360BondWithSettlementOn31st (CUSIP 3130A0X70, Bloomberg)',
    convention: '30/360-US',
    nominal: '100',
    rate: '0.015',
    start: '2017-02-13',
    end: '2017-07-31',
    accrued: 0.7,
    tolerance: 0.000001,
    bond: { maturity: '2018-08-13', coupon_frequency: 2 },
  },
  {
    id: 'accrued-formulajs-act365F',
    source: 'github.com/formulajs/formulajs test/financial.js#ACCRINT',
    convention: 'ACT/365',
    nominal: '1000',
    rate: '0.1',
    start: '2012-02-02',
    end: '2013-12-04',
    accrued: 183.83561643835617,
    tolerance: 1e-9,
  },
  {
    id: 'accrued-excel-accrint-1993',
    source: 'Microsoft KB Q137922 (corrects the printed 16.85083): Excel ACCRINT gives 61/360 here',
    convention: '30/360-US',
    nominal: '1000',
    rate: '0.1',
    start: '1993-02-28',
    end: '1993-05-01',
    accrued: 16.94444,
    tolerance: 0.0001,
  },
  {
    id: 'accrued-formulajs-30E360',
    source: 'github.com/formulajs/formulajs test/financial.js#ACCRINT',
    convention: '30E/360',
    nominal: '1000',
    rate: '0.1',
    start: '2012-02-02',
    end: '2013-12-04',
    accrued: 183.88888888888889,
    tolerance: 1e-9,
  },
  {
    id: 'accrued-formulajs-30360US',
    source: 'github.com/formulajs/formulajs test/financial.js#ACCRINT',
    convention: '30/360-US',
    nominal: '1000',
    rate: '0.1',
    start: '2012-02-02',
    end: '2013-12-04',
    accrued: 183.88888888888889,
    tolerance: 1e-9,
  },
  ...dayCounts.map(toCase),
];
