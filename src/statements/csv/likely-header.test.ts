import { describe, expect, test } from 'vitest';
import { likelyHeader } from './likely-header.ts';

function found(lines: readonly string[]): unknown {
  const header = likelyHeader(`${lines.join('\n')}\n`);
  return header && [header.delimiter, header.line, header.header.names.map((name) => name.trim())];
}

describe('the separator and the header of a file that no profile fits', () => {
  test.each<[string, readonly string[], unknown]>([
    [
      'semicolon, two columns, decimal comma',
      ['Datum;Betrag', '01.02.2024;1,50', '02.02.2024;-2,75'],
      [';', 1, ['Datum', 'Betrag']],
    ],
    [
      'semicolon, three columns, two decimal commas in each line',
      ['Datum;Betrag;Saldo', '01.02.2024;1,50;100,00', '02.02.2024;-2,75;97,25'],
      [';', 1, ['Datum', 'Betrag', 'Saldo']],
    ],
    [
      'semicolon, commas in the header as well',
      ['Betrag, CHF;Saldo, CHF', '1,50;100,00', '-2,75;97,25'],
      [';', 1, ['Betrag, CHF', 'Saldo, CHF']],
    ],
    [
      'semicolon, texts with commas, all in quotes',
      ['"Datum";"Text";"Betrag"', '"01.02.2024";"Miete, Bern";"1,50"', '"02.02.2024";"Lohn, Mai";"2,00"'],
      [';', 1, ['Datum', 'Text', 'Betrag']],
    ],
    ['semicolon, decimal commas, no header', ['01.02.2024;1,50', '02.02.2024;-2,75'], [';', 1, ['01.02.2024', '1,50']]],
    ['tab, decimal comma', ['Datum\tBetrag', '01.02.2024\t1,50', '02.02.2024\t2,75'], ['\t', 1, ['Datum', 'Betrag']]],
    ['pipe, decimal comma', ['Date|Amount', '2024-02-01|1,50', '2024-02-02|2,75'], ['|', 1, ['Date', 'Amount']]],
    [
      'comma, decimal point',
      ['Date,Amount,Text', '2024-02-01,1.50,rent', '2024-02-02,2.75,pay'],
      [',', 1, ['Date', 'Amount', 'Text']],
    ],
    [
      'comma, decimal commas in quotes',
      ['Date,Amount', '01.02.2024,"1,50"', '02.02.2024,"1.002,75"'],
      [',', 1, ['Date', 'Amount']],
    ],
    [
      'comma, a semicolon in every text',
      ['Date,Amount,Text', '2024-02-01,1.50,SEPA; rent', '2024-02-02,2.75,SEPA; pay'],
      [',', 1, ['Date', 'Amount', 'Text']],
    ],
    [
      'comma, a semicolon in the header',
      ['Date,Amount,Notes; remarks', '2024-02-01,1.50,rent', '2024-02-02,2.75,pay'],
      [',', 1, ['Date', 'Amount', 'Notes; remarks']],
    ],
    ['comma, a header alone', ['Date,Amount,Text'], [',', 1, ['Date', 'Amount', 'Text']]],
    [
      'lines above the header with the same separator',
      ['Konto;CH93 0076 2011 6238 5295 7', 'Stand;29.02.2024', 'Datum;Betrag', '01.02.2024;1,50', '02.02.2024;2,75'],
      [';', 3, ['Datum', 'Betrag']],
    ],
    [
      'more lines above the header than below, with another separator',
      ['Konto;CH93', 'Inhaber;Ada', 'Filiale;Bern', 'Stand;Mai', 'Date,Amount,Text', '2024-02-01,1.50,rent'],
      [',', 5, ['Date', 'Amount', 'Text']],
    ],
    [
      'prose above the header',
      ['Umsätze, gebucht, in CHF', 'vom Mai', 'Datum;Text;Betrag', '01.02.2024;Miete;1,50', '02.02.2024;Lohn;2,75'],
      [';', 3, ['Datum', 'Text', 'Betrag']],
    ],
    [
      'some texts with the separator in them, and a total below',
      ['Datum;Text;Betrag', '01.02.2024;Miete;1,50', '02.02.2024;a; b;2,75', '03.02.2024;Lohn;2,75', 'Total;;7,00'],
      [';', 1, ['Datum', 'Text', 'Betrag']],
    ],
    [
      'a letter',
      ['Dear Sir or Madam', 'please find it attached', 'in the file', 'Yours, sincerely', 'Ada, Bern'],
      undefined,
    ],
    ['a letter of which just less than half have a comma', ['Dear Ada', 'Yours, sincerely', 'Cleo'], undefined],
    [
      'a table of words below just less than half of the lines',
      ['one', 'two', 'three', 'four', 'Name,Town', 'Ada,Bern', 'Bea,Basel', 'Cleo,Chur', 'Dora,Davos'],
      [',', 5, ['Name', 'Town']],
    ],
    ['a text without columns', ['Dear Sir or Madam', 'please find it attached'], undefined],
  ])('%s', (_, lines, expected) => {
    expect(found(lines)).toEqual(expected);
  });
});
