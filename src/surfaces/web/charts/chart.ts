// What all charts share: a figure with a drawing for each width of its container, words for those who do not see it, and its table a click away.
// A page: `lineChart({ id, title, description, reader, series: [{ title, points }] }).figure`; likewise `barChart`, `shareBar` and
// `headroomBar`. Values are decimal strings; `.table` is the chart's table for CSV and XLSX.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import type { Reader } from '../language/reader.ts';
import { tableHtml } from '../tables/table-html.ts';
import { tableTexts } from '../tables/table-texts.ts';
import type { Table } from '../tables/table.ts';
import { chartFile } from './chart-file.ts';
import { partFill, patternsOf, type PartClass } from './patterns.ts';
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

/** Room for a drawing in its own units. */
export interface Frame {
  readonly name: 'narrow' | 'middle' | 'wide';
  readonly width: number;
  readonly height: number;
  readonly ticks: number;
  /** The largest that the style sheet sets in this drawing, so that letters have 12 px on the smallest screen it is shown on. */
  readonly fontSize: number;
}

/** The style sheet shows one of them, by the width of the container. */
const frames: readonly Frame[] = [
  { name: 'narrow', width: 320, height: 220, ticks: 4, fontSize: 16.1 },
  { name: 'middle', width: 520, height: 250, ticks: 5, fontSize: 14.3 },
  { name: 'wide', width: 800, height: 280, ticks: 5, fontSize: 14.2 },
];
/** Letters of 12 px: a file is shown at its own size. */
const fileFrame: Frame = { name: 'wide', width: 800, height: 300, ticks: 6, fontSize: 12 };
export const frameTop = 14;
export const frameRight = 12;
export const frameBottom = 34;

interface Legend {
  readonly title: string;
  readonly key: PartClass | 'line' | 'dashed' | 'over' | 'event';
}

interface FigureParts {
  readonly draw: (frame: Frame) => readonly Html[];
  readonly legend?: readonly Legend[];
  readonly table: Table;
  /** What the page shows of a long table, and says about it. */
  readonly excerpt?: { readonly table: Table; readonly remark: string } | undefined;
  readonly heightOf?: (frame: Frame) => number;
  readonly hasPatterns?: boolean;
}

export function chartOf(input: ChartInput, parts: FigureParts): Chart {
  const { id, title, reader } = input;
  const { draw, legend = [], table, excerpt, heightOf, hasPatterns = false } = parts;
  const drawing = (frame: Frame): Html => {
    const sized = { ...frame, height: heightOf?.(frame) ?? frame.height };
    return drawingOf(input, sized, draw(sized));
  };
  const keys = legend.map((entry) => html`<li>${keyOf(id, entry)}${entry.title}</li>`);
  const remark = excerpt === undefined ? emptyHtml : html`<p class="soft">${excerpt.remark}</p>`;
  const figure = html`<figure class="chart" id="${id}">
    <figcaption>${title}</figcaption>
    ${
      legend.length < 2
        ? emptyHtml
        : html`<ul class="legend">
            ${keys}
          </ul>`
    }
    ${hasPatterns ? patternsOf(id) : emptyHtml}${frames.map(drawing)}
    <details>
      <summary>${tableTexts[reader.language].showTable}</summary>
      ${remark}${tableHtml(excerpt?.table ?? table, { reader })}
    </details>
  </figure>`;
  return { figure, table: { ...table, picture: () => fileOf(input, parts) } };
}

/** The widest drawing, for a file. */
function fileOf(
  { id, title, description }: ChartInput,
  { draw, legend = [], heightOf, hasPatterns }: FigureParts,
): string {
  const height = heightOf?.(fileFrame) ?? fileFrame.height;
  return chartFile({
    title,
    description,
    width: fileFrame.width,
    height,
    legend: legend.map((entry) => ({ title: entry.title, key: keyMark(id, entry) })),
    parts: [...(hasPatterns === true ? [patternsOf(id)] : []), ...draw({ ...fileFrame, height })],
  });
}

function keyOf(id: string, entry: Legend): Html {
  return element('svg', { class: 'key', viewBox: '0 0 16 14', 'aria-hidden': 'true' }, keyMark(id, entry));
}

function keyMark(id: string, { key }: Legend): Html {
  if (key === 'event') return element('circle', { class: 'flow', cx: 8, cy: 7, r: 4 });
  return key === 'line' || key === 'dashed' || key === 'over'
    ? element('line', { class: lineClasses[key], x1: 0, x2: 16, y1: 7, y2: 7 })
    : element('rect', { ...partFill(id, key), x: 1, y: 1, width: 12, height: 12 });
}

const lineClasses = { line: 'stroke', dashed: 'bench', over: 'over' } as const;

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
