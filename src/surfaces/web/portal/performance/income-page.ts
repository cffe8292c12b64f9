// The income of a reporting entity that was received in a period: by month and year, and by investment.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { html } from '../../../../kit/html.ts';
import { barChart } from '../../charts/bar-chart.ts';
import type { Chart } from '../../charts/chart.ts';
import { emptyState } from '../../parts/notes.ts';
import { figuresList } from '../../parts/parts.ts';
import type { Column, Row, Table } from '../../tables/table.ts';
import type { PageContent } from '../../signed-in-page.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { explained } from './explained.ts';
import { incomeTexts } from './income-texts.ts';
import { chartCard, tableCard } from './table-card.ts';

const showIncome = entityPage({
  id: 'entity-income',
  tab: 'income',
  summary: 'The income that a reporting entity received, by month, year and investment',
  controls: ['period', 'currency'],
  read: readIncomePage,
});

/** More bars than this are drawn by year. */
const monthsMax = 24;

async function readIncomePage(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const { api, reader, formats } = view.page;
  const text = incomeTexts[reader.language];
  const [report, split] = await allInOrder([
    api.get('/v1/performance', { ...view.windowQuery, every: 'month,year', detail: 'summary' }),
    api.get('/v1/performance', { ...view.windowQuery, by: 'instrument', detail: 'summary' }),
  ]);
  const { currency, start, end } = report;
  const [whole] = report.data;
  const lede = html`${text.lede(formats.dateLong(start), formats.dateLong(end), formats.currencyName(currency))}`;
  if (split.data.every((one: any) => Number(one.income) === 0)) {
    return { lede, main: emptyState({ title: text.none, text: text.noneText }) };
  }
  const [months, years] = [periodTable(view, report, 'month'), periodTable(view, report, 'year')];
  const instruments = instrumentTable(view, split);
  const chart = incomeChart(view, report);
  const main = html`${figuresList([
    {
      title: text.received,
      value: formats.money(whole.income, currency),
      small: `${currency}; ${text.receivedHint}`,
      ...explained(view, 'income', { start, end, currency: view.currency }),
    },
  ])}
  ${chartCard(view, chart)} ${tableCard(view, instruments)}${tableCard(view, years)}${tableCard(view, months)}`;
  return { lede, main, tables: [instruments, years, months, chart.table] };
}

function periodsOf({ data: [whole] }: any, every: 'month' | 'year'): readonly any[] {
  return whole.periods.filter((period: any) => period.every === every);
}

function incomeChart({ page: { reader, formats } }: EntityView, report: any): Chart {
  const text = incomeTexts[reader.language];
  const months = periodsOf(report, 'month');
  const isShort = months.length <= monthsMax;
  const periods = isShort ? months : periodsOf(report, 'year');
  const { currency, data } = report;
  return barChart({
    id: 'income-chart',
    title: `${text.chart} (${currency})`,
    description: text.chartDescription(formats.moneyWithCode(data[0].income, currency)),
    reader,
    groupTitle: isShort ? text.month : text.year,
    groups: periods.map(({ start }) => (isShort ? formats.monthShort(start) : start.slice(0, 4))),
    series: [{ title: text.amount, values: periods.map((period) => period.income) }],
    currency,
  });
}

function moneyColumn(title: string, currency: string): Column {
  return { key: 'amount', title: `${title} (${currency})`, kind: 'money', currency };
}

/** The latest first. */
function periodTable(view: EntityView, report: any, every: 'month' | 'year'): Table {
  const { formats, reader } = view.page;
  const text = incomeTexts[reader.language];
  const rows = periodsOf(report, every).map(({ start, end, income }): Row => {
    const name = every === 'month' ? formats.month(start) : start.slice(0, 4);
    const files = every === 'month' ? start.slice(0, 7) : name;
    return {
      cells: [
        { value: files, text: name },
        { value: income, ...explained(view, 'income', { start, end, currency: view.currency }) },
      ],
    };
  });
  return {
    id: `income-by-${every}`,
    caption: every === 'month' ? text.byMonth : text.byYear,
    columns: [{ key: 'period', title: text[every], kind: 'text' }, moneyColumn(text.amount, report.currency)],
    rows: [...rows.toReversed(), totalRow(view, report)],
  };
}

function totalRow(view: EntityView, { start, end, data: [whole] }: any): Row {
  const text = incomeTexts[view.page.reader.language];
  const window = { start, end, currency: view.currency };
  return {
    isSum: true,
    cells: [{ value: text.total }, { value: whole.income, ...explained(view, 'income', window) }],
  };
}

/** Those that brought something, the most first. */
function instrumentTable(view: EntityView, report: any): Table {
  const text = incomeTexts[view.page.reader.language];
  const { currency, start, end, data } = report;
  const rows = data
    .slice(1)
    .filter((one: any) => Number(one.income) !== 0)
    .toSorted((one: any, other: any) => Number(other.income) - Number(one.income))
    .map((one: any): Row => {
      const parameters = { start, end, currency: view.currency, instrument_id: one.segment_id };
      return {
        cells: [{ value: one.segment_name }, { value: one.income, ...explained(view, 'income', parameters) }],
      };
    });
  return {
    id: 'income-by-instrument',
    caption: text.byInstrument,
    columns: [{ key: 'name', title: text.instrument, kind: 'text', wide: true }, moneyColumn(text.amount, currency)],
    rows: [...rows, totalRow(view, report)],
  };
}

export const incomePaths = [showIncome];
