// Exports as banks and brokers shape them: the names of their columns are facts, the lines are made up.

import { describe, expect, test } from 'vitest';
import { shippedProfiles } from '../../model/custody/shipped-profiles/shipped.ts';
import { csvFormat } from './csv-format.ts';
import { openStatementReader } from '../recognise.ts';
import { profileNameOf, readCsv } from '../../../tests/setup/statements/read-csv.ts';
import { checkDamage, findCutThatMatters } from '../../../tests/setup/statements/reader-laws.ts';

const ubs = `Kontonummer:;0235 00123456.01;
IBAN:;CH93 0076 2011 6238 5295 7;
Von:;2024-01-01;
Bewertet in:;CHF;

Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;
31.01.2024;;31.01.2024;31.01.2024;CHF;-1'250.50;;;8'749.50;9930031TI0000001;"Miete; Januar";"Zahlungsauftrag
mehrzeilig";;;
15.01.2024;;15.01.2024;16.01.2024;CHF;;10'000.00;;10'000.00;9930015TI0000002;Lohn;;;;
`;

const postFinance = `\ufeffDatum von:;01.01.2024
Konto:;CH9309000000250097798
Währung:;CHF

Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie
31.01.2024;Zinsabschluss;Zins;0.55;;;
30.01.2024;Lastschrift;Einkauf;;-20.05;;

Disclaimer:
Der Dokumentinhalt wurde durch Filtereinstellungen der Kundin generiert.
`;

const sparkasse = `"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";"Waehrung";"Info"
"DE89370400440532013000";"31.01.24";"31.01.24";"ENTGELTABSCHLUSS";"Entgelte 01/24";"";"";"";"";"";"";"";"0";"";"-9,90";"EUR";"Umsatz gebucht"
"DE89370400440532013000";"30.01.24";"30.01.24";"GUTSCHR. UEBERWEISUNG";"Miete";"";"";"";"";"";"";"Mieter";"DE02";"X";"1.250,00";"EUR";"Umsatz gebucht"
"DE89370400440532013000";"01.02.24";"01.02.24";"LASTSCHRIFT";"Strom";"";"";"";"";"";"";"Stadtwerke";"DE03";"X";"-80,00";"EUR";"Umsatz vorgemerkt"
`;

const dkb = `"Girokonto";"DE89370400440532013000"
""
"Kontostand vom 31.01.2024:";"1.234,56 €"
""
"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"
"31.01.24";"31.01.24";"Gebucht";"Ich";"Laden";"Einkauf";"Ausgang";"DE02";"-12,34";"";"";""
"31.01.24";"";"Vorgemerkt";"Ich";"Laden";"Einkauf";"Ausgang";"DE02";"-1";"";"";""
`;

const schwab = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"01/31/2024","Buy","AAPL","APPLE INC","10","$184.40","$4.95","-$1,848.95"
"01/30/2024","Sell","912828ZT0","UST 0.25% 05/31/25","5,000","$98.50","","$4,925.00"
"01/29/2024 as of 01/26/2024","Qualified Dividend","MSFT","MICROSOFT CORP","","","","$75.00"
"01/28/2024","Bank Interest","","BANK INT 011624-021524","","","","$0.42"
"01/27/2024","Exchange or Exercise","VTI","VANGUARD TOTAL","12","","",""
"01/26/2024","Stock Split","NVDA","NVIDIA CORP","90","","",""
"01/25/2024","Wire Funds","","WIRED FUNDS DISBURSED","","","","-$500.00"
"Transactions Total","","","","","","","$2,651.47"
`;

const fidelity = `

Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date
01/31/2024, YOU BOUGHT APPLE INC (AAPL) (Cash), AAPL, APPLE INC,Cash,10,184.4,4.95,0.05,,-1849,1000,02/02/2024
01/30/2024, DIVIDEND RECEIVED FIDELITY GOVERNMENT MONEY MARKET (SPAXX) (Cash), SPAXX**, FIDELITY GOVERNMENT MONEY MARKET,Cash,0,,,,,3.21,2849,
01/29/2024, ELECTRONIC FUNDS TRANSFER RECEIVED (Cash), , No Description,Cash,0,,,,,2845.79,2845.79,


"The data and information in this spreadsheet is provided to you solely for your use"

"Date downloaded 02/01/2024 9:00 am"
`;

const swissquote = `Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag;Nettobetrag in der Währung des Kontos;Saldo;Währung
31-01-2024 10:00:00;12345678;Kauf;NESN;Nestle N;CH0038863350;10.0;98.45;9.85;0.00;-994.35;CHF;-994.35;5000.00;CHF
30-01-2024 00:00:00;00000000;Dividende;NESN;Nestle N;CH0038863350;10.0;2.95;10.33;0.00;19.17;CHF;19.17;5994.35;CHF
`;

const portfolioPerformance = `Datum;Typ;Wert;Buchungswährung;Bruttobetrag;Währung Bruttobetrag;Wechselkurs;Gebühren;Steuern;Stück;ISIN;WKN;Ticker-Symbol;Wertpapiername;Notiz
2024-01-31T00:00;Verkauf;1.004,00;EUR;;;;5,00;1,00;10;DE0007164600;716460;SAP.DE;SAP SE;
2024-01-30T00:00;Zinsbelastung;3,00;EUR;;;;;;;;;;;
`;

const plain = `date,type,account,isin,quantity,price,fees,amount,currency,reference
2024-01-31,buy,ACC-1,CH0038863350,10,98.45,1,-985.5,CHF,R-1
2024-01-31,sale,ACC-1,CH0038863350,4,98.45,,393.8,CHF,R-2
`;

const samples = { ubs, postFinance, sparkasse, dkb, schwab, fidelity, swissquote, portfolioPerformance, plain };

describe('an export is read by the profile whose header it has', () => {
  test.each([
    [ubs, 'UBS, account movements'],
    [postFinance, 'PostFinance, account movements'],
    [sparkasse, 'Sparkasse, account movements'],
    [dkb, 'DKB, account movements'],
    [schwab, 'Charles Schwab, transactions'],
    [fidelity, 'Fidelity, history'],
    [swissquote, 'Swissquote, transactions (German)'],
    [portfolioPerformance, 'Portfolio Performance, all transactions (German)'],
    [plain, 'Transactions, one a line'],
    [
      'Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n',
      'German bank, account movements with a signed amount',
    ],
    [
      '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";\n',
      'comdirect, account movements',
    ],
    ['Date,Description,Amount,Running Bal.\n', 'Bank of America, account activity'],
    ['Date\tISIN\tClose\tCurrency\n2024-01-31\tCH0038863350\t98.45\tCHF\n', 'Prices, one a line'],
    ['Currency|Price|Security ID|Date\nUSD|184.4|AAPL|2024-01-31\n', 'Prices, one a line'],
    ['ISIN,NAV Date,NAV,Currency\nLU0000000000,2024-01-31,10,EUR\n', 'Net asset values, one a line'],
    ['Datum;WKN;Schlusskurs\n31.01.2024;716460;1,5\n', 'Prices, one a line (German)'],
    ['Date,From,To,Rate\n2024-01-31,USD,CHF,0.86\n', 'Exchange rates, one a line'],
    ['Stichtag;ISIN;Bestand;Kurs\n31.01.2024;CH0038863350;10;98,45\n', 'Positions, one a line (German)'],
  ])('%#: %s', (text, name) => {
    expect(profileNameOf(text)).toBe(name);
  });

  test.each([
    ['Date,Description,Debit,Credit,Balance\n', 'Account movements with debit and credit columns, one a line'],
    ['Date,Description,Amount\n', 'Account movements with a signed amount, one a line'],
    ['Data;Descrizione;Importo;Saldo\n', 'Account movements with a signed amount, one a line'],
    ['date,action,symbol,quantity,price,fees,currency\n', 'Transactions, one a line'],
    ['Trade Date,Side,Ticker,Shares,Price,Commission,Net Amount\n', 'Transactions, one a line'],
  ])('by everyday names where no bank has them for itself: %s', (header, name) => {
    expect(profileNameOf(header)).toBe(name);
  });

  test.each([
    'Date,Symbol,Shares,Price,Type',
    'Date,Symbol,Shares,Price,Brokerage',
    'Date,Symbol,Shares,Price,Withholding Tax (USD)',
    'Date,Symbol,Shares,Price,Net Amount',
    'Date,Trade Date,Symbol,Shares,Price',
    'Date,Symbol,Shares,Price,Buy/Sell',
    'Stichtag;ISIN;Bestand;Kurs;Vorgang',
    'Datum;ISIN;Bestand;Kurs;Gebühren',
    'Date,ISIN,Close,Side',
  ])('never as positions or prices if its columns are those of movements: %s', (header) => {
    expect(profileNameOf(`${header}\n`) ?? 'none').not.toMatch(/^(?:Positions|Prices)/);
  });

  test('as positions if its cost, its lots or what they are is stated', () => {
    for (const header of ['Date,Symbol,Shares,Cost Basis,Market Value', 'As of,ISIN,Quantity,Asset Type,Tax Lot'])
      expect(profileNameOf(`${header}\n`)).toBe('Positions, one a line');
  });

  test('the name of every header that a shipped profile is recognised by leads to that profile alone', () => {
    for (const { name, recognisedBy } of shippedProfiles.filter(({ header }) => header === 'named')) {
      const header = recognisedBy.map((names) => names.split('|')[0]).join(';');
      expect([header, profileNameOf(`${header}\n`)]).toEqual([header, name]);
    }
  });
});

test.each([
  'Buchungsdatum;Valuta;Avisierungstext;Lastschrift;Gutschrift;Saldo',
  'Buchungsdatum;Valutadatum;Buchungstext;Belastung;Gutschrift;Saldo',
  'Datum;Valuta;Text;Belastung;Gutschrift',
])('a Swiss bank whose columns are %s', (header) => {
  expect(profileNameOf(`${header}\n`)).toBe('Swiss bank, account movements with debit and credit columns');
});

test('a Swiss bank: debit and credit columns, account and currency above the header, texts over lines, newest first', () => {
  const account = { number: 'CH93 0076 2011 6238 5295 7' };
  const statement = 'UBS, account movements';
  expect(readCsv(ubs)).toEqual([
    {
      item: 'entry',
      place: { line: 7 },
      account,
      statement,
      status: 'booked',
      kind: 'flow',
      reference: '9930031TI0000001',
      date: '2024-01-31',
      settlementDate: '2024-01-31',
      amount: '-1250.5',
      balance: '8749.5',
      currency: 'CHF',
      comment: 'Miete; Januar, Zahlungsauftrag mehrzeilig',
    },
    {
      item: 'entry',
      place: { line: 9 },
      account,
      statement,
      status: 'booked',
      kind: 'flow',
      reference: '9930015TI0000002',
      date: '2024-01-15',
      settlementDate: '2024-01-16',
      amount: '10000',
      balance: '10000',
      currency: 'CHF',
      comment: 'Lohn',
    },
    {
      item: 'balance',
      place: { line: 9 },
      account,
      moment: 'opening',
      date: '2024-01-15',
      amount: '0',
      currency: 'CHF',
      statement,
    },
    {
      item: 'balance',
      place: { line: 7 },
      account,
      moment: 'closing',
      date: '2024-01-31',
      amount: '8749.5',
      currency: 'CHF',
      statement,
    },
  ]);
});

test('PostFinance: interest by its word, notes at the end are no lines', () => {
  expect(readCsv(postFinance)).toMatchObject([
    { kind: 'interest', amount: '0.55', account: { number: 'CH9309000000250097798' }, currency: 'CHF' },
    { kind: 'flow', amount: '-20.05', typeWord: 'Lastschrift' },
  ]);
});

test('a German savings bank: decimal commas, years of two digits, fees by their word, announced lines are pending', () => {
  expect(readCsv(sparkasse)).toMatchObject([
    { kind: 'fee', amount: '-9.9', date: '2024-01-31', account: { number: 'DE89370400440532013000' } },
    { kind: 'flow', amount: '1250', comment: 'Mieter, Miete', currency: 'EUR', status: 'booked' },
    { kind: 'flow', amount: '-80', status: 'pending' },
  ]);
});

test('DKB: the account stands above the header', () => {
  expect(readCsv(dkb)).toMatchObject([
    {
      amount: '-12.34',
      account: { number: 'DE89370400440532013000' },
      currency: 'EUR',
      status: 'booked',
      comment: 'Ich, Laden, Einkauf',
    },
    { amount: '-1', status: 'pending' },
  ]);
});

test('Schwab: trades, income, bonds by CUSIP, splits, totals; a word that nobody knows waits for a mapping', () => {
  expect(readCsv(schwab)).toMatchObject([
    {
      kind: 'trade',
      quantity: '10',
      price: '184.4',
      fees: '4.95',
      amount: '-1848.95',
      currency: 'USD',
      date: '2024-01-31',
      instrument: { ticker: 'AAPL', name: 'APPLE INC' },
    },
    { kind: 'trade', quantity: '-5000', amount: '4925', instrument: { cusip: '912828ZT0' } },
    { kind: 'dividend', amount: '75', date: '2024-01-29', instrument: { ticker: 'MSFT' } },
    { kind: 'interest', amount: '0.42' },
    { typeWord: 'Exchange or Exercise', quantity: '12', byWord: { isKnown: false } },
    { kind: 'corporate-action', action: 'split', quantity: '90', instrument: { ticker: 'NVDA' } },
    { kind: 'flow', amount: '-500' },
  ]);
  expect(readCsv(schwab)[3]).not.toHaveProperty('instrument');
  expect(readCsv(schwab)).toHaveLength(7);
});

test('Fidelity: actions by their beginning, several columns of fees, settlement dates, notes at the end', () => {
  const items = readCsv(fidelity);
  expect(items).toMatchObject([
    {
      kind: 'trade',
      quantity: '10',
      amount: '-1849',
      fees: '5',
      settlementDate: '2024-02-02',
      instrument: { ticker: 'AAPL' },
    },
    { kind: 'dividend', amount: '3.21', instrument: { ticker: 'SPAXX' } },
    { kind: 'flow', amount: '2845.79' },
  ]);
  expect(items).toHaveLength(3);
});

test('Swissquote, Portfolio Performance and plain files', () => {
  expect(readCsv(swissquote)).toMatchObject([
    {
      kind: 'trade',
      quantity: '10',
      amount: '-994.35',
      fees: '9.85',
      instrument: { isin: 'CH0038863350', ticker: 'NESN', name: 'Nestle N' },
    },
    { kind: 'dividend', amount: '19.17', currency: 'CHF' },
    { item: 'balance', moment: 'opening', amount: '5975.18' },
    { item: 'balance', moment: 'closing', amount: '5000' },
  ]);
  expect(readCsv(portfolioPerformance)).toMatchObject([
    {
      kind: 'trade',
      quantity: '-10',
      amount: '1004',
      fees: '5',
      taxes: '1',
      instrument: { isin: 'DE0007164600', custodianCode: '716460' },
    },
    { kind: 'interest', amount: '-3' },
  ]);
  expect(readCsv(plain)).toMatchObject([
    { kind: 'trade', quantity: '10', amount: '-985.5', reference: 'R-1', account: { number: 'ACC-1' } },
    { kind: 'trade', quantity: '-4', amount: '393.8', reference: 'R-2' },
  ]);
});

test.each(Object.entries(samples))('%s: the same items wherever it is cut, and damage never crashes it', (_, text) => {
  const profile = shippedProfiles.find(({ name }) => name === profileNameOf(text))!;
  const open = () => openStatementReader(csvFormat(profile));
  expect(findCutThatMatters(open, text)).toBeUndefined();
  expect(() => checkDamage(open, text, 100)).not.toThrow();
});
