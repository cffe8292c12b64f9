// From the first value to the last, and what contributed to the return along an axis.

import type { Cell, Column, Row, Table } from '../../tables/table.ts';
import type { EntityView } from '../entity-view.ts';
import { explained } from './explained.ts';
import { performanceTexts } from './performance-texts.ts';

export const contributionAxes = ['class', 'portfolio', 'depository', 'instrument', 'currency'] as const;
export type ContributionAxis = (typeof contributionAxes)[number];

export function bridgeTable(view: EntityView, report: any): Table {
  const { formats, reader } = view.page;
  const text = performanceTexts[reader.language];
  const { currency, start, end, data } = report;
  const [whole] = data;
  const window = { start, end, currency: view.currency };
  const line = (title: string, value: string, figure: string, parameters = window): Row => ({
    cells: [{ value: title }, { value, ...explained(view, figure, parameters) }],
  });
  const amount = (value: string): Cell => ({ value, text: formats.money(value, currency) });
  const worth = { as_of: end, currency: view.currency };
  return {
    id: 'from-first-to-last',
    caption: text.bridge,
    columns: [
      { key: 'what', title: text.what, kind: 'text' },
      { key: 'amount', title: `${text.amount} (${currency})`, kind: 'money', currency, signed: true },
    ],
    rows: [
      { cells: [{ value: text.begin(formats.dateLong(start)) }, amount(whole.begin_market_value)] },
      line(text.paidIn, whole.net_cash_flow, 'net_cash_flow'),
      line(text.prices, whole.gain_price_part, 'gain_price_part'),
      line(text.income, whole.gain_income_part, 'gain_income_part'),
      line(text.currencies, whole.gain_currency_part, 'gain_currency_part'),
      {
        isSum: true,
        cells: [
          { value: text.end(formats.dateLong(end)) },
          { ...amount(whole.end_market_value), ...explained(view, 'market_value', worth) },
        ],
      },
    ],
  };
}

/** What `GET /v1/explain` calls a segment of each axis. */
export const segmentParameter = {
  class: 'class_id',
  portfolio: 'portfolio_id',
  depository: 'depository_id',
  instrument: 'instrument_id',
  currency: 'held_currency',
} as const satisfies Readonly<Record<ContributionAxis, string>>;

/** The whole comes first at the API, and last in the table. */
export function contributionTable(
  view: EntityView,
  report: any,
  { axis, wholeName }: { readonly axis: ContributionAxis; readonly wholeName: string },
): Table {
  const text = performanceTexts[view.page.reader.language];
  const { currency, start, end, data } = report;
  const [whole, ...segments] = data;
  const largestFirst = segments.toSorted(
    (one: any, other: any) => Number(other.contribution ?? 0) - Number(one.contribution ?? 0),
  );
  const columns: Column[] = [
    { key: 'name', title: text[axis], kind: 'text', wide: true },
    { key: 'contribution', title: text.contribution, kind: 'percent' },
    { key: 'return', title: text.return, kind: 'percent' },
    { key: 'gain', title: `${text.gain} (${currency})`, kind: 'money', currency, signed: true },
    { key: 'value', title: `${text.value} (${currency})`, kind: 'money', currency },
  ];
  const row = (one: any, isSum: boolean): Row => {
    const segment = isSum ? {} : { [segmentParameter[axis]]: one.segment_id ?? 'none' };
    const parameters = { start, end, currency: view.currency, ...segment };
    const worth = { as_of: end, currency: view.currency, ...segment };
    const name = isSum ? wholeName : (one.segment_name ?? text.without);
    return {
      isSum,
      cells: [
        { value: name },
        { value: one.contribution, ...explained(view, 'contribution', parameters) },
        { value: one.twr, ...explained(view, 'cumulative_twr', parameters) },
        { value: one.gain, ...explained(view, 'gain', parameters) },
        { value: one.end_market_value, ...explained(view, 'market_value', worth) },
      ],
    };
  };
  return {
    id: `contribution-by-${axis}`,
    caption: text.contributions,
    columns,
    rows: [...largestFirst.map((one: any) => row(one, false)), row(whole, true)],
  };
}
