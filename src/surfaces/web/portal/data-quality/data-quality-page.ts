// The data quality of a reporting entity: findings in words, what each puts in doubt, what to do, and a way to the holding or booking.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { html, type Html } from '../../../../kit/html.ts';
import { findingCodes, type FindingCode } from '../../../../model/report/finding.ts';
import { withParameters } from '../../parts/address.ts';
import { markHtml } from '../../parts/marks.ts';
import { emptyState, stateDot } from '../../parts/notes.ts';
import { card, chips, figuresList } from '../../parts/parts.ts';
import { pagerHtml, tableHtml } from '../../tables/table-html.ts';
import type { Cell, Column, Row, Table } from '../../tables/table.ts';
import { fileLinks } from '../entity-controls.ts';
import { entityPage } from '../entity-page.ts';
import { readNames, type Names } from '../entity-names.ts';
import type { EntityView } from '../entity-view.ts';
import { dataQualityTexts, findingTitles } from './data-quality-texts.ts';
import { germanFindings } from './finding-texts.ts';
import { listRows, type WholeList } from '../../tables/list-rows.ts';

const severities = ['error', 'warning', 'notice'] as const;
const tones = { error: 'down', warning: 'warn', notice: 'soft' } as const;

const showDataQuality = entityPage({
  id: 'entity-data-quality',
  tab: 'data-quality',
  summary: 'Findings on the data behind the figures of a reporting entity',
  controls: ['day'],
  async read(view) {
    const { api, reader, formats, query } = view.page;
    const text = dataQualityTexts[reader.language];
    const code = query.get('code') || undefined;
    const question = { ...view.dayQuery, code };
    const path = '/v1/data-quality';
    const [report, names] = await allInOrder([
      api.get(path, { ...question, limit: '50', cursor: view.cursor }),
      readNames(view, ['instrument', 'account', 'depository']),
    ]);
    const table = findingsTable(view, { path, query: question }, { findings: report.data, names });
    if (report.counts.length === 0)
      return { main: emptyState({ title: text.emptyTitle, text: text.emptyText }), tables: [table] };
    const groups = [...Map.groupBy<FindingCode, any>(report.data, (finding: any) => finding.code)];
    return {
      lede: html`${text.lede(formats.dateLong(view.dayOf(report.as_of)))}`,
      main: html`${countsHtml(view, report.counts)}${codeChips(view, report.counts, code)}
      ${groups.map(([one, findings]) => findingsCard(view, one, { findings, names }))}
      ${pagerHtml({ reader, address: view.page.address, cursor: view.cursor, nextCursor: report.next_cursor })}
      ${fileLinks(view, table)}`,
      tables: [table],
    };
  },
});

function countsHtml({ page }: EntityView, counts: readonly any[]): Html {
  const text = dataQualityTexts[page.reader.language];
  return figuresList(
    severities.map((severity) => {
      const own = counts.filter((one) => one.severity === severity);
      const count = own.reduce((sum, one) => sum + one.count, 0);
      return { title: text[severity], value: page.formats.number(String(count), 0) };
    }),
  );
}

function codeChips({ page }: EntityView, counts: readonly any[], current: string | undefined): Html {
  const titles: Readonly<Record<string, string>> = findingTitles[page.reader.language];
  const href = (code: string | null): string => withParameters(page.address, { code, cursor: null });
  return chips([
    { title: dataQualityTexts[page.reader.language].all, href: href(null), isCurrent: current === undefined },
    ...counts.map((one) => ({
      title: `${titles[one.code]} ${page.formats.number(String(one.count), 0)}`,
      href: href(one.code),
      isCurrent: one.code === current,
    })),
  ]);
}

interface FoundGroup {
  readonly findings: readonly any[];
  readonly names: Names;
}

/** What is wrong and what to do is the same for all findings of a code, so it is said once. */
function findingsCard(view: EntityView, code: FindingCode, { findings, names }: FoundGroup): Html {
  const { language } = view.page.reader;
  const text = dataQualityTexts[language];
  const { severity }: { severity: keyof typeof tones } = findings[0];
  const { detail, remedy } = wordsOf(view, findings[0]);
  const isCompared = findings.some(comparesInterest);
  const columns = [...placeColumns(view), ...(isCompared ? comparedColumns(view) : [])];
  const table: Table = {
    id: `findings-${code}`,
    caption: text.where(findingTitles[language][code]),
    columns,
    rows: findings.map((finding) => ({
      cells: [...placeCells(view, finding, names), ...(isCompared ? comparedCells(finding) : [])],
    })),
  };
  return card(
    findingTitles[language][code],
    html`<p>${severityHtml(severity, text[severity])}</p>
      <p>${detail}</p>
      <p><strong>${text.remedy}:</strong> ${remedy}</p>
      ${tableHtml(table, { reader: view.page.reader })}`,
  );
}

/** What is missing has the mark that figures have everywhere. */
function severityHtml(severity: keyof typeof tones, text: string): Html {
  return severity === 'error' ? markHtml({ kind: 'incomplete', text }) : stateDot(text, tones[severity]);
}

function wordsOf({ page }: EntityView, finding: any): { readonly detail: string; readonly remedy: string } {
  const code = findingCodes.find((one) => one === finding.code);
  return page.reader.language === 'de' && code !== undefined ? germanFindings[code] : finding;
}

function placeColumns({ page }: EntityView): readonly Column[] {
  const text = dataQualityTexts[page.reader.language];
  return [
    { key: 'instrument', title: text.instrument, kind: 'text' },
    { key: 'place', title: text.place, kind: 'text' },
    { key: 'date', title: text.date, kind: 'date' },
    { key: 'quantity', title: text.quantity, kind: 'quantity' },
    { key: 'amount', title: text.amount, kind: 'money' },
    { key: 'currency', title: text.currency, kind: 'text' },
    { key: 'booking', title: text.booking, kind: 'text' },
  ];
}

function placeCells(view: EntityView, finding: any, names: Names): readonly Cell[] {
  const { instrument_id: instrument, currency, to_currency: toCurrency } = finding;
  const text = dataQualityTexts[view.page.reader.language];
  const name = names(instrument);
  const pair = toCurrency === null ? name : text.pair(currency, toCurrency);
  const [booking, ...others]: readonly string[] = finding.transaction_ids;
  return [
    { value: pair, ...(name === null ? {} : { href: view.href('/holdings', { text: name }) }) },
    { value: names(finding.account_id) ?? names(finding.depository_id) },
    { value: finding.date },
    { value: finding.quantity },
    { value: finding.amount, ...(currency === null ? {} : { currency }) },
    { value: currency },
    booking === undefined
      ? { value: null }
      : {
          value: booking,
          text: others.length === 0 ? text.open : text.openMore(others.length),
          href: view.href(`/activity/${booking}`),
        },
  ];
}

/** Whether it names interest as it was stated and as the terms give it. */
function comparesInterest({ accrued_interest: compared }: any): boolean {
  return compared !== null;
}

function comparedColumns({ page }: EntityView): readonly Column[] {
  const text = dataQualityTexts[page.reader.language];
  return [
    { key: 'stated', title: text.stated, kind: 'money' },
    { key: 'expected', title: text.expected, kind: 'money' },
    { key: 'accrued-to', title: text.accruedTo, kind: 'date' },
    { key: 'day-count', title: text.dayCount, kind: 'text' },
  ];
}

function comparedCells({ accrued_interest: compared, currency }: any): readonly Cell[] {
  const { stated = null, expected = null, accrued_to: to = null, day_count: dayCount = null } = compared ?? {};
  return [{ value: stated, currency }, { value: expected, currency }, { value: to }, { value: dayCount }];
}

/** All findings with their words, for files. */
function findingsTable(view: EntityView, list: WholeList, { findings, names }: FoundGroup): Table {
  const { language } = view.page.reader;
  const text: Readonly<Record<string, any>> = dataQualityTexts[language];
  const titles: Readonly<Record<string, string>> = findingTitles[language];
  const rowsOf = (finding: any): Row => {
    const { detail, remedy } = wordsOf(view, finding);
    const words = [titles[finding.code] ?? finding.code, text[finding.severity]];
    return {
      cells: [
        ...words.map((value) => ({ value })),
        ...placeCells(view, finding, names),
        ...comparedCells(finding),
        { value: detail },
        { value: remedy },
      ],
    };
  };
  return {
    id: 'findings',
    caption: text.table,
    columns: [
      { key: 'code', title: text.code, kind: 'text' },
      { key: 'severity', title: text.severity, kind: 'text' },
      ...placeColumns(view),
      ...comparedColumns(view),
      { key: 'detail', title: text.detail, kind: 'text', wide: true },
      { key: 'remedy', title: text.remedy, kind: 'text', wide: true },
    ],
    ...listRows(view.page, { list, shown: findings, rowsOf }),
  };
}

export const dataQualityPaths = [showDataQuality];
