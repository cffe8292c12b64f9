// The holdings of the generated ledger, and the axes of its reports: each axis assigns every holding to one segment.

import {
  counts,
  currencies,
  currencyOfInstrument,
  detailedClassOf,
  portfolioOf,
  topClassOf,
  type GeneratedLedger,
} from './generated-ledger.ts';

export type BenchAxisName =
  | 'whole'
  | 'portfolios'
  | 'depositories'
  | 'instruments'
  | 'top-level classes'
  | 'detailed classes';

/** The last segment collects holdings without a named one. */
export interface BenchAxis {
  readonly name: BenchAxisName;
  readonly segmentCount: number;
  /** The segment of each holding. */
  readonly segments: Int32Array;
}

export interface BenchHolding {
  readonly account: number;
  /** Null for cash. */
  readonly depository: number | null;
  /** Null for cash. */
  readonly instrument: number | null;
  readonly currency: number;
}

export interface Segmentation {
  /** The positions of the ledger, then the cash of each account in each currency. */
  readonly holdings: readonly BenchHolding[];
  /** The first axis has one segment: the whole portfolio. */
  readonly axes: readonly BenchAxis[];
}

export function cashHolding(positionCount: number, account: number, currency: number): number {
  return positionCount + account * currencies.length + currency;
}

export function segmentationOf({ positions }: GeneratedLedger): Segmentation {
  const holdings: BenchHolding[] = positions.map((position) => ({
    ...position,
    currency: currencyOfInstrument(position.instrument),
  }));
  for (let account = 0; account < counts.accounts; account++)
    for (let currency = 0; currency < currencies.length; currency++)
      holdings.push({ account, depository: null, instrument: null, currency });
  const axis = (
    name: BenchAxisName,
    segmentCount: number,
    segmentOf: (holding: BenchHolding) => number,
  ): BenchAxis => ({
    name,
    segmentCount,
    segments: Int32Array.from(holdings, segmentOf),
  });
  const { depositories, instruments, detailedClasses, topClasses } = counts;
  return {
    holdings,
    axes: [
      axis('whole', 1, () => 0),
      axis('portfolios', counts.portfolios, ({ account }) => portfolioOf(account)),
      axis('depositories', depositories + 1, ({ depository }) => depository ?? depositories),
      axis(
        'instruments',
        instruments + currencies.length,
        ({ instrument, currency }) => instrument ?? instruments + currency,
      ),
      axis('top-level classes', topClasses + 1, ({ instrument }) =>
        instrument === null ? topClasses : topClassOf(detailedClassOf(instrument)),
      ),
      axis('detailed classes', detailedClasses + 1, ({ instrument }) =>
        instrument === null ? detailedClasses : detailedClassOf(instrument),
      ),
    ],
  };
}
