// The gains that a reporting entity realised in a period: by term, by year, by investment and lot by lot.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { html, type Html } from '../../../../kit/html.ts';
import { emptyState } from '../../parts/notes.ts';
import { figuresList } from '../../parts/parts.ts';
import { pagerHtml } from '../../tables/table-html.ts';
import { moneyColumns, type Cell, type Row, type Table } from '../../tables/table.ts';
import type { PageContent } from '../../signed-in-page.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { explained } from './explained.ts';
import { gainsTexts } from './income-texts.ts';
import { tableCard } from './table-card.ts';
import { listRows, type WholeList } from '../../tables/list-rows.ts';

const path = '/v1/realised-gains';
const yearsMax = 12;

const showGains = entityPage({
  id: 'entity-realised-gains',
  tab: 'realised-gains',
  summary: 'The gains that were realised, by year, term, investment and lot',
  controls: ['period'],
  read: readGainsPage,
});

async function readGainsPage(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const { api, reader, formats, address } = view.page;
  const text = gainsTexts[reader.language];
  const { start: from, end: to } = view.period;
  const query = { ...view.entityQuery, from, to };
  const report = await api.get(path, { ...query, by: 'instrument', limit: '50', cursor: view.cursor });
  const { currency, data } = report;
  const lede = html`${text.lede(formats.dateLong(report.from), formats.dateLong(report.to), formats.currencyName(currency))}`;
  if (data.length === 0) return { lede, main: emptyState({ title: text.none, text: text.noneText }) };
  const years = await readYears(view, report);
  const byYear = sumsTable(view, {
    id: 'gains-by-year',
    caption: text.byYear,
    first: text.year,
    currency,
    rows: years,
  });
  const byInstrument = sumsTable(view, {
    id: 'gains-by-instrument',
    caption: text.byInstrument,
    first: text.instrument,
    currency,
    rows: instrumentRows(report, text),
  });
  const lots = lotTable(view, report, { path, query });
  const pager = pagerHtml({ reader, address, cursor: view.cursor, nextCursor: report.next_cursor });
  const main = html`${gainFigures(view, report)}${tableCard(view, byYear)}${tableCard(view, byInstrument)}
  ${tableCard(view, lots, { after: pager })}`;
  return { lede, main, tables: [byYear, byInstrument, lots] };
}

interface SumRow {
  readonly name: string;
  readonly sums: any;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** A request for each year of the period that has sales, the last dozen of them. */
async function readYears(view: EntityView, { from, to, data }: any): Promise<readonly SumRow[]> {
  const first = view.cursor === undefined ? data[0].date : from;
  const [start, last] = [Number(first.slice(0, 4)), Number(to.slice(0, 4))];
  const begin = Math.max(start, last - yearsMax + 1);
  const years = Array.from({ length: last - begin + 1 }, (_, index) => String(last - index));
  return allInOrder(
    years.map(async (name) => {
      const window = {
        from: `${name}-01-01` < from ? from : `${name}-01-01`,
        to: `${name}-12-31` > to ? to : `${name}-12-31`,
      };
      const { totals } = await view.page.api.get(path, { ...view.entityQuery, ...window, limit: '1' });
      return { name, sums: totals, parameters: { start: window.from, end: window.to } };
    }),
  );
}

function instrumentRows({ from, to, subtotals, totals }: any, text: (typeof gainsTexts)['en']): readonly SumRow[] {
  const window = { start: from, end: to };
  const rows = subtotals.map((one: any) => ({
    name: one.segment_name ?? text.unnamed,
    sums: one,
    parameters: { ...window, instrument_id: one.segment_id },
  }));
  return [...rows, { name: text.total, sums: totals, parameters: window }];
}

function gainFigures(view: EntityView, { currency, totals, from, to }: any): Html {
  const { formats, reader } = view.page;
  const text = gainsTexts[reader.language];
  const window = { start: from, end: to };
  const item = (title: string, value: string, figure: string, parameters = {}, small = currency) => ({
    title,
    value: formats.signedMoney(value, currency),
    small,
    ...explained(view, figure, { ...window, ...parameters }),
  });
  return figuresList([
    item(text.gain, totals.total.gain, 'realised_gain', {}, `${currency}; ${text.gainHint}`),
    item(text.long, totals.long_term.gain, 'realised_gain', { term: 'long_term' }),
    item(text.short, totals.short_term.gain, 'realised_gain', { term: 'short_term' }),
    item(text.prices, totals.total.price_part, 'price_part'),
    item(text.currencies, totals.total.currency_part, 'currency_part'),
  ]);
}

interface SumsTable extends Pick<Table, 'id' | 'caption'> {
  readonly first: string;
  readonly currency: string;
  readonly rows: readonly SumRow[];
}

function sumsTable(view: EntityView, { id, caption, first, currency, rows }: SumsTable): Table {
  const text = gainsTexts[view.page.reader.language];
  const money = moneyColumns(currency);
  return {
    id,
    caption,
    columns: [
      { key: 'name', title: first, kind: 'text', wide: true },
      money('gain', text.gain, true),
      money('long', text.long, true),
      money('short', text.short, true),
      money('proceeds', text.proceeds, false),
      money('cost', text.cost, false),
    ],
    rows: rows.map(({ name, sums, parameters }): Row => {
      const cell = (value: string, figure: string, term?: string): Cell => ({
        value,
        ...explained(view, figure, { ...parameters, term }),
      });
      return {
        isSum: name === text.total,
        cells: [
          { value: name },
          cell(sums.total.gain, 'realised_gain'),
          cell(sums.long_term.gain, 'realised_gain', 'long_term'),
          cell(sums.short_term.gain, 'realised_gain', 'short_term'),
          cell(sums.total.proceeds, 'realised_proceeds'),
          cell(sums.total.cost, 'realised_cost'),
        ],
      };
    }),
  };
}

function lotTable(view: EntityView, { currency, subtotals, data }: any, list: WholeList): Table {
  const text = gainsTexts[view.page.reader.language];
  const names = new Map<string, string>(subtotals.map((one: any) => [one.segment_id, one.segment_name]));
  const money = { kind: 'money', currency } as const;
  return {
    id: 'realised-lots',
    caption: text.lots,
    columns: [
      { key: 'name', title: text.instrument, kind: 'text', wide: true },
      { key: 'bought', title: text.bought, kind: 'date' },
      { key: 'sold', title: text.sold, kind: 'date' },
      { key: 'units', title: text.units, kind: 'quantity' },
      { key: 'proceeds', title: `${text.proceeds} (${currency})`, ...money },
      { key: 'cost', title: `${text.cost} (${currency})`, ...money },
      { key: 'gain', title: `${text.gain} (${currency})`, ...money, signed: true },
      { key: 'prices', title: `${text.prices} (${currency})`, ...money, signed: true },
      { key: 'currencies', title: `${text.currencies} (${currency})`, ...money, signed: true },
      { key: 'term', title: text.term, kind: 'text' },
    ],
    ...listRows(view.page, {
      list,
      shown: data,
      rowsOf(lot: any): Row {
        const parameters = {
          transaction_id: lot.transaction_id ?? undefined,
          lot_id: lot.lot_id ?? undefined,
          instrument_id: lot.instrument_id ?? undefined,
          account_id: lot.account_id ?? undefined,
          depository_id: lot.depository_id ?? undefined,
        };
        const cell = (value: string, figure: string): Cell => ({
          value,
          ...(lot.transaction_id === null ? {} : explained(view, figure, parameters)),
        });
        return {
          cells: [
            { value: names.get(lot.instrument_id) ?? text.unnamed },
            { value: lot.acquisition_date },
            { value: lot.sale_date },
            cell(lot.quantity, 'realised_quantity'),
            cell(lot.proceeds, 'realised_proceeds'),
            cell(lot.cost, 'realised_cost'),
            cell(lot.gain, 'realised_gain'),
            cell(lot.price_part, 'price_part'),
            cell(lot.currency_part, 'currency_part'),
            { value: lot.gain_classification === 'long_term' ? text.longTerm : text.shortTerm },
          ],
        };
      },
    }),
  };
}

export const realisedGainsPaths = [showGains];
