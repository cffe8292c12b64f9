// Made-up files in the layouts of institutions: the names of columns and the words are theirs, the lines are invented.

export interface InstitutionSample {
  /** The name of the profile that reads it. */
  readonly profile: string;
  readonly text: string;
}

const csv = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const quoted = (...cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(',');

const tradeRepublicRow = (...cells: readonly string[]): string => quoted(...cells, ...Array<string>(23 - cells.length).fill(''));

export const institutionSamples: readonly InstitutionSample[] = [
  {
    profile: 'Trade Republic, transactions',
    text: csv(
      tradeRepublicRow(
        ...'datetime date account_type category type asset_class name symbol shares price amount fee tax currency original_amount original_currency fx_rate description transaction_id counterparty_name counterparty_iban payment_reference mcc_code'.split(' '),
      ),
      tradeRepublicRow('2026-01-02T08:00:00Z', '2026-01-02', 'DEFAULT', 'CASH', 'CUSTOMER_INBOUND', '', 'A. Muster', '', '', '', '1000.000000', '', '', 'EUR', '', '', '', 'Top up', 't-1', 'A. Muster'),
      tradeRepublicRow('2026-01-20T23:15:02Z', '2026-01-21', 'DEFAULT', 'TRADING', 'BUY', 'FUND', 'Seefeld World', 'CH0038863350', '4.0000000000', '98.500000', '-394.00', '-1.00', '', 'EUR', '', '', '', '', 't-2'),
      tradeRepublicRow('2026-02-03T08:00:00Z', '2026-02-03', 'DEFAULT', 'TRADING', 'SELL', 'FUND', 'Seefeld World', 'CH0038863350', '-1.0000000000', '110.000000', '110.00', '-1.00', '-2.50', 'EUR', '', '', '', '', 't-3'),
      tradeRepublicRow('2026-03-01T08:00:00Z', '2026-03-01', 'DEFAULT', 'CASH', 'DIVIDEND', 'STOCK', 'Seefeld World', 'CH0038863350', '3.0000000000', '', '6.00', '', '-1.58', 'EUR', '7.00', 'USD', '0.857', '', 't-4'),
      tradeRepublicRow('2026-03-02T08:00:00Z', '2026-03-02', 'DEFAULT', 'CASH', 'INTEREST_PAYMENT', '', '', '', '', '', '1.20', '', '-0.32', 'EUR', '', '', '', 'Interest', 't-5'),
      tradeRepublicRow('2026-03-03T08:00:00Z', '2026-03-03', 'DEFAULT', 'CASH', 'TAX_OPTIMIZATION', '', '', '', '', '', '0.000000', '', '2.10', 'EUR', '', '', '', 'Tax', 't-6'),
      tradeRepublicRow('2026-03-04T08:00:00Z', '2026-03-04', 'DEFAULT', 'CASH', 'CARD_TRANSACTION', '', 'CAFE', '', '', '', '-4.500000', '', '', 'EUR', '', '', '', 'CAFE', 't-7', '', '', '', '5813'),
      tradeRepublicRow('2026-03-05T08:00:00Z', '2026-03-05', 'DEFAULT', 'DELIVERY', 'MIGRATION', 'FUND', 'Seefeld World', 'CH0038863350', '-3.0000000000', '100', '', '', '', 'EUR', '', '', '', 'MIGRATION', 't-8'),
      tradeRepublicRow('2026-03-05T08:00:00Z', '2026-03-05', 'DEFAULT', 'DELIVERY', 'MIGRATION', 'FUND', 'Seefeld World', 'CH0038863350', '3.0000000000', '100', '', '', '', 'EUR', '', '', '', 'MIGRATION', 't-9'),
      tradeRepublicRow('2026-03-06T08:00:00Z', '2026-03-06', 'DEFAULT', 'CASH', 'TRANSFER_INSTANT_OUTBOUND', '', '', '', '', '', '-500.000000', '', '', 'EUR', '', '', '', 'Out', 't-10'),
      tradeRepublicRow('2026-03-07T08:00:00Z', '2026-03-07', 'DEFAULT', 'CASH', 'PRIVATE_MARKET_BUY', 'PRIVATE_FUND', 'Seefeld Private', 'CH0012032048', '', '', '-50.000000', '', '', 'EUR', '', '', '', '', 't-11'),
    ),
  },
  {
    profile: 'Trade Republic, transactions exported by pytr',
    text: csv(
      'Date;Type;Value;Note;ISIN;Shares;Fees;Taxes',
      '2025-01-16T16:13:36;Buy;-25.01;Seefeld World;CH0038863350;0.2989;-1.0;',
      '2025-02-10T10:25:01;Sell;86.71;Seefeld AG;DE0007164600;0.5;-1.0;-0.30',
      '2025-02-11;Dividend;0.03;Seefeld AG;DE0007164600;;;',
      '2025-02-12;Deposit;100.50;A. Muster;;;;',
      '2025-02-13;Removal;-40.25;A. Muster;;;;',
      '2025-02-14;Interest;1.25;Interest;;;;',
    ),
  },
  {
    profile: 'DEGIRO, transactions',
    text: csv(
      'Date,Time,Product,ISIN,Reference exchange,Venue,Quantity,Price,,Local value,,Value EUR,Exchange rate,AutoFX Fee,Transaction and/or third party fees EUR,Total EUR,Order ID,',
      '15-09-2025,19:33,SEEFELD INC,US0378331005,NDQ,ARCX,18,"33,7500",USD,"-607,50",USD,"-516,32","1,1766","-1,29","-2,00","-519,61",,0a000000-0000-4000-8000-000000000001',
      '10-10-2025,10:40,SEEFELD WORLD,CH0038863350,XET,XETA,-450,"10,3700",EUR,"4666,50",EUR,"4666,50",,"0,00","-3,00","4663,50",0a000000-0000-4000-8000-000000000002',
    ),
  },
  {
    profile: 'DEGIRO, transactions',
    text: csv(
      'Datum,Tijd,Product,ISIN,Beurs,Uitvoeringsplaats,Aantal,Koers,,Lokale waarde,,Waarde,,Wisselkoers,Transactiekosten en/of kosten van derden,,Totaal,,Order ID',
      '29-06-2022,09:00,SEEFELD PLC,GB0002634946,LSE,XLON,100,"235,50",GBX,"-23550,00",GBX,"-274,00",EUR,"85,95","-1,50",EUR,"-275,50",EUR,0b000000-0000-4000-8000-000000000001',
    ),
  },
  {
    profile: 'DEGIRO, account statement',
    text: csv(
      'Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id',
      '06-11-2023,15:33,06-11-2023,SEEFELD INC,US0378331005,FX Credit,1.0500,USD,106.55,USD,0.00,o-1',
      '06-11-2023,15:33,06-11-2023,SEEFELD INC,US0378331005,FX Debit,,EUR,-101.48,EUR,138.89,o-1',
      '06-11-2023,15:33,06-11-2023,SEEFELD INC,US0378331005,DEGIRO Transaction and/or third party fees,,EUR,-2.00,EUR,240.37,o-1',
      '06-11-2023,15:33,06-11-2023,SEEFELD INC,US0378331005,Buy 5 Seefeld Inc@21.31 USD (US0378331005),,USD,-106.55,USD,-106.55,o-1',
      '05-11-2023,09:00,04-11-2023,SEEFELD INC,US0378331005,Dividend Tax,,USD,-0.21,USD,1.17,',
      '05-11-2023,09:00,04-11-2023,SEEFELD INC,US0378331005,Dividend,,USD,1.38,USD,1.38,',
      '04-11-2023,09:00,04-11-2023,,,flatex Interest Income,,EUR,0.12,EUR,242.37,',
      '03-11-2023,09:00,02-11-2023,,,Degiro Cash Sweep Transfer,,EUR,250.00,EUR,250.00,',
      '03-11-2023,09:00,02-11-2023,,,Transfer from your Cash Account at flatexDEGIRO Bank: 250 EUR,,,,EUR,250.00,',
      '02-11-2023,09:00,02-11-2023,,,iDEAL Deposit,,EUR,250.00,EUR,250.00,',
      '02-11-2023,09:00,02-11-2023,,,Reservation iDEAL,,EUR,-250.00,EUR,0.00,',
      '01-11-2023,09:00,01-11-2023,,,DEGIRO Exchange Connection Fee 2023 (NDQ),,EUR,-2.50,EUR,0.00,',
    ),
  },
  {
    profile: 'DEGIRO, account statement',
    text: csv(
      'Datum,Tijd,Valutadatum,Product,ISIN,Omschrijving,FX,Mutatie,,Saldo,,Order Id',
      '10-11-2023,17:10,10-11-2023,SEEFELD NV,CH0038863350,"Koop 34 @ 26,88 EUR",,EUR,"-913,92",EUR,"12,77",o-1',
      '10-11-2023,17:10,10-11-2023,SEEFELD NV,CH0038863350,"Verkoop 1.200 Seefeld NV@1,5 EUR (CH0038863350)",,EUR,"1800,00",EUR,"1812,77",o-2',
      '11-11-2023,17:10,10-11-2023,SEEFELD NV,CH0038863350,Dividendbelasting,,EUR,"-1,44",EUR,"24,39",',
      '12-11-2023,04:51,11-11-2023,,,flatex terugstorting,,EUR,"-1000,00",EUR,"42,92",',
    ),
  },
  {
    profile: 'Trading 212, history',
    text: csv(
      'Action,Time,ISIN,Ticker,Name,Notes,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total),Withholding tax,Currency (Withholding tax),Stamp duty reserve tax,Currency (Stamp duty reserve tax),Currency conversion fee,Currency (Currency conversion fee)',
      'Deposit,2024-05-01 00:10:00.000,,,,"Transaction ID: x",D-1,,,,,,,3000.00,GBP,,,,,,',
      'Market buy,2024-05-02 14:30:05.123,US0378331005,AAPL,"Seefeld, Inc",,EOF1,10.0000000000,150.00,USD,1.25,,,1201.80,GBP,,,,,1.80,GBP',
      'Limit buy,2024-05-03 09:00:00,GB0002634946,BA,Seefeld plc,,EOF2,100.0000000000,1250.50,GBX,1,,,1256.75,GBP,,,6.25,GBP,,',
      'Limit sell,2024-06-27 15:45:10,US0378331005,AAPL,"Seefeld, Inc",,EOF3,4.0000000000,160.00,USD,1.28,46.29,GBP,499.25,GBP,,,,,0.75,GBP',
      'Dividend (Dividend),2024-07-01 18:35:26,US0378331005,AAPL,"Seefeld, Inc",,,6.0000000000,0.30,USD,Not available,,,1.20,GBP,0.27,USD,,,,',
      'Interest on cash,2024-07-02 11:05:03,,,,"Interest on cash",I-1,,,,,,,0.04,GBP,,,,,,',
      'Currency conversion,2024-07-03 17:31:38.897,,,,"100.00 GBP -> 116.50 EUR",C-1,,,,,,,,,,,,,,',
      'Stock split close,2024-07-04 07:24:24,US0378331005,AAPL,"Seefeld, Inc",,EOF4,6.0000000000,160.00,USD,1.28,0.00,GBP,750.00,GBP,,,,,,',
      'Stock split open,2024-07-04 07:24:24,US0378331005,AAPL,"Seefeld, Inc",,EOF5,24.0000000000,40.00,USD,1.28,,GBP,750.00,GBP,,,,,,',
      'Transfer out,2024-07-05 08:25:01,US0378331005,AAPL,"Seefeld, Inc",,EOF6,24.0000000000,40.00,USD,1.28,0.00,GBP,750.00,GBP,,,,,,',
      'Withdrawal,2024-07-06 16:18:16,,,,"Sent to bank",W-1,,,,,,,-200.00,GBP,,,,,,',
      'Result adjustment,2024-07-07 13:12:49,,,,"Refund",R-1,,,,,,,0.75,GBP,,,,,,',
    ),
  },
  {
    profile: 'Trading 212, history',
    text: csv(
      'Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result (GBP),Total (GBP),Withholding tax,Currency (Withholding tax),Charge amount (GBP),Notes,ID',
      'Market buy,2020-06-24 14:33:50,CH0038863350,SEE,"Seefeld",1.0000000000,10.74,USD,1.33080,,8.07,,,,,124',
    ),
  },
  {
    profile: 'Hargreaves Lansdown, transactions',
    text: csv(
      'HL Stocks & Shares ISA, , , ,',
      'Client Name:,A Muster, , ,',
      'Client Number:,1234567, , ,',
      '',
      'Trade date,Settle date,Reference,Description,Unit cost (p),Quantity,Value (£),',
      '"18/09/2026","22/09/2026","B302087054","Seefeld Group plc Ordinary 2p 1000 @  298.805","298.805","1,000","-3,000.00"',
      '"20/09/2026","22/09/2026","S302087055","Seefeld Group plc Ordinary 2p 400 @ 310.00","310.00","400","1,228.05"',
      '"21/09/2026","21/09/2026","ST DIV","Seefeld Group plc Ordinary 2p Dividend Payment","n/a","n/a","68.38"',
      '"22/09/2026","22/09/2026","INTEREST","Interest From 10/08/2026 TO 09/09/2026","n/a","n/a","3.87"',
      '"23/09/2026","23/09/2026","MANAGE FEE","Management fee","n/a","n/a","-4.05"',
      '"24/09/2026","24/09/2026","FPC","Faster payment receipt","n/a","n/a","4,000.00"',
      '"25/09/2026","25/09/2026","FPD","Payment to client","n/a","n/a","-100.00"',
      '"26/09/2026","26/09/2026","LOYALTY","Unit rebate","n/a","n/a","1.10"',
    ),
  },
  {
    profile: 'Freetrade, activity',
    text: csv(
      'Title,Type,Timestamp,Account Currency,Total Amount,Buy / Sell,Ticker,ISIN,Price per Share in Account Currency,Stamp Duty,Quantity,Venue,Order ID,Order Type,Instrument Currency,Total Shares Amount,Price per Share,FX Rate,Base FX Rate,FX Fee (BPS),FX Fee Amount,Dividend Ex Date,Dividend Pay Date,Dividend Eligible Quantity,Dividend Amount Per Share,Dividend Gross Distribution Amount,Dividend Net Distribution Amount,Dividend Withheld Tax Percentage,Dividend Withheld Tax Amount',
      'Withdrawal,WITHDRAWAL,2024-04-18T18:09:12.259Z,GBP,240.19,,,,,,,,,,,,,,,,,,,,,,,,',
      'Top up,TOP_UP,2024-04-01T00:35:22.634Z,GBP,10000.00,,,,,,,,,,,,,,,,,,,,,,,,',
      'Seefeld,DIVIDEND,2024-03-27T06:26:00.000Z,GBP,0.31,,SEE,US0378331005,,,11.5,,,,USD,,,,0.79,0,0.00,2024-03-05,2024-03-27,11.5,0.04,0.46,0.39,15,0.07',
      'Interest,INTEREST_FROM_CASH,2024-03-15T00:00:00.000Z,GBP,0.21,,,,,,,,,,,,,,,,,,,,,,,,',
      'February Statement,MONTHLY_STATEMENT,2024-03-01T00:00:00.000Z,,,,,,,,,,,,,,,,,,,,,,,,,,',
      'Alpen Trust,ORDER,2024-02-23T15:34:06.099Z,GBP,5068.25,BUY,ALP,GB0002634946,12.00,25.22,420.25,London Stock Exchange,ORD1,MARKET,GBP,5043.03,12.00,,,0,,,,,,,,,',
      'Seefeld,ORDER,2024-01-24T15:16:15.350Z,GBP,1989.24,SELL,SEE,US0378331005,498.00,0.00,4.0,Multiple,ORD2,MARKET,USD,2534.97,617.4,1.26,1.27,39,2.76,,,,,,,,',
      'Seefeld World,FREESHARE_ORDER,2024-01-21T15:14:54.175Z,GBP,4.95,BUY,SEEW,CH0038863350,4.95,0.00,1.0,London Stock Exchange,ORD3,,GBP,0.00,4.95,,,0,,,,,,,,,',
    ),
  },
  {
    profile: 'interactive investor, transactions',
    text: csv(
      'Date,Settlement Date,Symbol,Sedol,Quantity,Price,Description,Reference,Debit,Credit,Running Balance',
      '01/04/2026,01/04/2026,n/a,n/a,n/a,n/a,2026/27 ISA Subscription re 1,R0,n/a,"£10,000.00","£10,000.00"',
      '02/04/2026,06/04/2026,BA,0263494,500,£4.82659,500 SEEFELD GRP  Del    4.82 S Date 06/04/26,R1,"£2,419.29",n/a,"£7,580.71"',
      '10/04/2026,14/04/2026,BA,0263494,200,£5.38,200 SEEFELD GRP  Del    5.38 S Date 14/04/26,R2,n/a,"£1,072.01","£8,652.72"',
      '15/04/2026,15/04/2026,BA,0263494,n/a,n/a,DIVIDEND PAYMENT SEEFELD GRP,R3,n/a,£38.50,"£8,691.22"',
      '16/04/2026,16/04/2026,n/a,n/a,n/a,n/a,GROSS INTEREST,n/a,n/a,£1.32,"£8,692.54"',
      '17/04/2026,17/04/2026,n/a,n/a,n/a,n/a,MONTHLY SERVICE PLAN FEE,n/a,£4.99,n/a,"£8,687.55"',
      '18/04/2026,18/04/2026,n/a,n/a,n/a,n/a,CASH WITHDRAWAL,n/a,£500.00,n/a,"£8,187.55"',
    ),
  },
  {
    profile: 'Saxo, transactions',
    text: csv(
      'Client ID,Trade Date,Value Date,Type,Instrument,Instrument ISIN,Instrument currency,Exchange Description,Instrument Symbol,Event,Amount,Order ID,Conversion Rate',
      '1,30-Dec-2024,02-Jan-2025,Trade,Seefeld World,CH0038863350,USD,London Stock Exchange,SEEW:xlon,"Buy 1,030 @ 139.74 USD","-422,99",5001,1',
      '1,02-Jan-2025,02-Jan-2025,Trade,Seefeld World,CH0038863350,USD,London Stock Exchange,SEEW:xlon,Sell 3 @ 139.74 USD,"419,22",5002,1',
      '1,02-Apr-2025,02-Apr-2025,Corporate action,Seefeld World,CH0038863350,USD,London Stock Exchange,SEEW:xlon,Dividend,"1,83",,0.92',
      '1,02-Apr-2025,02-Apr-2025,Corporate action,Seefeld World,CH0038863350,USD,London Stock Exchange,SEEW:xlon,Withholding tax,"-0,18",,0.92',
      '1,03-Apr-2025,03-Apr-2025,Cash amount,,,USD,,,Custody Fee,"-3,91",,1',
      '1,04-Apr-2025,04-Apr-2025,Cash Transfer,,,USD,Unknown,,Deposit,500,,1',
      '1,05-Apr-2025,05-Apr-2025,Cash Transfer,,,USD,Unknown,,Withdrawal,"-120,5",,1',
      '1,06-Apr-2025,06-Apr-2025,Corporate action,Seefeld World,CH0038863350,USD,LSE,SEEW:xlon,Rights issue,"0,00",,1',
    ),
  },
  {
    profile: 'comdirect, account movements',
    text: csv(
      '"Umsätze Girokonto";"Zeitraum: 01.01.2026 - 31.03.2026";',
      '"Neuer Kontostand";"1.134,11 EUR";',
      '',
      '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
      '"offen";"--";"Lastschrift / Belastung";"Auftraggeber: LADEN Buchungstext: Karte";"-20,00";',
      '"12.03.2026";"13.03.2026";"Lastschrift / Belastung";"Auftraggeber: CAFÉ Buchungstext: Karte";"-12,34";',
      '"11.03.2026";"11.03.2026";"Übertrag / Überweisung";"Auftraggeber: A. Muster";"2.500,00";',
      '"10.03.2026";"10.03.2026";"Zinsen / Dividenden";"Zinsen";"1,25";',
      '"09.03.2026";"09.03.2026";"Entgelte";"Kontoführung";"-4,90";',
      '"08.03.2026";"10.03.2026";"Wertpapiere";"Kauf WKN 716460";"-1.000,00";',
      '"Alter Kontostand";"-349,90 EUR";',
      '',
      '"Umsätze Visa-Karte";"Zeitraum: 01.01.2026 - 31.03.2026";',
      '"Buchungstag";"Umsatztag";"Vorgang";"Referenz";"Buchungstext";"Umsatz in EUR";',
      '"13.03.2026";"11.03.2026";"Visa-Umsatz";"K1";"LADEN";"-5,50";',
    ),
  },
  {
    profile: 'comdirect, card movements',
    text: csv(
      '"Buchungstag";"Umsatztag";"Vorgang";"Referenz";"Buchungstext";"Umsatz in EUR";',
      '"13.03.2026";"11.03.2026";"Visa-Umsatz";"K1";"LADEN";"-5,50";',
      '"31.03.2026";"31.03.2026";"Visa-Kartenabrechnung";"K2";"Abrechnung";"5,50";',
    ),
  },
  {
    profile: 'comdirect, depository movements',
    text: csv(
      '"Umsätze Depot";"Zeitraum: 01.01.2026 - 31.03.2026";',
      '"Buchungstag";"Geschäftstag";"Stück / Nom.";"Bezeichnung";"WKN";"Währung";"Ausführungskurs";"Umsatz in EUR";',
      '"12.03.2026";"10.03.2026";"10";"Seefeld AG";"716460";"EUR";"100,00";"-1.004,90";',
      '"18.03.2026";"16.03.2026";"-4";"Seefeld Inc";"865985";"USD";"200,00";"735,10";',
    ),
  },
  {
    profile: 'Consorsbank, account movements',
    text: csv(
      'Konto',
      'Kontoumsätze',
      'Buchung;Valuta;Sender / Empfänger;IBAN;BIC;Buchungstext;Verwendungszweck;Kategorie;Stichwörter;Umsatz geteilt;Betrag;Währung',
      '01.05.2026;02.05.2026;A. Muster;DE02120300000000202051;X;Gutschrift;Lohn;n/a;n/a;n/a;5.000,00;EUR',
      '02.05.2026;02.05.2026;Laden;DE02120300000000202051;X;Lastschrift (Einzugsermächtigung);Einkauf;n/a;n/a;n/a;−250,50;EUR',
      '03.05.2026;03.05.2026;Bank;;;Gebühren;Kontoführung;n/a;n/a;n/a;-3,00;EUR',
      '04.05.2026;04.05.2026;Bank;;;Zinsen;Habenzinsen;n/a;n/a;n/a;1,75;EUR',
    ),
  },
  {
    profile: 'DKB, account movements (before 2023)',
    text: csv(
      '"Kontonummer:";"DE89370400440532013000 / Girokonto";',
      '',
      '"Von:";"01.01.2022";',
      '"Bis:";"31.01.2022";',
      '"Kontostand vom 31.01.2022:";"1.234,56 EUR";',
      '',
      '"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz";',
      '"31.01.2022";"31.01.2022";"Abschluss";"";"Abrechnung";"";"";"-9,90";"";"";"";',
      '"30.01.2022";"30.01.2022";"Gutschrift";"A. Muster";"Lohn";"DE02120300000000202051";"BYLADEM1001";"1.200,00";"";"";"";',
    ),
  },
  {
    profile: 'N26, account movements',
    text: csv(
      '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
      '2026-09-01,2026-09-01,"A. Muster",DE02120300000000202051,"Credit Transfer",Lohn,"Main Account",1000.00,,,',
      '2026-09-03,2026-09-04,"LADEN",,Presentment,,"Main Account",-15.50,17.00,USD,1.096774',
      '2026-09-05,2026-09-05,N26,,Fee,"Membership","Main Account",-4.90,,,',
      '2026-09-30,2026-09-30,N26,,Interest,,"Main Account",1.23,,,',
    ),
  },
  {
    profile: 'N26, account movements',
    text: csv(
      '"Datum","Empfänger","Kontonummer","Transaktionstyp","Verwendungszweck","Kategorie","Betrag (EUR)","Betrag (Fremdwährung)","Fremdwährung","Wechselkurs"',
      '"2022-01-31","Laden","","MasterCard Zahlung","","Einkäufe","-12.5","-12.5","EUR","1.0"',
    ),
  },
  {
    profile: 'Revolut, account statement',
    text: csv(
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'TOPUP,Current,2024-01-29 08:00:00,2024-01-29 08:00:01,Top-Up by *1234,500.00,0.00,EUR,COMPLETED,500.00',
      'CARD_PAYMENT,Current,2024-01-30 18:22:10,2024-01-31 09:00:00,Cafe,-10.00,0.00,EUR,COMPLETED,490.00',
      'ATM,Current,2024-02-01 11:00:00,2024-02-01 11:00:05,Cash withdrawal,-100.00,2.00,EUR,COMPLETED,388.00',
      'CARD_PAYMENT,Current,2024-02-02 12:00:00,,Hotel,-200.00,0.00,EUR,PENDING,',
      'CARD_PAYMENT,Current,2024-02-02 13:00:00,,Online Shop,-30.00,0.00,EUR,REVERTED,',
      'FEE,Current,2024-02-03 08:00:00,2024-02-03 08:00:01,Premium plan fee,-7.99,0.00,EUR,COMPLETED,380.01',
      'INTEREST,Current,2024-02-04 08:00:00,2024-02-04 08:00:01,Interest,0.12,0.00,EUR,COMPLETED,380.13',
    ),
  },
  {
    profile: 'Revolut, account statement',
    text: csv(
      'Typ,Produkt,Startdatum,Datum des Abschlusses,Beschreibung,Betrag,Gebühr,Währung,Status,Guthaben',
      'Kartenzahlung,Girokonto,2024-01-30 18:22:10,2024-01-31 09:00:00,Café,-10.00,0.00,EUR,ABGESCHLOSSEN,490.00',
      'Kartenzahlung,Sparkonto,2024-01-30 18:22:10,2024-01-31 09:00:00,Café,-5.00,0.00,EUR,ABGESCHLOSSEN,90.00',
    ),
  },
  {
    profile: 'Revolut, trading account statement',
    text: csv(
      'Date,Ticker,Type,Quantity,Price per share,Total Amount,Currency,FX Rate',
      '2023-09-20T23:15:55.878985Z,,CASH TOP-UP,,,$500.00,USD,1.1055',
      '2023-09-22T13:30:10.514Z,SEE,BUY - MARKET,2,$52.07,$104.64,USD,1.0665',
      '2023-09-25T13:30:00.797Z,SEE,SELL - LIMIT,0.5,USD 60.00,USD 29.80,USD,1.1241',
      '2023-10-13T08:40:00.835101Z,SEE,DIVIDEND,,,$0.85,USD,1.1179',
      '2023-10-14T08:40:00.835101Z,SEE,DIVIDEND TAX (CORRECTION),,,USD -0.25,USD,1.1179',
      '2023-11-01T07:40:54.539038Z,,CUSTODY FEE,,,-$0.01,USD,1.18',
      '2023-11-02T07:40:54.539038Z,,CUSTODY FEE REVERSAL,,,$0.01,USD,1.18',
      '2023-11-03T08:27:46.419568Z,SEE,STOCK SPLIT,4.5,,$0,USD,0.0947',
      '2023-11-04T09:06:58.899860Z,SEE,TRANSFER FROM REVOLUT TRADING LTD TO REVOLUT SECURITIES EUROPE UAB,6,,$0,USD,1.1018',
      '2023-11-05T08:23:08.459586Z,,CASH WITHDRAWAL,,,-$30.93,USD,1.1019',
    ),
  },
  {
    profile: 'Wise, balance statement',
    text: csv(
      '"TransferWise ID",Date,Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Card Last Four Digits","Card Holder Full Name",Attachment,Note,"Total fees"',
      'BALANCE-16,31-01-2026,-11.62,CHF,"Converted CHF to EUR",,0.00,CHF,EUR,0.87866,,,,,,,,,0.03',
      'BALANCE-16,31-01-2026,-0.03,CHF,"Wise Charges for: BALANCE-16",,11.62,,,,,,,,,,,,0',
      'CARD-87,26-01-2026,-64.36,CHF,"Card transaction of GBP issued by Restaurant",,11.65,CHF,GBP,0.76274,,,,Restaurant,,,,,0.19',
      'CARD-87,26-01-2026,-0.19,CHF,"Wise Charges for: CARD-87",,76.01,,,,,,,Restaurant,,,,,0',
      'TRANSFER-1,20-01-2026,76.20,CHF,"Received money from A. Muster",Miete,76.20,,,,"A. Muster",,,,,,,,0',
    ),
  },
  {
    profile: 'PayPal, activity',
    text: csv(
      '"Datum","Uhrzeit","Zeitzone","Name","Typ","Status","Währung","Brutto","Gebühr","Netto","Absender E-Mail-Adresse","Empfänger E-Mail-Adresse","Transaktionscode","Artikelbezeichnung","Zugehöriger Transaktionscode","Guthaben","Hinweis","Auswirkung auf Guthaben"',
      '"18.06.2025","10:12:00","CEST","Laden","Handyzahlung","Abgeschlossen","EUR","-1.059,90","0,00","-1.059,90","a@example.com","b@example.com","1AB","","","-1.059,90","","Soll"',
      '"18.06.2025","10:12:01","CEST","","Bankgutschrift auf PayPal-Konto","Abgeschlossen","EUR","1.059,90","0,00","1.059,90","","a@example.com","2CD","","1AB","0,00","","Haben"',
      '"19.06.2025","11:00:00","CEST","Kundin","Allgemeine Zahlung","Abgeschlossen","EUR","41,00","-1,94","39,06","k@example.com","a@example.com","3EF","","","39,06","","Haben"',
      '"20.06.2025","12:00:00","CEST","Steam","Zahlung","Ausstehend","EUR","-5,00","0,00","-5,00","a@example.com","s@example.com","4GH","","","39,06","","Memo"',
      '"21.06.2025","12:00:00","CEST","Steam","Zahlung","Ausstehend","EUR","-5,00","0,00","-5,00","a@example.com","s@example.com","5IJ","","","39,06","","Soll"',
    ),
  },
  {
    profile: 'Sharesight, all trades',
    text: csv(
      'Test Portfolio - All Trades Report between 2019-01-01 and 2021-11-27,,,,,,,,,,,,',
      ',,,,,,,,,,,,',
      'Market,Code,Name,Type,Date,Quantity,Price *,Brokerage *,Currency,Exchange Rate,Value,,Comments',
      'NASDAQ,SEE,Seefeld Inc,Buy,21/09/2020,10,250,5,USD,1.3,1926.92,All Trades,Stock Activity',
      'NASDAQ,SEE,Seefeld Inc,Sell,01/11/2020,-4,300,5,USD,1.4,-853.57,All Trades,',
      '* Prices and brokerage are specified in market currency.,,,,,,,,,,,,',
    ),
  },
  {
    profile: 'Sharesight, all trades',
    text: csv(
      'P - All Trades Report between 2025-06-12 and 2026-06-12,,,,,,,,,,,,,,',
      'Market,Code,Name,Type,Date,Quantity,Price,Instrument Currency,Cost base per share (SEK),Brokerage,Brokerage Currency,Exchange Rate,Value,,Comments',
      'NASDAQ,SEE,Seefeld,Buy,22/06/2026,10,"12,50",USD,"0,00","9,60",SEK,"0,100000","1259,60",All Trades,',
      'STO,ALP,Alpen,Sell,23/06/2026,−4,"126,00",SEK,"0,00","3,00",SEK,"1,000000","−501,00",All Trades,',
    ),
  },
  {
    profile: 'Swissquote, transactions (English)',
    text: csv(
      'Date;Order #;Transaction;Symbol;Name;ISIN;Quantity;Unit price;Costs;Accrued Interest;Net Amount;Balance;Currency',
      '24-08-2022 07:00:15;00000000;Debit;;;;1.0;2000.00;2.00;0.00;-2002.00;998.00;CHF',
      '23-08-2022 12:00:25;114723639;Forex credit;;;;1.0;995.39;0.00;0.00;995.39;3000.00;CHF',
      '10-08-2022 15:30:02;113947121;Buy;SEE;SEEFELD AG;CH0038863350;20.0;19.85;5.96;0.00;-402.96;2004.61;CHF',
      '09-08-2022 18:01:13;00000000;Custody Fees;;;;1.0;50.00;3.85;0.00;-53.85;2407.57;CHF',
      '08-08-2022 16:35:13;00000000;Dividend;SEE;SEEFELD AG;CH0038863350;1.0;86.58;30.30;0.00;56.28;2461.42;CHF',
      '07-08-2022 16:35:13;113947120;Sell;SEE;SEEFELD AG;CH0038863350;5.0;20.00;4.00;0.00;96.00;2405.14;CHF',
    ),
  },
  {
    profile: 'Charles Schwab, transactions',
    text: csv(
      '"Transactions  for account Investing ...XXX as of 05/03/2023 02:21:05 PM ET"',
      '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"',
      '"04/27/2023","Buy","SEE","SEEFELD ETF","45","$73.7789","","-$3320.05"',
      '"04/26/2023","Cancel Buy","SEE","SEEFELD ETF","10","$73.00","","$730.00"',
      '"04/20/2023","Journal","","TRANSFER FUNDS TO BANK","","","","-$7,461.72"',
      '"04/18/2023","Sell","SEE","SEEFELD ETF","10.065","$73.4049","$0.01","$738.81"',
      '"04/17/2023 as of 04/15/2023","Bank Interest","","BANK INT","","","","$0.03"',
      '"04/06/2023","NRA Tax Adj","SEE","SEEFELD ETF","","","","-$0.28"',
      '"04/06/2023","Qualified Dividend","SEE","SEEFELD ETF","","","","$1.84"',
      '"04/05/2023","Stock Plan Activity","SEE","SEEFELD ETF","12","","",""',
      '"01/09/2023","MoneyLink Deposit","","A Muster","","","","$25.00"',
      '"Transactions Total","","","","","","","-$9,286.37",',
    ),
  },
  {
    profile: 'Charles Schwab, bank account',
    text: csv(
      '"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"',
      '"07/31/2022","Posted","INTADJUST","","Interest Paid","","$1.00","$2.00"',
      '"07/30/2022","Posted","ACH","","Electronic Withdrawal","$2.00","","$1.00"',
    ),
  },
  {
    profile: 'Fidelity, history',
    text: csv(
      'Run Date,Account,Account Number,Action,Symbol,Description,Type,Exchange Quantity,Exchange Currency,Currency,Price,Quantity,Exchange Rate,Commission,Fees,Accrued Interest,Amount,Settlement Date',
      '11/17/2025,"Brokerage","333","YOU BOUGHT SEEFELD INC (SEE) (Margin)",SEE,"SEEFELD INC",Margin,0,,USD,208.64,18,0,,,,-3755.52,11/18/2025',
      '11/24/2025,"Brokerage","333","YOU SOLD SEEFELD INC (SEE) (Margin)",SEE,"SEEFELD INC",Margin,0,,USD,30.44,-341,0,1.00,0.66,,10378.38,11/25/2025',
      '12/02/2025,"Brokerage","333","DIVIDEND RECEIVED SEEFELD INC (SEE) (Cash)",SEE,"SEEFELD INC",Cash,0,,USD,,0.000,0,,,,588,',
      '10/09/2025,"Brokerage","333","FOREIGN TAX PAID SEEFELD INC (SEE) (Cash)",SEE,"SEEFELD INC",Cash,0,,USD,,0.000,0,,,,-32.93,',
      '12/03/2025,"CMA","444","DIRECT DEPOSIT ACH (Cash)", ,"No Description",Cash,0,,USD,,0.000,0,,,,8613.36,',
      '09/18/2025,"CMA","444","Check Paid # 9999 (Cash)",,"No Description",Cash,0,,USD,,0.000,0,,,,-612.5,',
      '',
      'Date downloaded 12/03/2025 3:00 pm',
    ),
  },
  {
    profile: 'Vanguard (United States), transactions',
    text: csv(
      'Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,',
      '12345678,SEEFELD TOTAL,SEET,100.5,"$118.50","$11,909.25",',
      '',
      'Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commission Fees,Net Amount,Accrued Interest,Account Type,',
      '12345678,01/02/2025,01/03/2025,Buy,Buy,SEEFELD TOTAL,SEET,10,240.00,(2400.00),1.00,(2401.00),0.00,CASH,',
      '12345678,02/14/2025,02/14/2025,Dividend,Dividend Received,SEEFELD TOTAL,SEET,0,0.00,12.34,0.00,12.34,0.00,CASH,',
      '12345678,03/01/2025,03/03/2025,Sell,Sell,SEEFELD TOTAL,SEET,2,210.00,420.00,0.00,420.00,0.00,CASH,',
      '12345678,03/02/2025,03/03/2025,Funds Received,Electronic deposit,,,0,0.00,500.00,0.00,500.00,0.00,CASH,',
      '12345678,03/04/2025,03/04/2025,Advisory Fee,Quarterly fee,,,0,0.00,-42.18,0.00,-42.18,0.00,CASH,',
    ),
  },
  {
    profile: 'Zürcher Kantonalbank, account movements',
    text: csv(
      '"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";"Belastung USD";"Gutschrift USD";"Valuta";"Saldo USD";"Zahlungszweck";"Details"',
      '"31.01.2026";"Belastung";"";"";"Z1";"";"12.50";"";"31.01.2026";"87.50";"";""',
    ),
  },
  {
    profile: 'Wells Fargo, account activity (no header)',
    text: csv(
      '"01/31/2024","-12.34","*","","LADEN"',
      '"01/30/2024","1,000.00","*","","PAYROLL"',
      '"01/29/2024","-50.00","*","101","CHECK # 101"',
    ),
  },
  {
    profile: 'ABN AMRO, account movements (no header)',
    text: csv(
      '123456789\tEUR\t20240131\t1000,00\t987,66\t20240131\t-12,34\tBEA   Laden',
      '123456789\tEUR\t20240201\t987,66\t1487,66\t20240202\t500,00\tSEPA Overboeking',
    ),
  },
];
