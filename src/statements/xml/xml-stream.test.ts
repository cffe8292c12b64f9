import { describe, expect, test } from 'vitest';
import { StatementFault } from '../../model/custody/statement.ts';
import type { XmlElement } from './xml-element.ts';
import { XmlStream, type XmlBounds } from './xml-stream.ts';

/** Keeps every `Ntry` and passes over every `Skip`. */
function read(pieces: readonly string[], bounds: Partial<XmlBounds> = {}): XmlElement[] {
  const elements: XmlElement[] = [];
  const choices: Record<string, 'keep' | 'pass-over'> = { Ntry: 'keep', Skip: 'pass-over' };
  const stream = new XmlStream(
    { open: ({ name }) => choices[name] ?? 'enter', kept: (element) => void elements.push(element) },
    bounds,
  );
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return elements;
}

const text = `<?xml version="1.0"?>
<!-- a comment -->

<d:Document xmlns:d="urn:x"><Skip><Ntry>no</Ntry></Skip>
  <d:Ntry id='1'>
    <d:Amt Ccy="CHF"> 12.50 </d:Amt><Nm>Meier &amp; S&#246;hne <![CDATA[<AG>]]></Nm>
    <Empty/>
  </d:Ntry>
  <Ntry/>
</d:Document>`;

describe('elements', () => {
  test('have names without prefixes, attributes, trimmed text and the line where they begin', () => {
    const [first, second] = read([text]);
    expect([first!.name, first!.line, { ...first!.attributes }]).toEqual(['Ntry', 5, { id: '1' }]);
    expect([first!.textAt('Amt'), first!.find('Amt')!.attributes['Ccy'], first!.child('Amt')!.line]).toEqual([
      '12.50',
      'CHF',
      6,
    ]);
    expect(first!.textAt('Nm')).toBe('Meier & Söhne <AG>');
    expect([first!.textAt('Empty'), first!.textAt('Missing', 'Deeper')]).toEqual([undefined, undefined]);
    expect([second!.line, second!.children.length]).toEqual([9, 0]);
  });

  test('do not depend on how the text is cut', () => {
    const whole = read([text]);
    for (let at = 1; at < text.length; at++) expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
    expect(read([...text])).toEqual(whole);
  });
});

test('each kept element may have as many elements as may be kept, and what is more is cut from it alone', () => {
  const entry = (count: number): string => `<Ntry>${'<A/>'.repeat(count)}</Ntry>`;
  const elements = read([`<D>${entry(3)}${entry(4)}${entry(3)}</D>`], { elementsKeptMax: 3 });
  expect(elements.map(({ isCut, children }) => [isCut, children.length])).toEqual([
    [false, 3],
    [true, 3],
    [false, 3],
  ]);
});

describe('refused, with the line', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><Document>&b;</Document>`;
  test.each([
    ['a document type with entities', bomb, 'Document type definitions are not accepted'],
    [
      'a document type alone',
      '<!DOCTYPE a SYSTEM "http://127.0.0.1/x"><a/>',
      'Document type definitions are not accepted',
    ],
    ['an unknown entity', '<a>\n<b>&x;</b></a>', 'Line 2: This is not well-formed XML: the entity &x; is not defined.'],
    ['a tag that is never closed', '<a>\n<b></a>', 'Line 2: This is not well-formed XML'],
    ['a file that ends early', '<a>\n<b>', 'Line 2: This is not well-formed XML: it ends before "b" is closed.'],
    ['an attribute without quotes', '<a b=c/>', 'an attribute is not written as name="value"'],
    ['the same attribute twice', '<a b="1" b="2"/>', 'the attribute "b" is there twice'],
    ['a second root', '<a/><a/>', 'there is a second element after the first'],
    ['nothing', '', 'it has no element'],
    ['text that is not XML', 'hello', 'there is text outside of the first element'],
    ['deep nesting', '<a>'.repeat(100), 'Elements are nested deeper than 64 levels.'],
    ['endless text', `<a>${'x'.repeat(70_000)}</a>`, 'longer than 65536 characters'],
    [
      'endless text in pieces',
      `<Ntry>${`${'x'.repeat(60_000)}<![CDATA[x]]>`.repeat(2)}</Ntry>`,
      'longer than 65536 characters',
    ],
    ['an endless attribute', `<a b="${'x'.repeat(70_000)}"/>`, 'longer than 65536 characters'],
    ['an endless name', `<${'x'.repeat(70_000)}/>`, 'longer than 65536 characters'],
    ['an endless comment', `<!--${'x'.repeat(70_000)}--><a/>`, 'longer than 65536 characters'],
    ['an endless document type', `<!DOCTYPE a [${'x'.repeat(70_000)}`, 'Document type definitions are not accepted'],
  ])('%s', (_, wrong, message) => {
    for (const pieces of [[wrong], wrong.match(/[^]{1,4096}/g) ?? []]) {
      expect(() => read(pieces)).toThrow(StatementFault);
      expect(() => read(pieces)).toThrow(message);
    }
  });
});

test('of an element with too much in it, only the first elements are kept, and it says so', () => {
  const large = `<Ntry>${'<A/>'.repeat(10)}</Ntry>`;
  expect(read([large], { elementsKeptMax: 10 })[0]).toMatchObject({ isCut: false, children: { length: 10 } });
  expect(read([large], { elementsKeptMax: 4 })[0]).toMatchObject({ isCut: true, children: { length: 4 } });
  expect(read([large], { charactersKeptMax: 20 })[0]).toMatchObject({ isCut: true });
  expect(read([large], { charactersKeptMax: 50 })[0]).toMatchObject({ isCut: false });
});

test('how much is kept of an element does not depend on how the text is cut', () => {
  const large = `<D>${' '.repeat(30)}<Ntry>${'<A/>'.repeat(10)}</Ntry></D>`;
  for (const charactersKeptMax of [5, 20, 37, 38, 39, 40, 41, 42, 50]) {
    const [whole, inPieces] = [[large], [...large]].map((pieces) => read(pieces, { charactersKeptMax })[0]!);
    expect([inPieces!.isCut, inPieces!.children.length]).toEqual([whole!.isCut, whole!.children.length]);
  }
});

test('a byte order mark is no text at the beginning of a file, and is text anywhere else, wherever the file is cut', () => {
  const marked = '\ufeff<Ntry>a\ufeffb</Ntry>';
  for (const pieces of [[marked], [...marked], [marked.slice(0, 8), marked.slice(8)]])
    expect(read(pieces)[0]!.text).toBe('a\ufeffb');
});

test('what stands before an element does not count as part of it', () => {
  const later = `<D><Skip>${'x'.repeat(100)}</Skip><Ntry>${'<A/>'.repeat(10)}</Ntry></D>`;
  expect(read([later], { charactersKeptMax: 50 })[0]).toMatchObject({ isCut: false, children: { length: 10 } });
});

test('elements may be nested 64 levels deep', () => {
  const nested = (levels: number): string => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`;
  expect(read([nested(64)])).toEqual([]);
  expect(() => read([nested(65)])).toThrow('Elements are nested deeper than 64 levels.');
});

test.each(['a', 'Ntry'])('a text in %s may have 65,536 characters', (name) => {
  const written = (length: number): string => `<${name}>${'x'.repeat(length)}</${name}>`;
  expect(read([written(65_536)]).map(({ text: own }) => own.length)).toEqual(name === 'Ntry' ? [65_536] : []);
  expect(() => read([written(65_537)])).toThrow('longer than 65536 characters');
});
