// Then and today: what was said about a day at an earlier moment, what is said now, and what made the difference.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { fromDayNumber } from '../../../../kit/calendar-date.ts';
import { civilFromDay, dayFromCivil } from '../../../../kit/day.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { dayOfMoment } from '../../../../actions/reports/report-day.ts';
import { filterForm } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { card, chips, tableCard } from '../../parts/parts.ts';
import { pagerHtml, tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import { fileLinks } from '../entity-controls.ts';
import { readNames } from '../entity-names.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { readComparison, type Comparison } from './known-reports.ts';
import { causesTable, figuresTable, positionsTable } from './known-tables.ts';
import { knownTexts } from './known-texts.ts';

const showKnown = entityPage({
  id: 'entity-known',
  path: '/known',
  summary: 'What was said about a reporting entity at an earlier moment, and what is said today',
  controls: ['period', 'currency'],
  hasBanner: false,
  title: ({ page }, name) => `${knownTexts[page.reader.language].title} · ${name}`,
  async read(view) {
    const { formats, reader, timeZone } = view.page;
    const text = knownTexts[reader.language];
    const { knownAt } = view;
    if (knownAt === undefined) return { main: chooseMoment(view) };
    const [comparison, names] = await allInOrder([
      readComparison(view),
      readNames({ ...view, dayQuery: { reporting_entity_id: view.entityId } }, ['account']),
    ]);
    const { earlier, today, restatement, day } = comparison;
    const instruments = new Map([...earlier.rows, ...today.rows]);
    const tables = [figuresTable(view, comparison), positionsTable(view, comparison)] as const;
    const causes = causesTable(view, {
      data: restatement?.data ?? [],
      names: (id) => names(id) ?? (id === null ? null : (instruments.get(id)?.segment_name ?? null)),
    });
    return {
      lede: html`${text.lede(formats.dateLong(day), formats.datetime(knownAt, timeZone))}`,
      main: html`${earlier.currency === today.currency ? emptyHtml : note(text.otherCurrency, { tone: 'warn' })}
      ${tableCard(withFiles(view, tables[0]))} ${positionsHtml(view, tables[1], earlier.isCut || today.isCut)}
      ${causesHtml(view, causes, comparison)}`,
      tables: [...tables, causes],
    };
  },
});

function withFiles(view: EntityView, table: Table): Html {
  return html`${tableHtml(table, { reader: view.page.reader })}${fileLinks(view, table)}`;
}

function positionsHtml(view: EntityView, table: Table, isCut: boolean): Html {
  const text = knownTexts[view.page.reader.language];
  if (table.rows.length === 0) return card(text.positions, html`<p>${isCut ? text.sameCut : text.same}</p>`);
  return tableCard(html`${isCut ? note(text.cut) : emptyHtml}${withFiles(view, table)}`);
}

function causesHtml(view: EntityView, table: Table, { restatement }: Comparison): Html {
  const { reader, address } = view.page;
  const text = knownTexts[reader.language];
  if (restatement === undefined) return card(text.causes, html`<p>${text.causesHidden}</p>`);
  if (table.rows.length === 0) return card(text.causes, html`<p>${text.noCauses}</p>`);
  const pager = pagerHtml({ reader, address, cursor: view.cursor, nextCursor: restatement.next_cursor });
  return tableCard(
    html`${withFiles(view, table)}${pager}
      <p class="soft">${text.causesText}</p>`,
  );
}

/** Without a moment there is nothing to compare: the page asks for one. */
function chooseMoment(view: EntityView): Html {
  const { page, entityId } = view;
  const text = knownTexts[page.reader.language];
  const { year, month } = civilFromDay(dayOfMoment(page.now, page.timeZone));
  const endBefore = (first: number): string => view.href('/known', { known_at: fromDayNumber(first - 1) });
  const form = filterForm({
    path: `/entities/${entityId}/known`,
    reader: page.reader,
    fields: [{ kind: 'date', name: 'known_at', label: text.knownAt, form: 'moment' }],
  });
  return card(
    text.chooseTitle,
    html`<p>${text.chooseText}</p>
      ${chips([
        { title: text.endOfMonth, href: endBefore(dayFromCivil({ year, month, day: 1 })) },
        { title: text.endOfYear, href: endBefore(dayFromCivil({ year, month: 1, day: 1 })) },
      ])}${form}`,
  );
}

export const knownPaths = [showKnown];
