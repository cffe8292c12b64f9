import { expect, test } from 'vitest';
import { FairTurns } from '../../../kit/turns/fair-turns.ts';
import type { Explanation, Figure } from '../../../engine/explanation/explanation.ts';
import type { ReportedFigure } from '../../../model/report/explanation.ts';
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

function render(explanation: Explanation, depthMax = Infinity, figuresMax = renderedFiguresMax) {
  return renderFigure({ explanation }, context, { depthMax, figuresMax });
}

const sumOf = (...of: Figure[]): Figure => ({ name: 'sum', value: '1', of });

/** How many figures are below each other, and where the tree is cut. */
function shapeOf({ of = [], isTruncated }: ReportedFigure): string {
  return `${isTruncated ? 'cut' : ''}(${of.map(shapeOf).join('')})`;
}

test.each<[string, Figure, depthMax: number, figuresMax: number, shape: string]>([
  ['one figure', parts(1)[0]!, 0, 1, '()'],
  ['one part', sumOf(...parts(1)), 1, 2, '(())'],
  ['as many levels as may be', sumOf(sumOf(...parts(1))), 2, 10, '((()))'],
  ['one level more', sumOf(sumOf(sumOf(...parts(1)))), 2, 10, '((cut()))'],
  ['no level below it', sumOf(...parts(1)), 0, 10, 'cut()'],
  ['as many figures as may be', sumOf(...parts(3)), 9, 4, '(()()())'],
  ['one figure more', sumOf(...parts(4)), 9, 4, 'cut()'],
  ['one figure more, below another', sumOf(sumOf(...parts(1)), ...parts(2)), 9, 4, '(cut()()())'],
])(
  'a tree is shown as far as depth and number of its figures allow: %s',
  async (_what, figure, depth, count, shape) => {
    const rendered = await render(figure, depth, count);
    expect([shapeOf(rendered.figure), rendered.isTruncated]).toEqual([shape, shape.includes('cut')]);
    expect(rendered.figureCount).toBe(shape.split('(').length - 1);
  },
);

test('between fifty figures and the next, others have their turn: when they are collected, and when they are written', async () => {
  let pauseCount = 0;
  const pause = async (): Promise<void> => void pauseCount++;
  for (const [count, pauses] of [
    [50, 2],
    [51, 4],
    [101, 6],
  ] as const) {
    pauseCount = 0;
    await renderFigure({ explanation: sumOf(...parts(count - 1)) }, { ...context, pause } as typeof context, {
      depthMax: 9,
      figuresMax: count,
    });
    expect(pauseCount).toBe(pauses);
  }
});

test('a figure has everything that is known about it, and its source if it may be seen', async () => {
  const known = {
    name: 'market-value',
    value: '5',
    unit: 'EUR',
    day: 19_725,
    formula: '5',
    operation: 'power',
    rounding: 'double',
    notes: ['stale'],
  } as const;
  const source = { kind: 'position', account: null, depository: null, instrument: 'i1' } as const;
  const { figure } = await render({ ...known, source, of: parts(1) });
  expect(figure).toMatchObject({
    ...known,
    source: { kind: 'instrument', instrumentId: 'i1' },
    of: [{ name: 'part' }],
  });
});

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
