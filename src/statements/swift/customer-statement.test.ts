import { describe, expect, test } from 'vitest';
import type { StatementEntry, StatementItem } from '../../model/custody/statement.ts';
import { checkDamage, findCutThatMatters } from '../../../tests/setup/statements/reader-laws.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';
import { openStatementReader, recogniseFormat } from '../recognise.ts';

/** A statement of two pages with what German and Swiss banks write. */
const pages = `{1:F01BANKDEFFAXXX0000000000}{2:O9401157240201BANKDEFFAXXX00000000002402011157N}{4:
:20:STARTUMS
:25:10020030/1234567890EUR
:28C:00012/001
:60F:C231230EUR1000,50
:61:2312290102DR123,45NDDTKREF//BANKREF0001
:86:105?00FOLGELASTSCHRIFT?10931?20EREF+4711?21MREF+M-1?22CRED+DE98?23SV
WZ+Strom Januar?24 Abschlag?30BANKDEFF?31DE02100?32STADTWERKE MUS?33TERSTADT
:61:240102C5000,NTRFNONREF
:86:166?00GUTSCHRIFT?20Lohn?32ARBEITGEBER AG
:62M:C240102EUR5877,05
-}{5:{CHK:123456789ABC}}
{1:F01BANKDEFFAXXX0000000000}{2:O9401157240201BANKDEFFAXXX00000000002402011157N}{4:
:20:STARTUMS
:25:10020030/1234567890EUR
:28C:00012/002
:60M:C240102EUR5877,05
:61:2401310131D9,90NCHGNONREF//BANKREF0003
:86:808?00ENTGELT?20Kontofuehrung
:61:2401310131RC5000,NTRFNONREF//BANKREF0004
:86:166?00STORNO?20Lohn?32ARBEITGEBER AG
:62F:C240131EUR867,15
:64:C240131EUR867,15
:65:C240201EUR867,15
:86:Dies ist ein Hinweis
-}`;

const account = { number: '1234567890', currency: 'EUR', institution: '10020030' };
const shared = {
  account,
  statedAt: '2024-02-01T11:57:00Z',
  currency: 'EUR',
  statement: '1234567890/EUR/00012/2023-12-30',
};

test('what the blocks of a message say about it is not said about the next', () => {
  const bare = ':20:BARE\n:25:555\n:28C:1/1\n:60F:C240131EUR1,\n:62F:C240131EUR1,\n-';
  const items = readStatement(`${pages}\n${bare}\n`);
  expect(items.filter(({ account }) => account?.number === '555').map(({ statedAt }) => statedAt)).toEqual([
    undefined,
    undefined,
  ]);
});

describe('a statement of two pages', () => {
  const open = () => openStatementReader(recogniseFormat(pages)!);
  const items = readStatement(pages);

  test('has one opening and one closing balance, and the entries between them', () => {
    expect(items).toEqual([
      {
        ...shared,
        item: 'balance',
        place: { line: 5, field: ':60F:' },
        moment: 'opening',
        date: '2024-01-02',
        amount: '1000.5',
      },
      {
        ...shared,
        item: 'entry',
        place: { line: 6, field: ':61:' },
        status: 'booked',
        kind: 'flow',
        reference: 'BANKREF0001',
        date: '2024-01-02',
        settlementDate: '2023-12-29',
        amount: '-123.45',
        comment: 'STADTWERKE MUSTERSTADT, Strom Januar Abschlag',
        typeWord: 'NDDT 105 FOLGELASTSCHRIFT',
      },
      {
        ...shared,
        item: 'entry',
        place: { line: 9, field: ':61:' },
        status: 'booked',
        kind: 'flow',
        date: '2024-01-02',
        settlementDate: '2024-01-02',
        amount: '5000',
        comment: 'ARBEITGEBER AG, Lohn',
        typeWord: 'NTRF 166 GUTSCHRIFT',
      },
      {
        ...shared,
        item: 'entry',
        place: { line: 18, field: ':61:' },
        status: 'booked',
        kind: 'fee',
        reference: 'BANKREF0003',
        date: '2024-01-31',
        settlementDate: '2024-01-31',
        amount: '-9.9',
        comment: 'Kontofuehrung',
        typeWord: 'NCHG 808 ENTGELT',
      },
      {
        ...shared,
        item: 'entry',
        place: { line: 20, field: ':61:' },
        status: 'booked',
        kind: 'flow',
        reference: 'BANKREF0004/reversal',
        cancels: 'same-content',
        date: '2024-01-31',
        settlementDate: '2024-01-31',
        amount: '-5000',
        comment: 'ARBEITGEBER AG, Lohn',
        typeWord: 'NTRF 166 STORNO',
      },
      {
        ...shared,
        item: 'balance',
        place: { line: 22, field: ':62F:' },
        moment: 'closing',
        date: '2024-01-31',
        amount: '867.15',
      },
    ]);
  });

  test('gives the same items wherever it is cut', () => {
    expect(findCutThatMatters(open, pages)).toBeUndefined();
  });

  test('never crashes when it is damaged', () => {
    expect(() => checkDamage(open, pages)).not.toThrow();
  });
});

/** A bare statement with these lines. */
function statement(...lines: string[]): string {
  return [':20:X', ':25:CH9300762011623852957', ':28C:1', ':60F:C240101CHF100,', ...lines, ':62F:C240131CHF100,'].join(
    '\r\n',
  );
}

function entriesOf(text: string): StatementEntry[] {
  return readStatement(text).filter((one) => one.item === 'entry');
}

function problemsOf(items: readonly StatementItem[]): (string | undefined)[] {
  return items.flatMap((one) => (one.item === 'problem' ? `${one.place.line} ${one.place.field}: ${one.detail}` : []));
}

describe('a statement line', () => {
  test.each([
    ['a credit', '240115C10,5NTRFR', { amount: '10.5', date: '2024-01-15' }],
    ['a debit with a funds code', '240115DF10,NTRFR', { amount: '-10' }],
    ['a reversed credit', '240115RC10,NTRFR', { amount: '-10', cancels: 'same-content' }],
    ['a reversed debit with a funds code', '240115RDF10,NTRFR', { amount: '10', cancels: 'same-content' }],
    ['an expected credit', '240115EC10,NTRFR', { amount: '10', status: 'pending' }],
    [
      'an entry in January with a value date in December',
      '2312310102C1,NTRFR',
      { date: '2024-01-02', settlementDate: '2023-12-31' },
    ],
    [
      'an entry in December with a value date in January',
      '2401021230C1,NTRFR',
      { date: '2023-12-30', settlementDate: '2024-01-02' },
    ],
    ['a leap day that only the year before has', '2401010229C1,NTRFR', { date: '2024-02-29' }],
    ['a long reference of the bank', '240115C1,NTRFCUST//12345678', { reference: '12345678' }],
    ['a short reference of the bank, which repeats every day', '240115C1,NTRFCUST//17', { reference: '2024-01-15/17' }],
    ['interest', '240115C1,NINTNONREF', { kind: 'interest' }],
    ['a refunded fee, which stays a fee', '240115C1,NCHGNONREF', { kind: 'fee', amount: '1' }],
    ['a dividend without an instrument', '240115C1,NDIVNONREF', { kind: 'dividend', typeWord: 'NDIV' }],
    ['an amount with a point', '240115C1.5NTRFR', { amount: '1.5' }],
  ])('says %s', (_, line, expected) => {
    expect(entriesOf(statement(`:61:${line}`))[0]).toMatchObject(expected);
  });

  test('is a dividend of the instrument whose ISIN the text names', () => {
    const [entry] = entriesOf(
      statement(':61:240115C70,NDIVNONREF//DIV0000001', ':86:DIVIDENDE NESTLE SA', 'ISIN CH0038863350 10 STK'),
    );
    expect(entry).toMatchObject({
      kind: 'dividend',
      instrument: { isin: 'CH0038863350' },
      comment: 'DIVIDENDE NESTLE SA ISIN CH0038863350 10 STK',
    });
  });

  test('has a comment from its second line, else from the reference', () => {
    const [first, second] = entriesOf(statement(':61:240115C1,NTRFR1', 'SECOND LINE', ':61:240115C1,NTRFR2'));
    expect([first!.comment, second!.comment]).toEqual(['SECOND LINE', 'R2']);
  });

  test('shares its reference with another: both are told apart', () => {
    const lines = [':61:240115D100,NSECX//TRADE00001', ':61:240115D5,NCOMX//TRADE00001'];
    expect(entriesOf(statement(...lines)).map(({ reference }) => reference)).toEqual(['TRADE00001', 'TRADE00001#2']);
  });

  test('in a statement that is twice in one file has the same reference both times', () => {
    const text = statement(':61:240115D100,NTRFX//BANKREF0001', ':61:240115D5,NCOMX//BANKREF0001');
    const references = entriesOf(`${text}\n-\n${text}`).map(({ reference }) => reference);
    expect(references).toEqual(['BANKREF0001', 'BANKREF0001#2', 'BANKREF0001', 'BANKREF0001#2']);
  });

  test.each([
    ['no direction', '240115X10,NTRFR'],
    ['no such day', '240230C10,NTRFR'],
    ['no such entry day', '2401151345C10,NTRFR'],
    ['no amount', '240115CNTRFR'],
    ['an amount with too many digits', `240115C${'9'.repeat(40)},NTRFR`],
    ['nothing', ''],
  ])('with %s is a problem with its line, and the others are read', (_, line) => {
    const items = readStatement(statement(`:61:${line}`, ':86:ITS TEXT', ':61:240115C1,NTRFR'));
    expect(problemsOf(items)).toEqual([expect.stringMatching(/^5 :61:: "/)]);
    expect(items.filter(({ item }) => item === 'entry')).toHaveLength(1);
  });
});

describe('information about a line', () => {
  test.each([
    ['free text over lines', [':86:RENT', 'JANUARY'], 'RENT JANUARY'],
    [
      'words between slashes',
      [':86:/TRTP/SEPA/IBAN/NL02/NAME/Muster BV/REMI/Invoice 1/2', '4/EREF/X'],
      'Muster BV, Invoice 1/24',
    ],
    [
      'words between slashes with the other party in one',
      [':86:/EREF/X//CNTP/NL32INGB0000012345/INGBNL2A/Muster BV///REMI/USTD//Invoice 7/'],
      'Muster BV, Invoice 7',
    ],
    ['another separator', [':86:166<00TEXT<20Purpose<32Name'], 'Name, Purpose'],
    ['SEPA codes without a purpose', [':86:166?20EREF+47?21KREF+11'], 'EREF 47 KREF 11'],
    ['text before the SEPA codes', [':86:166?20Thanks EREF+47'], 'Thanks'],
    ['a question mark within a text', [':86:166?20Why? Because?32Name'], 'Name, Why Because'],
  ])('in %s', (_, lines, comment) => {
    expect(entriesOf(statement(':61:240115C1,NTRFR', ...lines))[0]!.comment).toBe(comment);
  });
});

describe('accounts', () => {
  test.each([
    [':25:DE89 3704 0044 0532 0130 00', { number: 'DE89 3704 0044 0532 0130 00' }],
    [':25:37040044/0532013000', { number: '0532013000', institution: '37040044' }],
    [':25:NL69INGB0123456789EUR', { number: 'NL69INGB0123456789', currency: 'EUR' }],
    [':25P:CH9300762011623852957\r\nBANKCHZZ', { number: 'CH9300762011623852957', institution: 'BANKCHZZ' }],
  ])('%s', (field, expected) => {
    expect(entriesOf(statement(':61:240115C1,NTRFR').replace(':25:CH9300762011623852957', field))[0]!.account).toEqual(
      expected,
    );
  });

  test('that are empty make a problem of every line: nothing is booked to another account', () => {
    const items = readStatement(statement(':61:240115C1,NTRFR').replace(':25:CH9300762011623852957', ':25:'));
    expect(items.map(({ item }) => item)).toEqual(['problem', 'problem']);
  });
});

test('several bare statements in one file are told apart', () => {
  const second = statement(':61:240116C2,NTRFR').replace('CH9300762011623852957', 'CH1234');
  for (const between of ['\r\n', '\r\n-\r\n', '\r\n-\r\nHEADER LINE\r\n']) {
    const items = readStatement(`${statement(':61:240115C1,NTRFR')}${between}${second}`);
    expect(items.map((one) => [one.item, one.account?.number])).toEqual([
      ...['balance', 'entry', 'balance'].map((item) => [item, 'CH9300762011623852957']),
      ...['balance', 'entry', 'balance'].map((item) => [item, 'CH1234']),
    ]);
  }
});

test('an interim report has its currency from the floor limit, and when it was made', () => {
  const text = [
    ':20:X',
    ':25:CH9300762011623852957',
    ':28C:5/1',
    ':34F:CHF0,',
    ':13D:2401150930+0100',
    ':61:2401150115C1,NTRFR',
    ':86:X',
    ':90D:0CHF0,',
    ':90C:1CHF1,',
    '-',
  ];
  expect(recogniseFormat(text.join('\n'))!.name).toBe('mt942');
  expect(readStatement(text.join('\n'))).toMatchObject([
    { item: 'entry', amount: '1', currency: 'CHF', statedAt: '2024-01-15T08:30:00.000Z', status: 'booked' },
  ]);
});

describe('a file that is not complete says so', () => {
  test.each([
    ['no closing balance', statement(':61:240115C1,NTRFR').replace(/:62F.*/, ''), 'ends without a closing balance'],
    ['the last page missing', statement().replace(':62F:', ':62M:'), 'its last page is missing'],
    [
      'a page missing in between',
      `${statement().replace(':62F:', ':62M:')}\n-\n${statement().replace(':60F:C240101CHF100,', ':60M:C240101CHF90,')}`,
      'The page begins with 90, but the page before ended with 100',
    ],
    ['no opening balance', statement().replace(/:60F.*/, ''), 'no opening one'],
    [
      'a line without a currency',
      statement(':61:240115C1,NTRFR').replace(/:60F.*/, ''),
      'No balance before the line says its currency',
    ],
    [
      'the last page missing before another statement of the account',
      `${statement().replace(':62F:', ':62M:')}\n-\n${statement()}`,
      '5 :62M:: The statement ends with an intermediate balance (:62M:): its last page is missing.',
    ],
    ['a balance that is none', statement().replace('C240101CHF100,', 'X'), '"X" is not a balance'],
    ['an unknown field', statement(':99Z:X'), 'This is not a field of a customer statement.'],
  ])('%s', (_, text, detail) => {
    expect(problemsOf(readStatement(text)).join('\n')).toContain(detail);
  });
});

test('endless lines and fields end the file with a fault', () => {
  expect(() => readStatement(statement(`:86:${'x'.repeat(70_000)}`))).toThrow(
    'Line 5: A line is longer than 65536 characters.',
  );
  expect(() => readStatement(statement(`:86:${'x\n'.repeat(600)}`))).toThrow(
    'Line 5: The field has more than 500 lines.',
  );
});

test('a line whose tag is damaged is a problem, not part of the text before it', () => {
  for (const tag of [':6l:', ':61;', '::61:', ':1:', ':']) {
    const items = readStatement(statement(':61:240115C1,NTRFR', ':86:TEXT', `${tag}240116C2,NTRFR`));
    expect([tag, problemsOf(items).length]).toEqual([tag, 1]);
    expect(items.find((one) => one.item === 'entry')).toMatchObject({ comment: 'TEXT' });
  }
});

describe('fields with lines of more than 4,096 characters', () => {
  const statementWith = (...fields: readonly string[]): readonly StatementItem[] =>
    readStatement(
      [':20:A', ':25:555', ':28C:1/1', ':60F:C240131EUR1,', ...fields, ':62F:C240131EUR11,', '-'].join('\n'),
    );

  test('an amount that never ends is a problem of its line, and the entries around it are read', () => {
    const items = statementWith(`:61:240131C${'1'.repeat(60_000)}`, ':61:240131C10,NTRFNONREF');
    expect(items).toMatchObject([
      {
        item: 'problem',
        place: { line: 5, field: ':61:' },
        detail: 'The line has 60007 characters, and at most 4096 are read.',
      },
      { item: 'balance', moment: 'opening' },
      { item: 'entry', amount: '10', place: { line: 6 } },
      { item: 'balance', moment: 'closing' },
    ]);
  });

  test('details that are too long make a problem of their entry', () => {
    const items = statementWith(':61:240131C10,NTRFNONREF', ':86:Rent', 'x'.repeat(4_097), ':61:240131C20,NTRFNONREF');
    expect(items.filter(({ item }) => item !== 'balance')).toMatchObject([
      { item: 'problem', place: { line: 7, field: ':86:' } },
      { item: 'entry', amount: '20' },
    ]);
  });

  test('a line of 4,096 characters is read', () => {
    const items = statementWith(':61:240131C10,NTRFNONREF', `:86:${'x'.repeat(4_096)}`);
    expect(items.find(({ item }) => item === 'entry')).toMatchObject({ comment: 'x'.repeat(2_000) });
  });
});

test('a code that says nothing leaves the meaning to the title of the bank, if that is a word for income or costs', () => {
  const read = (title: string) =>
    readStatement(pages.replace('?00FOLGELASTSCHRIFT', `?00${title}`)).find(({ item }) => item === 'entry');
  expect(read('DEPOTGEBUEHR')).toMatchObject({ kind: 'fee', typeWord: 'DEPOTGEBUEHR' });
  expect(read('WERTPAPIERE')).toMatchObject({ kind: 'flow' });
  expect(read('FOLGELASTSCHRIFT')).not.toHaveProperty('byWord');
});
