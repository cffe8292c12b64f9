// A report of an entity and a period, to print or to save as a PDF: overview, holdings, performance, private markets and notes.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { shareBar } from '../../charts/share-bar.ts';
import { sentenceHtml } from '../../parts/notes.ts';
import { figuresList } from '../../parts/parts.ts';
import { tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import type { PageContent } from '../../signed-in-page.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { bridgeTable, contributionTable } from '../performance/contribution-tables.ts';
import { valueChart } from '../performance/performance-charts.ts';
import { returnsSentence } from '../performance/performance-page.ts';
import { performanceTexts } from '../performance/performance-texts.ts';
import { severalRatesText } from '../performance/several-rates.ts';
import { yearsTable } from '../performance/period-tables.ts';
import { fundsTable } from '../performance/private-markets-page.ts';
import { warningsList } from '../performance/warnings-note.ts';
import { holdingsTable } from './report-holdings.ts';
import { reportTexts } from './report-texts.ts';

const showReport = entityPage({
  id: 'entity-report',
  path: '/report',
  summary: 'A report of a reporting entity and a period, to print',
  controls: ['period', 'currency'],
  title: ({ page }, name) => reportTexts[page.reader.language].title(name),
  read: readReport,
});

const holdingsMax = 500;

/** A sheet has no room for the column of PIC, which follows from two others. */
function onPaper({ columns, rows, ...table }: Table): Table {
  const kept = (_one: unknown, index: number): boolean => columns[index]?.key !== 'pic';
  return {
    ...table,
    columns: columns.filter(kept),
    rows: rows.map((row) => ({ ...row, cells: row.cells.filter(kept) })),
  };
}

async function readReport(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const { api, formats, reader, now, timeZone } = view.page;
  const text = reportTexts[reader.language];
  const [report, byClass] = await allInOrder([
    api.get('/v1/performance', { ...view.windowQuery, every: 'year' }),
    api.get('/v1/performance', { ...view.windowQuery, by: 'class', detail: 'summary' }),
  ]);
  const day = { ...view.entityQuery, as_of: report.end };
  const [{ name }, classes, investments, funds] = await allInOrder([
    view.entity,
    api.get('/v1/holdings', { ...day, by: 'class', limit: '100' }),
    api.list('/v1/holdings', { ...day, by: 'instrument' }, holdingsMax),
    api.get('/v1/performance/private-markets', day),
  ]);
  const tables = {
    bridge: bridgeTable(view, report),
    contributions: contributionTable(view, byClass, { axis: 'class', wholeName: name }),
    years: yearsTable(view, report),
    classes: holdingsTable(view, {
      id: 'report-classes',
      caption: text.byClass,
      by: 'class',
      rows: classes.data,
      answer: classes,
    }),
    investments: holdingsTable(view, {
      id: 'report-investments',
      caption: text.byInvestment,
      by: 'instrument',
      rows: investments.data,
      answer: classes,
    }),
    funds: funds.data.length > 1 ? onPaper(fundsTable(view, funds.data)) : undefined,
  };
  const parts = { report, tables, holdings: investments, classes: classes.data };
  const prepared = formats.datetime(new Date(now).toISOString(), timeZone);
  return {
    lede: html`${text.lede(formats.dateLong(report.start), formats.dateLong(report.end), formats.currencyName(report.currency), prepared)}`,
    main: html`<p class="screen-only soft">${text.print}</p>
      ${overviewSection(view, parts)}${holdingsSection(view, parts)}${performanceSection(view, parts)}
      ${fundsSection(view, tables.funds)}${notesSection(view, parts)}`,
    tables: Object.values(tables).filter((table) => table !== undefined),
  };
}

interface ReportParts {
  readonly report: any;
  readonly tables: Readonly<Record<'bridge' | 'contributions' | 'years' | 'classes' | 'investments', Table>>;
  readonly holdings: { readonly data: readonly any[]; readonly isCut: boolean };
  readonly classes: readonly any[];
}

function section(title: string, content: Html): Html {
  return html`<section class="card sheet">
    <h2>${title}</h2>
    ${content}
  </section>`;
}

function overviewSection(view: EntityView, { report, classes }: ReportParts): Html {
  const { formats, reader } = view.page;
  const text = reportTexts[reader.language];
  const words = performanceTexts[reader.language];
  const { currency, data } = report;
  const [whole] = data;
  const yearly = (rate: string | null): { readonly small?: string } =>
    rate === null ? {} : { small: words.perYear(formats.percent(rate)) };
  const severalRates = severalRatesText(view, whole.money_weighted_roots);
  const figures = figuresList([
    { title: words.worth, value: formats.money(whole.end_market_value, currency), small: currency },
    { title: words.earned, value: formats.signedMoney(whole.gain, currency), small: currency },
    { title: words.timeWeighted, value: formats.percent(whole.twr), ...yearly(whole.annualised_twr) },
    {
      title: words.moneyWeighted,
      value: formats.percent(whole.money_weighted_return),
      ...(severalRates === undefined ? yearly(whole.annualised_money_weighted_return) : { small: severalRates }),
    },
  ]);
  const shares = classes
    .filter((one) => one.share !== null)
    .toSorted((one, other) => Number(other.share) - Number(one.share))
    .map((one) => ({ title: one.segment_name ?? text.other, share: one.share }));
  const allocation = shareBar({
    id: 'report-allocation',
    title: text.allocation,
    description: text.allocationDescription,
    reader,
    parts: shares,
    restTitle: text.rest,
    nameTitle: text.class,
    shareTitle: text.share,
  });
  return section(text.overview, html`${figures}${valueChart(view, report).figure}${allocation.figure}`);
}

function holdingsSection(view: EntityView, { tables, holdings }: ReportParts): Html {
  const { reader } = view.page;
  const text = reportTexts[reader.language];
  const cut = holdings.isCut ? html`<p class="note">${text.cut(holdings.data.length)}</p>` : emptyHtml;
  return section(
    text.holdings,
    html`${tableHtml(tables.classes, { reader })}${tableHtml(tables.investments, { reader })}${cut}`,
  );
}

function performanceSection(view: EntityView, { report, tables }: ReportParts): Html {
  const { reader } = view.page;
  const { bridge, contributions, years } = tables;
  return section(
    reportTexts[reader.language].performance,
    html`<p>${returnsSentence(view, report)}</p>
      ${[bridge, contributions, years].map((table) => tableHtml(table, { reader }))}`,
  );
}

function fundsSection(view: EntityView, funds: Table | undefined): Html {
  const { reader } = view.page;
  if (funds === undefined) return emptyHtml;
  return section(reportTexts[reader.language].privateMarkets, tableHtml(funds, { reader }));
}

function notesSection(view: EntityView, { report }: ReportParts): Html {
  const text = reportTexts[view.page.reader.language];
  const [{ warnings }] = report.data;
  const list = warnings.length === 0 ? html`<p>${text.noNotes}</p>` : warningsList(view, warnings);
  return section(
    text.notes,
    html`${list}
      <p class="soft">${sentenceHtml(text.basis(report.ledger_version))}</p>`,
  );
}

export const reportPaths = [showReport];
