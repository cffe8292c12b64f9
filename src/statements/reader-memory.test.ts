// What a reader holds does not grow with the file: it remembers a bounded number of things, and texts of its own.

import { expect, test } from 'vitest';
import { heldBytes } from '../../tests/setup/node/held-bytes.ts';
import type { StatementReader } from '../model/custody/statement.ts';
import { openStatementReader, recogniseFormat } from './recognise.ts';

function openReader(head: string): StatementReader {
  const format = recogniseFormat(head);
  if (format === undefined) throw new Error('the format is not recognised');
  return openStatementReader(format);
}

test('what waits for the securities at the end of an OFX file does not keep the file in memory', async () => {
  const held = await heldBytes<typeof import('./recognise.ts')>(new URL('recognise.ts', import.meta.url), (own) => {
    const head =
      '<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20260331</DTASOF><CURDEF>USD</CURDEF><INVACCTFROM><BROKERID>b.example</BROKERID><ACCTID>INV-1</ACCTID></INVACCTFROM><INVTRANLIST>';
    const padding = `<!--${'x'.repeat(5_000)}-->`;
    const income = (index: number): string =>
      `${padding}<INCOME><INVTRAN><FITID>ZV20260331/${index}</FITID><DTTRADE>20260331</DTTRADE><MEMO>Dividend of the quarter, number ${index}</MEMO></INVTRAN><SECID><UNIQUEID>037833100</UNIQUEID><UNIQUEIDTYPE>CUSIP</UNIQUEIDTYPE></SECID><INCOMETYPE>DIV</INCOMETYPE><TOTAL>24</TOTAL></INCOME>`;
    const format = own.recogniseFormat(head);
    const reader = format && own.openStatementReader(format);
    reader?.push(head);
    for (let index = 0; index < 4_000; index++) {
      if (reader?.push(income(index)).length !== 0) throw new Error('It does not wait.');
    }
    return reader;
  });
  expect(held).toBeLessThan((4_000 * 5_000) / 3);
});

test('of very many statements of MT940 whose last page has not come, the oldest are said to be cut off', () => {
  const page = (index: number): string =>
    `:20:S\n:25:ACCOUNT-${index}\n:28C:1/1\n:60F:C260330CHF0,\n:62M:C260331CHF0,\n-\n`;
  const reader = openReader(page(0));
  const problems = Array.from({ length: 10_003 }, (_, index) => reader.push(page(index)))
    .flat()
    .filter(({ item }) => item === 'problem');
  expect(problems).toMatchObject(
    [5, 11, 17].map((line, index) => ({ place: { line }, account: { number: `ACCOUNT-${index}` } })),
  );
  const atTheEnd = reader.end().filter(({ item }) => item === 'problem');
  expect(atTheEnd).toHaveLength(10_000);
  expect(atTheEnd[0]).toMatchObject({ place: { line: 23 }, account: { number: 'ACCOUNT-3' } });
});

test('very many transactions under one FITID are told apart at once', () => {
  const head =
    'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CHF<BANKACCTFROM><BANKID>762<ACCTID>A-1<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>';
  const reader = openReader(head);
  reader.push(head);
  const references = Array.from({ length: 20_000 }, (_, index) =>
    reader.push(`<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260331<TRNAMT>${index + 1}<FITID>SAME-FOR-ALL</STMTTRN>\n`),
  )
    .flat()
    .map((item) => (item.item === 'entry' ? item.reference : item));
  expect(references.slice(0, 2)).toEqual(['SAME-FOR-ALL', 'SAME-FOR-ALL#2']);
  expect(new Set(references).size).toBe(references.length);
});
