// Writes camt.053 and camt.052 as their versions do: what a status, a party, a charge and a bank's code look like has changed.

export interface CamtShape {
  /** 2 to 13. */
  readonly version: number;
  readonly message?: 'camt.053' | 'camt.052';
}

export interface CamtEntryText {
  readonly amount?: string;
  readonly currency?: string;
  readonly direction?: string;
  readonly status?: string;
  readonly booked?: string;
  readonly valued?: string;
  readonly reference?: string;
  readonly reversal?: boolean;
  /** `PMNT/RCDT/ESCT`. */
  readonly code?: string;
  readonly proprietaryCode?: string;
  /** The content of `NtryDtls`. */
  readonly details?: string;
  readonly note?: string;
}

export interface CamtDetailText {
  readonly amount?: string;
  readonly currency?: string;
  readonly reference?: string;
  readonly counterparty?: { readonly name: string; readonly iban: string; readonly role: 'Dbtr' | 'Cdtr' };
  readonly remittance?: string;
  /** Elements after the remittance: `RltdDts`, `RltdPric`, `RltdQties`, `FinInstrmId`, `Tax`. */
  readonly rest?: string;
  readonly charges?: string;
}

export interface CamtStatementText {
  readonly id?: string;
  readonly account?: string;
  readonly balances?: readonly string[];
  readonly entries?: readonly string[];
  readonly from?: string;
}

export const sampleAccount = `<Acct><Id><IBAN>CH9300762011623852957</IBAN></Id><Ccy>CHF</Ccy></Acct>`;

export class CamtText {
  readonly #version: number;
  readonly #message: 'camt.053' | 'camt.052';

  constructor({ version, message = 'camt.053' }: CamtShape) {
    this.#version = version;
    this.#message = message;
  }

  document(statements: readonly CamtStatementText[]): string {
    const [root, tag] = this.#message === 'camt.053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrAcctRpt', 'Rpt'];
    const space = `urn:iso:std:iso:20022:tech:xsd:${this.#message}.001.${String(this.#version).padStart(2, '0')}`;
    const texts = statements.map((statement) => this.#statement(statement, tag!));
    return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${space}"><${root}>
<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2024-03-02T06:00:00+01:00</CreDtTm></GrpHdr>
${texts.join('\n')}
</${root}></Document>
`;
  }

  #statement({ id = 'S-1', account, balances = [], entries = [], from }: CamtStatementText, tag: string): string {
    const period = from === undefined ? '' : `<FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${from}</ToDtTm></FrToDt>`;
    return `<${tag}><Id>${id}</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>2024-03-02T05:30:00+01:00</CreDtTm>${period}
${account ?? sampleAccount}
${[...balances, ...entries].join('\n')}
</${tag}>`;
  }

  balance(code: string, amount: string, date: string, direction = 'CRDT'): string {
    return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
  }

  entry(fields: CamtEntryText = {}): string {
    const { amount = '100.00', currency = 'CHF', direction = 'CRDT', booked = '2024-03-01', valued, details } = fields;
    const status = this.#version >= 8 ? `<Cd>${fields.status ?? 'BOOK'}</Cd>` : (fields.status ?? 'BOOK');
    return [
      `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`,
      fields.reversal ? '<RvslInd>true</RvslInd>' : '',
      `<Sts>${status}</Sts>`,
      date('BookgDt', booked),
      date('ValDt', valued),
      element('AcctSvcrRef', fields.reference),
      `<BkTxCd>${domain(fields.code)}${element('Prtry', fields.proprietaryCode && element('Cd', fields.proprietaryCode))}</BkTxCd>`,
      element('NtryDtls', details),
      element('AddtlNtryInf', fields.note),
      '</Ntry>',
    ].join('');
  }

  detail({
    amount,
    currency = 'CHF',
    reference,
    counterparty,
    remittance,
    rest = '',
    charges,
  }: CamtDetailText): string {
    const money = amount && `<Amt Ccy="${currency}">${amount}</Amt>`;
    return [
      '<TxDtls>',
      element('Refs', reference && element('AcctSvcrRef', reference)),
      this.#version >= 4 ? (money ?? '') : element('AmtDtls', money && element('TxAmt', money)),
      element('Chrgs', charges && this.#charges(charges, currency)),
      counterparty ? this.#party(counterparty) : '',
      element('RmtInf', remittance && element('Ustrd', remittance)),
      rest,
      '</TxDtls>',
    ].join('');
  }

  #charges(amount: string, currency: string): string {
    const money = `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
    return this.#version >= 4 ? `<Rcrd>${money}<ChrgInclInd>true</ChrgInclInd></Rcrd>` : money;
  }

  #party({ name, iban, role }: { readonly name: string; readonly iban: string; readonly role: string }): string {
    const party = this.#version >= 8 ? `<Pty><Nm>${name}</Nm></Pty>` : `<Nm>${name}</Nm>`;
    return `<RltdPties><${role}>${party}</${role}><${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct></RltdPties>`;
  }
}

function element(name: string, content: string | undefined): string {
  return content ? `<${name}>${content}</${name}>` : '';
}

/** A day, or a moment if it has a time. */
function date(name: string, text: string | undefined): string {
  return element(name, text && element(text.includes('T') ? 'DtTm' : 'Dt', text));
}

function domain(code: string | undefined): string {
  const [first, family, sub] = code?.split('/') ?? [];
  return first ? `<Domn><Cd>${first}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn>` : '';
}
