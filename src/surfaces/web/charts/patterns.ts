// Patterns that tell parts of a chart apart without colour: plain, stripes, dots, lines, crossed stripes; the rest is empty and dashed.

import type { Html } from '../../../kit/html.ts';
import { element, joined } from './svg.ts';

export type PartClass = 'c1' | 'c2' | 'c3' | 'c4' | 'c5' | 'rest';

export const partClasses: readonly PartClass[] = ['c1', 'c2', 'c3', 'c4', 'c5'];

const stripe = { class: 'mark', x1: 0, x2: 0, y1: 0, y2: 7 };
const marks: Readonly<Partial<Record<PartClass, { readonly turn: number; readonly lines: readonly Html[] }>>> = {
  c2: { turn: 45, lines: [element('line', stripe)] },
  c3: { turn: 0, lines: [element('circle', { class: 'dot', cx: 3.5, cy: 3.5, r: 1.1 })] },
  c4: { turn: 90, lines: [element('line', stripe)] },
  c5: { turn: 45, lines: [element('line', stripe), element('line', { class: 'mark', x1: 0, x2: 7, y1: 0, y2: 0 })] },
};

/** The patterns of a figure, for all its drawings and its legend. */
export function patternsOf(id: string): Html {
  const patterns = partClasses.flatMap((name) => {
    const mark = marks[name];
    if (mark === undefined) return [];
    const attributes = {
      id: patternId(id, name),
      width: 7,
      height: 7,
      patternUnits: 'userSpaceOnUse',
      patternTransform: `rotate(${mark.turn})`,
    };
    return [element('pattern', attributes, element('rect', { class: name, width: 7, height: 7 }), ...mark.lines)];
  });
  return element('svg', { class: 'patterns', 'aria-hidden': 'true', width: 0, height: 0 }, joined(patterns));
}

function patternId(id: string, name: PartClass): string {
  return `${id}-${name}`;
}

/** How a rectangle of this part is filled. */
export function partFill(id: string, name: PartClass): Readonly<Record<string, string>> {
  return marks[name] === undefined ? { class: name } : { class: 'patterned', fill: `url(#${patternId(id, name)})` };
}
