// Draws what the overviews show of a reporting entity: figures, the line of value with payments marked, the allocation, and what is old.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { lineChart } from '../charts/line-chart.ts';
import { shareBar } from '../charts/share-bar.ts';
import type { Chart } from '../charts/chart.ts';
import { ratioFigure } from '../language/formats.ts';
import { marksHtml } from '../parts/marks.ts';
import { figuresList } from '../parts/parts.ts';
import type { Table } from '../tables/table.ts';
import type { EntityView } from './entity-view.ts';
import type { UncertainValue, ValueReports } from './value-reports.ts';
import { valuationMarks } from './valuation-marks.ts';
import { valueTexts } from './value-texts.ts';

/** What was paid in or taken out in the period. */
function flowFigure(view: EntityView, { currency, start, end, period }: ValueReports) {
  const { formats, reader } = view.page;
  const text = valueTexts[reader.language];
  const flow: string = period.net_cash_flow;
  const isOut = flow.startsWith('-');
  return {
    title: isOut ? text.paidOut : text.paidIn,
    value: formats.money(isOut ? flow.slice(1) : flow, currency),
    explain: view.explainHref('net_cash_flow', { start, end, currency: view.currency }),
  };
}

export function valueFigures(view: EntityView, reports: ValueReports): Html {
  const { formats, reader } = view.page;
  const text = valueTexts[reader.language];
  const { currency, end, period, day, month, year } = reports;
  const inCurrency = { currency: view.currency };
  const change = (title: string, { gain, twr }: any, start: string) => ({
    title,
    value: formats.signedMoney(gain, currency),
    small: formats.percent(ratioFigure(twr)),
    explain: view.explainHref('gain', { start, end, ...inCurrency }),
    smallExplain: view.explainHref('cumulative_twr', { start, end, ...inCurrency }),
  });
  const ofDay = {
    title: text.day,
    value: formats.signedMoney(day?.daily_return ?? null, currency),
    small: formats.percent(ratioFigure(day?.daily_twr ?? null)),
    explain: view.explainHref('daily_return', { as_of: end, ...inCurrency }),
    smallExplain: view.explainHref('daily_twr', { as_of: end, ...inCurrency }),
  };
  return figuresList([
    {
      title: text.value,
      value: formats.money(period.end_market_value, currency),
      explain: view.explainHref('market_value', { as_of: end, ...inCurrency }),
    },
    ofDay,
    change(text.month, month, `${end.slice(0, 7)}-01`),
    change(text.year, year, `${end.slice(0, 4)}-01-01`),
    flowFigure(view, reports),
  ]);
}

/** The line of value with payments marked; undefined where the period has no day. */
export function valueChart(view: EntityView, { currency, period }: ValueReports): Chart | undefined {
  const { formats, reader } = view.page;
  const text = valueTexts[reader.language];
  const days: readonly any[] = period.series;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined) return undefined;
  const flows = days.filter(({ net_cash_flow }) => Number(net_cash_flow) !== 0);
  const values = days.map(({ market_value }) => market_value).toSorted((one, other) => Number(one) - Number(other));
  return lineChart({
    id: `value-${view.entityId}`,
    title: text.chartTitle,
    description: text.chartDescription(
      formats.dateLong(first.date),
      formats.dateLong(last.date),
      formats.moneyWithCode(values[0], currency),
      formats.moneyWithCode(values.at(-1), currency),
      flows.length,
    ),
    reader,
    currency,
    withArea: true,
    series: [{ title: text.value, points: days.map(({ date, market_value }) => ({ date, value: market_value })) }],
    eventsTitle: text.flows,
    events: flows.map(({ date, net_cash_flow }) => flowEvent(view, { date, net_cash_flow, currency })),
    dateTitle: text.date,
  });
}

function flowEvent(
  { page: { formats, reader } }: EntityView,
  { date, net_cash_flow, currency }: { date: string; net_cash_flow: string; currency: string },
): { readonly date: string; readonly title: string } {
  const text = valueTexts[reader.language];
  const isOut = net_cash_flow.startsWith('-');
  const amount = formats.moneyWithCode(isOut ? net_cash_flow.slice(1) : net_cash_flow, currency);
  const day = formats.dateShort(date);
  return { date, title: isOut ? text.flowOut(day, amount) : text.flowIn(day, amount) };
}

/** Classes by value, the largest first. */
function classesByValue({ classes }: ValueReports): readonly any[] {
  return classes.toSorted((one, other) => Number(other.market_value) - Number(one.market_value));
}

export function allocationBar(view: EntityView, reports: ValueReports): Chart {
  const { reader } = view.page;
  const text = valueTexts[reader.language];
  return shareBar({
    id: `allocation-${view.entityId}`,
    title: text.invested,
    description: text.investedDescription,
    reader,
    parts: classesByValue(reports).map(({ segment_name, share }) => ({
      title: segment_name ?? text.noClass,
      share: ratioFigure(share) ?? '0',
    })),
    restTitle: text.rest,
    nameTitle: text.class,
    shareTitle: text.share,
  });
}

/** The table of the classes: value and return of the period in the chosen currency, and the share. */
export function classTable(view: EntityView, reports: ValueReports): Table {
  const text = valueTexts[view.page.reader.language];
  const { currency, start, end, classReturns } = reports;
  const rows = classesByValue(reports).map(({ segment_id, segment_name, share, valuation }) => {
    const earned = classReturns.find((one) => one.segment_id === segment_id);
    const places = { class_id: segment_id ?? 'none' };
    const inCurrency = { currency: view.currency };
    return {
      cells: [
        { value: segment_name ?? text.noClass, href: view.href('/holdings', { class: segment_id ?? 'none' }) },
        {
          value: earned?.end_market_value ?? null,
          explain: view.explainHref('market_value', { as_of: end, ...places, ...inCurrency }) ?? '',
          marks: valuationMarks(view, valuation),
        },
        { value: ratioFigure(share), explain: view.explainHref('share', { as_of: end, ...places }) ?? '' },
        {
          value: ratioFigure(earned?.twr ?? null),
          explain: view.explainHref('cumulative_twr', { start, end, ...places, ...inCurrency }) ?? '',
        },
      ],
    };
  });
  return {
    id: 'classes',
    caption: text.classes,
    columns: [
      { key: 'class', title: text.class, kind: 'text' },
      { key: 'value', title: `${text.value} (${currency})`, kind: 'money', currency },
      { key: 'share', title: text.share, kind: 'percent', signed: false, digits: 1 },
      { key: 'return', title: text.periodReturn, kind: 'percent' },
    ],
    rows,
  };
}

const shownMax = 8;

/** The values that are old or estimated, each with its day. */
export function uncertainList(view: EntityView, values: readonly UncertainValue[]): Html {
  const text = valueTexts[view.page.reader.language];
  if (values.length === 0) return html`<p class="soft">${text.nothingToSee}</p>`;
  const items = values.slice(0, shownMax).map((value) => {
    const href = view.href('/holdings', value.id === null ? {} : { open: value.id });
    return html`<li>
      ${marksHtml(valuationMarks(view, value.valuation))}<br />
      <a href="${href}">${value.name ?? text.noClass}</a>
    </li>`;
  });
  const hidden = values.length - shownMax;
  return html`<ul class="looks">
    ${items}${hidden > 0 ? html`<li class="soft">${text.more(hidden)}</li>` : emptyHtml}
  </ul>`;
}
