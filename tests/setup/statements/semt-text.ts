// Writes semt.002 and semt.017 with what a custodian of a family states in them.

export interface HoldingText {
  readonly isin?: string;
  /** The content of `FinInstrmId` in place of an ISIN. */
  readonly id?: string;
  /** The content of `Qty`: `<Unit>10</Unit>`. */
  readonly quantity?: string;
  readonly isShort?: boolean;
  /** Elements between the quantity and the end: `PricDtls`, `AcctBaseCcyAmts`. */
  readonly rest?: string;
  readonly terms?: string;
}

export function holdingText({
  isin = 'CH0012032048',
  id,
  quantity = '<Unit>10</Unit>',
  ...more
}: HoldingText = {}): string {
  const terms = more.terms === undefined ? '' : `<FinInstrmAttrbts>${more.terms}</FinInstrmAttrbts>`;
  return `<FinInstrmId>${id ?? `<ISIN>${isin}</ISIN>`}</FinInstrmId>${terms}<AggtBal><ShrtLngInd>${more.isShort ? 'SHOR' : 'LONG'}</ShrtLngInd><Qty><Qty><Qty>${quantity}</Qty></Qty></Qty></AggtBal>${more.rest ?? ''}`;
}

const safekeeping = '<SfkpgAcct><Id>DEP-77</Id></SfkpgAcct>';
const servicer = '<AcctSvcr><Id><AnyBIC>UBSWCHZH80A</AnyBIC></Id></AcctSvcr>';

/** `content` has `BalForAcct` and `SubAcctDtls`. */
export function semt002(content: string, account = safekeeping): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:semt.002.001.11"><SctiesBalCtdyRpt>
<Pgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></Pgntn>
<StmtGnlDtls><StmtId>H-9</StmtId><StmtDtTm><Dt>2024-03-29</Dt></StmtDtTm><UpdTp><Cd>COMP</Cd></UpdTp><StmtBsis><Cd>SETT</Cd></StmtBsis><ActvtyInd>true</ActvtyInd></StmtGnlDtls>
${servicer}${account}
${content}
</SctiesBalCtdyRpt></Document>
`;
}

/** `content` has `FinInstrmDtls` and `SubAcctDtls`. */
export function semt017(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:semt.017.001.12"><SctiesTxPstngRpt>
<Pgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></Pgntn>
<StmtGnlDtls><StmtId>T-9</StmtId><StmtPrd><FrDtToDt><FrDt>2024-03-01</FrDt><ToDt>2024-03-29</ToDt></FrDtToDt></StmtPrd><UpdTp><Cd>COMP</Cd></UpdTp><StmtBsis><Cd>SETT</Cd></StmtBsis><ActvtyInd>true</ActvtyInd></StmtGnlDtls>
${safekeeping}
${content}
</SctiesTxPstngRpt></Document>
`;
}

export interface MovementText {
  readonly reference?: string;
  readonly movement?: string;
  readonly payment?: string;
  readonly type?: string;
  readonly quantity?: string;
  readonly amount?: string;
  readonly traded?: string;
  readonly settled?: string;
  readonly rest?: string;
}

export function movementText(fields: MovementText = {}): string {
  const {
    reference = 'TX-1',
    movement = 'RECE',
    payment = 'APMT',
    quantity = '<Unit>10</Unit>',
    settled = '2024-03-05',
  } = fields;
  return `<Tx><AcctOwnrTxId>NONREF</AcctOwnrTxId><AcctSvcrTxId>${reference}</AcctSvcrTxId><TxDtls><TxActvty><Cd>SETT</Cd></TxActvty>${fields.type ?? '<SttlmTxOrCorpActnEvtTp><SctiesTxTp><Cd>TRAD</Cd></SctiesTxTp></SttlmTxOrCorpActnEvtTp>'}<SctiesMvmntTp>${movement}</SctiesMvmntTp><Pmt>${payment}</Pmt><PstngQty><Qty>${quantity}</Qty></PstngQty>${fields.amount ?? ''}${fields.traded ?? ''}<FctvSttlmDt><Dt>${settled}</Dt></FctvSttlmDt>${fields.rest ?? ''}</TxDtls></Tx>`;
}
