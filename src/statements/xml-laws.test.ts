// Laws of the readers of XML: how a file is cut changes nothing, and damage of any kind ends in items, problems or one fault.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatementFault, type StatementItem } from '../model/custody/statement.ts';
import { readPieces, readStatement } from '../../tests/setup/statements/read-statement.ts';
import { xmlSamples, type XmlSample } from '../../tests/setup/statements/xml-samples.ts';
import { findFormat, openStatementReader, recogniseFormat } from './recognise.ts';

/** What a file gave, and whether it was read to its end. */
function readDamaged(
  format: string,
  text: string,
  pieceLength: number,
): { readonly items: StatementItem[]; readonly isWhole: boolean } {
  const reader = openStatementReader(findFormat(format)!);
  const items: StatementItem[] = [];
  try {
    for (let at = 0; at < text.length; at += pieceLength) {
      items.push(...reader.push(text.slice(at, at + pieceLength)));
    }
    items.push(...reader.end());
    return { items, isWhole: true };
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    return { items, isWhole: false };
  }
}

function recordCount(text: string, records: readonly string[]): number {
  return records.reduce((sum, name) => sum + text.split(new RegExp(`<${name}(?=[\\s/>=])`)).length - 1, 0);
}

/** A way to damage a text, drawn from numbers from 0 to 1. */
type Damage = (text: string, at: number, choice: number) => string;

const wrongValues = [
  '',
  '-1',
  '1,5',
  '1e99',
  'NaN',
  '99999999999999999999999',
  '2024-02-30',
  '0000-00-00',
  '\u0000',
  'CHF',
  '<',
  '&x;',
  '💶',
];
const pick = <T>(list: readonly T[], part: number): T =>
  list[Math.min(list.length - 1, Math.floor(part * list.length))]!;

/** The places of all elements without content of their own kind: `<a>…</a>`. */
function elements(text: string): { readonly start: number; readonly end: number; readonly name: string }[] {
  return [...text.matchAll(/<(\w+)(?:\s[^<>]*)?(?:\/>|>[^<]*<\/\1>)/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    name: match[1]!,
  }));
}

const damages: Readonly<Record<string, Damage>> = {
  cut: (text, at) => text.slice(0, Math.floor(at * text.length)),
  'drop a character': (text, at) =>
    text.slice(0, Math.floor(at * text.length)) + text.slice(Math.floor(at * text.length) + 1),
  'flip a bit': (text, at, choice) => {
    const index = Math.floor(at * (text.length - 1));
    const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << Math.floor(choice * 7)));
    return text.slice(0, index) + flipped + text.slice(index + 1);
  },
  'drop an element': (text, at) => {
    const { start, end } = pick(elements(text), at);
    return text.slice(0, start) + text.slice(end);
  },
  'repeat an element': (text, at) => {
    const { start, end } = pick(elements(text), at);
    return text.slice(0, end) + text.slice(start);
  },
  'rename an element': (text, at) => {
    const { start, end, name } = pick(elements(text), at);
    return text.slice(0, start) + text.slice(start, end).replaceAll(name, `${name}X`) + text.slice(end);
  },
  'move an element': (text, at, choice) => {
    const { start, end } = pick(elements(text), at);
    const rest = text.slice(0, start) + text.slice(end);
    const target = pick(elements(rest), choice).start;
    return rest.slice(0, target) + text.slice(start, end) + rest.slice(target);
  },
  'a wrong value': (text, at, choice) => {
    const values = [...text.matchAll(/(?<=>|")[^<>"]+(?=<|")/g)];
    const { index, 0: value } = pick(values, at);
    return text.slice(0, index) + pick(wrongValues, choice) + text.slice(index + value.length);
  },
};

describe.each(xmlSamples)('$name', ({ name, text, records }: XmlSample) => {
  test('is recognised by its content, whatever comes before it in the file', () => {
    expect(recogniseFormat(text)?.name).toBe(name);
    expect(
      recogniseFormat(`<?xml version="1.0"?>\n<!-- made by a bank -->\n${text.replace(/<\?xml.*?\?>\s*/, '')}`)?.name,
    ).toBe(name);
  });

  test('gives an item for each record, and no problem', () => {
    const items = readStatement(text);
    expect(items.filter((item) => item.item === 'problem')).toEqual([]);
    expect(items.length).toBeGreaterThanOrEqual(recordCount(text, records));
  });

  test('says the same however it is cut', () => {
    const whole = readStatement(text);
    expect(readPieces(text, [...text])).toEqual(whole);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), (one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        expect(readPieces(text, [text.slice(0, first), text.slice(first, second), text.slice(second)])).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  test('says the same with other prefixes, line ends and indentation', () => {
    const said = (items: readonly StatementItem[]) => items.map((item) => ({ ...item, place: null }));
    const prefixed = text.replace(/<(\/?)(?=[A-Z])/g, '<$1ns:').replace('xmlns=', 'xmlns:ns=');
    const spread = text.replace(/>\s*</g, '>\r\n\t  <');
    expect(said(readStatement(prefixed))).toEqual(said(readStatement(text)));
    expect(said(readStatement(spread))).toEqual(said(readStatement(text)));
  });

  test.each(Object.entries(damages))('damage (%s) never crashes and never skips a record in silence', (_, damage) => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(unit, unit, (at, choice) => {
        const damaged = damage(text, at, choice);
        const { items, isWhole } = readDamaged(name, damaged, 97);
        expect(readDamaged(name, damaged, damaged.length + 1)).toEqual({ items, isWhole });
        const renamed = records.flatMap((record) => [
          record,
          `${record.split(' ')[0]}X${record.slice(record.split(' ')[0]!.length)}`,
        ]);
        // A file that is read to its end accounts for every record in it.
        expect(isWhole && items.length < recordCount(damaged, renamed)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });
});
