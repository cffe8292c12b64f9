// What all charts share: a figure with a wide and a narrow drawing, words for those who do not see it, and its table a click away.
// A page: `lineChart({ id, title, description, reader, series: [{ title, points }] }).figure`; likewise `barChart`, `shareBar` and
// `headroomBar`. Values are decimal strings; `.table` is the chart's table for CSV and XLSX.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import type { Reader } from '../language/reader.ts';
import { tableHtml } from '../tables/table-html.ts';
import { tableTexts } from '../tables/table-texts.ts';
import type { Table } from '../tables/table.ts';
import { element } from './svg.ts';

export interface ChartInput {
  /** Unique on the page and stable; ids of the parts begin with it. */
  readonly id: string;
  readonly title: string;
  /** What the picture shows, in a sentence. */
  readonly description: string;
  readonly reader: Reader;
}

export interface Chart {
  readonly figure: Html;
  readonly table: Table;
}

/** Room for a drawing in its own units. Letters take at most `letter` of it. */
export interface Frame {
  readonly name: 'wide' | 'narrow';
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly ticks: number;
  readonly letter: number;
}

export const wideFrame: Frame = { name: 'wide', width: 800, height: 280, left: 76, ticks: 5, letter: 8.5 };
export const narrowFrame: Frame = { name: 'narrow', width: 320, height: 220, left: 72, ticks: 4, letter: 9 };
export const frameTop = 14;
export const frameRight = 12;
export const frameBottom = 30;

interface Legend {
  readonly title: string;
  readonly className: string;
}

interface FigureParts {
  readonly draw: (frame: Frame) => readonly Html[];
  readonly legend?: readonly Legend[];
  readonly table: Table;
  readonly heights?: Readonly<Record<Frame['name'], number>>;
}

export function chartOf(input: ChartInput, { draw, legend = [], table, heights }: FigureParts): Chart {
  const { id, title, reader } = input;
  const drawing = (frame: Frame): Html => {
    const sized = { ...frame, height: heights?.[frame.name] ?? frame.height };
    return drawingOf(input, sized, draw(sized));
  };
  const keys = legend.map((key) => html`<li><i class="key ${key.className}"></i>${key.title}</li>`);
  const figure = html`<figure class="chart" id="${id}">
    <figcaption>${title}</figcaption>
    ${
      legend.length < 2
        ? emptyHtml
        : html`<ul class="legend">
            ${keys}
          </ul>`
    }
    ${drawing(wideFrame)}${drawing(narrowFrame)}
    <details>
      <summary>${tableTexts[reader.language].showTable}</summary>
      ${tableHtml(table, { reader })}
    </details>
  </figure>`;
  return { figure, table };
}

function drawingOf({ id, title, description }: ChartInput, frame: Frame, parts: readonly Html[]): Html {
  const [titleId, descriptionId] = [`${id}-${frame.name}-title`, `${id}-${frame.name}-desc`];
  const { name, width, height } = frame;
  return element(
    'svg',
    { class: name, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-labelledby': `${titleId} ${descriptionId}` },
    element('title', { id: titleId }, title),
    element('desc', { id: descriptionId }, description),
    ...parts,
  );
}
