// The months and years of a period, with what each brought.

import { moneyColumns, type Cell, type Column, type Row, type Table } from '../../tables/table.ts';
import type { EntityView } from '../entity-view.ts';
import { explained } from './explained.ts';
import { performanceTexts } from './performance-texts.ts';

function periodsOf({ data: [whole] }: any, every: string): readonly any[] {
  return whole.periods.filter((period: any) => period.every === every);
}

export function monthsTable(view: EntityView, report: any): Table {
  const { formats, reader } = view.page;
  const text = performanceTexts[reader.language];
  const [months, years] = [periodsOf(report, 'month'), periodsOf(report, 'year')];
  const cell = (period: any): Cell =>
    period === undefined
      ? { value: null, text: '' }
      : {
          value: period.twr,
          ...explained(view, 'cumulative_twr', { start: period.start, end: period.end, currency: view.currency }),
        };
  const monthNumbers = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'));
  return {
    id: 'months',
    caption: text.months,
    columns: [
      { key: 'year', title: text.year, kind: 'text' },
      ...monthNumbers.map((month): Column => ({
        key: `month-${month}`,
        title: formats.monthShort(`2024-${month}-01`),
        kind: 'percent',
      })),
      { key: 'whole', title: text.whole, kind: 'percent' },
    ],
    rows: years
      .map((year) => {
        const number: string = year.start.slice(0, 4);
        const found = monthNumbers.map((month) => months.find(({ start }) => start.startsWith(`${number}-${month}`)));
        return { cells: [{ value: number }, ...found.map(cell), cell(year)] };
      })
      .toReversed(),
  };
}

export function yearsTable(view: EntityView, report: any): Table {
  const text = performanceTexts[view.page.reader.language];
  const { currency } = report;
  const money = moneyColumns(currency);
  return {
    id: 'years',
    caption: text.years,
    columns: [
      { key: 'year', title: text.year, kind: 'text' },
      { key: 'return', title: text.return, kind: 'percent' },
      money('gain', text.gain, true),
      money('flow', text.flow, true),
      money('income', text.incomeShort),
      money('fees', text.feesShort),
      money('value', text.worth),
    ],
    rows: periodsOf(report, 'year')
      .map((year): Row => {
        const window = { start: year.start, end: year.end, currency: view.currency };
        const cell = (value: string | null, figure: string): Cell => ({ value, ...explained(view, figure, window) });
        return {
          cells: [
            { value: year.start.slice(0, 4) },
            cell(year.twr, 'cumulative_twr'),
            cell(year.gain, 'gain'),
            cell(year.net_cash_flow, 'net_cash_flow'),
            cell(year.income, 'income'),
            cell(year.fees, 'fees'),
            {
              value: year.end_market_value,
              ...explained(view, 'market_value', { as_of: year.end, currency: view.currency }),
            },
          ],
        };
      })
      .toReversed(),
  };
}
