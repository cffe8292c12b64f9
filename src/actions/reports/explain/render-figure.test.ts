import { expect, test } from 'vitest';
import { FairTurns } from '../../../kit/turns/fair-turns.ts';
import type { Explanation, Figure } from '../../../engine/explanation/explanation.ts';
import type { ReportBasis } from '../report-basis.ts';
import { allClients } from '../../../model/access/scope.ts';
import { RowLookup } from './row-lookup.ts';
import { sourceVisibility } from './source-visibility.ts';
import { renderedFiguresMax, renderFigure } from './render-figure.ts';

const history = { rows: { numbers: [] } };
const basis = { findTransactionIds: () => new Map(), uploads: [], history } as unknown as ReportBasis;
const names = { nameSegment: () => ({ segmentId: null, segmentName: null }) };
const visibility = sourceVisibility(basis, allClients);
const turn = new FairTurns().open({ owner: 'one', size: 1 });
const context = { basis, names, visibility, rows: new RowLookup(basis), ...turn };

function parts(count: number): Figure[] {
  return Array.from({ length: count }, () => ({ name: 'part', value: '1' }));
}

function render(explanation: Explanation, depthMax = Infinity) {
  return renderFigure({ explanation }, context, { depthMax, figuresMax: renderedFiguresMax });
}

test('figures are rendered up to the limit; one more, and the figure is rendered without its parts', async () => {
  const whole = await render({ name: 'sum', value: '1', of: parts(renderedFiguresMax - 1) });
  expect([whole.isTruncated, whole.figure.of?.length]).toEqual([false, renderedFiguresMax - 1]);
  const { figure, isTruncated } = await render({ name: 'sum', value: '1', of: parts(renderedFiguresMax) });
  expect([isTruncated, figure]).toEqual([true, { name: 'sum', value: '1', sentence: 'Sum: 1.00', isTruncated: true }]);
});

test('if not all parts fit, those of later figures are cut', async () => {
  const deep = { name: 'deep', value: '1', of: parts(renderedFiguresMax - 4) };
  const { figure } = await render({ name: 'sum', value: '1', of: [deep, { name: 'wide', value: '1', of: parts(3) }] });
  expect(figure.of!.map(({ of = [], isTruncated = false }) => [of.length, isTruncated])).toEqual([
    [renderedFiguresMax - 4, false],
    [0, true],
  ]);
});

test('a figure without a value carries the reason', async () => {
  const { figure } = await render({ name: 'irr', value: null, notes: ['no-root'] }, 1);
  expect(figure).toEqual({
    name: 'irr',
    value: null,
    notes: ['no-root'],
    sentence: 'Internal rate of return (IRR): no value (no root)',
  });
});
