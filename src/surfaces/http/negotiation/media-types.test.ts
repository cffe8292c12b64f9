import fc from 'fast-check';
import Negotiator from 'negotiator';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../kit/refusal.ts';
import { checkAccept, checkContentType } from './media-types.ts';

const json = 'application/json';
const jsonApi = 'application/vnd.api+json';

/** Returns the code of the refusal, or undefined if there is none. */
function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const accepts = (accept: string | undefined, mediaType: string): boolean =>
  refusalOf(() => checkAccept(accept, mediaType)) === undefined;
const isTaken = (contentType: string | undefined, mediaType: string): boolean =>
  refusalOf(() => checkContentType(contentType, mediaType)) === undefined;

describe('Accept', () => {
  test.each<[accept: string | undefined, isMet: boolean]>([
    [undefined, true],
    ['', true],
    ['*/*', true],
    ['application/*', true],
    ['application/json', true],
    ['Application/JSON', true],
    ['application/json;q=0.5', true],
    ['application/json ; Q = 0.5', true],
    ['application/json;q=1;charset=utf-8', true],
    ['text/html,application/json', true],
    ['text/html , */*;q=0.01', true],
    ['application/json;q=0', false],
    ['application/json;q=0,*/*', false],
    ['*/*;q=0', false],
    ['*/*;q=0, application/json', true],
    ['application/*;q=0,*/*', false],
    ['application/json;q=x', false],
    ['application/json;q=', false],
    ['application/json;q=0.000', false],
    ['text/*', false],
    ['json', false],
    ['application/json-seq', false],
    ['application/problem+json', false],
    ['application/json;v=1', false],
    ['application/json;v=1, */*;q=0.1', true],
    ['application/json;q=0, application/json;charset=utf-8', true],
    [',,', false],
    [';;', false],
    ['text/html;a="x,application/json"', false],
    ['text/html;a="x\\",application/json"', false],
    ['text/html;a="x", application/json', true],
    ['text/html;a="never closed, application/json', false],
  ])('%s for JSON: %o', (accept, isMet) => {
    expect(accepts(accept, json)).toBe(isMet);
    // The second result comes from the cache.
    expect(accepts(accept, json)).toBe(isMet);
  });

  test.each<[accept: string, isMet: boolean]>([
    [jsonApi, true],
    ['*/*', true],
    ['application/*', true],
    [`${jsonApi};profile="http://example.com/a, http://example.com/b"`, true],
    [`${jsonApi};profile="http://example.com/a;b"`, true],
    [`${jsonApi};charset=utf-8`, false],
    [`${jsonApi};charset=utf-8, ${jsonApi}`, true],
    [`${jsonApi};charset=utf-8, application/*`, false],
    [`${jsonApi};ext="http://example.com/ext"`, false],
    [`${jsonApi};ext="http://example.com/ext", ${jsonApi};q=0.1`, true],
    [json, false],
  ])('%s for JSON:API: %o', (accept, isMet) => {
    expect(accepts(accept, jsonApi)).toBe(isMet);
  });

  test('agrees with negotiator on ranges without parameters', () => {
    const type = fc.constantFrom('*/*', 'application/*', 'text/*', json, 'text/csv', 'Application/JSON');
    const quality = fc.constantFrom('', ';q=0', ';q=0.0', ';q=0.001', '; q=0.5', ';q=1', ';Q=1.000');
    const header = fc.array(
      fc.tuple(type, quality).map((parts) => parts.join('')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(header, (ranges) => {
        const accept = ranges.join(', ');
        expect(accepts(accept, json)).toBe(new Negotiator({ headers: { accept } }).mediaType([json]) === json);
      }),
    );
  });

  test('a result cached for one media type is not used for another', () => {
    expect(accepts('application/json, x/y', json)).toBe(true);
    expect(accepts('application/json, x/y', jsonApi)).toBe(false);
  });

  // Backtracking would exceed the timeout of the test, so no time is measured.
  test.each(['a/b,', '"', '\\"', ';q=', 'a/b;c="\\'])(
    'a header of very many %s is read without backtracking',
    (part) => {
      expect(accepts(part.repeat(100_000), json)).toBe(false);
    },
  );
});

describe('Content-Type', () => {
  test.each<[contentType: string | undefined, isRight: boolean]>([
    [json, true],
    ['APPLICATION/JSON', true],
    ['application/json;charset=utf-8', true],
    ['application/json; charset="UTF-8"', true],
    ['application/json;', true],
    ['application/json; charset=utf-16', false],
    ['application/json; version=1', false],
    [undefined, false],
    ['', false],
    ['text/json', false],
    ['application/*', false],
    ['*/*', false],
    [jsonApi, false],
    ['application/json, application/json', false],
  ])('%s for JSON: %o', (contentType, isRight) => {
    expect(isTaken(contentType, json)).toBe(isRight);
  });

  test.each<[contentType: string, isRight: boolean]>([
    [jsonApi, true],
    [`${jsonApi}; profile="http://example.com/a;b"`, true],
    [`${jsonApi}; charset=utf-8`, false],
    [`${jsonApi}; ext="http://example.com/ext"`, false],
    [`${jsonApi}; profile="x"; charset=utf-8`, false],
    [json, false],
  ])('%s for JSON:API: %o', (contentType, isRight) => {
    expect(isTaken(contentType, jsonApi)).toBe(isRight);
  });
});

test('a refusal names the header', () => {
  const detail = 'Send the body with the Content-Type application/json.';
  const faults = [{ code: 'unsupported-media-type', detail, header: 'Content-Type' }];
  expect(() => checkContentType('text/plain', json)).toThrow(expect.objectContaining({ faults }));
});
