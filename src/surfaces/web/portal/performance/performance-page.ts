// The performance of a reporting entity over a period: two returns side by side, what the gain consists of and what contributed to it.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import { card, chips, figuresList } from '../../parts/parts.ts';
import type { PageContent } from '../../signed-in-page.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { benchmarkPicker, readBenchmark } from './benchmark-picker.ts';
import { performanceCharts } from './performance-charts.ts';
import { explained } from './explained.ts';
import { bridgeTable, contributionAxes, contributionTable, type ContributionAxis } from './contribution-tables.ts';
import { monthsTable, yearsTable } from './period-tables.ts';
import { performanceTexts } from './performance-texts.ts';
import { chartCard, tableCard } from './table-card.ts';
import { severalRatesText } from './several-rates.ts';
import { warningsNote } from './warnings-note.ts';

const showPerformance = entityPage({
  id: 'entity-performance',
  tab: 'performance',
  summary: 'The returns of a reporting entity over a period, and what contributed to them',
  controls: ['period', 'currency'],
  read: readPerformancePage,
});

async function readPerformancePage(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const { api, query, formats, reader } = view.page;
  const axis = contributionAxes.find((one) => one === query.get('by')) ?? 'class';
  const [{ name }, report, split, benchmark] = await allInOrder([
    view.entity,
    api.get('/v1/performance', {
      ...view.windowQuery,
      benchmark: query.get('benchmark')?.trim() || undefined,
      every: 'month,year',
    }),
    api.get('/v1/performance', { ...view.windowQuery, by: axis, detail: 'summary' }),
    readBenchmark(view),
  ]);
  const text = performanceTexts[reader.language];
  const bridge = bridgeTable(view, report);
  const contributions = contributionTable(view, split, { axis, wholeName: name });
  const [months, years] = [monthsTable(view, report), yearsTable(view, report)];
  const charts = performanceCharts(view, report, benchmark.name ?? text.benchmark);
  const main = html`${returnFigures(view, report, benchmark.name)}${returnsCard(view, report)}
    ${chartCard(view, charts.value)} ${chartCard(view, charts.path, { before: benchmarkPicker(view, benchmark) })}
    ${chartCard(view, charts.drawdown)}
    ${tableCard(view, bridge, { after: html`<p class="soft">${text.ofThis(formats.money(report.data[0].fees, report.currency))}</p>` })}
    ${tableCard(view, contributions, { before: axisChips(view, axis) })}
    ${tableCard(view, months, { after: html`<p class="soft">${text.wholeHint}</p>` })}${tableCard(view, years)}
    ${warningsNote(view, report.data[0].warnings)}
    <p><a href="${view.href('/report')}">${text.report}</a></p>`;
  return {
    main,
    lede: html`${text.lede(formats.dateLong(report.start), formats.dateLong(report.end), formats.currencyName(report.currency))}`,
    tables: [bridge, contributions, months, years, ...charts.tables],
  };
}

function returnFigures(view: EntityView, report: any, benchmark: string | undefined): Html {
  const compared = benchmarkFigures(view, report, benchmark);
  return html`${figuresList(mainFigures(view, report))}${figuresList([...riskFigures(view, report), ...compared])}`;
}

function mainFigures(view: EntityView, report: any) {
  const { formats, reader } = view.page;
  const text = performanceTexts[reader.language];
  const [whole] = report.data;
  const window = { start: report.start, end: report.end, currency: view.currency };
  const yearly = (rate: string | null, hint: string): string =>
    rate === null ? hint : `${text.perYear(formats.percent(rate))}; ${hint}`;
  return [
    {
      title: text.timeWeighted,
      value: formats.percent(whole.twr),
      small: yearly(whole.annualised_twr, text.timeWeightedHint),
      ...explained(view, 'cumulative_twr', window),
    },
    {
      title: text.moneyWeighted,
      value: formats.percent(whole.money_weighted_return),
      small:
        severalRatesText(view, whole.money_weighted_roots) ??
        yearly(whole.annualised_money_weighted_return, text.moneyWeightedHint),
      ...explained(view, 'money_weighted_return', window),
    },
    {
      title: text.earned,
      value: formats.signedMoney(whole.gain, report.currency),
      small: report.currency,
      ...explained(view, 'gain', window),
    },
  ];
}

function riskFigures(view: EntityView, report: any) {
  const { formats, reader } = view.page;
  const text = performanceTexts[reader.language];
  const [whole] = report.data;
  const window = { start: report.start, end: report.end, currency: view.currency };
  const fall =
    whole.max_drawdown_from === null
      ? text.noDrawdown
      : text.drawdownHint(formats.dateShort(whole.max_drawdown_from), formats.dateShort(whole.max_drawdown_to));
  return [
    {
      title: text.worth,
      value: formats.money(whole.end_market_value, report.currency),
      small: report.currency,
      ...explained(view, 'market_value', { as_of: report.end, currency: view.currency }),
    },
    {
      title: text.drawdown,
      value: formats.share(whole.max_drawdown, 2),
      small: fall,
      ...explained(view, 'max_drawdown', window),
    },
    {
      title: text.volatility,
      value: formats.share(whole.volatility, 2),
      small: text.volatilityHint,
      ...explained(view, 'volatility', window),
    },
  ];
}

function benchmarkFigures(view: EntityView, { benchmark, start, end }: any, name: string | undefined) {
  if (benchmark === null) return [];
  const { formats, reader } = view.page;
  const text = performanceTexts[reader.language];
  const parameters = { start, end, currency: view.currency, benchmark: benchmark.instrument_id };
  const small = name === undefined ? {} : { small: name };
  return [
    {
      title: text.benchmark,
      value: formats.percent(benchmark.twr),
      ...small,
      ...explained(view, 'cumulative_twr', parameters),
    },
    {
      title: text.excess,
      value: formats.percent(benchmark.excess_return),
      ...small,
      ...explained(view, 'excess_return', parameters),
    },
  ];
}

/** Why the two returns differ, from their order. */
export function returnsSentence(view: EntityView, { data: [whole], currency }: any): string {
  const { formats, reader } = view.page;
  const text = performanceTexts[reader.language];
  const [time, money] = [whole.twr, whole.money_weighted_return];
  if (time === null || money === null) return text.noReturn;
  if (formats.percent(time) === formats.percent(money)) {
    const hasFlow = formats.money(whole.net_cash_flow, currency) !== formats.money('0', currency);
    return hasFlow ? text.same : text.nothingMoved;
  }
  return Number(money) > Number(time) ? text.moneyHigher : text.moneyLower;
}

function returnsCard(view: EntityView, report: any): Html {
  const text = performanceTexts[view.page.reader.language];
  return card(
    text.returnsTitle,
    html`<p>${returnsSentence(view, report)}</p>
      <p class="soft">${text.bothMeaning}</p>`,
  );
}

function axisChips(view: EntityView, axis: ContributionAxis): Html {
  const text = performanceTexts[view.page.reader.language];
  const links = contributionAxes.map((one) => ({
    title: text[one],
    href: withParameters(view.page.address, { by: one === 'class' ? null : one }),
    isCurrent: one === axis,
  }));
  return html`<p class="soft">${text.by}</p>
    ${chips(links)}`;
}

export const performancePaths = [showPerformance];
