import { describe, expect, test } from 'vitest';
import { checkDamage, findCutThatMatters } from '../../../tests/setup/statements/reader-laws.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';
import { openStatementReader, recogniseFormat } from '../recognise.ts';

const general = `:16R:GENL
:28E:1/ONLY
:20C::SEME//STMT0001
:23G:NEWM
:98A::STAT//20240131
:98C::PREP//20240201083000
:22F::SFRE//DAIL
:97A::SAFE//0835-1234567-01
:17B::ACTI//Y
:16S:GENL
`;

const holdings = `{1:F01BANKCHZZAXXX0000000000}{2:O5350830240201BANKCHZZAXXX00000000002402010831N}{4:
${general}:16R:SUBSAFE
:16R:FIN
:35B:ISIN CH0038863350
NESTLE SA
NAMEN-AKTIEN
:16R:FIA
:12A::CLAS/ISIT/ESVUFR
:11A::DENO//CHF
:16S:FIA
:90B::MRKT//ACTU/CHF98,45
:98A::PRIC//20240130
:93B::AGGR//UNIT/150,
:16R:SUBBAL
:93B::BLOK//UNIT/20,
:16S:SUBBAL
:19A::HOLD//CHF14767,5
:19A::BOOK//CHF12000,
:16S:FIN
:16R:FIN
:35B:/US/912828ZT0
UNITED STATES TREASURY 0.25% 31/05/25
:16R:FIA
:12C::CLAS//DBFTFR
:98A::MATU//20250531
:92A::INTR//0,25
:16S:FIA
:90A::MRKT//PRCT/94,75
:93B::AGGR//FAMT/N50000,
:19A::HOLD//NUSD47375,
:16S:FIN
:16S:SUBSAFE
-}`;

const transactions = `${general.replace(':98A::STAT//20240131\n', ':69A::STAT//20240101/20240131\n')}:16R:SUBSAFE
:97A::SAFE//SUB-7
:16R:FIN
:35B:ISIN CH0038863350
NESTLE SA
:93B::FIOP//UNIT/100,
:93B::FICL//UNIT/150,
:16R:TRAN
:16R:LINK
:20C::RELA//ORDER00001
:16S:LINK
:16R:TRANSDET
:36B::PSTA//UNIT/60,
:19A::PSTA//CHF5910,25
:22F::TRAN//SETT
:22H::REDE//RECE
:22H::PAYM//APMT
:98A::ESET//20240117
:98A::TRAD//20240115
:90B::DEAL//ACTU/CHF98,
:70E::TRDE//BOUGHT AT
SIX
:16S:TRANSDET
:16S:TRAN
:16R:TRAN
:16R:LINK
:20C::RELA//ORDER00002
:16S:LINK
:16R:TRANSDET
:36B::PSTA//UNIT/10,
:22H::REDE//DELI
:22H::PAYM//FREE
:98A::ESET//20240120
:16S:TRANSDET
:16S:TRAN
:16R:TRAN
:16R:LINK
:20C::RELA//ORDER00003
:16S:LINK
:16R:LINK
:20C::PREV//ORDER00002
:16S:LINK
:16R:TRANSDET
:36B::PSTA//UNIT/10,
:22H::REDE//RECE
:22H::PAYM//FREE
:98A::ESET//20240122
:25D::MOVE//REVE
:16S:TRANSDET
:16S:TRAN
:16R:TRAN
:16R:TRANSDET
:19A::PSTA//CHF450,
:22F::CAEV//DVCA
:22H::REDE//RECE
:22H::PAYM//APMT
:98A::ESET//20240125
:97A::CASH//CH9300762011623852957
:16S:TRANSDET
:16S:TRAN
:16S:FIN
:16S:SUBSAFE
-`;

const open = (text: string) => () => openStatementReader(recogniseFormat(text)!);
const nestle = { isin: 'CH0038863350', name: 'NESTLE SA' };

test('MT535 gives a position for each instrument, with its price, value and attributes', () => {
  expect(recogniseFormat(holdings)!.name).toBe('mt535');
  const shared = {
    item: 'position',
    account: { number: '0835-1234567-01' },
    statedAt: '2024-02-01T08:30:00Z',
    date: '2024-01-31',
  };
  expect(readStatement(holdings)).toEqual([
    {
      ...shared,
      place: { line: 13, field: 'FIN' },
      instrument: { isin: 'CH0038863350', name: 'NESTLE SA NAMEN-AKTIEN', type: 'stock', currency: 'CHF' },
      quantity: '150',
      price: '98.45',
      priceDate: '2024-01-30',
      currency: 'CHF',
      value: '14767.5',
      valueCurrency: 'CHF',
      cost: '12000',
    },
    {
      ...shared,
      place: { line: 30, field: 'FIN' },
      instrument: {
        cusip: '912828ZT0',
        name: 'UNITED STATES TREASURY 0.25% 31/05/25',
        type: 'bond',
        maturity: '2025-05-31',
        couponRate: '0.25',
      },
      quantity: '-50000',
      price: '94.75',
      value: '-47375',
      valueCurrency: 'USD',
    },
  ]);
});

test('MT536 gives what came in and went out, against payment or free, reversals, income, and the closing position', () => {
  expect(recogniseFormat(transactions)!.name).toBe('mt536');
  const account = { number: 'SUB-7' };
  const shared = {
    item: 'entry',
    status: 'booked',
    statedAt: '2024-02-01T08:30:00Z',
    statement: 'SUB-7/2024-01-31',
    instrument: nestle,
  };
  expect(readStatement(transactions)).toEqual([
    {
      ...shared,
      account,
      place: { line: 18, field: 'TRAN' },
      kind: 'trade',
      reference: 'ORDER00001',
      date: '2024-01-15',
      settlementDate: '2024-01-17',
      quantity: '60',
      amount: '-5910.25',
      currency: 'CHF',
      price: '98',
      comment: 'BOUGHT AT SIX',
      typeWord: 'SETT/RECE/APMT',
    },
    {
      ...shared,
      account,
      place: { line: 35, field: 'TRAN' },
      kind: 'flow',
      reference: 'ORDER00002',
      date: '2024-01-20',
      settlementDate: '2024-01-20',
      quantity: '-10',
      typeWord: 'DELI/FREE',
    },
    {
      ...shared,
      account,
      place: { line: 46, field: 'TRAN' },
      kind: 'flow',
      reference: 'ORDER00003',
      cancels: { reference: 'ORDER00002' },
      date: '2024-01-22',
      settlementDate: '2024-01-22',
      quantity: '10',
      typeWord: 'RECE/FREE',
    },
    {
      ...shared,
      account: { number: 'CH9300762011623852957' },
      depository: account,
      place: { line: 61, field: 'TRAN' },
      kind: 'dividend',
      date: '2024-01-25',
      settlementDate: '2024-01-25',
      amount: '450',
      currency: 'CHF',
      typeWord: 'DVCA/RECE/APMT',
    },
    {
      item: 'position',
      account,
      statedAt: '2024-02-01T08:30:00Z',
      place: { line: 13, field: 'FIN' },
      date: '2024-01-31',
      instrument: nestle,
      quantity: '150',
    },
  ]);
});

test('a statement that takes back another cancels its transactions, and its positions count no longer', () => {
  const cancelled = readStatement(transactions.replace(':23G:NEWM', ':23G:CANC'));
  expect(cancelled[0]).toMatchObject({ cancels: { reference: 'ORDER00001' } });
  expect(cancelled[0]).not.toHaveProperty('reference');
  const positions = readStatement(holdings.replace(':23G:NEWM', ':23G:CANC'));
  expect(positions.map(({ item }) => item)).toEqual(['problem', 'problem']);
});

describe('what cannot be understood is a problem with its place, and the rest is read', () => {
  test.each([
    [
      'a wrong check digit',
      holdings.replace('CH0038863350', 'CH0038863351'),
      '14 :35B:',
      'CH0038863351 is not an ISIN',
    ],
    [
      'no instrument',
      holdings.replace(/:35B:ISIN CH0038863350\nNESTLE SA\nNAMEN-AKTIEN\n/, ''),
      '13 :35B:',
      'field 35B is missing',
    ],
    ['no balance', holdings.replace(':93B::AGGR//UNIT/150,\n', ''), '13 :93B:', '93B::AGGR is missing'],
    ['a quantity that is none', holdings.replace('UNIT/150,', 'UNIT/many'), '23 :93B:', 'does not say a quantity'],
    [
      'no direction',
      transactions.replace(':22H::REDE//RECE\n', ''),
      '22 :22H:',
      'does not say whether it received or delivered',
    ],
    ['no date', transactions.replace(':98A::ESET//20240120\n', ''), '39 :98A:', '98A::ESET is missing'],
    ['a day that does not exist', transactions.replace('//20240120', '//20240230'), '43 :98A:', 'is not a date'],
    [
      'a block that is never closed',
      holdings.replace(':16S:FIA\n:90B', ':90B'),
      '28 :16S:',
      'Block FIA of line 17 is never closed',
    ],
    [
      'a block that never began',
      holdings.replace(':16R:FIA\n:12A', ':12A'),
      '19 :16S:',
      'Block FIA ends and never began',
    ],
    ['a cut-off file', holdings.slice(0, holdings.indexOf(':16S:FIN')), '', 'the file may be cut off'],
  ])('%s', (_, text, place, detail) => {
    const problems = readStatement(text).filter((one) => one.item === 'problem');
    expect(problems.map((one) => one.detail).join('\n')).toContain(detail);
    expect(problems.map((one) => `${one.place.line} ${one.place.field}`).join('\n')).toContain(place);
  });
});

test('a statement without holdings or transactions gives nothing', () => {
  expect(readStatement(general.replace('ACTI//Y', 'ACTI//N'))).toEqual([]);
});

test.each([
  ['MT535', holdings],
  ['MT536', transactions],
])('%s gives the same items wherever it is cut, and damage never crashes it', (_, text) => {
  expect(findCutThatMatters(open(text), text)).toBeUndefined();
  expect(() => checkDamage(open(text), text)).not.toThrow();
});

test('every damaged transaction is an item or a problem', () => {
  const wanted = transactions.match(/:16R:TRAN\n/g)!.length;
  for (const broken of ['PSTA', 'REDE', 'ESET', 'TRANSDET', 'RELA', 'PAYM']) {
    const items = readStatement(transactions.replaceAll(broken, 'XXXX'));
    expect(items.filter(({ item }) => item === 'entry' || item === 'problem').length).toBeGreaterThanOrEqual(wanted);
  }
});
