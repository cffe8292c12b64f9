// The private-market funds of a reporting entity: what was promised, called, paid back and is left, in total and fund by fund.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { barChart } from '../../charts/bar-chart.ts';
import type { Chart } from '../../charts/chart.ts';
import { withParameters } from '../../parts/address.ts';
import { emptyState } from '../../parts/notes.ts';
import { card, chips, figuresList } from '../../parts/parts.ts';
import type { Cell, Column, Row, Table } from '../../tables/table.ts';
import type { PageContent } from '../../signed-in-page.ts';
import { entityPage } from '../entity-page.ts';
import { fileLinks } from '../entity-controls.ts';
import type { EntityView } from '../entity-view.ts';
import { explained } from './explained.ts';
import { tableCard } from './table-card.ts';
import { privateMarketsTexts } from './private-markets-texts.ts';
import { severalRatesText } from './several-rates.ts';
import { warningsNote } from './warnings-note.ts';

const showPrivateMarkets = entityPage({
  id: 'entity-private-markets',
  tab: 'private-markets',
  summary: 'Commitments, calls, distributions and values of private-market funds',
  controls: ['day'],
  read: readPrivateMarketsPage,
});

async function readPrivateMarketsPage(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const { api, reader, formats, query } = view.page;
  const text = privateMarketsTexts[reader.language];
  const report = await api.get('/v1/performance/private-markets', { ...view.dayQuery, every: 'year' });
  const [total, ...funds] = report.data;
  if (funds.length === 0) return { main: emptyState({ title: text.none, text: text.noneText }) };
  const table = fundsTable(view, report.data);
  const shown = report.data.find((one: any) => one.instrument_id === query.get('fund')) ?? total;
  const curve = curveChart(view, shown);
  const lede = html`${text.lede(formats.dateLong(total.date), formats.currencyName(total.currency))}`;
  const main = html`${totalFigures(view, total)} ${tableCard(view, table)}
  ${card(
    text.curve,
    html`${fundChips(view, report.data, shown)}${curve.figure}${fileLinks(view, curve.table)}
      <p class="soft">${text.curveMeaning}</p>`,
  )}
  ${warningsNote(view, total.warnings)}`;
  return { main, lede, tables: [table, curve.table] };
}

export function totalFigures(view: EntityView, total: any): Html {
  const { formats, reader } = view.page;
  const text = privateMarketsTexts[reader.language];
  const { currency, commitment, cashflow, multiplier, date } = total;
  const money = (title: string, value: string | undefined, figure: string, small = currency) => ({
    title,
    value: value === undefined ? '–' : formats.money(value, currency),
    small,
    ...(value === undefined ? {} : explained(view, figure, { as_of: date })),
  });
  const ratio = (title: string, value: string, small: string, figure: string) => ({
    title,
    value,
    small,
    ...explained(view, figure, { as_of: date }),
  });
  const times = multiple(view, multiplier.tvpi);
  const promised = figuresList([
    money(text.committed, commitment?.total, 'commitment'),
    money(text.called, commitment?.called, 'called'),
    money(text.uncalled, commitment?.uncalled, 'uncalled'),
    money(text.paidIn, cashflow.drawdowns, 'drawdowns'),
  ]);
  const earned = figuresList([
    money(text.distributed, cashflow.distributions, 'distributions'),
    money(text.value, total.nav, 'nav'),
    ratio(text.tvpi, times, text.tvpiHint, 'tvpi'),
    ratio(text.irr, formats.percent(total.irr), severalRatesText(view, total.irr_roots) ?? text.irrHint, 'irr'),
  ]);
  return html`${promised}${earned}`;
}

function multiple({ page: { formats } }: EntityView, value: string | null): string {
  return value === null ? '–' : `${formats.number(value)}×`;
}

export function fundsTable(view: EntityView, funds: readonly any[]): Table {
  const text = privateMarketsTexts[view.page.reader.language];
  const money = (key: string, title: string): Column => ({ key, title, kind: 'money' });
  const number = (key: string, title: string): Column => ({ key, title, kind: 'number' });
  return {
    id: 'funds',
    caption: text.funds,
    columns: [
      { key: 'name', title: text.fund, kind: 'text', wide: true },
      { key: 'currency', title: text.currency, kind: 'text' },
      money('committed', text.committed),
      money('called', text.called),
      money('uncalled', text.uncalled),
      money('paid-in', text.paidIn),
      money('distributed', text.distributed),
      money('value', text.value),
      number('tvpi', text.tvpi),
      number('dpi', text.dpi),
      number('pic', text.pic),
      { key: 'irr', title: text.irr, kind: 'percent' },
    ],
    rows: [...funds.slice(1), funds[0]].map((fund) => fundRow(view, fund)),
  };
}

function fundRow(view: EntityView, fund: any): Row {
  const { formats, reader } = view.page;
  const text = privateMarketsTexts[reader.language];
  const { currency, commitment, cashflow, multiplier, date, nav_date: navDate } = fund;
  const parameters = { as_of: date, ...(fund.is_total ? {} : { instrument_id: fund.instrument_id }) };
  const cell = (value: string | null | undefined, figure: string): Cell => ({
    value: value ?? null,
    currency,
    ...(value === undefined || value === null ? {} : explained(view, figure, parameters)),
  });
  const severalRates = severalRatesText(view, fund.irr_roots);
  const stated = navDate === null ? {} : { note: text.statedOn(formats.dateShort(navDate)) };
  return {
    isSum: fund.is_total,
    cells: [
      { value: fund.is_total ? text.total : fund.instrument_name },
      { value: currency },
      cell(commitment?.total, 'commitment'),
      cell(commitment?.called, 'called'),
      cell(commitment?.uncalled, 'uncalled'),
      cell(cashflow.drawdowns, 'drawdowns'),
      cell(cashflow.distributions, 'distributions'),
      { ...cell(fund.nav, 'nav'), ...stated },
      cell(multiplier.tvpi, 'tvpi'),
      cell(multiplier.dpi, 'dpi'),
      cell(multiplier.pic, 'pic'),
      { ...cell(fund.irr, 'irr'), ...(severalRates !== undefined && { note: severalRates }) },
    ],
  };
}

function fundChips(view: EntityView, funds: readonly any[], shown: any): Html {
  const text = privateMarketsTexts[view.page.reader.language];
  if (funds.length < 3) return emptyHtml;
  return chips(
    funds.map((fund) => ({
      title: fund.is_total ? text.total : fund.instrument_name,
      href: withParameters(view.page.address, { fund: fund.instrument_id }),
      isCurrent: fund === shown,
    })),
  );
}

/** Bars for what came back less what was paid in, and a line for what the funds are worth. */
export function curveChart({ page: { reader, formats } }: EntityView, fund: any): Chart {
  const text = privateMarketsTexts[reader.language];
  const periods: readonly any[] = fund.periods ?? [];
  const { currency } = fund;
  return barChart({
    id: 'j-curve',
    title: `${fund.is_total ? text.total : fund.instrument_name} (${currency})`,
    description: text.curveDescription(
      formats.moneyWithCode(periods.at(-1)?.net_cash_flow ?? '0', currency),
      formats.moneyWithCode(fund.nav, currency),
    ),
    reader,
    groupTitle: text.year,
    groups: periods.map(({ date }) => date.slice(0, 4)),
    series: [{ title: text.netCash, values: periods.map((period) => period.net_cash_flow) }],
    line: { title: text.valueThen, values: periods.map((period) => period.nav) },
    currency,
  });
}

export const privateMarketsPaths = [showPrivateMarkets];
