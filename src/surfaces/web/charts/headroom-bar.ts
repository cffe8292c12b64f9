// Where a limit stands: the allowed stretch, the value in it, and the room that is left.

import { greatestOf, leastOf } from '../../../kit/memory/long-list.ts';
import type { Html } from '../../../kit/html.ts';
import { formatsOf, type Figure } from '../language/formats.ts';
import type { Table } from '../tables/table.ts';
import type { Unit } from './axis.ts';
import { chartOf, type Chart, type ChartInput, type Frame } from './chart.ts';
import { scaleLinear } from 'd3-scale';
import { element } from './svg.ts';
import { textWidth } from './text-width.ts';

export interface HeadroomBarInput extends ChartInput {
  readonly value: string;
  readonly min: Figure;
  readonly max: Figure;
  /** What is left until the nearer bound; negative once it is broken. */
  readonly headroom: Figure;
  readonly unit?: Unit;
  readonly currency?: string;
  readonly words: { readonly value: string; readonly min: string; readonly max: string; readonly headroom: string };
}

const height = 68;
const boundsY = 62;
const lineHeight = 20;

export function headroomBar(input: HeadroomBarInput): Chart {
  const draw = (frame: Frame): readonly Html[] => drawHeadroom(input, frame);
  const heightOf = (frame: Frame): number => (boundsTouch(input, frame) ? height + lineHeight : height);
  return chartOf(input, { draw, table: headroomTable(input), heightOf });
}

function drawHeadroom(input: HeadroomBarInput, frame: Frame): readonly Html[] {
  const { value, min, max } = input;
  const known = [value, min, max].flatMap((figure) => (figure === null ? [] : [Number(figure)]));
  const [low, high] = [leastOf([0, ...known]), greatestOf([0, ...known]) * 1.1 || 1];
  const x = scaleLinear([low, high], [1, frame.width - 1]);
  const [from, to] = [min === null ? low : Number(min), max === null ? high : Number(max)];
  const at = x(Number(value));
  const broken = Number(value) < from || Number(value) > to;
  return [
    element('rect', { class: 'track', x: 1, y: 30, width: frame.width - 2, height: 8, rx: 4 }),
    element('rect', { class: 'allowed', x: x(from), y: 30, width: Math.max(x(to) - x(from), 0), height: 8 }),
    element('line', { class: broken ? 'here down' : 'here', x1: at, x2: at, y1: 22, y2: 46 }),
    besideText(write(input, value), { at, y: 16, frame }),
    ...(min === null ? [] : [element('text', { x: 1, y: boundsY }, boundText(input, 'min'))]),
    ...(max === null
      ? []
      : [element('text', { x: frame.width - 1, y: frame.height - 6, 'text-anchor': 'end' }, boundText(input, 'max'))]),
  ];
}

function boundText(input: HeadroomBarInput, bound: 'min' | 'max'): string {
  const figure = input[bound];
  return figure === null ? '' : `${input.words[bound]} ${write(input, figure)}`;
}

/** Whether both bounds have no room on one line; the upper one then stands on a line of its own. */
function boundsTouch(input: HeadroomBarInput, { width, fontSize }: Frame): boolean {
  if (input.min === null || input.max === null) return false;
  return textWidth(boundText(input, 'min'), fontSize) + textWidth(boundText(input, 'max'), fontSize) + fontSize > width;
}

/** A text above its mark, moved inwards where it would leave the drawing. */
function besideText(text: string, { at, y, frame }: { at: number; y: number; frame: Frame }): Html {
  const half = textWidth(text, frame.fontSize) / 2;
  const x = Math.min(Math.max(at, half), frame.width - half);
  return element('text', { class: 'value', x, y, 'text-anchor': 'middle' }, text);
}

function write({ unit = 'money', reader }: HeadroomBarInput, value: string): string {
  const formats = formatsOf(reader.locale);
  return unit === 'percent' ? formats.share(value) : formats.compact(value);
}

function headroomTable({
  id,
  title,
  value,
  min,
  max,
  headroom,
  unit = 'money',
  currency,
  words,
}: HeadroomBarInput): Table {
  const figures = { value, min, max, headroom };
  const keys = ['value', 'min', 'max', 'headroom'] as const;
  return {
    id: `${id}-table`,
    caption: title,
    columns: keys.map((key) => ({
      key,
      title: words[key],
      kind: unit,
      signed: key === 'headroom',
      ...(currency !== undefined && { currency }),
    })),
    rows: [{ cells: keys.map((key) => ({ value: figures[key] })) }],
  };
}
