import { expect, test } from 'vitest';
import type { Figure } from '../../../engine/explanation/explanation.ts';
import type { ReportScope } from '../report-basis.ts';
import { figuresMax, tellFigure } from './render-figure.ts';

const scope = { idsOf: () => new Map(), uploads: [] } as unknown as ReportScope;

function parts(count: number): Figure[] {
  return Array.from({ length: count }, () => ({ name: 'part', value: '1' }));
}

function tell(explanation: Figure, depthMax = Infinity) {
  return tellFigure({ explanation }, scope, depthMax);
}

test('as many figures are told as there may be, and of one more all parts of the figure that has them are left out', () => {
  const whole = tell({ name: 'sum', value: '1', of: parts(figuresMax - 1) });
  expect([whole.isTruncated, whole.figure.of?.length]).toEqual([false, figuresMax - 1]);
  const { figure, isTruncated } = tell({ name: 'sum', value: '1', of: parts(figuresMax) });
  expect([isTruncated, figure]).toEqual([true, { name: 'sum', value: '1', isTruncated: true }]);
});

test('what lies deepest is cut first', () => {
  const deep = { name: 'deep', value: '1', of: parts(figuresMax - 4) };
  const { figure } = tell({ name: 'sum', value: '1', of: [deep, { name: 'wide', value: '1', of: parts(3) }] });
  expect(figure.of!.map(({ of = [], isTruncated = false }) => [of.length, isTruncated])).toEqual([
    [figuresMax - 4, false],
    [0, true],
  ]);
});

test('a figure that there is none of tells why', () => {
  const { figure } = tellFigure({ explanation: { name: 'irr', value: null, notes: ['no-root'] } }, scope, 1);
  expect(figure).toEqual({ name: 'irr', value: null, notes: ['no-root'] });
});
