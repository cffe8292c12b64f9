// Purchases, sales and splits whose costs and gains others have published.

export type LotEvent = readonly [act: 'buy' | 'sell' | 'split', date: string, quantityOrRatio: string, amount: string];

export interface LotCase {
  readonly id: string;
  readonly source: string;
  readonly method: 'FIFO' | 'AVERAGE';
  readonly events: readonly LotEvent[];
  /** What is left, and what was gained. */
  readonly quantity?: string;
  readonly cost?: string;
  readonly averageCost?: string;
  readonly gain?: string;
  readonly tolerance: number;
}

export const lotCases: readonly LotCase[] = [
  {
    id: 'lots-beancount-average-4',
    source:
      'github.com/beancount/beancount@a3cb3fd9 beancount/parser/booking_full_test.py _TestBookAmbiguousAVERAGE (tests exist upstream but are skipped: AVERAGE is disabled)',
    method: 'AVERAGE',
    events: [
      ['buy', '2015-10-01', '50', '5000'],
      ['buy', '2015-10-01', '50', '5050'],
      ['buy', '2015-10-01', '50', '5100'],
      ['sell', '2015-11-01', '49', '0'],
    ],
    quantity: '101',
    averageCost: '101',
    tolerance: 0.005,
  },
  {
    id: 'lots-pp-reopen',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CostCalculationTest.java#testWhenSharesHeldGoToZero',
    method: 'FIFO',
    events: [
      ['buy', '2010-01-01', '100', '3149.2'],
      ['sell', '2010-02-01', '100', '531.5'],
      ['buy', '2010-03-01', '50', '1684.92'],
      ['sell', '2010-04-01', '50', '531.5'],
    ],
    quantity: '0',
    cost: '0',
    tolerance: 1e-9,
  },
  {
    id: 'gf-jnug-two-round-trips',
    source:
      'github.com/ghostfolio/ghostfolio@c542997d portfolio-calculator-jnug-buy-and-sell-and-buy-and-sell.spec.ts (net of 4.00 fees = 39.95)',
    method: 'FIFO',
    events: [
      ['buy', '2025-12-11', '9', '1885.05'],
      ['sell', '2025-12-18', '9', '1890'],
      ['buy', '2025-12-18', '10', '2041.1'],
      ['sell', '2025-12-28', '10', '2080.1'],
    ],
    quantity: '0',
    gain: '43.95',
    tolerance: 0.005,
  },
  {
    id: 'gf-baln-closed',
    source:
      'github.com/ghostfolio/ghostfolio@c542997d apps/api/src/app/portfolio/calculator/roai/portfolio-calculator-baln-buy-and-sell-in-two-activities.spec.ts (gross; net of 3.20 fees = -15.80)',
    method: 'FIFO',
    events: [
      ['buy', '2021-11-22', '2', '285.8'],
      ['sell', '2021-11-30', '1', '136.6'],
      ['sell', '2021-11-30', '1', '136.6'],
    ],
    quantity: '0',
    gain: '-12.6',
    tolerance: 0.005,
  },
  {
    id: 'split-gf-two-splits',
    source: 'github.com/ghostfolio/ghostfolio@c542997d same spec; asset-profile-split.helper.spec.ts',
    method: 'AVERAGE',
    events: [
      ['buy', '2020-01-01', '10', '1000'],
      ['split', '2021-01-01', '2:1', '0'],
      ['split', '2022-01-01', '1:3', '0'],
    ],
    quantity: '6.666666666666667',
    cost: '1000',
    averageCost: '150',
    tolerance: 1e-9,
  },
  {
    id: 'lots-pp-fx-avg',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CapitalGainsCalculationTest.java (at average cost)',
    method: 'AVERAGE',
    events: [
      ['buy', '2024-01-01', '100', '4500'],
      ['buy', '2024-02-01', '50', '2550'],
      ['sell', '2024-03-01', '50', '3080'],
    ],
    gain: '730',
    tolerance: 0.005,
  },
  {
    id: 'split-gf-then-sell',
    source: 'github.com/ghostfolio/ghostfolio@c542997d same spec (realised gain recomputed: 300-250)',
    method: 'AVERAGE',
    events: [
      ['buy', '2020-01-01', '10', '1000'],
      ['split', '2020-06-01', '2:1', '0'],
      ['sell', '2021-01-01', '5', '300'],
    ],
    quantity: '15',
    cost: '750',
    averageCost: '50',
    gain: '50',
    tolerance: 0.005,
  },
  {
    id: 'lots-pp-1-fifo',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CostCalculationTest.java#testFifoBuySellTransactions + CapitalGainsCalculationTest.java',
    method: 'FIFO',
    events: [
      ['buy', '2010-01-01', '109', '3149.2'],
      ['sell', '2010-02-01', '15', '531.5'],
      ['buy', '2010-03-01', '52', '1684.92'],
      ['buy', '2010-03-01', '32', '959.3'],
    ],
    quantity: '178',
    cost: '5360.04',
    gain: '98.12',
    tolerance: 0.005,
  },
  {
    id: 'lots-pp-fx-fifo',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CapitalGainsCalculationTest.java#testFifoBuySellTransactions3 (EUR amounts recorded on the transactions)',
    method: 'FIFO',
    events: [
      ['buy', '2024-01-01', '100', '4500'],
      ['buy', '2024-02-01', '50', '2550'],
      ['sell', '2024-03-01', '50', '3080'],
    ],
    gain: '830',
    tolerance: 0.005,
  },
  {
    id: 'lots-pp-zero-after-three-sells',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CostCalculationTest.java#testThatRoundingDifferencesAreRemovedIfZeroSharesHeld',
    method: 'FIFO',
    events: [
      ['buy', '2010-01-01', '10', '0.01'],
      ['sell', '2010-02-01', '3', '0.01'],
      ['sell', '2010-03-01', '3', '0.01'],
      ['sell', '2010-03-01', '4', '0.01'],
    ],
    quantity: '0',
    cost: '0',
    tolerance: 1e-9,
  },
  {
    id: 'lots-pp-fx-usd-fifo',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CapitalGainsCalculationTest.java#testFifoBuySellTransactions3ReportedInSecurityCurrency (use the rate recorded on the trade, not the day rate)',
    method: 'FIFO',
    events: [
      ['buy', '2024-01-01', '100', '5000'],
      ['buy', '2024-02-01', '50', '3000'],
      ['sell', '2024-03-01', '50', '3500'],
    ],
    cost: '5500',
    gain: '1000',
    tolerance: 0.005,
  },
  {
    id: 'lots-pp-2-fifo',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/snapshot/security/CostCalculationTest.java#testFifoBuySellTransactions2',
    method: 'FIFO',
    events: [
      ['buy', '2010-01-01', '109', '3149.2'],
      ['buy', '2010-02-01', '52', '1684.92'],
      ['sell', '2010-03-01', '15', '531.5'],
    ],
    quantity: '146',
    cost: '4400.74',
    gain: '98.12',
    tolerance: 0.005,
  },
  {
    id: 'split-gf-reverse-1for10',
    source: 'github.com/ghostfolio/ghostfolio@c542997d same spec',
    method: 'AVERAGE',
    events: [
      ['buy', '2020-01-01', '10', '1000'],
      ['split', '2021-01-01', '1:10', '0'],
    ],
    quantity: '1',
    cost: '1000',
    averageCost: '1000',
    tolerance: 0.005,
  },
  {
    id: 'lots-beancount-fifo-12',
    source:
      'github.com/beancount/beancount@a3cb3fd9 beancount/parser/booking_full_test.py TestBookAmbiguousFIFO (entry order differs from acquisition order)',
    method: 'FIFO',
    events: [
      ['buy', '2015-10-02', '5', '555.55'],
      ['buy', '2015-10-01', '4', '400'],
      ['buy', '2015-10-03', '6', '733.32'],
      ['sell', '2015-11-01', '12', '0'],
    ],
    quantity: '3',
    cost: '366.66',
    tolerance: 0.005,
  },
  {
    id: 'lots-pp-1-avg',
    source:
      'github.com/portfolio-performance/portfolio@d26a30f6 name.abuchen.portfolio.tests/src/name/abuchen/portfolio/same file, MOVING_AVERAGE',
    method: 'AVERAGE',
    events: [
      ['buy', '2010-01-01', '109', '3149.2'],
      ['sell', '2010-02-01', '15', '531.5'],
      ['buy', '2010-03-01', '52', '1684.92'],
      ['buy', '2010-03-01', '32', '959.3'],
    ],
    quantity: '178',
    cost: '5360.04',
    gain: '98.12',
    tolerance: 0.005,
  },
];
