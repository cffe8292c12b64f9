import { describe, expect, test } from 'vitest';
import { isBase64url, isShortText, isNumericDate, readCompactJws } from './compact-jws.ts';

const encode = (text: string | Uint8Array) => Buffer.from(text).toString('base64url');
const fault = (reason: string, message: string) => new Error(`${reason}: ${message}`);
const read = (text: string) => readCompactJws(text, { sizeMax: 1000, fault });
const jwsOf = (header: string | Uint8Array, claims = '{}') => `${encode(header)}.${encode(claims)}.c2ln`;

describe('a compact JWS', () => {
  test('is parsed into its header and claims before it is trusted', () => {
    expect(read(jwsOf('{"alg":"none","a":{"b":1,"b":2}}', '{"a":"\\"a\\":", "b":["a","a"]}'))).toStrictEqual({
      header: { alg: 'none', a: { b: 2 } },
      claims: { a: '"a":', b: ['a', 'a'] },
    });
  });

  test.each([
    ['nothing', '', /three parts/],
    ['two parts', 'YQ.YQ', /three parts/],
    ['four parts', 'YQ.YQ.YQ.YQ', /three parts/],
    ['an empty signature', `${encode('{}')}.${encode('{}')}.`, /base64url/],
    ['padding', `${encode('{}')}=.${encode('{}')}.c2ln`, /base64url/],
    ['a line end', `${jwsOf('{}')}\n`, /base64url/],
    ['stray last bits', `${encode('{}')}.${encode('{}')}.YR`, /base64url/],
    ['no JSON', jwsOf('{'), /must be JSON\./],
    ['broken UTF-8', jwsOf(Buffer.of(0x22, 0xff, 0x22)), /must be JSON\./],
    ['a byte order mark', jwsOf('\uFEFF{}'), /must be JSON\./],
    ['a list', jwsOf('[]'), /JSON objects/],
    ['null', jwsOf('null'), /JSON objects/],
    ['a member twice', jwsOf('{"alg":"none","alg":"RS256"}'), /twice/],
    ['a member twice, once escaped', jwsOf('{"alg":"none", "\\u0061lg" :"RS256"}'), /twice/],
    ['a claim twice', jwsOf('{}', '{"x":{},"sub":"a","sub":"b"}'), /twice/],
  ])('is refused with %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(/^malformed/);
  });

  test('that is too large is refused before it is parsed', () => {
    expect(() => read('.'.repeat(10_000_000))).toThrow(/^too-large/);
    expect(() => read('.'.repeat(1000))).toThrow(/^malformed/);
  });
});

describe('checks of single values', () => {
  test('base64url has only one valid encoding', () => {
    expect(['YQ', 'YR', 'YQ==', '', '+/', 'a b'].map(isBase64url)).toStrictEqual([true, ...Array(5).fill(false)]);
  });

  test('a name has 1 to 255 characters that a database can store', () => {
    expect([isShortText('a'), isShortText('é'.repeat(255))]).toStrictEqual([true, true]);
    for (const value of ['', 'a'.repeat(256), 'a\u0000', 'a\nb', '\u0085', '\uD800', 1, null, undefined, ['a']]) {
      expect(isShortText(value)).toBe(false);
    }
  });

  test('a time is a whole number of seconds in a year of four digits', () => {
    expect([0, 1_772_366_400, 253_402_300_799].every(isNumericDate)).toBe(true);
    for (const value of [-1, 1.5, 1e300, 253_402_300_800, Infinity, NaN, '1772366400', null, [1]]) {
      expect(isNumericDate(value)).toBe(false);
    }
  });
});
