// Shares of a whole in one bar: at most five parts and the rest, each with its name and share in words beside its pattern.

import type { Html } from '../../../kit/html.ts';
import { doubleText } from '../../../kit/decimal.ts';
import { formatsOf } from '../language/formats.ts';
import type { Table } from '../tables/table.ts';
import { chartOf, type Chart, type ChartInput, type Frame } from './chart.ts';
import { partClasses, partFill, type PartClass } from './patterns.ts';
import { element } from './svg.ts';
import { fittingText, textWidth } from './text-width.ts';

export interface ShareBarInput extends ChartInput {
  /** Fractions of the whole, the largest first. Negative ones stand in words only. */
  readonly parts: readonly { readonly title: string; readonly share: string }[];
  readonly restTitle: string;
  readonly nameTitle: string;
  readonly shareTitle: string;
}

const partsMax = 5;
const barHeight = 22;
const lineHeight = 26;

interface Part {
  readonly title: string;
  readonly share: string;
  readonly part: PartClass;
}

export function shareBar(input: ShareBarInput): Chart {
  const parts = shownParts(input);
  const rows = Math.max(parts.length, 1);
  return chartOf(input, {
    draw: (frame) => drawShares(parts, input, frame),
    table: shareTable(input),
    heightOf: (frame) => barHeight + Math.ceil(rows / columnsOf(frame)) * lineHeight + 16,
    hasPatterns: true,
  });
}

/** Shares are doubles at the API, with more digits than decimals have. */
function shownParts({ parts, restTitle }: ShareBarInput): readonly Part[] {
  const shown = parts.slice(0, partsMax).map((part, index) => ({ ...part, part: partClasses[index] ?? 'rest' }));
  const others = parts.slice(partsMax);
  if (others.length === 0) return shown;
  const rest = others.reduce((sum, { share }) => sum + Number(share), 0);
  return [...shown, { title: restTitle, share: doubleText(rest), part: 'rest' }];
}

function drawShares(parts: readonly Part[], { id, reader }: ShareBarInput, frame: Frame): readonly Html[] {
  const sized = parts.map((part) => ({ ...part, size: Math.max(Number(part.share), 0) }));
  const whole = Math.max(
    sized.reduce((sum, { size }) => sum + size, 0),
    1e-9,
  );
  const columns = columnsOf(frame);
  let x = 0;
  return sized.flatMap(({ title, share, part, size }, index) => {
    const width = (size / whole) * frame.width;
    const start = x;
    x += width;
    const left = ((index % columns) * frame.width) / columns;
    const right = left + frame.width / columns - (columns > 1 ? 24 : 0);
    const y = barHeight + 30 + Math.floor(index / columns) * lineHeight;
    const shown = formatsOf(reader.locale).share(share);
    const room = right - left - 32 - textWidth(shown, frame.fontSize);
    return [
      element('rect', { ...partFill(id, part), x: start, y: 0, width: Math.max(width - 1.5, 0), height: barHeight }),
      element('rect', { ...partFill(id, part), x: left, y: y - 11, width: 12, height: 12 }),
      element('text', { x: left + 20, y }, fittingText(title, { room, fontSize: frame.fontSize })),
      element('text', { class: 'value', x: right, y, 'text-anchor': 'end' }, shown),
    ];
  });
}

function columnsOf({ name }: Frame): number {
  return name === 'narrow' ? 1 : 2;
}

function shareTable({ id, title, parts, nameTitle, shareTitle }: ShareBarInput): Table {
  return {
    id: `${id}-table`,
    caption: title,
    columns: [
      { key: 'name', title: nameTitle, kind: 'text' },
      { key: 'share', title: shareTitle, kind: 'percent', signed: false },
    ],
    rows: parts.map(({ title, share }) => ({ cells: [{ value: title }, { value: share }] })),
  };
}
