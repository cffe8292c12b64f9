// The holdings of a report: what is held, what it is worth and cost, and which values are old or estimated.

import type { Row, Table } from '../../tables/table.ts';
import type { EntityView } from '../entity-view.ts';
import { valuationMarks } from '../valuation-marks.ts';
import { reportTexts } from './report-texts.ts';

interface HoldingsInput extends Pick<Table, 'id' | 'caption'> {
  readonly by: 'class' | 'instrument';
  readonly rows: readonly any[];
  /** The first page of the API's answer: holdings are in the reference currency. */
  readonly answer: { readonly currency: string; readonly totals: any };
}

export function holdingsTable(view: EntityView, { id, caption, by, rows, answer }: HoldingsInput): Table {
  const text = reportTexts[view.page.reader.language];
  const { currency, totals } = answer;
  const hasUnits = by === 'instrument';
  const money = { kind: 'money', currency } as const;
  const units = hasUnits ? [{ key: 'units', title: text.units, kind: 'quantity' } as const] : [];
  const largestFirst = rows.toSorted((one, other) => Number(other.market_value) - Number(one.market_value));
  return {
    id,
    caption,
    columns: [
      { key: 'name', title: hasUnits ? text.investment : text.class, kind: 'text', wide: true },
      ...units,
      { key: 'value', title: `${text.value} (${currency})`, ...money },
      { key: 'cost', title: `${text.cost} (${currency})`, ...money },
      { key: 'gain', title: `${text.gain} (${currency})`, ...money, signed: true },
      { key: 'share', title: text.share, kind: 'percent', signed: false, digits: 1 },
    ],
    rows: [
      ...largestFirst.map((one): Row => ({
        cells: [
          { value: one.segment_name ?? text.other },
          ...(hasUnits ? [{ value: one.quantity }] : []),
          { value: one.market_value, marks: one.valuation === null ? [] : valuationMarks(view, one.valuation) },
          { value: one.cost_basis },
          { value: one.unrealised_pnl },
          { value: one.share },
        ],
      })),
      {
        isSum: true,
        cells: [
          { value: text.total },
          ...(hasUnits ? [{ value: null, text: '' }] : []),
          { value: totals.market_value },
          { value: totals.cost_basis },
          { value: totals.unrealised_pnl },
          { value: null, text: '' },
        ],
      },
    ],
  };
}
