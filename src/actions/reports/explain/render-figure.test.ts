import { expect, test } from 'vitest';
import type { Figure } from '../../../engine/explanation/explanation.ts';
import type { ReportBasis } from '../report-basis.ts';
import { renderedFiguresMax, renderFigure } from './render-figure.ts';

const basis = { findTransactionIds: () => new Map(), uploads: [] } as unknown as ReportBasis;

function parts(count: number): Figure[] {
  return Array.from({ length: count }, () => ({ name: 'part', value: '1' }));
}

function render(explanation: Figure, depthMax = Infinity) {
  return renderFigure({ explanation }, basis, depthMax);
}

test('figures are rendered up to the limit; one more, and the figure is rendered without its parts', () => {
  const whole = render({ name: 'sum', value: '1', of: parts(renderedFiguresMax - 1) });
  expect([whole.isTruncated, whole.figure.of?.length]).toEqual([false, renderedFiguresMax - 1]);
  const { figure, isTruncated } = render({ name: 'sum', value: '1', of: parts(renderedFiguresMax) });
  expect([isTruncated, figure]).toEqual([true, { name: 'sum', value: '1', isTruncated: true }]);
});

test('if not all parts fit, those of later figures are cut', () => {
  const deep = { name: 'deep', value: '1', of: parts(renderedFiguresMax - 4) };
  const { figure } = render({ name: 'sum', value: '1', of: [deep, { name: 'wide', value: '1', of: parts(3) }] });
  expect(figure.of!.map(({ of = [], isTruncated = false }) => [of.length, isTruncated])).toEqual([
    [renderedFiguresMax - 4, false],
    [0, true],
  ]);
});

test('a figure without a value carries the reason', () => {
  const { figure } = renderFigure({ explanation: { name: 'irr', value: null, notes: ['no-root'] } }, basis, 1);
  expect(figure).toEqual({ name: 'irr', value: null, notes: ['no-root'] });
});
