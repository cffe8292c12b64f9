// Presents a segment's daily figures as columns, so that writing them needs no object for each day.

import { AmountColumn } from '../../../engine/amounts/amount-column.ts';
import type { ReturnPath } from '../../../engine/returns/return-path.ts';
import type { SegmentReturn } from '../../../engine/returns/segments/segment-return.ts';
import type { PointFigure } from '../../../model/report/performance.ts';

/** Amount columns start one day earlier than the days: their first entry is the day before the window. */
export type FigureColumn =
  | { readonly kind: 'date'; readonly days: Int32Array }
  | { readonly kind: 'amount'; readonly column: AmountColumn }
  | { readonly kind: 'ratio'; readonly ratios: Float64Array }
  /** No day has the figure. */
  | { readonly kind: 'missing' };

export interface FigureSeries {
  readonly length: number;
  column(figure: PointFigure): FigureColumn;
}

export function segmentSeries(returns: SegmentReturn): FigureSeries {
  const { path } = returns;
  return {
    length: path.days.length,
    column(figure) {
      switch (figure) {
        case 'marketValue':
          return { kind: 'amount', column: returns.values };
        case 'netCashFlow':
          return { kind: 'amount', column: returns.flows };
        case 'dailyReturn':
          return { kind: 'amount', column: returns.gains };
        default:
          return pathColumn(path, figure);
      }
    },
  };
}

/** A series for a path of returns, which has no amounts. */
export function pathSeries(path: ReturnPath): FigureSeries {
  return {
    length: path.days.length,
    column(figure) {
      if (figure === 'date' || figure === 'dailyTwr' || figure === 'cumulativeTwr') return pathColumn(path, figure);
      throw new RangeError(`A path of returns has no ${figure}.`);
    },
  };
}

function pathColumn(path: ReturnPath, figure: 'date' | 'dailyTwr' | 'cumulativeTwr'): FigureColumn {
  if (figure === 'date') return { kind: 'date', days: path.days };
  if (path.noReturn !== null) return { kind: 'missing' };
  return { kind: 'ratio', ratios: figure === 'dailyTwr' ? path.ratios : path.cumulative };
}

export const emptyFigureSeries: FigureSeries = {
  length: 0,
  column: () => ({ kind: 'ratio', ratios: new Float64Array(0) }),
};
