// The axes of line and bar charts: a light grid with short labels, and dates or names below.

import { greatestOf, leastOf } from '../../../kit/memory/long-list.ts';
import { tickStep } from 'd3-array';
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import type { Html } from '../../../kit/html.ts';
import { doubleText } from '../../../kit/decimal.ts';
import type { Formats } from '../language/formats.ts';
import { frameBottom, frameRight, frameTop, type Frame } from './chart.ts';
import { element } from './svg.ts';
import { textWidth } from './text-width.ts';

/** `number`: counts of things. */
export type Unit = 'money' | 'percent' | 'number';

/** Positions of values, with round numbers at both ends. */
export function valueScale(values: readonly number[], frame: Frame, fromZero: boolean): ScaleLinear<number, number> {
  const all = fromZero || values.length === 0 ? [0, ...values] : values;
  const [low, high] = [leastOf(all), greatestOf(all)];
  const margin = low === high ? Math.abs(low) / 10 || 1 : 0;
  const below = fromZero ? 0 : margin;
  return scaleLinear([low - below, high + margin], [frame.height - frameBottom, frameTop]).nice(frame.ticks);
}

/** Writes a label, given the distance to the next. */
type AxisWriter = (value: number, step: number) => string;

interface ValueAxis {
  /** Where the labels end and the drawing begins. */
  readonly left: number;
  readonly drawn: readonly Html[];
}

const labelGap = 8;

/** Takes as much room at the left as its longest label. */
export function valueAxis(scale: ScaleLinear<number, number>, frame: Frame, write: AxisWriter): ValueAxis {
  const values = scale.ticks(frame.ticks);
  const [low, high] = [leastOf(scale.domain()), greatestOf(scale.domain())];
  const step = tickStep(low, high, frame.ticks);
  const ticks = values.map((value) => ({ value, y: scale(value), text: write(value, step) }));
  const left = Math.max(0, greatestOf(ticks.map(({ text }) => textWidth(text, frame.fontSize)))) + labelGap;
  const drawn = ticks.flatMap(({ value, y, text }) => [
    element('line', {
      class: value === 0 ? 'grid zero' : 'grid',
      x1: left,
      x2: frame.width - frameRight,
      y1: y,
      y2: y,
    }),
    element('text', { x: left - labelGap, y: y + 5, 'text-anchor': 'end' }, text),
  ]);
  return { left, drawn };
}

/** Of an amount: round numbers have no more than tell one label from the next. */
const amountDigitsMax = 9;

/** Labels are round numbers of a scale, not figures of the client: doubles are exact enough. */
export function axisWriter(unit: Unit, formats: Formats): AxisWriter {
  return (value, step) =>
    unit === 'percent'
      ? formats.share(doubleText(value), percentDigits(step))
      : formats.compact(doubleText(value), amountDigitsMax);
}

/** As many as tell one label from the next. */
function percentDigits(step: number): number {
  return Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9) - 2, 0), 4);
}

interface Label {
  readonly x: number;
  readonly text: string;
}

/** Labels below the drawing; those that would touch the one before or leave the drawing are left out. */
export function labelsBelow(labels: readonly Label[], frame: Frame): Html[] {
  let free = 0;
  return labels.flatMap(({ x, text }) => {
    const half = textWidth(text, frame.fontSize) / 2;
    if (x - half < free || x + half > frame.width) return [];
    free = x + half + frame.fontSize;
    return [element('text', { x, y: frame.height - 7, 'text-anchor': 'middle' }, text)];
  });
}
