import { describe, expect, test } from 'vitest';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';
import { findCutThatMatters } from '../../../tests/setup/statements/reader-laws.ts';
import { openStatementReader, recogniseFormat } from '../recognise.ts';
import { readEntryDetails } from './entry-details.ts';
import { nearestDate, readLongDate, readLongMoment, readShortDate, readSwiftNumber } from './swift-values.ts';

// What banks and custodians may write for the same fact in MT940, MT942, MT535 and MT536.

describe('days and numbers', () => {
  test.each([
    ['800101', '1980-01-01'],
    ['791231', '2079-12-31'],
    ['000229', '2000-02-29'],
    ['010229', undefined],
    ['8001011', undefined],
  ])('%s is %s', (text, date) => {
    expect(readShortDate(text)).toBe(date);
  });

  test.each([
    ['20240131', '2024-01-31', '2024-01-31T00:00:00Z'],
    ['202401312359', undefined, undefined],
    ['20240131235959', '2024-01-31', '2024-01-31T23:59:59Z'],
    ['20240131235959,123', '2024-01-31', '2024-01-31T23:59:59Z'],
    ['20240131240000', '2024-01-31', undefined],
    ['20240131236000', '2024-01-31', undefined],
    ['20240131235960', '2024-01-31', undefined],
    ['2024013112', undefined, undefined],
    ['20240230', undefined, undefined],
  ])('%s is the day %s, and the moment %s', (text, date, moment) => {
    expect(readLongDate(text)).toBe(date);
    expect(readLongMoment(text)).toBe(moment);
  });

  test.each([
    ['0101', '2023-12-31', '2024-01-01'],
    ['1231', '2024-01-01', '2023-12-31'],
    ['0702', '2024-01-01', '2024-07-02'],
    ['0703', '2023-01-01', '2022-07-03'],
    ['1301', '2024-01-01', undefined],
    ['131', '2024-01-01', undefined],
  ])('%s nearest to %s is %s', (monthAndDay, to, date) => {
    expect(nearestDate(monthAndDay, to as never)).toBe(date);
  });

  test.each([
    ['1234,5', '1234.5'],
    ['1234,', '1234'],
    ['1234.', '1234'],
    ['0,05', '0.05'],
    [',5', undefined],
    ['1.234,5', undefined],
    ['-1', undefined],
  ])('%s is %s', (text, value) => {
    expect(readSwiftNumber(text)).toBe(value);
  });
});

describe('information about a line', () => {
  test.each([
    ['the first and the last purposes', '166?19A?20B?29C?30D?59E?60F?63G?64H', { germanCode: '166', text: 'BCFG' }],
    ['a name over two subfields', '166?32Muster?33 AG?34X', { germanCode: '166', text: 'Muster AG' }],
    ['a title with spaces', '166?00 Gutschrift ?20X', { germanCode: '166', title: 'Gutschrift', text: 'X' }],
    ['an empty title', '166?00 ?20X', { germanCode: '166', text: 'X' }],
    ['nothing but a name', '166?32Muster  AG', { germanCode: '166', text: 'Muster AG' }],
    ['separators in a row', '166?20A??20B', { germanCode: '166', text: 'AB' }],
    ['a code and words', '166 RENT', { germanCode: '166', text: 'RENT' }],
    ['a code alone', '166', { text: '166' }],
    ['four digits', '1664 RENT', { text: '1664 RENT' }],
    [
      'every code of SEPA',
      '166?20EREF+1KREF+2MREF+3CRED+4DEBT+5COAM+6OAMT+7ABWA+8ABWE+9BIC+10IBAN+11',
      {
        germanCode: '166',
        text: 'EREF 1 KREF 2 MREF 3 CRED 4 DEBT 5 COAM 6 OAMT 7 ABWA 8 ABWE 9 BIC 10 IBAN 11',
      },
    ],
    ['a purpose among them', '166?20before EREF+1SVWZ+Rent', { germanCode: '166', text: 'Rent' }],
    ['words between slashes', '/BENM/Ada/ORDP/Bob/REMI/Rent/USTD/May', { text: 'Ada, Bob, Rent, May' }],
    ['the other party before the purpose', '/REMI/Rent/NAME/Ada', { text: 'Ada, Rent' }],
    ['slashes without words that are known', '/ABCD/Rent/May', { text: 'ABCD Rent May' }],
    ['only words that say nothing to people', '/TRTP/SEPA/EREF/1', { text: 'TRTP SEPA EREF 1' }],
    ['an empty value', '/NAME//REMI/Rent', { text: 'Rent' }],
  ])('in %s', (_, text, details) => {
    expect(readEntryDetails([text])).toEqual(details);
  });

  test('that is empty says nothing', () => {
    for (const lines of [[], [''], [' ', '']]) expect(readEntryDetails(lines)).toEqual({ text: '' });
  });
});

const header = '{1:F01BANKCHZZAXXX0000000000}{2:I535BANKCHZZAXXXN}{4:\n';

interface Securities {
  readonly general?: string;
  readonly instrument?: string;
  /** In `FIN`, after the instrument. */
  readonly fin?: string;
}

const generalFields = ':28E:1/ONLY\n:23G:NEWM\n:98A::STAT//20240131\n:97A::SAFE//D-1\n';

function securities({
  general = generalFields,
  instrument = ':35B:ISIN CH0038863350\n',
  fin = '',
}: Securities): string {
  return `${header}:16R:GENL\n${general}:16S:GENL\n:16R:FIN\n${instrument}${fin}:16S:FIN\n-}`;
}

const firstOf = (statement: Securities) => readStatement(securities(statement))[0];
const units = ':93B::AGGR//UNIT/10,\n';
const attributes = (fields: string): string => `:16R:FIA\n${fields}:16S:FIA\n`;

describe('the instrument of a holding', () => {
  test.each([
    ['an ISIN', ':35B:ISIN CH0038863350\n', { isin: 'CH0038863350' }],
    ['an ISIN without a space', ':35B:ISINCH0038863350\n', { isin: 'CH0038863350' }],
    ['an ISIN in small letters', ':35B:isin ch0038863350\n', { isin: 'CH0038863350' }],
    ['a CUSIP', ':35B:/US/912828ZT0\n', { cusip: '912828ZT0' }],
    ['a SEDOL', ':35B:/GB/0540528\n', { sedol: '0540528' }],
    ['a ticker', ':35B:/TS/AAPL\n', { ticker: 'AAPL' }],
    ['a national number', ':35B:/CH/3886335\n', { custodianCode: '3886335' }],
    ['the first of two national numbers', ':35B:/CH/1\n/DE/2\n', { custodianCode: '1' }],
    [
      'everything at once',
      ':35B:ISIN CH0038863350\n/CH/3886335\nNESTLE  SA\n NAMEN \n',
      { isin: 'CH0038863350', custodianCode: '3886335', name: 'NESTLE SA NAMEN' },
    ],
    ['a name alone', ':35B:NESTLE\n', { name: 'NESTLE' }],
  ])('is %s', (_, instrument, expected) => {
    expect((firstOf({ instrument, fin: units }) as { instrument: object }).instrument).toEqual(expected);
  });

  test('that is nothing is a problem', () => {
    expect(firstOf({ instrument: ':35B:\n', fin: units })).toMatchObject({
      item: 'problem',
      detail: 'The field names no instrument: neither an ISIN nor a description.',
    });
  });

  test.each([
    [':12A::CLAS/ISIT/ESVUFR\n', { type: 'stock' }],
    [':12C::CLAS//DBFTFR\n', { type: 'bond' }],
    [':12C::CLAS//CIOIES\n', { type: 'fund' }],
    [':12C::CLAS//OCASPS\n', { type: 'option' }],
    [':12C::CLAS//FFICSX\n', {}],
    [':12C::CLAS//ESVUF\n', {}],
    [':94B::PLIS//EXCH/XSWX\n', { mic: 'XSWX' }],
    [':94B::PLIS//OTCO\n', {}],
    [':11A::DENO//CHF\n', { currency: 'CHF' }],
    [':11A::DENO//FRANC\n', {}],
    [':98A::MATU//20300515\n', { maturity: '2030-05-15' }],
    [':92A::INTR//2,5\n', { couponRate: '2.5' }],
  ])('has the attributes of %s', (fields, expected) => {
    expect((firstOf({ fin: attributes(fields) + units }) as { instrument: object }).instrument).toEqual({
      isin: 'CH0038863350',
      ...expected,
    });
  });
});

describe('a holding', () => {
  test.each([
    [':93B::AGGR//UNIT/10,\n:93B::FICL//UNIT/11,\n', { quantity: '10' }],
    [':93B::FICL//UNIT/11,\n', { quantity: '11' }],
    [':93B::INCL//UNIT/12,\n', { quantity: '12' }],
    [':93B::AGGR//UNIT/N10,\n', { quantity: '-10' }],
    [`${units}:90B::INDC//ACTU/CHF98,\n:90B::MRKT//ACTU/USD99,\n`, { price: '99', currency: 'USD' }],
    [`${units}:90B::INDC//ACTU/CHF98,\n`, { price: '98', currency: 'CHF' }],
    [`${attributes(':11A::DENO//CHF\n')}${units}:90A::MRKT//PRCT/94,75\n`, { price: '94.75', currency: 'CHF' }],
    [`${units}:19A::HOLP//CHF1,\n:19A::HOLD//CHF2,\n`, { value: '2', valueCurrency: 'CHF' }],
    [`${units}:19A::HOLS//CHF3,\n:19A::HOLP//CHF1,\n`, { value: '1' }],
    [`${units}:19A::HOLS//NCHF3,\n`, { value: '-3' }],
    [`${units}:19A::COST//CHF5,\n`, { cost: '5' }],
    [`${units}:19A::COST//CHF5,\n:19A::BOOK//CHF4,\n`, { cost: '4' }],
  ])('says %j: %j', (fin, expected) => {
    expect(firstOf({ fin })).toMatchObject({ item: 'position', ...expected });
  });

  test.each([
    [':98A::STAT//20240131\n', '2024-01-31'],
    [':98C::STAT//20240131120000\n', '2024-01-31'],
    [':69A::STAT//20240101/20240131\n', '2024-01-31'],
    [':69B::STAT//20240101000000/20240131235959\n', '2024-01-31'],
  ])('is of the day of %j', (day, date) => {
    expect(firstOf({ general: `${day}:97A::SAFE//D-1\n`, fin: units })).toMatchObject({ item: 'position', date });
  });

  test('without a day is a problem', () => {
    expect(firstOf({ general: ':97A::SAFE//D-1\n', fin: units })).toMatchObject({
      item: 'problem',
      detail: 'The statement does not say its day: 98A::STAT or 69A::STAT.',
    });
  });

  test.each([
    [':97A::SAFE//D-1\n', 'D-1'],
    [':97B::SAFE/UBSW/IBAN/CH93\n', 'CH93'],
    [':97B::SAFE//IBAN/CH93/7\n', 'CH93/7'],
  ])('is in the account of %j', (account, number) => {
    expect(firstOf({ general: `:98A::STAT//20240131\n${account}`, fin: units })).toMatchObject({ account: { number } });
  });

  test('is in no account where none is stated', () => {
    expect(firstOf({ general: ':98A::STAT//20240131\n', fin: units })).not.toHaveProperty('account');
  });
});

describe('a transaction', () => {
  const transaction = (details: string, links = '') =>
    `:16R:TRAN\n${links}:16R:TRANSDET\n${details}:16S:TRANSDET\n:16S:TRAN\n`;
  const received = ':36B::PSTA//UNIT/10,\n:22H::REDE//RECE\n:22H::PAYM//APMT\n';
  const settled = ':98A::ESET//20240117\n';
  const paid = ':19A::PSTA//CHF100,\n';
  const readTransaction = (details: string, links = '', general = generalFields) =>
    firstOf({ general, fin: transaction(details, links) });

  test.each([
    [
      'settled goes before to be settled',
      `${received}:98A::SETT//20240118\n${settled}`,
      { date: '2024-01-17', settlementDate: '2024-01-17' },
    ],
    ['to be settled', `${received}:98A::SETT//20240118\n`, { date: '2024-01-18', settlementDate: '2024-01-18' }],
    ['traded alone', `${received}:98A::TRAD//20240115\n`, { date: '2024-01-15' }],
    [
      'a deal goes before its execution',
      `${received}${settled}:90B::EXEC//ACTU/CHF97,\n:90B::DEAL//ACTU/CHF98,\n`,
      { price: '98' },
    ],
    ['an execution', `${received}${settled}:90B::EXEC//ACTU/CHF97,\n`, { price: '97' }],
    ['accrued interest', `${received}${settled}:19A::ACRU//CHF1,5\n`, { accruedInterest: '1.5' }],
    ['a comment over lines', `${received}${settled}:70E::TRDE//BOUGHT\n AT SIX\n`, { comment: 'BOUGHT AT SIX' }],
    ['a purchase', `${received}${settled}${paid}`, { kind: 'trade', quantity: '10', amount: '-100', currency: 'CHF' }],
    [
      'a sale',
      `${received.replace('RECE', 'DELI')}${settled}${paid}`,
      { kind: 'trade', quantity: '-10', amount: '100' },
    ],
    ['cash that came alone', `:22H::REDE//RECE\n${settled}${paid}`, { kind: 'flow', amount: '100', typeWord: 'RECE' }],
    ['cash that went alone', `:22H::REDE//DELI\n${settled}${paid}`, { kind: 'flow', amount: '-100', typeWord: 'DELI' }],
    [
      'a coupon, whose units are those it is paid for',
      `${received}${settled}${paid}:22F::CAEV//INTR\n`,
      { kind: 'coupon', amount: '100', typeWord: 'INTR/RECE/APMT' },
    ],
    [
      'a dividend that is taken back',
      `${received.replace('RECE', 'DELI')}${settled}${paid}:22F::CAEV//DVCA\n`,
      { kind: 'dividend', amount: '-100' },
    ],
    [
      'a redemption',
      `${received.replace('RECE', 'DELI')}${settled}${paid}:22F::CAEV//REDM\n`,
      { kind: 'redemption', quantity: '-10', amount: '100' },
    ],
    [
      'an event that nobody knows',
      `${received}${settled}${paid}:22F::CAEV//XXXX\n`,
      { kind: 'trade', typeWord: 'XXXX/RECE/APMT' },
    ],
    [
      'the type of its settlement',
      `${received}${settled}:22F::TRAN//SETT\n:22F::SETR//TRAD\n`,
      { typeWord: 'TRAD/RECE/APMT' },
    ],
  ])('%s', (_, details, expected) => {
    expect(readTransaction(details)).toMatchObject({ item: 'entry', ...expected });
  });

  test('of income has no units, and a free one no cash', () => {
    expect(readTransaction(`${received}${settled}${paid}:22F::CAEV//INTR\n`)).not.toHaveProperty('quantity');
    const free = readTransaction(`${received.replace('APMT', 'FREE')}${settled}${paid}`);
    expect(free).toMatchObject({ kind: 'flow', quantity: '10' });
    for (const name of ['amount', 'currency']) expect(free).not.toHaveProperty(name);
  });

  test.each([
    ['neither units nor cash', `:22H::REDE//RECE\n${settled}`, 'The transaction has neither a quantity nor an amount.'],
    ['no day', received, 'The transaction has no date: 98A::ESET is missing.'],
  ])('with %s is a problem', (_, details, detail) => {
    expect(readTransaction(details)).toMatchObject({ item: 'problem', detail });
  });

  test('without details, or in no instrument, is a problem', () => {
    expect(firstOf({ fin: ':16R:TRAN\n:16S:TRAN\n' })).toMatchObject({
      item: 'problem',
      detail: 'The transaction has no details: block TRANSDET is missing.',
    });
    const outside = securities({}).replace(/:16R:FIN\n[^]*:16S:FIN\n/, transaction(received + settled));
    expect(readStatement(outside)[0]).toMatchObject({
      item: 'problem',
      detail: expect.stringContaining('(TRAN) is in no block FIN'),
    });
  });

  test('has the first reference that says something, in the order of what is the custodian’s own', () => {
    const names = ['ASRF', 'RELA', 'TRRF', 'MITI', 'PCTI', 'CORP', 'COMM'];
    const link = (name: string, reference: string) => `:16R:LINK\n:20C::${name}//${reference}\n:16S:LINK\n`;
    for (const [index, name] of names.entries()) {
      const others = names.slice(index + 1).map((other) => link(other, 'LATER'));
      const before = names.slice(0, index).map((other) => link(other, 'NONREF'));
      const links = [...others, link(name, 'OWN'), ...before].join('');
      expect(readTransaction(received + settled, links)).toMatchObject({ reference: 'OWN' });
    }
  });

  test('that takes back another names it', () => {
    const reversal = `${received}${settled}:25D::MOVE//REVE\n`;
    const link = (name: string, reference: string) => `:16R:LINK\n:20C::${name}//${reference}\n:16S:LINK\n`;
    const back = readTransaction(reversal, link('RELA', 'B') + link('PREV', 'A'));
    expect(back).toMatchObject({ reference: 'B', cancels: { reference: 'A' } });
    for (const links of [link('RELA', 'A'), link('RELA', 'A') + link('PREV', 'A')]) {
      const own = readTransaction(reversal, links);
      expect(own).toMatchObject({ cancels: { reference: 'A' } });
      expect(own).not.toHaveProperty('reference');
    }
    expect(readTransaction(reversal)).toMatchObject({ cancels: 'same-content' });
  });

  test('pays from the account that it names, in a block below too, or else from that of the statement', () => {
    const withCash = `${generalFields}:97A::CASH//C-0\n`;
    const own = ':97A::CASH//C-1\n';
    const below = `:16R:AMT\n${own.replace('1', '2')}:16S:AMT\n`;
    const accountsOf = (details: string, general: string) => {
      const entry = readTransaction(received + settled + details, '', general) as {
        account?: object;
        depository?: object;
      };
      return [entry.account, entry.depository];
    };
    const depot = { number: 'D-1' };
    expect(accountsOf('', generalFields)).toEqual([depot, undefined]);
    expect(accountsOf('', withCash)).toEqual([{ number: 'C-0' }, depot]);
    expect(accountsOf(own + below, withCash)).toEqual([{ number: 'C-1' }, depot]);
    expect(accountsOf(below, withCash)).toEqual([{ number: 'C-2' }, depot]);
  });

  test.each([
    ['the account and the last day', generalFields, 'D-1/2024-01-31'],
    ['the account', generalFields.replace(/:98A.*\n/, ''), 'D-1'],
    ['the last day', generalFields.replace(/:97A.*\n/, ''), '2024-01-31'],
    ['nothing', ':28E:1/ONLY\n:23G:NEWM\n', undefined],
  ])('is in a statement that is named by %s', (_, general, statement) => {
    const entry = readTransaction(received + settled, '', general);
    expect(entry).toMatchObject({ item: 'entry', quantity: '10' });
    expect((entry as { statement?: string }).statement).toBe(statement);
  });

  test('shares the references of its statement over all pages, and not with another statement of the account', () => {
    const link = ':16R:LINK\n:20C::RELA//R\n:16S:LINK\n';
    const page = (number: string) =>
      securities({ general: generalFields.replace('1/ONLY', number), fin: transaction(received + settled, link) });
    const referencesOf = (...pages: readonly string[]) =>
      readStatement(pages.map(page).join('\n')).map((item) => (item.item === 'entry' ? item.reference : item.item));
    expect(referencesOf('00001/MORE', '00002/LAST')).toEqual(['R', 'R#2']);
    expect(referencesOf('1/ONLY', '1/ONLY')).toEqual(['R', 'R']);
    expect(referencesOf('11/MORE', '12/LAST')).toEqual(['R', 'R#2']);
  });
});

describe('blocks', () => {
  const nested = (depth: number) =>
    securities({
      fin: `${Array.from({ length: depth }, () => ':16R:SUBBAL\n').join('')}${Array.from({ length: depth }, () => ':16S:SUBBAL\n').join('')}${units}`,
    });

  test('may be nested in up to twenty levels', () => {
    expect(readStatement(nested(19)).map(({ item }) => item)).toEqual(['position']);
    expect(readStatement(nested(20))[0]).toMatchObject({
      item: 'problem',
      detail: 'Blocks are nested deeper than 20 levels.',
    });
  });

  test('may have up to ten thousand fields', () => {
    const fields = (count: number) => `${units}${':70E::HOLD//X\n'.repeat(count)}`;
    // With the instrument and the units.
    expect(readStatement(securities({ fin: fields(9_998) })).map(({ item }) => item)).toEqual(['position']);
    expect(readStatement(securities({ fin: fields(9_999) }))[0]).toMatchObject({
      item: 'problem',
      detail: 'A block has more than 10000 fields.',
    });
  });

  test.each([
    [':93B::AGGR//UNIT/10,', true],
    [':20C::SEME//1', true],
    [':19A::HOLD//CHF1,', true],
    [':35B:ISIN CH0038863350', true],
    [':36B::PSTA//UNIT/1,', true],
    [':70E::HOLD//X', false],
  ])('around %s are needed: %s', (field, isNeeded) => {
    const items = readStatement(securities({ fin: units }).replace(':16R:FIN', `${field}\n:16R:FIN`));
    const problem = { item: 'problem', detail: 'The field is in no block (:16R:).' };
    expect(items).toMatchObject([...(isNeeded ? [problem] : []), { item: 'position' }]);
  });

  test('of an instrument come after the general information', () => {
    const text = securities({ fin: units }).replace(/:16R:GENL[^]*:16S:GENL\n/, '');
    expect(readStatement(text)).toMatchObject([
      { item: 'problem', detail: 'The message has no general information (GENL) before it.' },
    ]);
  });
});

describe('the blocks around a message', () => {
  const bare = (...lines: readonly string[]) => [':20:X', ':25:CH93', ':28C:1', ...lines].join('\n');
  const balances = [':60F:C240101CHF100,', ':61:240115C1,NTRFR', ':62F:C240131CHF101,'];

  test.each([
    ['a message that was sent', '{1:F01BANKCHZZAXXX0000000000}{2:I940BANKCHZZAXXXN}{4:', undefined],
    [
      'a message that was delivered',
      '{1:F01BANKCHZZAXXX0000000000}{2:O9401157240201BANKDEFFAXXX00000000002402011157N}{4:',
      '2024-02-01T11:57:00Z',
    ],
    ['a control character before it', '\u0001{1:F01BANKCHZZAXXX0000000000}{2:I940BANKCHZZAXXXN}{4:', undefined],
  ])('%s', (_, start, statedAt) => {
    const items = readStatement(`${start}\n${bare(...balances)}\n-}`);
    expect(items.map(({ item }) => item)).toEqual(['balance', 'entry', 'balance']);
    expect((items[0] as { statedAt?: string }).statedAt).toBe(statedAt);
  });

  test('may have the first field on their line', () => {
    const text = `{1:F01BANKCHZZAXXX0000000000}{2:I940BANKCHZZAXXXN}{4:${bare(...balances)}\n-}`;
    expect(readStatement(text).map(({ item }) => item)).toEqual(['balance', 'entry', 'balance']);
    expect(findCutThatMatters(() => openStatementReader(recogniseFormat(text)!), text)).toBeUndefined();
  });

  test('may stand on lines of their own', () => {
    const inOne = securities({ fin: units });
    const text = inOne.replaceAll('}{', '}\n{').replace('{4:\n', '{4:');
    const [position, ...others] = readStatement(inOne);
    expect(position!.item).toBe('position');
    expect(readStatement(text)).toEqual(
      [position!, ...others].map((item) => ({ ...item, place: { ...item.place, line: item.place.line + 1 } })),
    );
  });

  test('tell a report within the day, which needs no closing balance', () => {
    const lines = bare(':60F:C240101CHF100,', ':61:240115C1,NTRFR');
    const itemsOf = (type: string) =>
      readStatement(`{1:F01BANKCHZZAXXX0000000000}{2:I${type}BANKCHZZAXXXN}{4:\n${lines}\n-}`).map(({ item }) => item);
    expect(itemsOf('942')).toEqual(['balance', 'entry']);
    expect(itemsOf('940')).toEqual(['balance', 'entry', 'problem']);
  });
});

describe('a customer statement', () => {
  const read = (...lines: readonly string[]) => readStatement([':20:X', ':25:CH93', ':28C:1/1', ...lines].join('\n'));

  test.each([
    ['62F:D240131CHF100,', '-100'],
    ['62F:C240131CHF100,', '100'],
  ])('closes in credit or debit: %s', (closing, amount) => {
    expect(read(':60F:C240101CHF100,', `:${closing}`).at(-1)).toMatchObject({ moment: 'closing', amount });
  });

  test.each(['X240131CHF100,', 'C240231CHF100,', 'C240131CHX100,', 'C240131CHF', 'C240131CHF1.0,0'])(
    'has no balance in %s',
    (closing) => {
      const detail = `"${closing}" is not a balance: C or D, date, currency and amount.`;
      expect(read(':60F:C240101CHF100,', `:62F:${closing}`)).toContainEqual(
        expect.objectContaining({ item: 'problem', detail }),
      );
    },
  );

  test.each([
    ['before the first entry, where nothing happened since', ':61:240115C1,NTRFR', '2024-01-15'],
    ['on its own day, where the first entry is earlier', ':61:2312150101C1,NTRFR', '2024-01-02'],
  ])('opens %s', (_, line, date) => {
    expect(read(':60F:C240102CHF100,', line, ':62F:C240131CHF101,')[0]).toMatchObject({ moment: 'opening', date });
  });

  test.each([
    [':25:/CH93', { number: 'CH93' }],
    [':25:BANK/', undefined],
    [':25:CH93 EUR', { number: 'CH93', currency: 'EUR' }],
    [':25:CH93XXQ', { number: 'CH93XXQ' }],
    [':25P:BANK/CH93', { number: 'CH93', institution: 'BANK' }],
    [':25:BANK/CH93\nBANKCHZZ', { number: 'CH93', institution: 'BANK' }],
  ])('is of the account in %j', (field, account) => {
    const [first] = readStatement(`:20:X\n${field}\n:28C:1/1\n:60F:C240101CHF100,\n:62F:C240131CHF100,`);
    expect(first?.account).toEqual(account);
    expect(first?.item).toBe(account === undefined ? 'problem' : 'balance');
  });

  test('without a balance before its lines does not say their currency', () => {
    expect(read(':61:240115C1,NTRFR')).toMatchObject([
      { item: 'problem', detail: 'No balance before the line says its currency.' },
    ]);
  });

  test('that only closes is a problem', () => {
    expect(read(':62F:C240131CHF100,')).toMatchObject([
      { item: 'problem', detail: 'The statement has a closing balance and no opening one (:60F:).' },
    ]);
  });

  test('passes over what says nothing that is booked', () => {
    const silent = [
      ':21:A',
      ':64:C240131CHF1,',
      ':65:C240131CHF1,',
      ':86:X',
      ':90D:1CHF1,',
      ':90C:1CHF1,',
      ':NS:X',
      ':13:X',
      ':37:X',
      ':12:940',
      ':77E:X',
      ':79:X',
    ];
    expect(read(':60F:C240131CHF1,', ...silent, ':62F:C240131CHF1,').map(({ item }) => item)).toEqual([
      'balance',
      'balance',
    ]);
  });

  test.each([
    ['seven', '1234567', '2024-01-15/1234567'],
    ['eight', '12345678', '12345678'],
  ])('has a reference of the bank of %s characters: shorter ones count within their day', (_, text, reference) => {
    expect(read(':60F:C240101CHF1,', `:61:240115C1,NTRFX//${text}`)).toContainEqual(
      expect.objectContaining({ reference }),
    );
  });

  test.each([
    ['2401150930+0100', '2024-01-15T08:30:00.000Z'],
    ['2401150930-0530', '2024-01-15T15:00:00.000Z'],
    ['2401152530+0100', undefined],
    ['240115', undefined],
  ])('was made at %s', (moment, statedAt) => {
    const [first] = read(':34F:CHFD5,', `:13D:${moment}`, ':61:240115C1,NTRFR');
    expect((first as { statedAt?: string }).statedAt).toBe(statedAt);
  });

  test.each(['CH', 'XXQ0,'])('has no floor limit in %s', (limit) => {
    expect(read(`:34F:${limit}`, ':61:240115C1,NTRFR')[0]).toMatchObject({
      item: 'problem',
      detail: `"${limit}" does not begin with a currency.`,
    });
  });
});
