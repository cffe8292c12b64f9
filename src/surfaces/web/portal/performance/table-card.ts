// A table or a chart in its card, with links to its files.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Chart } from '../../charts/chart.ts';
import { tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import { fileLinks } from '../entity-controls.ts';
import type { EntityView } from '../entity-view.ts';

interface Around {
  readonly before?: Html;
  readonly after?: Html;
}

/** The caption is its heading. */
export function tableCard(
  view: EntityView,
  table: Table,
  { before = emptyHtml, after = emptyHtml }: Around = {},
): Html {
  return html`<section class="card">
    ${before}${tableHtml(table, { reader: view.page.reader })}${after}${fileLinks(view, table)}
  </section>`;
}

/** The caption of the chart is its heading; nothing where there is no chart. */
export function chartCard(view: EntityView, chart: Chart | undefined, { before = emptyHtml }: Around = {}): Html {
  if (chart === undefined) return emptyHtml;
  return html`<section class="card">${before}${chart.figure}${fileLinks(view, chart.table)}</section>`;
}
