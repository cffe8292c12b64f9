// Tests that rows go to their sink and everything else to the driver, however the bytes are split.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowDecoder, type RowSink } from './row-decoder.ts';

function message(code: string, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

const before = [message('1', ''), message('2', ''), message('N', 'a notice')];
const rows = ['one row', 'another', '', 'x'.repeat(300)];
const after = [message('C', 'SELECT 4'), message('Z', 'I')];
const answer = Buffer.concat([
  ...before,
  ...rows.slice(0, 2).map((row) => message('D', row)),
  message('N', 'in the midst'),
  ...rows.slice(2).map((row) => message('D', row)),
  ...after,
]);

/** Returns what the driver and the sink receive of an answer that arrives in chunks. */
function split(pieces: readonly Buffer[], wants: 'rows' | 'nothing'): { driver: string; taken: string[] } {
  const driver: Buffer[] = [];
  const taken: string[] = [];
  const decoder = new RowDecoder((bytes) => void driver.push(Buffer.from(bytes)));
  const sink: RowSink = {
    take: (bytes, at) => void taken.push(bytes.toString('utf8', at, at - 4 + bytes.readUInt32BE(at - 4))),
  };
  if (wants === 'rows') decoder.routeTo(() => sink);
  for (const piece of pieces) decoder.receive(piece);
  return { driver: Buffer.concat(driver).toString(), taken };
}

function cut(at: readonly number[]): Buffer[] {
  const cuts = [0, ...at.toSorted((one, other) => one - other), answer.length];
  return cuts.slice(1).map((to, index) => answer.subarray(cuts[index], to));
}

const withoutRows = Buffer.concat([...before, message('N', 'in the midst'), ...after]).toString();

describe('an answer is decoded', () => {
  test.each(Array.from({ length: answer.length + 1 }, (_, at) => at))('split at byte %i', (at) => {
    expect(split(cut([at]), 'rows')).toEqual({ driver: withoutRows, taken: rows });
  });

  test('byte by byte', () => {
    const pieces = Array.from(answer, (byte) => Buffer.of(byte));
    expect(split(pieces, 'rows')).toEqual({ driver: withoutRows, taken: rows });
    expect(split(pieces, 'nothing')).toEqual({ driver: answer.toString(), taken: [] });
  });

  test('split anywhere', () => {
    const cuts = fc.array(fc.nat({ max: answer.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (at) => {
        expect(split(cut(at), 'rows')).toEqual({ driver: withoutRows, taken: rows });
        expect(split(cut(at), 'nothing')).toEqual({ driver: answer.toString(), taken: [] });
      }),
    );
  });
});

test('the driver handles a message before the sink of the rows after it is looked up', () => {
  const driver: string[] = [];
  const taken: string[] = [];
  const decoder = new RowDecoder((bytes) => void driver.push(bytes.toString()));
  const sink: RowSink = { take: (bytes, at) => void taken.push(bytes.toString('utf8', at, at + 1)) };
  decoder.routeTo(() => (driver.join('').includes('SELECT') ? sink : undefined));
  decoder.receive(
    Buffer.concat([message('D', 'a'), message('C', 'SELECT'), message('D', 'b'), message('C', 'SELECT')]),
  );
  expect([driver.join(''), taken]).toEqual([
    Buffer.concat([message('D', 'a'), message('C', 'SELECT'), message('C', 'SELECT')]).toString(),
    ['b'],
  ]);
});
