// Compares the tokens with those of saxes, a strict parser: on files of all formats, whole and damaged, both read the same or both refuse.

import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { StatementFault } from '../../model/custody/statement.ts';
import { xmlSamples } from '../../../tests/setup/statements/xml-samples.ts';
import { XmlTokens } from './xml-tokens.ts';

type Token = readonly [string, unknown];

/** Texts that follow each other are one. */
function addText(tokens: Token[], text: string): void {
  const last = tokens.at(-1);
  if (last?.[0] === 'text') tokens.splice(-1, 1, ['text', `${String(last[1])}${text}`]);
  else if (text !== '') tokens.push(['text', text]);
}

const local = (name: string) => name.slice(name.indexOf(':') + 1);

function bySaxes(text: string): Token[] | 'refused' {
  const tokens: Token[] = [];
  let depth = 0;
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    tokens.push(['open', [local(name), { ...attributes }]]);
  });
  parser.on('closetag', () => {
    depth--;
    tokens.push(['close', null]);
  });
  parser.on('text', (part) => depth > 0 && addText(tokens, part));
  parser.on('cdata', (part) => addText(tokens, part));
  parser.on('doctype', () => {
    throw new Error('document type');
  });
  try {
    parser.write(text).close();
    return tokens;
  } catch {
    return 'refused';
  }
}

function byTokens(text: string): Token[] | 'refused' {
  const tokens: Token[] = [];
  const reader = new XmlTokens(
    {
      open: (name, attributes) => void tokens.push(['open', [name, { ...attributes }]]),
      close: () => void tokens.push(['close', null]),
      text: (part) => addText(tokens, part),
    },
    1 << 16,
  );
  try {
    for (let at = 0; at < text.length; at += 61) reader.push(text.slice(at, at + 61));
    reader.end();
    return tokens;
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    return 'refused';
  }
}

const corners = [
  '<a b="x > y" c=\'"\'>1 &lt; 2 &#38; &#x20AC; ]] &gt;</a>',
  '<a\n  b\t=\r\n"x\ty\r\nz"\r\n/>',
  '<a>one<!-- two -->three<![CDATA[ <four> &amp; ]]>five<?six seven?>eight</a>',
  '<a><b/><c></c><d ></d ></a>\n<!-- end -->\n',
  '<a>]]></a>',
  '<a><!-- a -- b --></a>',
  '<a>&amp</a>',
  '<a>&;</a>',
  '<a>& b</a>',
  '<a>&#0;</a>',
  '<a>&#xD800;</a>',
  '<a>&#xD7FF;&#xE000;</a>',
  '<a>&#xDFFF;</a>',
  '<a>&#x10FFFD;</a>',
  '<a>&#x10FFFF;</a>',
  '<a>&#1114111;</a>',
  '<a>&#x110000;</a>',
  '<a b="&lt;"/>',
  '<a b="<"/>',
  '<a b="1"c="2"/>',
  '<a b/>',
  '< a/>',
  '<a/ >',
  '<a></ a>',
  '</a>',
  '<a></b>',
  '<1a/>',
  '<ä>ö</ä>',
  '<a>\ud83d</a>',
  '<a>💶</a>',
  '<!ELEMENT a>',
  '<![CDATA[x]]><a/>',
  'x<a/>',
  '<a/>x',
  '<a/><b/>',
  '<a/>\r',
  '<a/>\n\r\n',
  '<a/>\ud83d',
  '<a/>x\r',
  '<!-',
  '<![CDATA',
  '<a><![CDAT',
  '<a',
  '<a><!-- ',
  '<a><![CDATA[x',
];

test.each(corners)('%j is read as saxes reads it', (text) => {
  expect(byTokens(text)).toEqual(bySaxes(text));
});

test('what is read before a character that is not allowed is the same wherever the text is cut', () => {
  const text = '<a><b>one</b>\u0001<c>two</c></a>';
  const readCutAt = (cut: number): unknown[] => {
    const seen: unknown[] = [];
    const reader = new XmlTokens(
      { open: (name) => void seen.push(name), close: () => void seen.push('/'), text: (part) => void seen.push(part) },
      1 << 16,
    );
    const read = (): void => [text.slice(0, cut), text.slice(cut)].forEach((chunk) => reader.push(chunk));
    expect(read).toThrow('This is not well-formed XML: it has a character that is not allowed.');
    return seen;
  };
  for (let cut = 0; cut <= text.length; cut++) expect(readCutAt(cut)).toEqual(['a', 'b', 'one', '/']);
});

test('markup is the same wherever it is cut, and a document type is refused as one', () => {
  const readCutAt = (text: string, cut: number): unknown[] => {
    const seen: unknown[] = [];
    const reader = new XmlTokens(
      { open: (name) => void seen.push(name), close: () => void seen.push('/'), text: (part) => void seen.push(part) },
      1 << 16,
    );
    try {
      for (const chunk of [text.slice(0, cut), text.slice(cut)]) reader.push(chunk);
      reader.end();
    } catch (error) {
      seen.push((error as Error).message);
    }
    return seen;
  };
  const readings: readonly (readonly [string, readonly string[]])[] = [
    ['<a><![CDATA[b]]><!--c--></a>', ['a', 'b', '/']],
    ['<a/>\r', ['a', '/']],
    ['<a/>\ud83d', ['a', '/', 'Line 1: This is not well-formed XML: it has a character that is not allowed.']],
    ['<!DOCTYPE a>', ['Line 1: Document type definitions are not accepted. Remove the DOCTYPE and its entities.']],
    ['<a><!ELEMENT b>', ['a', 'Line 1: This is not well-formed XML: a tag begins with "<!".']],
    ['<a><!', ['a', 'Line 1: This is not well-formed XML: it ends within a tag or comment.']],
  ];
  for (const [text, expected] of readings)
    for (let cut = 0; cut <= text.length; cut++) expect([cut, ...readCutAt(text, cut)]).toEqual([cut, ...expected]);
});

const samples = xmlSamples.map(({ text }) => text.replace(/^<\?xml.*?\?>\s*/, ''));
const fragments = [
  '<',
  '>',
  '/',
  '"',
  "'",
  '&',
  ';',
  '=',
  ' ',
  '\r',
  '\n',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '</',
  '/>',
  '&amp;',
  'x',
];

test('files with fragments put in, left out or exchanged are read as saxes reads them', () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    text: fc.constantFrom('', ...fragments),
    left: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.array(damage, { maxLength: 3 }), (sample, damages) => {
      let text = sample;
      for (const { at, text: put, left } of damages) {
        const index = Math.floor(at * text.length);
        text = text.slice(0, index) + put + text.slice(index + left);
      }
      expect(byTokens(text)).toEqual(bySaxes(text));
    }),
    { numRuns: 500 },
  );
});
