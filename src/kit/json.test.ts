// Compares the reader with JSON.parse, and tests the texts that only our reader refuses.

import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { JsonFault, JsonNumber, JsonText, parseJson, rawNumber, readUtf8, writeJson } from './json.ts';
import type { Json, JsonFaultReason } from './json.ts';

function asDoubles(value: Json): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(asDoubles);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asDoubles(member)]));
}

function faultOf(read: () => unknown): JsonFault {
  try {
    read();
  } catch (error) {
    if (error instanceof JsonFault) return error;
    throw error;
  }
  throw new Error('was accepted');
}

const reasonsToRefuseJson = new Set<JsonFaultReason>([
  'too-deep',
  'duplicate-member',
  'lone-surrogate',
  'nul-character',
]);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Is true if both read the same value, both refuse, or only ours refuses for one of its additional reasons. */
function agreesWithPlatform(text: string): boolean {
  try {
    const value = asDoubles(parseJson(text));
    return isJson(text) && isDeepStrictEqual(value, JSON.parse(text));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return !isJson(text) || reasonsToRefuseJson.has(error.reason);
  }
}

const anyJson = fc.json({ stringUnit: 'binary' });
const fragments =
  '{ } [ ] , : " \\ \\n \\u d83d dc4d \\ud83d \\udc4d 0000 0 1 -1 . e+ true false nul l a \ud83d 👍 \n \0'.split(' ');

describe('agreement with JSON.parse', () => {
  test('any JSON document that can be stored is read as by the platform', () => {
    const document = fc.tuple(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(3));
    const written = document.map(([value, indent]) => JSON.stringify(value, null, indent));
    const storable = written.filter((text) => !text.includes('\\u0000'));
    fc.assert(
      fc.property(storable, (text) => {
        expect(isDeepStrictEqual(asDoubles(parseJson(text)), JSON.parse(text))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('any string is read as by the platform or refused with a JsonFault', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...fragments)).map((parts) => parts.join('')),
      fc.array(fc.constantFrom(...fragments)).map((parts) => `"${parts.join('')}"`),
    );
    fc.assert(
      fc.property(anyText, (text) => void expect(agreesWithPlatform(text)).toBe(true)),
      { numRuns: 5_000 },
    );
  });

  test('JSON with a part removed or inserted is read as by the platform or refused with a JsonFault', () => {
    const mutation = fc.tuple(anyJson, fc.nat(), fc.nat(2), fc.constantFrom('', ...fragments));
    const mutated = mutation.map(([text, seed, cut, put]) => {
      const at = seed % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + cut);
    });
    fc.assert(
      fc.property(mutated, (text) => void expect(agreesWithPlatform(text)).toBe(true)),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ' { "a" : [ 1 , { } , [ ] ] , "b c" : { "d" : " " } } ',
    '\n{\t"a"\r:\n[\n]\n}\n',
    String.raw`"\"\\\/\b\f\n\r\t\u0020\u00e4\u00C4"`,
    String.raw`["\ud7ff","\ue000","\uffff","\ud800\udc00","\ud800\udfff","\udbff\udc00","\udbff\udfff"]`,
    `[1${'0'.repeat(299)}]`,
  ])('%j is read as by the platform', (text) => {
    expect(asDoubles(parseJson(text))).toEqual(JSON.parse(text));
  });

  test('any number keeps its text', () => {
    const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(fc.property(number, (text) => void expect(parseJson(` [${text} ]`)).toEqual([new JsonNumber(text)])));
  });
});

describe('refusals', () => {
  test.each<[string, JsonFaultReason, number, string | undefined]>([
    ['', 'empty', 0, undefined],
    [' \n\t\r', 'empty', 4, undefined],
    ['\ufeff{}', 'byte-order-mark', 0, undefined],
    ['{} {}', 'trailing-text', 3, undefined],
    ['01', 'trailing-text', 1, undefined],
    ['{"a":1,}', 'malformed', 7, undefined],
    ['[1,]', 'malformed', 3, undefined],
    ["{'a':1}", 'malformed', 1, undefined],
    ['[1.]', 'malformed', 3, undefined],
    ['[+1]', 'malformed', 1, undefined],
    ['[NaN]', 'malformed', 1, undefined],
    ['[1\u00a0]', 'malformed', 2, undefined],
    ['"\\x41"', 'malformed', 1, undefined],
    ['"\\u00 1"', 'malformed', 1, undefined],
    ['{"a":"b', 'malformed', 7, undefined],
    ['{"a":{"b/c~":1,"b/c~":2}}', 'duplicate-member', 15, '/a/b~1c~0'],
    ['{"a":1,"\\u0061":2}', 'duplicate-member', 7, '/a'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate-member', 15, '/__proto__'],
    ['{"a":null,"a":null}', 'duplicate-member', 10, '/a'],
    ['[{"a":1},{"a":"\\u0000"}]', 'nul-character', 15, '/1/a'],
    ['["\0"]', 'nul-character', 2, '/0'],
    ['{"a":1,"\\u0000":2}', 'nul-character', 8, ''],
    ['["a\nb"]', 'control-character', 3, '/0'],
    ['["\ud83d"]', 'lone-surrogate', 2, undefined],
    ['["\\ud83d"]', 'lone-surrogate', 2, '/0'],
    ['["\\udc4d\\ud83d"]', 'lone-surrogate', 2, '/0'],
    ['["\\ud83d\\u0041"]', 'lone-surrogate', 2, '/0'],
    ['["\\ud83d\\ud83d"]', 'lone-surrogate', 2, '/0'],
    ['["\\ud83d\\ue000"]', 'lone-surrogate', 2, '/0'],
    ['["\\ud800"]', 'lone-surrogate', 2, '/0'],
    ['["\\udbff"]', 'lone-surrogate', 2, '/0'],
    ['["\\udc00"]', 'lone-surrogate', 2, '/0'],
    ['["\\udfff"]', 'lone-surrogate', 2, '/0'],
    ['["\\udc00\\udc00"]', 'lone-surrogate', 2, '/0'],
    ['["\\ud800\\udbff"]', 'lone-surrogate', 2, '/0'],
    [`[${'9'.repeat(401)}]`, 'number-too-long', 1, '/0'],
  ])('%j is refused as %s', (text, reason, offset, pointer) => {
    expect(faultOf(() => parseJson(text))).toMatchObject({ reason, offset, pointer });
  });

  test('a duplicate member is named in the message, shortened if it is long', () => {
    expect(faultOf(() => parseJson('{"a":1,"a":2}')).message).toBe('The member "a" appears twice at offset 7.');
    const long = JSON.stringify('n'.repeat(5_000));
    const fault = faultOf(() => parseJson(`{${long}:1,${long}:2}`));
    expect(fault.message).toBe(`The member "${'n'.repeat(60)}…" appears twice at offset 5006.`);
    expect(fault.pointer).toBeUndefined();
  });

  test('a number may have 400 characters, and what is named at most 60 and 1,000', () => {
    expect(parseJson('9'.repeat(400))).toEqual(new JsonNumber('9'.repeat(400)));
    const name = 'n'.repeat(60);
    expect(faultOf(() => parseJson(`{"${name}":1,"${name}":2}`)).message).toContain(`The member "${name}" appears`);
    const twice = (length: number): string => `{"${'n'.repeat(length)}":1,"${'n'.repeat(length)}":2}`;
    expect(faultOf(() => parseJson(twice(999))).pointer).toBe(`/${'n'.repeat(999)}`);
    expect(faultOf(() => parseJson(twice(1_000))).pointer).toBeUndefined();
  });

  test('nesting is allowed up to the limit, and one more level is refused', () => {
    expect(parseJson('['.repeat(32) + ']'.repeat(32))).toEqual(JSON.parse('['.repeat(32) + ']'.repeat(32)));
    expect(faultOf(() => parseJson('['.repeat(33) + ']'.repeat(33)))).toMatchObject({ reason: 'too-deep', offset: 32 });
    expect(faultOf(() => parseJson('[{"a":[]}]', { depthMax: 2 }))).toMatchObject({
      reason: 'too-deep',
      pointer: '/0/a',
    });
    expect(parseJson('1', { depthMax: 1_000 })).toEqual(new JsonNumber('1'));
    expect(() => parseJson('1', { depthMax: 1_001 })).toThrow(RangeError);
  });

  test('values are allowed to the limit, each member and item counted, and one more is refused there', () => {
    const text = '{"a":[1,null,{}],"b":"c"}';
    expect(parseJson(text, { valuesMax: 6 })).toEqual(parseJson(text));
    expect(faultOf(() => parseJson(text, { valuesMax: 5 }))).toMatchObject({
      reason: 'too-many-values',
      message: 'The document has more than 5 values at offset 21.',
      pointer: '/b',
    });
  });

  test('an object may have members to the limit, and one more is refused there', () => {
    const text = '[{"a":1,"b":{"c":2,"d":3}},{"e":4}]';
    expect(parseJson(text, { membersMax: 2 })).toEqual(parseJson(text));
    expect(faultOf(() => parseJson('[{"a":1,"b":2,"c":3}]', { membersMax: 2 }))).toMatchObject({
      reason: 'too-many-members',
      message: 'An object has more than 2 members at offset 14.',
      pointer: '/0',
    });
  });

  test('ten million brackets are refused at the 33rd', () => {
    expect(faultOf(() => parseJson('['.repeat(10_000_000)))).toMatchObject({ reason: 'too-deep', offset: 32 });
    expect(faultOf(() => parseJson('{"a":'.repeat(2_000_000)))).toMatchObject({ reason: 'too-deep', offset: 160 });
  });
});

describe('objects', () => {
  test('a member called __proto__ is an ordinary member', () => {
    const value = parseJson('{"__proto__":{"admin":true}}') as { [member: string]: Json };
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(value['admin']).toBeUndefined();
  });

  test('objects inherit nothing: a member that was not sent does not exist', () => {
    const value = parseJson('{}') as { [member: string]: Json };
    expect(['constructor', 'toString', 'hasOwnProperty', '__proto__'].filter((name) => name in value)).toEqual([]);
  });
});

describe('bytes', () => {
  test('any well-formed string is read back from its UTF-8 bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => void expect(readUtf8(new TextEncoder().encode(text))).toBe(text),
      ),
    );
  });

  test('a byte order mark is kept, so that the parser refuses it', () => {
    expect(readUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe('\ufeff1');
  });

  test.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22], 1],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['half a surrogate pair', [0x61, 0xed, 0xa0, 0x80], 1],
    ['a code point above U+10FFFF', [0xf5, 0x80, 0x80, 0x80], 0],
    ['a sequence that breaks off', [0x61, 0xef, 0xbf], 3],
  ])('%s is refused', (_name, bytes, offset) => {
    expect(faultOf(() => readUtf8(Uint8Array.from(bytes)))).toMatchObject({ reason: 'invalid-utf8', offset });
    expect(readUtf8(Uint8Array.of(0x61))).toBe('a');
  });
});

describe('writing', () => {
  const exact = '12345678901234567890.123456789012345678';

  test('38 digits survive a round trip', () => {
    const written = writeJson({ amount: rawNumber(exact) });
    expect(written).toBe(`{"amount":${exact}}`);
    expect(parseJson(written)).toEqual({ amount: new JsonNumber(exact) });
    expect(writeJson(parseJson(written))).toBe(written);
  });

  test.each(['"1"', 'true', 'null', '', ' 1', '01', '-', '1,2', '1e', 'NaN'])('%j is not a raw number', (text) => {
    expect(() => rawNumber(text)).toThrow(SyntaxError);
  });

  test('a value that JSON cannot express is not written', () => {
    expect(() => writeJson(undefined)).toThrow('A value of type undefined cannot be written as JSON.');
  });
});

test('already written JSON text is combined with other members in their order', () => {
  const rows = new JsonText('[{"amount":1.10}]');
  const { text } = JsonText.fromMembers({ 'a "name"': 'x', rows, next: undefined, count: 1 });
  expect(text).toBe('{"a \\"name\\"":"x","rows":[{"amount":1.10}],"count":1}');
  expect(JsonText.fromMembers({}).text).toBe('{}');
});
