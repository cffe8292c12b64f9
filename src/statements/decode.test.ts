import { describe, expect, test } from 'vitest';
import { StatementDecoder } from './decode.ts';

function decode(bytes: Uint8Array, pieceLength = bytes.length): string {
  const decoder = new StatementDecoder();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength) text += decoder.push(bytes.subarray(at, at + pieceLength));
  return text + decoder.end();
}

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const utf16BigEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
const filler = 'x'.repeat(2_000);

const cases: readonly (readonly [string, Uint8Array, string])[] = [
  ['UTF-8 without a mark', utf8(`Zürich ${filler} €`), `Zürich ${filler} €`],
  ['U+0000, which no statement has', utf8('a\u0000b'), 'a\ufffdb'],
  ['a UTF-8 byte order mark, which is no text', utf8('\ufeffZürich'), 'Zürich'],
  ['a UTF-16 byte order mark', utf16('\ufeffZürich'), 'Zürich'],
  ['a UTF-16 byte order mark, the other way round', utf16BigEndian('\ufeffZürich'), 'Zürich'],
  ['UTF-16 without a mark, the other way round', utf16BigEndian('<A>ü€</A>'), '<A>ü€</A>'],
  [
    'UTF-16 without a mark',
    utf16('<?xml version="1.0" encoding="UTF-16"?><A>ü</A>'),
    '<?xml version="1.0" encoding="UTF-16"?><A>ü</A>',
  ],
  [
    'an XML declaration',
    latin('<?xml version="1.0" encoding="ISO-8859-1"?><A>Z\xfcrich</A>'),
    '<?xml version="1.0" encoding="ISO-8859-1"?><A>Zürich</A>',
  ],
  [
    'an XML declaration in UTF-8 that claims UTF-16',
    utf8('<?xml version="1.0" encoding="UTF-16"?><A>ü</A>'),
    '<?xml version="1.0" encoding="UTF-16"?><A>ü</A>',
  ],
  [
    'an OFX code page',
    latin('OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\n\x80'),
    'OFXHEADER:100\nENCODING:USASCII\nCHARSET:1252\n€',
  ],
  [
    'OFX in Unicode',
    utf8('OFXHEADER:100\nENCODING:UNICODE\nCHARSET:NONE\nü'),
    'OFXHEADER:100\nENCODING:UNICODE\nCHARSET:NONE\nü',
  ],
  [
    'an OFX code page of ISO 8859',
    latin('OFXHEADER:100\nENCODING:USASCII\nCHARSET:8859-2\n\xb1'),
    'OFXHEADER:100\nENCODING:USASCII\nCHARSET:8859-2\ną',
  ],
  [
    'an OFX code page by its name',
    latin('OFXHEADER:100\nENCODING:USASCII\nCHARSET:KOI8-R\n\xc1'),
    'OFXHEADER:100\nENCODING:USASCII\nCHARSET:KOI8-R\nа',
  ],
  ['UTF-8 of four bytes a character', utf8(`a ${filler} 😀`), `a ${filler} 😀`],
  ...['\u0080', 'ü', '\u07ff', '\u0800', '€', '\uffff', '\u{10000}', '\u{10ffff}'].map(
    (character): readonly [string, Uint8Array, string] => [
      `UTF-8 that is damaged after U+${character.codePointAt(0)!.toString(16)}`,
      Uint8Array.from([...utf8(character), 0xff, 0x41]),
      `${character}\ufffdA`,
    ],
  ),
  ['UTF-8 with a byte that begins no character', Uint8Array.from([...utf8('😀'), 0xf5, 0x41]), '😀\ufffdA'],
  ['only bytes that continue a character', Uint8Array.from([0x80, 0x80, 0x80, 0x80]), '€€€€'],
  ['Windows-1252 that nothing declares', latin(`Betrag ${filler};Z\xfcrich;\x80`), `Betrag ${filler};Zürich;€`],
  ['damaged UTF-8', Uint8Array.from([...utf8('Zürich '), 0xff, 0x41]), 'Zürich \ufffdA'],
  ['UTF-8 that is cut within a character', utf8('Zürich €').subarray(0, -1), 'Zürich \ufffd'],
  ['a UTF-8 byte order mark twice, of which the second is text', utf8('\ufeff\ufeffa'), '\ufeffa'],
  ['nothing', new Uint8Array(0), ''],
];

describe('the text of a file', () => {
  test.each(cases)('%s', (_, bytes, expected) => {
    expect(decode(bytes)).toBe(expected);
    for (let pieceLength = 1; pieceLength <= 7; pieceLength++) expect(decode(bytes, pieceLength)).toBe(expected);
  });

  test('an encoding that nobody knows is refused with what to do', () => {
    expect(() => decode(latin('<?xml version="1.0" encoding="EBCDIC-XX"?>'))).toThrow(
      'Line 1: The encoding "EBCDIC-XX" is not known. Send the file as UTF-8.',
    );
  });
});
