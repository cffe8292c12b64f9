// The tables of the holdings page: classes with their instruments, sorted and filtered, and the accounts and lots of one instrument.

import { parseFixed } from '../../../kit/fixed.ts';
import { ratioFigure } from '../language/formats.ts';
import { withParameters } from '../parts/address.ts';
import { markTexts } from '../parts/mark-texts.ts';
import type { Mark } from '../parts/marks.ts';
import { rowsInTurns } from '../tables/rows-in-turns.ts';
import type { Cell, Column, Row, Table } from '../tables/table.ts';
import type { EntityView } from './entity-view.ts';
import type { HeldRow, HoldingsReport, InstrumentDetail } from './holdings-report.ts';
import { holdingsTexts } from './holdings-texts.ts';
import { valuationMarks } from './valuation-marks.ts';

type Order = (one: HeldRow, other: HeldRow) => number;

function byFigure(read: (row: HeldRow) => string | null): Order {
  const exact = (row: HeldRow): bigint => parseFixed(read(row) ?? '0');
  return (one, other) => Number(exact(one) - exact(other));
}

const byValue = byFigure(({ value }) => value);

const orders: ReadonlyMap<string, Order> = new Map([
  ['name', (one, other) => (one.name ?? '').localeCompare(other.name ?? '')],
  ['value', byValue],
  ['share', (one, other) => (one.share ?? 0) - (other.share ?? 0)],
  ['cost', byFigure(({ cost }) => cost)],
  ['gain', byFigure(({ gain }) => gain)],
  ['date', (one, other) => (one.valuation.date ?? '').localeCompare(other.valuation.date ?? '')],
]);

export const defaultSort = '-value';

function sortedBy(rows: readonly HeldRow[], sort: string): readonly HeldRow[] {
  const order = orders.get(sort.replace(/^-/, '')) ?? byValue;
  return rows.toSorted((one, other) => (sort.startsWith('-') ? order(other, one) : order(one, other)));
}

interface Filter {
  readonly text: string;
  /** The id of a class, or `none`. */
  readonly classId: string | undefined;
}

function isWanted(row: HeldRow, { text, classId }: Filter): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const name = (row.name ?? '').toLowerCase();
  return words.every((word) => name.includes(word)) && (classId === undefined || (row.classId ?? 'none') === classId);
}

/** The instruments that are shown, class by class: both in the chosen order. */
export function shownInstruments(view: EntityView, report: HoldingsReport, filter: Filter): readonly HeldRow[] {
  const sort = view.sort ?? defaultSort;
  const wanted = report.instruments.filter((row) => isWanted(row, filter));
  return sortedBy(report.classes, sort).flatMap(({ id }) =>
    sortedBy(
      wanted.filter(({ classId }) => classId === id),
      sort,
    ),
  );
}

interface HoldingRows {
  /** The instruments of this part of the page. */
  readonly shown: readonly HeldRow[];
  /** All that the reader asks for, as a file has them. */
  readonly instruments: readonly HeldRow[];
}

export function holdingsTable(view: EntityView, report: HoldingsReport, { shown, instruments }: HoldingRows): Table {
  const text = holdingsTexts[view.page.reader.language];
  return {
    id: 'holdings',
    caption: text.holdings,
    columns: columnsOf(view, report),
    rows: [...holdingRows(view, report, shown)],
    fileRows: rowsInTurns(() => holdingRows(view, report, instruments)),
  };
}

function* holdingRows(view: EntityView, report: HoldingsReport, instruments: readonly HeldRow[]): Generator<Row> {
  const text = holdingsTexts[view.page.reader.language];
  for (const [classId, held] of Map.groupBy(instruments, (row) => row.classId)) {
    const ofClass = report.classes.find(({ id }) => id === classId);
    if (ofClass !== undefined) yield classRow(view, report, ofClass);
    for (const row of held) yield instrumentRow(view, report, row);
  }
  const { value, cost, gain } = report.totals;
  const whole = explainer(view, report, {});
  yield {
    isSum: true,
    cells: [
      { value: text.total },
      { value, ...whole('market_value') },
      { value: null, text: '' },
      { value: null, text: '' },
      { value: cost, ...whole('cost_basis') },
      { value: gain, ...whole('unrealised_pnl') },
      { value: null, text: '' },
    ],
  };
}

function columnsOf(view: EntityView, { currency, valueCurrency }: HoldingsReport): readonly Column[] {
  const text = holdingsTexts[view.page.reader.language];
  return [
    { key: 'name', title: text.name, kind: 'text', sortKey: 'name', wide: true },
    { key: 'value', title: text.value(valueCurrency), kind: 'money', currency: valueCurrency, sortKey: 'value' },
    { key: 'share', title: text.share, kind: 'percent', signed: false, digits: 1, sortKey: 'share' },
    { key: 'quantity', title: text.quantity, kind: 'quantity' },
    { key: 'cost', title: text.cost(currency), kind: 'money', currency, sortKey: 'cost' },
    { key: 'gain', title: text.gain(currency), kind: 'money', currency, signed: true, sortKey: 'gain' },
    { key: 'date', title: text.priced, kind: 'date', sortKey: 'date' },
  ];
}

type Explain = (figure: string) => { readonly explain?: string };

/** Links the figures of a row to their explanations, for the places of the row. */
function explainer(view: EntityView, { end }: HoldingsReport, places: Readonly<Record<string, string>>): Explain {
  return (figure) => {
    const currency = figure === 'market_value' ? view.currency : undefined;
    const explain = view.explainHref(figure, { as_of: end, ...places, currency });
    return explain === undefined ? {} : { explain };
  };
}

/** A class has no units of its own. */
function figureCells(view: EntityView, row: HeldRow, explain: Explain): readonly Cell[] {
  return [
    { value: row.value, ...explain('market_value'), marks: valuationMarks(view, row.valuation) },
    { value: ratioFigure(row.share), ...explain('share') },
    row.quantity === null ? { value: null, text: '' } : { value: row.quantity, ...explain('quantity') },
    { value: row.cost, ...explain('cost_basis') },
    { value: row.gain, ...explain('unrealised_pnl') },
  ];
}

function classRow(view: EntityView, report: HoldingsReport, row: HeldRow): Row {
  const text = holdingsTexts[view.page.reader.language];
  const explain = explainer(view, report, { class_id: row.id ?? 'none' });
  return {
    isHeading: true,
    cells: [
      { value: row.name ?? text.noClass },
      ...figureCells(view, { ...row, quantity: null }, explain),
      { value: null, text: '' },
    ],
  };
}

function instrumentRow(view: EntityView, report: HoldingsReport, row: HeldRow): Row {
  const explain = explainer(view, report, row.id === null ? {} : { instrument_id: row.id });
  const href =
    row.id === null ? {} : { href: `${withParameters(view.page.address, { open: row.id, cursor: null })}#opened` };
  return {
    level: 1,
    cells: [
      { value: row.name, ...href },
      ...figureCells(view, row, explain),
      { value: row.valuation.date, ...(row.valuation.date === null ? {} : explain('valuation')) },
    ],
  };
}

export function accountsTable(
  view: EntityView,
  report: HoldingsReport,
  { instrument, accounts }: { readonly instrument: HeldRow } & Pick<InstrumentDetail, 'accounts'>,
): Table {
  const text = holdingsTexts[view.page.reader.language];
  const { currency } = report;
  return {
    id: 'accounts',
    caption: text.accounts(instrument.name ?? ''),
    columns: [
      { key: 'account', title: text.account, kind: 'text' },
      { key: 'value', title: text.value(currency), kind: 'money', currency },
      { key: 'share', title: text.share, kind: 'percent', signed: false, digits: 1 },
    ],
    rows: accounts.map(({ segment_id, segment_name, market_value, share }) => {
      const places = { instrument_id: instrument.id ?? '', account_id: segment_id ?? 'none' };
      const explain = (figure: string) => {
        const address = view.explainHref(figure, { as_of: report.end, ...places });
        return address === undefined ? {} : { explain: address };
      };
      return {
        cells: [
          { value: segment_name ?? text.noAccount },
          { value: market_value, ...explain('market_value') },
          { value: ratioFigure(share), ...explain('share') },
        ],
      };
    }),
  };
}

export function lotsTable(
  view: EntityView,
  report: HoldingsReport,
  {
    instrument,
    accounts,
    lots,
  }: { readonly instrument: HeldRow; readonly accounts: readonly any[]; readonly lots: readonly any[] },
): Table {
  const text = holdingsTexts[view.page.reader.language];
  const { currency } = report;
  const names = new Map(accounts.map(({ segment_id, segment_name }) => [segment_id, segment_name]));
  return {
    id: 'lots',
    caption: text.lots(instrument.name ?? ''),
    columns: [
      { key: 'acquired', title: text.acquired, kind: 'date' },
      { key: 'account', title: text.account, kind: 'text' },
      { key: 'quantity', title: text.quantity, kind: 'quantity' },
      { key: 'unit-cost', title: text.unitCost, kind: 'quantity' },
      { key: 'cost', title: text.cost(currency), kind: 'money', currency },
      { key: 'value', title: text.value(currency), kind: 'money', currency },
      { key: 'gain', title: text.gain(currency), kind: 'money', currency, signed: true },
      { key: 'term', title: text.term, kind: 'text' },
    ],
    rows: lots.map((lot) => lotRow(view, report, { lot, account: names.get(lot.account_id) ?? text.noAccount })),
  };
}

/** An average has no end: the file and its explanation have all digits. */
const unitCostDigits = 4;

function estimatedCost({ page: { reader } }: EntityView): Mark {
  return { kind: 'estimated', text: markTexts[reader.language].estimatedCost };
}

function lotRow(view: EntityView, report: HoldingsReport, { lot, account }: { lot: any; account: string }): Row {
  const text = holdingsTexts[view.page.reader.language];
  const places = Object.fromEntries(
    Object.entries({
      instrument_id: lot.instrument_id,
      account_id: lot.account_id,
      depository_id: lot.depository_id,
      lot_id: lot.id,
    }).map(([name, value]) => [name, value ?? 'none']),
  );
  const explain = explainer({ ...view, currency: undefined }, report, places);
  return {
    cells: [
      { value: lot.acquisition_date, ...(lot.estimated ? { marks: [estimatedCost(view)] } : {}) },
      { value: account },
      { value: lot.quantity, ...explain('quantity') },
      { value: lot.unit_cost, text: view.page.formats.upTo(lot.unit_cost, unitCostDigits, 2), ...explain('unit_cost') },
      { value: lot.cost_basis, ...explain('cost_basis') },
      { value: lot.market_value, ...explain('market_value') },
      { value: lot.unrealised_pnl, ...explain('unrealised_pnl') },
      { value: lot.gain_classification === 'long_term' ? text.long_term : text.short_term },
    ],
  };
}
