// The overview of a reporting entity: what it is worth, how that came about, where it is invested, and what needs a look.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { emptyState } from '../parts/notes.ts';
import { card } from '../parts/parts.ts';
import type { PageContent } from '../signed-in-page.ts';
import { tableHtml } from '../tables/table-html.ts';
import { fileLinks } from './entity-controls.ts';
import { entityPage, type EntityPage } from './entity-page.ts';
import type { EntityView } from './entity-view.ts';
import { brokenLimitsList, readBrokenLimits, type BrokenLimits } from './limits/broken-limits.ts';
import { allocationBar, classTable, uncertainList, valueChart, valueFigures } from './value-parts.ts';
import { isEmpty, readValueReports, type ValueReports } from './value-reports.ts';
import { valueTexts } from './value-texts.ts';

export const entityOverview: EntityPage = {
  id: 'entity-overview',
  tab: 'overview',
  summary: 'The value of a reporting entity, its changes and what it is invested in',
  controls: ['period', 'currency'],
  read: readOverview,
};

async function readOverview(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const [reports, broken] = await allInOrder([readValueReports(view), readBrokenLimits(view)]);
  const { reader } = view.page;
  const text = valueTexts[reader.language];
  const chart = valueChart(view, reports);
  const allocation = allocationBar(view, reports);
  const classes = classTable(view, reports);
  if (isEmpty(reports)) {
    const { name } = await view.entity;
    return { main: card(name, emptyState({ title: text.nothingHeld, text: text.nothingHeldText })) };
  }
  const drawn =
    chart === undefined
      ? html`<p class="soft">${text.chartEmpty}</p>`
      : html`${chart.figure}${fileLinks(view, chart.table)}`;
  return {
    lede: ledeOf(view, reports),
    tables: [...(chart === undefined ? [] : [chart.table]), allocation.table, classes],
    main: html`${valueFigures(view, reports)}
      <section class="card">${drawn}</section>
      <div class="aside">
        <section class="card">
          ${allocation.figure}${fileLinks(view, allocation.table)}${tableHtml(classes, { reader })}${fileLinks(view, classes)}
        </section>
        <div>${needsALook(view, reports, broken)}${takeAlong(view)}</div>
      </div>`,
  };
}

/** Broken limits, then what is old or estimated, and the ways to all of both. */
function needsALook(view: EntityView, reports: ValueReports, broken: BrokenLimits): Html {
  const text = valueTexts[view.page.reader.language];
  const limits = brokenLimitsList(view, broken ?? []);
  const nothing = reports.uncertain.length === 0 && (broken ?? []).length > 0;
  const values = nothing ? emptyHtml : uncertainList(view, reports.uncertain);
  return card(text.needsALook, html`${limits}${values}${allLinks(view)}`);
}

function takeAlong(view: EntityView): Html {
  const text = valueTexts[view.page.reader.language];
  return card(
    text.takeAlong,
    html`<p class="soft">${text.takeAlongText}</p>
      <p><a href="${view.href('/report')}">${text.report}</a></p>`,
  );
}

export function ledeOf({ page: { formats, reader } }: EntityView, { end, currency }: ValueReports): Html {
  return html`${valueTexts[reader.language].asOf(formats.dateLong(end), formats.currencyName(currency))}`;
}

function allLinks(view: EntityView): Html {
  if (!view.hasRole('advisor')) return emptyHtml;
  const text = valueTexts[view.page.reader.language];
  return html`<p class="links">
    <a href="${view.href('/data-quality')}">${text.allFindings}</a>
    <a href="${view.href('/limits')}">${text.allLimits}</a>
  </p>`;
}

export const entityOverviewPaths = [entityPage(entityOverview)];
