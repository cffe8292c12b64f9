// A file of each XML format with everything that its reader distinguishes, and the names of its records.

import { CamtText } from './camt-text.ts';
import { flexDocument, flexRow, flexStatement, purchaseRow } from './flex-text.ts';
import { holdingText, movementText, semt002, semt017 } from './semt-text.ts';

export interface XmlSample {
  readonly name: string;
  readonly text: string;
  /** The elements of which each gives an item, or several. */
  readonly records: readonly string[];
}

function camt(version: number, message: 'camt.053' | 'camt.052'): string {
  const text = new CamtText({ version, message });
  const isin = '<FinInstrmId><ISIN>CH0012032048</ISIN></FinInstrmId>';
  const trade = `<RltdDts><TradDt>2024-02-28</TradDt></RltdDts><RltdQties><Qty><Unit>3</Unit></Qty></RltdQties>${isin}`;
  const other = '<Acct><Id><Othr><Id>0123-456</Id></Othr></Id><Ccy>USD</Ccy></Acct>';
  return text.document([
    {
      balances: [text.balance('OPBD', '1000.00', '2024-03-01'), text.balance('CLBD', '699.50', '2024-03-01')],
      entries: [
        text.entry({
          reference: 'A-1',
          code: 'PMNT/RCDT/ESCT',
          note: 'Grüezi &amp; <![CDATA[<b>]]>',
          valued: '2024-03-04',
        }),
        text.entry({
          amount: '300.50',
          direction: 'DBIT',
          code: 'SECU/SETT/TRAD',
          details: text.detail({ amount: '300.50', charges: '0.50', rest: trade }),
        }),
        text.entry({
          amount: '30',
          details: text.detail({ amount: '10' }) + text.detail({ amount: '20' }),
          booked: '2024-03-01T10:00:00+01:00',
        }),
        text.entry({ direction: 'DBIT', reversal: true, code: 'ACMT/MDOP/CHRG', proprietaryCode: 'NCHG' }),
        text.entry({ status: 'PDNG' }),
      ],
    },
    { id: 'S-2', account: other, entries: [text.entry({ currency: 'USD', code: 'ACMT/MCOP/INTR' })] },
  ]);
}

const price =
  '<PricDtls><Tp><Cd>MRKT</Cd></Tp><Val><Amt Ccy="CHF">99.05</Amt></Val><QtnDt><Dt>2024-03-28</Dt></QtnDt></PricDtls>';
const value = '<AcctBaseCcyAmts><HldgVal><Amt Ccy="CHF">990.50</Amt><Sgn>true</Sgn></HldgVal></AcctBaseCcyAmts>';
const paid = '<PstngAmt><Amt Ccy="CHF">1000</Amt><CdtDbtInd>DBIT</CdtDbtInd></PstngAmt>';

const cashRow = {
  currency: 'USD',
  type: 'Dividends',
  amount: '24',
  reportDate: '20240216',
  transactionID: '7101',
  symbol: 'AAPL',
};
const positionRow = { currency: 'USD', symbol: 'AAPL', position: '100', markPrice: '171.48', reportDate: '20240329' };
const rateRow = { reportDate: '20240329', fromCurrency: 'EUR', toCurrency: 'USD', rate: '1.0789' };
const splitRow = {
  type: 'FS',
  symbol: 'AAPL',
  quantity: '300',
  dateTime: '20240201',
  actionDescription: 'SPLIT 4 FOR 1',
  transactionID: '9',
};
const transferRow = { currency: 'USD', date: '20240201', direction: 'IN', symbol: 'AAPL', quantity: '5' };

export const xmlSamples: readonly XmlSample[] = [
  { name: 'camt.053', text: camt(2, 'camt.053'), records: ['Ntry'] },
  { name: 'camt.052', text: camt(13, 'camt.052'), records: ['Ntry'] },
  {
    name: 'semt.002',
    text: semt002(
      `<BalForAcct>${holdingText({ rest: price + value })}</BalForAcct>\n<SubAcctDtls><SfkpgAcct><Id>SUB-1</Id></SfkpgAcct><BalForSubAcct>${holdingText({ isShort: true })}</BalForSubAcct></SubAcctDtls>`,
    ),
    records: ['BalForAcct', 'BalForSubAcct'],
  },
  {
    name: 'semt.017',
    text: semt017(
      `<FinInstrmDtls><FinInstrmId><ISIN>CH0012032048</ISIN></FinInstrmId>${movementText({ amount: paid })}\n${movementText({ reference: 'TX-2', movement: 'DELI', payment: 'FREE' })}${movementText({ movement: 'DELI', rest: '<RvslInd>true</RvslInd>' })}</FinInstrmDtls>`,
    ),
    records: ['Tx'],
  },
  {
    name: 'ib-flex',
    text: flexDocument([
      flexStatement({
        Trades: [
          flexRow('Trade', purchaseRow),
          flexRow('Trade', { ...purchaseRow, assetCategory: 'CASH', symbol: 'EUR.USD', tradeID: '2' }),
        ],
        CashTransactions: [flexRow('CashTransaction', cashRow)],
        Transfers: [flexRow('Transfer', transferRow)],
        CorporateActions: [flexRow('CorporateAction', splitRow)],
        OpenPositions: [flexRow('OpenPosition', positionRow)],
        CashReport: [flexRow('CashReportCurrency', { currency: 'USD', endingCash: '-2.5' })],
        ConversionRates: [flexRow('ConversionRate', rateRow)],
      }),
      flexStatement({ Trades: [flexRow('Trade', { ...purchaseRow, accountId: '' })] }, 'U7654321'),
    ]),
    records: [
      'Trade',
      'CashTransaction',
      'Transfer',
      'CorporateAction',
      'OpenPosition',
      'CashReportCurrency',
      'ConversionRate',
    ],
  },
  {
    name: 'ecb-rates',
    text: `<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube>
<Cube time='2024-03-28'>
<Cube currency='USD' rate='1.0811'></Cube><Cube currency='CHF' rate='0.9766'></Cube>
</Cube>
</Cube></gesmes:Envelope>`,
    records: ['Cube currency'],
  },
];
