import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonItemSplitter } from './json-item-splitter.ts';
import { JsonFault } from '../../../kit/json-value.ts';

/** Splits a text that arrives in chunks. */
function itemsOf(chunks: readonly string[], lengthMax = 1_000): string[] {
  const items = new JsonItemSplitter(lengthMax);
  const found = chunks.flatMap((chunk) => items.push(chunk));
  items.end();
  return found.map((item) => item.trim());
}

test.each([
  ['nothing', '{"data":[]}', []],
  ['white space everywhere', ' {\n"data" :\t[ 1 ,\r\n2 ] } \n', ['1', '2']],
  ['values of every kind', '{"data":[null,true,-1.5e3,"a",{},[]]}', ['null', 'true', '-1.5e3', '"a"', '{}', '[]']],
  ['brackets and commas in strings', '{"data":[{"a":"]},[{"},"\\"],"]}', ['{"a":"]},[{"}', '"\\"],"']],
  ['items within items', '{"data":[{"data":[1,{"data":[2]}]},[[3]]]}', ['{"data":[1,{"data":[2]}]}', '[[3]]']],
])('%s', (_what, text, items) => {
  expect(itemsOf([text])).toEqual(items);
  expect(itemsOf([...text])).toEqual(items);
});

describe('a text of another form is refused at the offset where it differs', () => {
  const form = 'a bulk body has the form {"data": […]}.';
  test.each([
    ['', `The text ends early at offset 0; ${form}`],
    ['[]', `Unexpected "[" at offset 0; ${form}`],
    ['{"rows":[]}', `Unexpected "\\"" at offset 1; ${form}`],
    ['{"da ta":[]}', `Unexpected "\\"" at offset 1; ${form}`],
    ['{"data":{}}', `Unexpected "{" at offset 8; ${form}`],
    ['{"data":[1', `The text ends early at offset 9; ${form}`],
    ['{"data":[1]', `The text ends early at offset 11; ${form}`],
    ['{"data":[1,]}', `Unexpected "]" at offset 11; ${form}`],
    ['{"data":[,1]}', `Unexpected "," at offset 9; ${form}`],
    ['{"data":[1}]', `Unexpected "}" at offset 10; ${form}`],
    ['{"data":[1],"more":2}', `Unexpected "," at offset 11; ${form}`],
    ['{"data":[1]}{}', `Unexpected "{" at offset 12; ${form}`],
    [`{"data":["${'x'.repeat(20)}"]}`, `An item has more than 20 characters at offset 9; ${form}`],
    [`{"data":[${'['.repeat(21)}`, `An item has more than 20 characters at offset 9; ${form}`],
  ])('%j', (text, message) => {
    for (const chunks of [[text], [...text]]) {
      expect(() => itemsOf(chunks, 20)).toThrow(JsonFault);
      expect(() => itemsOf(chunks, 20)).toThrow(message);
    }
  });
});

test('the items of any document are found, however it is split into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat({ max: 200 })), (values, cuts) => {
      const text = JSON.stringify({ data: values });
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
      expect(itemsOf(chunks, 1_000_000).map((item) => JSON.parse(item))).toEqual(
        values.map((value) => JSON.parse(JSON.stringify(value))),
      );
    }),
  );
});
