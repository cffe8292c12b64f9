// The charts of the performance page: value, return with its benchmark, and how far below the peak.

import type { Chart } from '../../charts/chart.ts';
import { lineChart } from '../../charts/line-chart.ts';
import type { Table } from '../../tables/table.ts';
import type { EntityView } from '../entity-view.ts';
import { chartDays, drawdowns, type SeriesDay } from './chart-points.ts';
import { performanceTexts } from './performance-texts.ts';

interface PerformanceCharts {
  readonly value: Chart;
  /** Undefined where there is no return. */
  readonly path: Chart | undefined;
  readonly drawdown: Chart | undefined;
  readonly tables: readonly Table[];
}

export function performanceCharts(view: EntityView, report: any, benchmarkName: string): PerformanceCharts {
  const value = valueChart(view, report);
  const hasReturn = report.data[0].twr !== null;
  const path = hasReturn ? pathChart(view, report, benchmarkName) : undefined;
  const drawdown = hasReturn ? drawdownChart(view, report) : undefined;
  const tables = [value, path, drawdown].flatMap((chart) => (chart === undefined ? [] : [chart.table]));
  return { value, path, drawdown, tables };
}

const flowsMax = 24;

/** With the largest payments in and out marked. */
export function valueChart({ page: { reader, formats } }: EntityView, report: any): Chart {
  const text = performanceTexts[reader.language];
  const { currency, data } = report;
  const [whole] = data;
  const series: readonly SeriesDay[] = whole.series;
  const flows = series
    .filter((day) => Number(day.net_cash_flow) !== 0)
    .toSorted((one, other) => Math.abs(Number(other.net_cash_flow)) - Math.abs(Number(one.net_cash_flow)))
    .slice(0, flowsMax);
  return lineChart({
    id: 'value-over-time',
    title: text.valueChart,
    description: text.valueDescription(
      formats.moneyWithCode(whole.begin_market_value, currency),
      formats.moneyWithCode(whole.end_market_value, currency),
    ),
    reader,
    currency,
    withArea: true,
    dateTitle: text.date,
    series: [
      {
        title: `${text.value} (${currency})`,
        points: chartDays(series).map(({ date, market_value: value }) => ({ date, value })),
      },
    ],
    eventsTitle: text.flows,
    events: flows.map(({ date, net_cash_flow: flow }) => ({
      date,
      title: `${formats.dateShort(date)}: ${formats.signedMoney(flow, currency)} ${currency}`,
    })),
  });
}

function pathChart(
  { page: { reader, formats } }: EntityView,
  { data: [whole], benchmark }: any,
  benchmarkName: string,
): Chart {
  const text = performanceTexts[reader.language];
  const points = (days: readonly SeriesDay[]) =>
    chartDays(days).flatMap(({ date, cumulative_twr: value }) => (value === null ? [] : [{ date, value }]));
  const compared = benchmark === null ? [] : [{ title: benchmarkName, points: points(benchmark.series) }];
  return lineChart({
    id: 'return-over-time',
    title: text.returnChart,
    description: text.returnDescription(formats.percent(whole.twr)),
    reader,
    unit: 'percent',
    fromZero: true,
    dateTitle: text.date,
    series: [{ title: text.timeWeighted, points: points(whole.series) }, ...compared],
  });
}

function drawdownChart({ page: { reader, formats } }: EntityView, { data: [whole] }: any): Chart {
  const text = performanceTexts[reader.language];
  return lineChart({
    id: 'below-the-peak',
    title: text.drawdownChart,
    description: text.drawdownDescription(formats.share(whole.max_drawdown, 2)),
    reader,
    unit: 'percent',
    fromZero: true,
    withArea: true,
    dateTitle: text.date,
    series: [{ title: text.fall, points: chartDays(drawdowns(whole.series), [whole.max_drawdown_to]) }],
  });
}
