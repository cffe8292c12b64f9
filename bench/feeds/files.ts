// Writes files of each format with generated rows: payments, interest and charges of a cash account, or purchases and sales of a custody
// account. Files are written piece by piece, so that one of any size takes no memory.

import { isIsin } from '../../src/model/instrument/security-code.ts';

export interface FeedFile {
  readonly format: string;
  /** The number of the account in the file. */
  readonly account: string;
  readonly type: string;
  write(rows: number): Iterable<string>;
}

export const cashAccountNumber = 'CH9300762011623852957';
export const custodyAccountNumber = 'DEP-77001';
export const brokerAccountNumber = 'U1234567';

const instrumentCount = 200;

/** The instruments of all trades. */
export const benchIsins: readonly string[] = Array.from({ length: instrumentCount }, (_, index) => {
  const base = `CH${String(9_000_000 + index).padStart(9, '0')}`;
  return Array.from({ length: 10 }, (_digit, digit) => `${base}${digit}`).find(isIsin)!;
});

interface CashRow {
  readonly reference: string;
  readonly date: string;
  readonly cents: number;
  readonly isIn: boolean;
  /** The code in camt, and that of MT940. */
  readonly code: string;
  readonly swiftType: string;
}

function dayNumbered(index: number, rows: number): string {
  const day = Math.floor((index * 2_000) / Math.max(rows, 2_000));
  return new Date(Date.UTC(2019, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
}

function cashRow(index: number, rows: number): CashRow {
  const frame = { reference: `R-${String(index).padStart(9, '0')}`, date: dayNumbered(index, rows) };
  const cents = 1_000 + ((index * 7_919) % 500_000);
  if (index % 10 === 8) return { ...frame, cents, isIn: true, code: 'ACMT/MCOP/INTR', swiftType: 'NINT' };
  if (index % 10 === 9) return { ...frame, cents, isIn: false, code: 'ACMT/MDOP/CHRG', swiftType: 'NCHG' };
  return { ...frame, cents, isIn: index % 3 !== 0, code: 'PMNT/RCDT/ESCT', swiftType: 'NTRF' };
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

interface TradeRow {
  readonly reference: string;
  readonly date: string;
  readonly isin: string;
  readonly units: number;
  readonly price: string;
  /** Units × price. */
  readonly gross: string;
  readonly isSale: boolean;
}

function tradeRow(index: number, rows: number): TradeRow {
  const [units, cents] = [1 + (index % 500), 5_025 + 100 * (index % 100)];
  return {
    reference: `T-${String(index).padStart(9, '0')}`,
    date: dayNumbered(index, rows),
    isin: benchIsins[(index * 7) % instrumentCount]!,
    units,
    price: money(cents),
    gross: money(units * cents),
    isSale: index % 3 === 0,
  };
}

/** Joins rows to pieces of some size, as they come from a disk. */
function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* rowsOf(rows: number, write: (index: number) => string): Generator<string> {
  for (let index = 0; index < rows; index++) yield write(index);
}

function* camt053(rows: number): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-01-01T06:00:00Z</CreDtTm></GrpHdr>
<Stmt><Id>S-1</Id><CreDtTm>2026-01-01T06:00:00Z</CreDtTm><Acct><Id><IBAN>${cashAccountNumber}</IBAN></Id><Ccy>CHF</Ccy></Acct>
`;
  yield* rowsOf(rows, (index) => {
    const { reference, date, cents, isIn, code } = cashRow(index, rows);
    const [domain, family, sub] = code.split('/');
    const amount = `<Amt Ccy="CHF">${money(cents)}</Amt><CdtDbtInd>${isIn ? 'CRDT' : 'DBIT'}</CdtDbtInd>`;
    return `<Ntry>
 <NtryRef>${index}</NtryRef>${amount}
 <Sts><Cd>BOOK</Cd></Sts>
 <BookgDt><Dt>${date}</Dt></BookgDt>
 <ValDt><Dt>${date}</Dt></ValDt>
 <AcctSvcrRef>${reference}</AcctSvcrRef>
 <BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>
 <NtryDtls>
  <TxDtls>
   <Refs><EndToEndId>E2E-${index}</EndToEndId></Refs>${amount}
   <RltdPties><Dbtr><Pty><Nm>Counterparty ${index % 1_000}</Nm></Pty></Dbtr></RltdPties>
   <RmtInf><Ustrd>Invoice ${index}</Ustrd></RmtInf>
  </TxDtls>
 </NtryDtls>
</Ntry>
`;
  });
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function* mt940(rows: number): Generator<string> {
  const compact = (date: string) => date.slice(2).replaceAll('-', '');
  yield `{1:F01BANKCHZZAXXX0000000000}{2:O9401157260101BANKCHZZAXXX00000000002601011157N}{4:
:20:S1
:25:${cashAccountNumber}
:28C:1/1
:60F:C190101CHF0,
`;
  let balance = 0;
  yield* rowsOf(rows, (index) => {
    const { reference, date, cents, isIn, swiftType } = cashRow(index, rows);
    balance += isIn ? cents : -cents;
    const amount = money(cents).replace('.', ',');
    return `:61:${compact(date)}${date.slice(5).replace('-', '')}${isIn ? 'C' : 'D'}${amount}${swiftType}NONREF//${reference}\n:86:Invoice ${index}\n`;
  });
  yield `:62F:${balance < 0 ? 'D' : 'C'}${compact(dayNumbered(rows - 1, rows))}CHF${money(Math.abs(balance)).replace('.', ',')}\n-}\n`;
}

function* ofx(rows: number): Generator<string> {
  yield `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260101060000<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>CHF
<BANKACCTFROM><BANKID>762<ACCTID>${cashAccountNumber}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20190101<DTEND>20260101
`;
  yield* rowsOf(rows, (index) => {
    const { reference, date, cents, isIn, swiftType } = cashRow(index, rows);
    const type = swiftType === 'NINT' ? 'INT' : swiftType === 'NCHG' ? 'FEE' : isIn ? 'CREDIT' : 'DEBIT';
    return `<STMTTRN><TRNTYPE>${type}<DTPOSTED>${date.replaceAll('-', '')}<TRNAMT>${isIn ? '' : '-'}${money(cents)}<FITID>${reference}<NAME>Counterparty<MEMO>Invoice ${index}</STMTTRN>\n`;
  });
  yield '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n';
}

function* semt017(rows: number): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:semt.017.001.12"><SctiesTxPstngRpt><StmtGnlDtls><StmtId>T-9</StmtId><StmtPrd><FrDtToDt><FrDt>2019-01-01</FrDt><ToDt>2025-12-31</ToDt></FrDtToDt></StmtPrd></StmtGnlDtls>
<SfkpgAcct><Id>${custodyAccountNumber}</Id></SfkpgAcct>
`;
  yield* rowsOf(rows, (index) => {
    const { reference, date, isin, units, gross, isSale } = tradeRow(index, rows);
    const cash = `<PstngAmt><Amt Ccy="CHF">${gross}</Amt><CdtDbtInd>${isSale ? 'CRDT' : 'DBIT'}</CdtDbtInd></PstngAmt>`;
    return `<FinInstrmDtls><FinInstrmId><ISIN>${isin}</ISIN></FinInstrmId><Tx><AcctSvcrTxId>${reference}</AcctSvcrTxId><TxDtls>
<TxActvty><Cd>SETT</Cd></TxActvty><SttlmTxOrCorpActnEvtTp><SctiesTxTp><Cd>TRAD</Cd></SctiesTxTp></SttlmTxOrCorpActnEvtTp><SctiesMvmntTp>${isSale ? 'DELI' : 'RECE'}</SctiesMvmntTp><Pmt>APMT</Pmt>
<PstngQty><Qty><Unit>${units}</Unit></Qty></PstngQty>${cash}<TradDt><Dt><Dt>${date}</Dt></Dt></TradDt><FctvSttlmDt><Dt>${date}</Dt></FctvSttlmDt></TxDtls></Tx></FinInstrmDtls>
`;
  });
  yield '</SctiesTxPstngRpt></Document>\n';
}

function* mt536(rows: number): Generator<string> {
  const compact = (date: string) => date.replaceAll('-', '');
  yield `{1:F01BANKCHZZAXXX0000000000}{2:O5360830260101BANKCHZZAXXX00000000002601010831N}{4:
:16R:GENL
:28E:1/ONLY
:20C::SEME//STMT0001
:23G:NEWM
:69A::STAT//20190101/20251231
:97A::SAFE//${custodyAccountNumber}
:17B::ACTI//Y
:16S:GENL
:16R:SUBSAFE
`;
  yield* rowsOf(rows, (index) => {
    const { reference, date, isin, units, gross, isSale } = tradeRow(index, rows);
    return `:16R:FIN
:35B:ISIN ${isin}
:16R:TRAN
:16R:LINK
:20C::RELA//${reference}
:16S:LINK
:16R:TRANSDET
:36B::PSTA//UNIT/${units},
:19A::PSTA//CHF${gross.replace('.', ',')}
:22F::TRAN//SETT
:22H::REDE//${isSale ? 'DELI' : 'RECE'}
:22H::PAYM//APMT
:98A::TRAD//${compact(date)}
:98A::ESET//${compact(date)}
:16S:TRANSDET
:16S:TRAN
:16S:FIN
`;
  });
  yield ':16S:SUBSAFE\n-}\n';
}

function* ibFlex(rows: number): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<FlexQueryResponse queryName="activity" type="AF"><FlexStatements count="1"><FlexStatement accountId="${brokerAccountNumber}" fromDate="20190101" toDate="20251231" whenGenerated="20260101;060000"><Trades>
`;
  yield* rowsOf(rows, (index) => {
    const { reference, date, isin, units, price, gross, isSale } = tradeRow(index, rows);
    const sign = isSale ? '' : '-';
    const net = (Number(gross) * 100 + (isSale ? -995 : 995)) / 100;
    return `<Trade accountId="${brokerAccountNumber}" currency="CHF" assetCategory="STK" isin="${isin}" listingExchange="EBS" multiplier="1" tradeID="${reference}" tradeDate="${date}" settleDateTarget="${date}" transactionType="ExchTrade" quantity="${isSale ? '-' : ''}${units}" tradePrice="${price}" proceeds="${sign}${gross}" taxes="0" ibCommission="-9.95" ibCommissionCurrency="CHF" netCash="${sign}${net.toFixed(2)}" buySell="${isSale ? 'SELL' : 'BUY'}" levelOfDetail="EXECUTION" />
`;
  });
  yield '</Trades></FlexStatement></FlexStatements></FlexQueryResponse>\n';
}

function file(format: string, account: string, type: string, write: (rows: number) => Iterable<string>): FeedFile {
  return { format, account, type, write: (rows) => inPieces(write(rows)) };
}

export const feedFiles: readonly FeedFile[] = [
  file('camt.053', cashAccountNumber, 'application/xml', camt053),
  file('mt940', cashAccountNumber, 'text/plain', mt940),
  file('ofx', cashAccountNumber, 'application/x-ofx', ofx),
  file('semt.017', custodyAccountNumber, 'application/xml', semt017),
  file('mt536', custodyAccountNumber, 'text/plain', mt536),
  file('ib-flex', brokerAccountNumber, 'application/xml', ibFlex),
];
