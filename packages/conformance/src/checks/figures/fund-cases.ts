// Flows of funds whose rates of return and multiples others have published.

export interface FundCase {
  readonly id: string;
  readonly source: string;
  /** Calls are negative, distributions positive. */
  readonly flows: readonly (readonly [date: string, amount: string, recallable?: string])[];
  readonly commitment?: string;
  /** The value on the day of the last flow, or on one of its own. */
  readonly value?: readonly [date: string, value: string];
  readonly irr?: number;
  readonly dpi?: number;
  readonly rvpi?: number;
  readonly tvpi?: number;
  readonly uncalled?: number;
  readonly pic?: number;
  readonly tolerance: number;
}

export const fundCases: readonly FundCase[] = [
  {
    id: 'xirr-excel',
    source:
      'Microsoft: XIRR function, https://support.microsoft.com/office/xirr-function-de1242ec-6477-445b-b11b-a303ad9adc9d',
    flows: [
      ['2008-01-01', '-10000'],
      ['2008-03-01', '2750'],
      ['2008-10-30', '4250'],
      ['2009-02-15', '3250'],
      ['2009-04-01', '2750'],
    ],
    irr: 0.373362535,
    tolerance: 5e-7,
  },
  {
    id: 'pm-recallable',
    source:
      'formula: https://eagledocs.atlassian.net/wiki/spaces/IE/pages/9677930497 (unfunded = total - calls + recallable)',
    flows: [
      ['2015-01-01', '-400'],
      ['2015-04-11', '150', '100'],
    ],
    commitment: '1000',
    uncalled: 700,
    pic: 0.4,
    tolerance: 1e-9,
  },
  {
    id: 'irr-holding-wikipedia',
    source: 'same page: 100*(1+r)^2 + 50*(1+r) = 300 -> r = 0.5',
    flows: [
      ['2015-01-01', '-100'],
      ['2016-01-01', '-50'],
      ['2016-12-31', '300'],
    ],
    irr: 0.5,
    tolerance: 1e-9,
  },
  {
    id: 'mwr-cfa-two-year',
    source:
      'same example, https://online.flipbuilder.com/bmcx/mfst/files/basic-html/page91.html (flows); result recomputed',
    flows: [
      ['2015-01-01', '-100'],
      ['2016-01-01', '-118'],
      ['2016-12-31', '264'],
    ],
    irr: 0.1386,
    tolerance: 0.00005,
  },
  {
    id: 'irr-insead-2',
    source: 'github.com/Anexen/pyxirr@5f31a856 src/core/private_equity.rs tests (INSEAD)',
    flows: [
      ['2015-01-01', '-12'],
      ['2016-01-01', '-10'],
      ['2016-12-31', '-4'],
      ['2017-12-31', '40'],
      ['2019-12-31', '15'],
      ['2020-12-30', '5'],
    ],
    irr: 0.324,
    tolerance: 0.001,
  },
  {
    id: 'pm-cfa-l2',
    source: 'CFA L2 R36 Q16, https://bbs.gfedu.cn/faq/cfa/cfa2/q639138a3m5.shtml (NAV after distributions)',
    flows: [
      ['2015-01-01', '-98'],
      ['2016-05-15', '28'],
    ],
    value: ['2017-06-19', '131.42'],
    dpi: 0.286,
    rvpi: 1.341,
    tvpi: 1.63,
    tolerance: 0.005,
  },
  {
    id: 'pm-pyxirr-1',
    source:
      'github.com/Anexen/pyxirr@5f31a856 src/core/private_equity.rs tests test_dpi/test_tvpi (rvpi = nav/paid-in recomputed)',
    flows: [
      ['2015-01-01', '-10'],
      ['2015-01-02', '-20'],
      ['2016-05-15', '15'],
      ['2016-05-16', '30'],
    ],
    value: ['2017-06-19', '15'],
    dpi: 1.5,
    rvpi: 0.5,
    tvpi: 2,
    tolerance: 1e-9,
  },
  {
    id: 'xirr-pp-dividend-tax',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/IRRCalculationTest.java (before taxes: net 100 + 50 tax; 1200 + 30 tax)',
    flows: [
      ['2015-12-31', '-1000'],
      ['2016-06-01', '150'],
      ['2016-12-31', '1230'],
    ],
    irr: 0.412128788,
    tolerance: 1e-8,
  },
  {
    id: 'xirr-pp-long',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/math/IRRTest.java#testComplexExcelTestCaseWithSlowCurve',
    flows: [
      ['2002-11-30', '-4398'],
      ['2007-06-11', '200'],
      ['2008-05-11', '270'],
      ['2009-05-01', '280'],
      ['2010-06-01', '280'],
      ['2011-05-02', '300'],
      ['2012-04-30', '330'],
      ['2012-12-06', '14508'],
    ],
    irr: 0.1444629967,
    tolerance: 0.0001,
  },
  {
    id: 'xirr-mathworks-act365',
    source:
      'https://www.mathworks.com/help/finance/xirr.html via github.com/Anexen/pyxirr@5f31a856 tests/test_scheduled.rs#test_xirr_day_count',
    flows: [
      ['2007-01-12', '-10000'],
      ['2008-02-14', '2500'],
      ['2008-03-03', '2000'],
      ['2008-06-14', '3000'],
      ['2008-12-01', '4000'],
    ],
    irr: 0.10064378342638,
    tolerance: 1e-9,
  },
  {
    id: 'xirr-pp-near-total-loss',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/math/IRRTest.java#testSmallConvergenceInterval',
    flows: [
      ['2019-05-24', '-1560.94'],
      ['2020-01-13', '-1160'],
      ['2020-06-29', '42.8'],
    ],
    irr: -0.999251643,
    tolerance: 0.0001,
  },
  {
    id: 'xirr-zeros',
    source: 'github.com/Anexen/pyxirr@5f31a856 tests/samples/zeros.csv',
    flows: [
      ['1995-12-31', '-100'],
      ['1996-12-31', '10'],
      ['1998-12-31', '10'],
      ['1999-12-31', '10'],
      ['2000-12-31', '10'],
      ['2001-12-31', '200'],
    ],
    irr: 0.175680730580782,
    tolerance: 1e-8,
  },
];
