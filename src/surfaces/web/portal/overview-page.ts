// The first page after signing in: with one reporting entity its overview, with several a card for each.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import { html, type Html } from '../../../kit/html.ts';
import { RefusedCall } from '../page-api.ts';
import { marksLegend } from '../parts/marks.ts';
import { emptyState, note, sentenceHtml } from '../parts/notes.ts';
import { card } from '../parts/parts.ts';
import { signedInPage, type Page, type PageContent } from '../signed-in-page.ts';
import { pagerHtml } from '../tables/table-html.ts';
import type { Table } from '../tables/table.ts';
import { fileLinks } from './entity-controls.ts';
import { entityOverview, ledeOf } from './entity-overview-page.ts';
import { entityOf, showEntity } from './entity-page.ts';
import { readEntityView, type Entity, type EntityView } from './entity-view.ts';
import { brokenLimitsList, readBrokenLimits } from './limits/broken-limits.ts';
import { allocationBar, uncertainList, valueChart, valueFigures } from './value-parts.ts';
import { isEmpty, readValueReports } from './value-reports.ts';
import { valueTexts } from './value-texts.ts';

/** How many entities a page shows: each takes five reports. */
const cardsMax = '8';

const showOverview = signedInPage({
  id: 'overview',
  path: '/',
  summary: 'The reporting entities of the signed-in person',
  area: 'portal',
  async handle(page) {
    const cursor = page.query.get('cursor') ?? undefined;
    const { data, next_cursor } = await page.api.get('/v1/reporting-entities', { limit: cardsMax, cursor });
    const entities: readonly Entity[] = data.map(entityOf);
    const [only] = entities;
    if (only !== undefined && entities.length === 1 && cursor === undefined)
      return showEntity(viewOf(page, only), entityOverview);
    return listOf(page, entities, next_cursor);
  },
});

/** Of an entity that the list has read. */
function viewOf(page: Page, entity: Entity): EntityView {
  return readEntityView(page, entity.id, async () => entity);
}

async function listOf(page: Page, entities: readonly Entity[], nextCursor: string | null): Promise<PageContent> {
  const { reader, address } = page;
  const text = valueTexts[reader.language];
  if (entities.length === 0) {
    const nothing = emptyState({ title: text.noEntities, text: text.noEntitiesText });
    return { title: text.yourWealth, main: card(text.noEntities, nothing) };
  }
  const sorted = entities.toSorted((one, other) => one.name.localeCompare(other.name, reader.locale));
  const cards = await allInOrder(sorted.map((entity) => entityCard(page, entity)));
  const cursor = page.query.get('cursor') ?? undefined;
  const shown = html`${cards.map(({ main }) => main)}`;
  return {
    title: text.yourWealth,
    tables: cards.flatMap(({ tables }) => tables),
    main: html`${shown}${pagerHtml({ reader, address, cursor, nextCursor })}${marksLegend(shown, reader)}`,
  };
}

interface EntityCard {
  readonly main: Html;
  readonly tables: readonly Table[];
}

/** What cannot be calculated says why, and does not keep the others from being shown. */
async function entityCard(page: Page, entity: Entity): Promise<EntityCard> {
  const view = viewOf(page, entity);
  const { main, tables } = await figuresOf(view);
  return {
    main: html`<section class="card entity">
      <h2><a href="${view.href('')}">${entity.name}</a></h2>
      ${main}
    </section>`,
    tables,
  };
}

async function figuresOf(view: EntityView): Promise<EntityCard> {
  try {
    return await readFigures(view);
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.problem.status >= 500 || error.problem.status === 429) throw error;
    return { main: note(sentenceHtml(error.problem.detail), { tone: 'warn' }), tables: [] };
  }
}

async function readFigures(view: EntityView): Promise<EntityCard> {
  const [reports, broken = []] = await allInOrder([readValueReports(view), readBrokenLimits(view)]);
  const text = valueTexts[view.page.reader.language];
  const chart = valueChart(view, reports);
  if (isEmpty(reports)) {
    return { main: emptyState({ title: text.nothingHeld, text: text.nothingHeldText }), tables: [] };
  }
  const allocation = allocationBar(view, reports);
  const drawn =
    chart === undefined
      ? html`<p class="soft">${text.chartEmpty}</p>`
      : html`<div>${chart.figure}${fileLinks(view, chart.table)}</div>`;
  const uncertain = reports.uncertain.length === 0 ? html`` : uncertainList(view, reports.uncertain);
  return {
    main: html`<p class="lede">${ledeOf(view, reports)}</p>
      ${valueFigures(view, reports)}
      <div class="two">
        ${drawn}
        <div>${allocation.figure}${fileLinks(view, allocation.table)}</div>
      </div>
      ${brokenLimitsList(view, broken)}${uncertain}
      <p class="links"><a href="${view.href('/report')}">${text.report}</a></p>`,
    tables: [...(chart === undefined ? [] : [chart.table]), allocation.table],
  };
}

export const overviewPaths = [showOverview];
