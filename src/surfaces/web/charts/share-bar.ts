// Shares of a whole in one bar: at most five parts and the rest, each with its name and share in words beside its pattern.

import type { Html } from '../../../kit/html.ts';
import { parseDecimal } from '../../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../../kit/fixed.ts';
import { formatsOf } from '../language/formats.ts';
import type { Table } from '../tables/table.ts';
import { chartOf, type Chart, type ChartInput, type Frame } from './chart.ts';
import { element } from './svg.ts';

export interface ShareBarInput extends ChartInput {
  /** Fractions of the whole, the largest first. Negative ones stand in words only. */
  readonly parts: readonly { readonly title: string; readonly share: string; readonly href?: string }[];
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
  readonly className: string;
}

export function shareBar(input: ShareBarInput): Chart {
  const parts = shownParts(input);
  const rows = Math.max(parts.length, 1);
  return chartOf(input, {
    draw: (frame) => drawShares(parts, input, frame),
    table: shareTable(input),
    heights: { wide: barHeight + Math.ceil(rows / 2) * lineHeight + 16, narrow: barHeight + rows * lineHeight + 16 },
  });
}

function shownParts({ parts, restTitle }: ShareBarInput): readonly Part[] {
  const shown = parts.slice(0, partsMax).map((part, index) => ({ ...part, className: `c${index + 1}` }));
  const others = parts.slice(partsMax);
  if (others.length === 0) return shown;
  const rest = others.reduce((sum, { share }) => sum + toFixed(parseDecimal(share)), 0n);
  return [...shown, { title: restTitle, share: fromFixed(rest), className: 'rest' }];
}

function drawShares(parts: readonly Part[], { reader }: ShareBarInput, frame: Frame): readonly Html[] {
  const sizes = parts.map(({ share }) => Math.max(Number(share), 0));
  const whole = Math.max(
    sizes.reduce((sum, size) => sum + size, 0),
    1e-9,
  );
  const columns = frame.name === 'wide' ? 2 : 1;
  let x = 0;
  return parts.flatMap(({ title, share, className }, index) => {
    const width = ((sizes[index] ?? 0) / whole) * frame.width;
    const start = x;
    x += width;
    const left = ((index % columns) * frame.width) / columns;
    const right = left + frame.width / columns - (columns > 1 ? 24 : 0);
    const y = barHeight + 30 + Math.floor(index / columns) * lineHeight;
    const room = Math.max(Math.floor((right - left - 24) / frame.letter) - 9, 4);
    return [
      element('rect', { class: className, x: start, y: 0, width: Math.max(width - 1.5, 0), height: barHeight }),
      element('rect', { class: className, x: left, y: y - 11, width: 12, height: 12 }),
      element('text', { x: left + 20, y }, title.length > room ? `${title.slice(0, room - 1)}…` : title),
      element('text', { class: 'value', x: right, y, 'text-anchor': 'end' }, formatsOf(reader.locale).share(share)),
    ];
  });
}

function shareTable({ id, title, parts, nameTitle, shareTitle }: ShareBarInput): Table {
  return {
    id: `${id}-table`,
    caption: title,
    columns: [
      { key: 'name', title: nameTitle, kind: 'text' },
      { key: 'share', title: shareTitle, kind: 'percent', signed: false },
    ],
    rows: parts.map(({ title, share, href }) => ({
      cells: [{ value: title, ...(href !== undefined && { href }) }, { value: share }],
    })),
  };
}
