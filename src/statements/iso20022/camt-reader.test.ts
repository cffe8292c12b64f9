import { describe, expect, test } from 'vitest';
import type { StatementEntry } from '../../model/custody/statement.ts';
import {
  CamtText,
  sampleAccount,
  type CamtEntryText,
  type CamtStatementText,
} from '../../../tests/setup/statements/camt-text.ts';
import { readStatement } from '../../../tests/setup/statements/read-statement.ts';

const text = new CamtText({ version: 8 });
const account = { number: 'CH9300762011623852957', currency: 'CHF' };
const statedAt = '2024-03-02T04:30:00.000Z';

const read = (statement: CamtStatementText) => readStatement(text.document([statement]));
const readEntry = (entry: CamtEntryText) => read({ entries: [text.entry(entry)] })[0] as StatementEntry;
const balancesOf = (balances: readonly string[], from?: string) =>
  read({ balances, ...(from && { from }) }).map((item) =>
    item.item === 'balance' ? [item.moment, item.date, item.amount] : item,
  );

describe('every version from 02 to 13', () => {
  const versions = Array.from({ length: 12 }, (_, index) => index + 2);
  test.each(
    versions.flatMap((version) => [
      { version, message: 'camt.053' as const },
      { version, message: 'camt.052' as const },
    ]),
  )('$message.001.$version says the same', (shape) => {
    const writer = new CamtText(shape);
    const counterparty = { name: 'Muster AG', iban: 'DE89370400440532013000', role: 'Cdtr' as const };
    const isin = '<FinInstrmId><ISIN>CH0012032048</ISIN></FinInstrmId>';
    const document = writer.document([
      {
        balances: [writer.balance('OPBD', '1000.00', '2024-03-01'), writer.balance('CLBD', '599.50', '2024-03-01')],
        entries: [
          writer.entry({
            direction: 'DBIT',
            valued: '2024-03-04',
            reference: 'A-1',
            code: 'PMNT/ICDT/ESCT',
            details: writer.detail({ amount: '100.00', counterparty, remittance: 'Invoice 7' }),
          }),
          writer.entry({
            amount: '300.50',
            direction: 'DBIT',
            reference: 'A-2',
            code: 'SECU/SETT/TRAD',
            details: writer.detail({
              amount: '300.50',
              charges: '0.50',
              rest: `<RltdDts><TradDt>2024-02-28</TradDt></RltdDts><RltdQties><Qty><Unit>3</Unit></Qty></RltdQties>${isin}`,
            }),
          }),
          writer.entry({ status: 'PDNG', reference: 'A-3' }),
        ],
      },
    ]);
    const statement = 'CH9300762011623852957/CHF/S-1';
    const base = { account, statedAt, statement, currency: 'CHF', status: 'booked', item: 'entry' };
    const balance = {
      item: 'balance',
      account,
      statedAt,
      currency: 'CHF',
      date: '2024-03-01',
      statement,
    };
    expect(readStatement(document).map((item) => ({ ...item, place: undefined }))).toEqual([
      { ...balance, moment: 'opening', amount: '1000' },
      { ...balance, moment: 'closing', amount: '599.5' },
      {
        ...base,
        kind: 'flow',
        reference: 'A-1',
        date: '2024-03-01',
        settlementDate: '2024-03-04',
        amount: '-100',
        comment: 'Muster AG\nDE89370400440532013000\nInvoice 7',
        typeWord: 'PMNT/ICDT/ESCT',
      },
      {
        ...base,
        kind: 'trade',
        reference: 'A-2',
        date: '2024-02-28',
        amount: '-300.5',
        fees: '0.5',
        quantity: '3',
        instrument: { isin: 'CH0012032048' },
        typeWord: 'SECU/SETT/TRAD',
      },
      { ...base, status: 'pending', kind: 'flow', reference: 'A-3', date: '2024-03-01', amount: '100' },
    ]);
  });
});

describe('the kind of an entry follows the code of the bank', () => {
  const [debit, credit] = ['DBIT', 'CRDT'];
  test.each([
    ['PMNT/RCDT/ESCT', credit, 'flow'],
    ['PMNT/CCRD/POSP', debit, 'flow'],
    ['ACMT/MDOP/CHRG', debit, 'fee'],
    ['ACMT/MDOP/COMM', debit, 'fee'],
    ['ACMT/MCOP/CHRG', credit, 'fee'],
    ['ACMT/MCOP/INTR', credit, 'interest'],
    ['ACMT/MDOP/INTR', debit, 'interest'],
    ['LDAS/FTDP/INTR', credit, 'interest'],
    ['SECU/CUST/DVCA', credit, 'dividend'],
    ['SECU/CUST/DVCA', debit, 'dividend'],
    ['SECU/CUST/INTR', credit, 'coupon'],
    ['SECU/CUST/REDM', credit, 'redemption'],
    ['SECU/CUST/CHRG', debit, 'fee'],
    ['SECU/CUST/constructor', debit, 'flow'],
    ['SECU/SETT/TRAD', debit, 'trade'],
    ['SECU/SETT/SUBS', debit, 'trade'],
    ['FORX/SPOT/OTHR', debit, 'flow'],
  ])('%s %s: %s', (code, direction, kind) => {
    expect(readEntry({ code, direction: direction! })).toMatchObject({ kind, typeWord: code });
  });

  test.each([
    ['NCHG', 'fee'],
    ['NTRF+166+0001', 'flow'],
    ['NMSC+808+0001', 'fee'],
    ['SINT', 'interest'],
    ['ZINSEN', 'interest'],
    ['Custody charges', 'fee'],
    ['house code 17', 'flow'],
  ])('the proprietary code %s: %s', (proprietaryCode, kind) => {
    expect(readEntry({ direction: 'DBIT', proprietaryCode })).toMatchObject({ kind, typeWord: proprietaryCode });
    expect(readEntry({ direction: 'DBIT', proprietaryCode, code: 'XTND/NTAV/NTAV' })).toMatchObject({
      kind,
      typeWord: proprietaryCode,
    });
  });

  test('a tax is a fee of its own category', () => {
    expect(readEntry({ direction: 'DBIT', code: 'ACMT/MDOP/TAXE' })).toMatchObject({ kind: 'fee', category: 'tax' });
  });

  test('the code of the detail goes before that of the entry', () => {
    const details =
      '<TxDtls><BkTxCd><Domn><Cd>SECU</Cd><Fmly><Cd>CUST</Cd><SubFmlyCd>DVCA</SubFmlyCd></Fmly></Domn></BkTxCd></TxDtls>';
    expect(readEntry({ code: 'PMNT/RCDT/OTHR', details })).toMatchObject({ kind: 'dividend' });
  });
});

describe('an instrument', () => {
  test('is found by the ISIN in the text of an income', () => {
    expect(readEntry({ code: 'SECU/CUST/DVCA', note: 'DIVIDEND NESTLE CH0038863350 EX 12.04.' })).toMatchObject({
      instrument: { isin: 'CH0038863350' },
    });
  });

  test.each([
    ['a wrong check digit', 'SECU/CUST/DVCA', 'CH0038863351'],
    ['two different codes', 'SECU/CUST/DVCA', 'CH0038863350 CH0012032048'],
    ['a payment', 'PMNT/RCDT/ESCT', 'CH0038863350'],
  ])('is not taken from the text with %s', (_, code, note) => {
    expect(readEntry({ code, note })).not.toHaveProperty('instrument');
  });

  test('may have other identifiers', () => {
    const others =
      '<OthrId><Id>B0YBKJ7</Id><Tp><Cd>SEDL</Cd></Tp></OthrId><OthrId><Id>213768</Id><Tp><Prtry>VALOR</Prtry></Tp></OthrId>';
    const rest = `<FinInstrmId>${others}<Desc>Tesco</Desc></FinInstrmId>`;
    expect(readEntry({ code: 'SECU/CUST/DVCA', details: text.detail({ rest }) }).instrument).toEqual({
      sedol: 'B0YBKJ7',
      custodianCode: '213768',
      name: 'Tesco',
    });
  });
});

describe('a batch', () => {
  const batch = (amounts: readonly string[], references: readonly string[] = []) =>
    read({
      entries: [
        text.entry({
          amount: '30.00',
          reference: 'B-1',
          details: amounts
            .map((amount, index) =>
              text.detail({ amount, remittance: `part ${index + 1}`, reference: references[index] ?? '' }),
            )
            .join(''),
        }),
      ],
    }).map((item) => (item.item === 'entry' ? [item.reference, item.amount, item.comment] : item));

  test('whose details add up gives an entry for each', () => {
    expect(batch(['10.00', '20.00'])).toEqual([
      ['B-1/1', '10', 'part 1'],
      ['B-1/2', '20', 'part 2'],
    ]);
    expect(batch(['10.00', '20.00'], ['X', 'Y']).map(([reference]: any) => reference)).toEqual(['X', 'Y']);
  });

  test('whose details do not add up, or state no amounts, is one entry', () => {
    expect(batch(['10.00', '19.99'])).toEqual([['B-1', '30', undefined]]);
    expect(batch(['', ''])).toEqual([['B-1', '30', undefined]]);
  });
});

describe('references', () => {
  test('that several entries of a statement share are told apart', () => {
    const items = read({
      entries: [text.entry({ reference: 'R' }), text.entry({ reference: 'R' }), text.entry({ reference: 'S' })],
    });
    expect(items.map((item) => item.item === 'entry' && item.reference)).toEqual(['R', 'R#2', 'S']);
  });

  test('are shared by the pages of a statement, which have one name', () => {
    const page = { entries: [text.entry({ reference: 'R' })] };
    const items = readStatement(text.document([page, page, { ...page, id: 'S-2' }]));
    expect(items.map((item) => item.item === 'entry' && [item.statement, item.reference])).toEqual([
      ['CH9300762011623852957/CHF/S-1', 'R'],
      ['CH9300762011623852957/CHF/S-1', 'R#2'],
      ['CH9300762011623852957/CHF/S-2', 'R'],
    ]);
  });

  test.each(['NONREF', 'NOTPROVIDED', '0'])('%s is none', (reference) => {
    expect(readEntry({ reference })).not.toHaveProperty('reference');
  });

  test('of a reversal never meet those of what it reverses', () => {
    expect(readEntry({ reference: 'R', reversal: true, code: 'ACMT/MDOP/CHRG' })).toMatchObject({
      reference: 'R/reversal',
      cancels: 'same-content',
      kind: 'fee',
      amount: '100',
    });
  });
});

describe('balances', () => {
  test('that are available, expected or proprietary are not of the ledger', () => {
    const others = ['CLAV', 'FWAV', 'ITAV', 'OPAV', 'XPCD'].map((code) => text.balance(code, '1.00', '2024-03-01'));
    const own = text.balance('X', '1.00', '2024-03-01').replace('<Cd>X</Cd>', '<Prtry>X</Prtry>');
    expect(balancesOf([...others, own])).toEqual([]);
  });

  test('in debit are negative', () => {
    expect(balancesOf([text.balance('CLBD', '5.00', '2024-03-01', 'DBIT')])).toEqual([['closing', '2024-03-01', '-5']]);
  });

  test('a previous closing balance opens the next day, or the period', () => {
    const [previous, closing] = [
      text.balance('PRCD', '1.00', '2024-02-28'),
      text.balance('CLBD', '2.00', '2024-03-01'),
    ];
    expect(balancesOf([previous, closing])[0]).toEqual(['opening', '2024-02-29', '1']);
    expect(balancesOf([previous, closing], '2024-03-01T00:00:00')[0]).toEqual(['opening', '2024-03-01', '1']);
    // A period that begins no later than its balance, or after the closing one, says nothing.
    expect(balancesOf([previous, closing], '2024-02-28T00:00:00')[0]).toEqual(['opening', '2024-02-29', '1']);
    expect(balancesOf([previous, closing], '2024-03-02T00:00:00')[0]).toEqual(['opening', '2024-02-29', '1']);
    expect(balancesOf([previous], '2024-03-02T00:00:00')).toEqual([['opening', '2024-03-02', '1']]);
    const sameDay = text.balance('PRCD', '1.00', '2024-03-01');
    expect(balancesOf([sameDay, closing])[0]).toEqual(['opening', '2024-03-01', '1']);
  });

  test('of a page are its interim balances', () => {
    const interim = (amount: string) => text.balance('ITBD', amount, '2024-03-01');
    expect(balancesOf([interim('1.00'), interim('2.00')])).toEqual([
      ['opening', '2024-03-01', '1'],
      ['closing', '2024-03-01', '2'],
    ]);
  });

  test('within the day do not close it', () => {
    const report = new CamtText({ version: 8, message: 'camt.052' });
    const balances = [report.balance('OPBD', '1.00', '2024-03-01'), report.balance('ITBD', '2.00', '2024-03-01')];
    expect(
      readStatement(report.document([{ balances }])).map((item) => item.item === 'balance' && item.moment),
    ).toEqual(['opening']);
  });

  test('of a type that nobody knows are a problem', () => {
    expect(balancesOf([text.balance('OPBX', '1.00', '2024-03-01')])).toMatchObject([
      { item: 'problem', detail: 'Balance: The type OPBX is not known.' },
    ]);
  });
});

describe('accounts', () => {
  test('each statement of a file has its own', () => {
    const other = `<Acct><Id><Othr><Id>0123-456</Id></Othr></Id><Svcr><FinInstnId><BICFI>UBSWCHZH80A</BICFI></FinInstnId></Svcr></Acct>`;
    const items = readStatement(
      text.document([
        { entries: [text.entry()] },
        { account: other, entries: [text.entry()] },
        { account: '', entries: [text.entry()] },
      ]),
    );
    expect(items.map((item) => item.account)).toEqual([
      account,
      { number: '0123-456', institution: 'UBSWCHZH80A' },
      undefined,
    ]);
  });

  test('without a number are a problem and never the default account', () => {
    const items = read({
      account: '<Acct><Id><Nm>Main</Nm></Id></Acct>',
      entries: [text.entry()],
      balances: [text.balance('CLBD', '1', '2024-03-01')],
    });
    expect(items).toMatchObject([{ item: 'problem' }, { item: 'problem', place: { field: 'Acct/Id' } }]);
  });

  test('that come after entries are refused', () => {
    const late = text.document([{ account: '', entries: [text.entry(), sampleAccount] }]);
    expect(() => readStatement(late).length > 1 || undefined).toThrow(
      'The account (Acct) comes after balances or entries',
    );
  });
});

describe('what cannot be understood is a problem with its line and field', () => {
  const wrong = (from: string, to: string) =>
    read({ entries: [text.entry({ valued: '2024-03-04' }).replace(from, to)] });
  test.each([
    ['a wrong number', '>100.00<', '>100,00<', 'Amt', 'Entry: "100,00" is not a decimal number.'],
    ['a signed amount', '>100.00<', '>-100.00<', 'Amt', 'Entry: An amount has no sign; CdtDbtInd says its direction.'],
    ['no direction', '<CdtDbtInd>CRDT</CdtDbtInd>', '', 'Ntry/CdtDbtInd', 'Entry: CdtDbtInd is missing.'],
    [
      'no currency',
      ' Ccy="CHF"',
      '',
      'Amt',
      'Entry: The currency of the amount (Ccy) is missing or is not a code of three letters.',
    ],
    ['an unknown direction', 'CRDT', 'CREDIT', 'CdtDbtInd', 'Entry: "CREDIT" is neither CRDT nor DBIT.'],
    ['an unknown status', 'BOOK', 'MAYBE', 'Ntry/Sts', 'Entry: The status "MAYBE" is not known.'],
    ['a day that does not exist', '2024-03-04', '2024-02-30', 'Dt', 'Entry: "2024-02-30" is not a date.'],
  ])('%s', (_, from, to, field, detail) => {
    expect(wrong(from, to)).toEqual([{ item: 'problem', account, statedAt, place: { line: 6, field }, detail }]);
  });

  test('an element that statements do not have', () => {
    expect(read({ entries: [text.entry().replaceAll('Ntry', 'Entry')] })).toEqual([
      {
        item: 'problem',
        place: { line: 6, field: 'Entry' },
        detail: 'The element Entry is not known here, and nothing in it is read.',
      },
    ]);
  });

  test('an entry without any date', () => {
    expect(read({ entries: [text.entry().replace(/<BookgDt>.*<\/BookgDt>/, '')] })).toMatchObject([
      { item: 'problem', detail: 'Entry: It has neither BookgDt nor ValDt.' },
    ]);
  });
});

test('an entry of more details than can be kept is booked as a whole', () => {
  const details = text.detail({ amount: '1.00', remittance: 'x' }).repeat(40_000);
  expect(read({ entries: [text.entry({ amount: '40000.00', reference: 'B', details })] })).toMatchObject([
    { item: 'entry', reference: 'B', amount: '40000' },
  ]);
});
