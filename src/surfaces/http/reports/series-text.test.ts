// Checks that a series written from its columns is byte for byte the same as its points written as objects, on every wire.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AmountColumn } from '../../../engine/amounts/amount-column.ts';
import type { FigureSeries } from '../../../actions/reports/segments/segment-series.ts';
import { writeJson } from '../../../kit/json.ts';
import type { AmountRounding, WritingStyle } from '../../../kit/field.ts';
import type { PointFigure } from '../../../model/report/performance.ts';
import { jsonApiPoint } from '../../json-api/performance-shapes.ts';
import { plainPoint } from '../../plain/performance-shapes.ts';
import { v1Point } from '../../v1/reports/performance-shapes.ts';
import { jsonArray, joinIntoChunks, fillJsonTemplate, placeholder, type TextPart } from './json-template.ts';
import { pointList, seriesCsvLines, seriesJson, seriesJsonLines, type PointMembers } from './series-text.ts';

const wires: readonly [wire: string, members: PointMembers, style: WritingStyle][] = [
  ['JSON:API', jsonApiPoint, { decimals: 'number', names: 'camel' }],
  ['Plain', plainPoint, { decimals: 'number', names: 'snake' }],
  ['v1', v1Point, { decimals: 'string', names: 'snake' }],
];

const ratioFigures: readonly PointFigure[] = ['dailyTwr', 'cumulativeTwr'];

/** Taken one by one, since bytes may change when the next part is taken. */
function textOf(parts: Iterable<TextPart>): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : Buffer.from(part).toString();
  return text;
}

/** Amounts have an additional first item for the day before. */
function seriesOf(amounts: readonly bigint[], ratios: readonly number[]): FigureSeries {
  const [days, column] = [Int32Array.from(ratios, (_, index) => 19_700 + index), AmountColumn.from([0n, ...amounts])];
  return {
    length: ratios.length,
    column(figure) {
      if (figure === 'date') return { kind: 'date', days };
      if (ratioFigures.includes(figure)) return { kind: 'ratio', ratios: Float64Array.from(ratios) };
      return { kind: 'amount', column };
    },
  };
}

const series = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
        fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }),
      ),
      fc.oneof(fc.double({ min: -1, max: 1 }), fc.constantFrom(0, -0, 1e-7, -1.5e-9, 1e21, 2.5e25, 0.1)),
    ),
    { maxLength: 600 },
  )
  .map((points) =>
    seriesOf(
      points.map(([amount]) => amount),
      points.map(([, ratio]) => ratio),
    ),
  );

describe.each(wires)('on %s', (_wire, members, style) => {
  test('columns are written like the objects of their points', () => {
    fc.assert(
      fc.property(series, (one) => {
        expect(textOf(seriesJson(one, members, style))).toBe(writeJson(pointList(members).write(one, style)));
      }),
      { numRuns: 40 },
    );
  });

  test('a line is one of these objects, preceded by the members that name its segment', () => {
    const one = seriesOf([5n * 10n ** 17n, -1n], [0.25, -0.5]);
    const objects = pointList(members).write(one, style) as object[];
    expect(textOf(seriesJsonLines(one, members, { style, before: '"axis":"total",' }))).toBe(
      objects.map((point) => `${writeJson({ axis: 'total', ...point })}\n`).join(''),
    );
  });
});

test('a CSV line has the figures of a day, without quotes and exponents', () => {
  const one = seriesOf([12_345n * 10n ** 16n, -(10n ** 18n)], [1e-7, -0]);
  const style = { decimals: 'string', names: 'snake' } as const;
  expect(textOf(seriesCsvLines(one, v1Point, { style, before: 'total,,' }))).toBe(
    'total,,2023-12-09,123.45,123.45,123.45,0.0000001,0.0000001\r\ntotal,,2023-12-10,-1,-1,-1,0,0\r\n',
  );
  const rounding: AmountRounding = { digits: 1, in: () => rounding };
  expect(textOf(seriesCsvLines(one, v1Point, { style: { ...style, rounding }, before: '' }))).toBe(
    '2023-12-09,123.4,123.4,123.4,0.0000001,0.0000001\r\n2023-12-10,-1.0,-1.0,-1.0,0,0\r\n',
  );
});

test('an infinite ratio is null, since JSON cannot express it', () => {
  const one = seriesOf([0n], [Infinity]);
  const style = { decimals: 'number', names: 'snake' } as const;
  expect(textOf(seriesJson(one, plainPoint, style))).toBe(writeJson(pointList(plainPoint).write(one, style)));
});

test('a template with filled placeholders is the same as the object written as a whole', async () => {
  const style = { decimals: 'number', names: 'camel' } as const;
  const placeholderText = (name: string): unknown => placeholder(name).write(undefined, style);
  const item = (number: number): Iterable<TextPart> =>
    fillJsonTemplate({ number, list: placeholderText('list') }, { list: () => ['[', '1', ']'] });
  const text = fillJsonTemplate(
    { first: '"\\u0000data"', data: placeholderText('data'), last: [null] },
    { data: () => jsonArray([1, 2], item) },
  );
  const whole = Buffer.concat(await Array.fromAsync(joinIntoChunks(text, () => undefined))).toString();
  const data = [1, 2].map((number) => ({ number, list: [1] }));
  expect(whole).toBe(writeJson({ first: '"\\u0000data"', data, last: [null] }));
});

test('chunks have a useful size, and joined they are the text', async () => {
  const texts = Array.from({ length: 40_000 }, (_, index) => `${index} größer und mehr;`);
  const long = '…'.repeat(300_000);
  const chunks = await Array.fromAsync(joinIntoChunks([...texts, Buffer.from(long), ''], () => undefined));
  expect(Buffer.concat(chunks).toString() === texts.join('') + long).toBe(true);
  expect(chunks.slice(0, -1).every(({ length }) => length === 262_144)).toBe(true);
  expect(await Array.fromAsync(joinIntoChunks(['x'.repeat(262_144)], () => undefined))).toHaveLength(1);
});

test('reports that are sent at the same time do not mix', async () => {
  const style = { decimals: 'string', names: 'snake' } as const;
  const all = Array.from({ length: 3 }, (_, one) =>
    seriesOf(
      Array.from({ length: 9_000 }, (_, day) => BigInt(one + 1) * 10n ** 20n + BigInt(day)),
      Array.from({ length: 9_000 }, (_, day) => day / 7 + one),
    ),
  );
  const send = async (one: FigureSeries): Promise<string> => {
    const sent: Buffer[] = [];
    for await (const chunk of joinIntoChunks(seriesJson(one, v1Point, style), () => undefined)) {
      sent.push(Buffer.from(chunk));
      await new Promise(setImmediate);
    }
    expect(sent.length).toBeGreaterThan(3);
    return Buffer.concat(sent).toString();
  };
  const answers = await Promise.all(all.map(send));
  for (const [index, one] of all.entries())
    expect(answers[index] === textOf(seriesJson(one, v1Point, style))).toBe(true);
});
