// The tables of the page that compares then and today: figure by figure, holding by holding, and what was recorded since.

import { doubleText } from '../../../../kit/decimal.ts';
import { fixedText, parseFixed } from '../../../../kit/fixed.ts';
import { findBuiltInInstrument } from '../../../../model/instrument/built-in.ts';
import { ratioFigure, type Figure } from '../../language/formats.ts';
import { withParameters } from '../../parts/address.ts';
import type { Cell, Row, Table } from '../../tables/table.ts';
import type { Names } from '../entity-names.ts';
import type { EntityView } from '../entity-view.ts';
import type { Comparison, Said } from './known-reports.ts';
import { knownTexts } from './known-texts.ts';

/** What lies between two figures, of amounts exactly; null where one is missing. */
export function differenceOf(earlier: Figure, today: Figure, unit: 'money' | 'percent' = 'money'): Figure {
  if (earlier === null || today === null) return null;
  // Ratios are doubles at the API, with more places than amounts have.
  if (unit === 'percent') return doubleText(Number(today) - Number(earlier));
  return fixedText(parseFixed(today) - parseFixed(earlier));
}

interface ComparedFigure {
  readonly title: string;
  /** Its day or period, in words. */
  readonly when: string;
  readonly unit: 'money' | 'percent';
  read(said: Said): Figure;
  currencyOf(said: Said): string;
  /** What explains it, and for which days. */
  readonly explain: Readonly<Record<string, string | undefined>> & { readonly figure: string };
}

function ratioText(ratio: string | number | null): Figure {
  return typeof ratio === 'number' ? ratioFigure(ratio) : ratio;
}

function comparedFigures(view: EntityView, { day, earlier }: Comparison): readonly ComparedFigure[] {
  const { formats, reader } = view.page;
  const text = knownTexts[reader.language];
  const { start, end } = earlier.window;
  const dayWords = text.onDay(formats.dateShort(day));
  const periodWords = text.period(formats.dateShort(start), formats.dateShort(end));
  const ofDay = (title: string, name: string): ComparedFigure => ({
    title,
    when: dayWords,
    unit: 'money',
    read: ({ totals }) => totals[name],
    currencyOf: ({ currency }) => currency,
    explain: { figure: name, as_of: day },
  });
  const ofPeriod = (title: string, name: string): ComparedFigure => ({
    title,
    when: periodWords,
    unit: 'money',
    read: ({ performance }) => performance[name],
    currencyOf: ({ window }) => window.currency,
    explain: { figure: name, start, end, currency: view.currency },
  });
  const ofReturn = (title: string, name: string, figure = name): ComparedFigure => ({
    ...ofPeriod(title, figure),
    unit: 'percent',
    read: ({ performance }) => ratioText(performance[name]),
  });
  return [
    ofDay(text.marketValue, 'market_value'),
    ofDay(text.costBasis, 'cost_basis'),
    ofDay(text.unrealised, 'unrealised_pnl'),
    ofPeriod(text.netCashFlow, 'net_cash_flow'),
    ofPeriod(text.gain, 'gain'),
    ofPeriod(text.income, 'income'),
    ofPeriod(text.fees, 'fees'),
    ofReturn(text.twr, 'twr', 'cumulative_twr'),
    ofReturn(text.moneyWeighted, 'money_weighted_return'),
  ];
}

export function figuresTable(view: EntityView, comparison: Comparison): Table {
  const text = knownTexts[view.page.reader.language];
  return {
    id: 'figures',
    caption: text.figures,
    columns: [
      { key: 'figure', title: text.figure, kind: 'text' },
      { key: 'then', title: text.saidThen, kind: 'money' },
      { key: 'today', title: text.saidToday, kind: 'money' },
      { key: 'difference', title: text.difference, kind: 'money', signed: true },
    ],
    rows: comparedFigures(view, comparison).map((figure) => figureRow(view, figure, comparison)),
  };
}

function figureRow(view: EntityView, figure: ComparedFigure, { earlier, today }: Comparison): Row {
  const { formats } = view.page;
  const [before, after] = [figure.read(earlier), figure.read(today)];
  const isComparable = figure.unit === 'percent' || figure.currencyOf(earlier) === figure.currencyOf(today);
  const difference = isComparable ? differenceOf(before, after, figure.unit) : null;
  const { figure: name, ...parameters } = figure.explain;
  const explain = view.explainHref(name, parameters);
  const cell = (value: Figure, currency: string, href: string | undefined): Cell => ({
    value,
    currency,
    ...(figure.unit === 'percent' ? { text: formats.percent(value) } : {}),
    ...(href === undefined || value === null ? {} : { explain: href }),
  });
  return {
    cells: [
      { value: `${figure.title}, ${figure.when}`, text: figure.title, note: figure.when },
      cell(before, figure.currencyOf(earlier), explain),
      cell(after, figure.currencyOf(today), explain && withParameters(explain, { known_at: null })),
      cell(difference, figure.currencyOf(today), undefined),
    ],
  };
}

interface Causes {
  readonly data: readonly any[];
  readonly names: Names;
}

/** Holdings whose units or value differ, the largest difference first. */
export function positionsTable(view: EntityView, { earlier, today, restatement }: Comparison): Table {
  const text = knownTexts[view.page.reader.language];
  const ids = [...new Set([...earlier.rows.keys(), ...today.rows.keys()])];
  const isComparable = earlier.currency === today.currency;
  const rows = ids.flatMap((id) => {
    const [before, after] = [earlier.rows.get(id), today.rows.get(id)];
    const isSame = before?.quantity === after?.quantity && before?.market_value === after?.market_value;
    const difference = isComparable ? differenceOf(before?.market_value ?? '0', after?.market_value ?? '0') : null;
    return isSame ? [] : [{ id, before, after, difference }];
  });
  const size = ({ difference }: { difference: Figure }): number => Math.abs(Number(difference));
  return {
    id: 'positions',
    caption: text.positions,
    columns: [
      { key: 'instrument', title: text.instrument, kind: 'text' },
      { key: 'unitsThen', title: text.unitsThen, kind: 'quantity' },
      { key: 'unitsToday', title: text.unitsToday, kind: 'quantity' },
      { key: 'then', title: text.saidThen, kind: 'money', currency: earlier.currency },
      { key: 'today', title: text.saidToday, kind: 'money', currency: today.currency },
      { key: 'difference', title: text.difference, kind: 'money', signed: true, currency: today.currency },
      { key: 'why', title: text.why, kind: 'text', wide: true },
    ],
    rows: rows
      .toSorted((one, other) => size(other) - size(one))
      .map(({ id, before, after, difference }) => ({
        cells: [
          { value: (after ?? before).segment_name },
          { value: before?.quantity ?? null },
          { value: after?.quantity ?? null },
          { value: before?.market_value ?? null },
          { value: after?.market_value ?? null },
          { value: difference },
          { value: whyText(view, id, restatement?.data) },
        ],
      })),
  };
}

function whyText(view: EntityView, instrument: string, data: readonly any[] | undefined): string | null {
  if (data === undefined) return null;
  const text = knownTexts[view.page.reader.language];
  // Every booking moves cash, whatever it names.
  const isCash = findBuiltInInstrument(instrument) !== undefined;
  const own = data.filter((one) =>
    isCash ? one.kind === 'transaction' : one.instrument_id === instrument || one.id === instrument,
  );
  if (own.length === 0) return text.whyOther;
  const counts = [...Map.groupBy(own, (one) => changeWords(view, one))];
  return counts.map(([words, list]) => text.times(words, list.length)).join(', ');
}

function changeWords({ page }: EntityView, { kind, change }: any): string {
  const texts = knownTexts[page.reader.language];
  const text: Readonly<Record<string, unknown>> = texts;
  const pascal = String(kind).replaceAll(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
  const title = text[`kind${pascal}`];
  const name = typeof title === 'string' ? title : String(kind);
  return change === 'added' ? texts.added(name) : change === 'removed' ? texts.removed(name) : texts.changed(name);
}

export function causesTable(view: EntityView, { data, names }: Causes): Table {
  const { formats, reader, timeZone } = view.page;
  const text = knownTexts[reader.language];
  return {
    id: 'causes',
    caption: text.causes,
    columns: [
      { key: 'recorded', title: text.recorded, kind: 'text' },
      { key: 'what', title: text.what, kind: 'text' },
      { key: 'date', title: text.date, kind: 'date' },
      { key: 'instrument', title: text.instrument, kind: 'text' },
      { key: 'account', title: text.account, kind: 'text' },
      { key: 'booking', title: text.booking, kind: 'text' },
    ],
    rows: data.map((one) => ({
      cells: [
        { value: one.at, text: formats.datetime(one.at, timeZone) },
        { value: changeWords(view, one) },
        { value: one.date },
        { value: names(one.instrument_id ?? (one.kind === 'instrument' ? one.id : null)) },
        { value: names(one.account_id ?? (one.kind === 'account' ? one.id : null)) },
        one.kind === 'transaction'
          ? { value: one.id, text: text.open, href: view.href(`/activity/${one.id}`) }
          : { value: null },
      ],
    })),
  };
}
