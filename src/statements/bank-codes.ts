// What two kinds of bank codes mean for the ledger: transaction types of SWIFT (`NCHG`), and business transaction codes of German banks
// (`808`). Codes that say nothing about wealth are flows.

import type { TransactionKind } from '../model/ledger/transaction-kind.ts';

export interface CodeMeaning {
  readonly kind: TransactionKind;
  readonly category?: string;
}

const fee: CodeMeaning = { kind: 'fee' };
const tax: CodeMeaning = { kind: 'fee', category: 'tax' };
const interest: CodeMeaning = { kind: 'interest' };
const dividend: CodeMeaning = { kind: 'dividend' };
const coupon: CodeMeaning = { kind: 'coupon' };
const redemption: CodeMeaning = { kind: 'redemption' };
const trade: CodeMeaning = { kind: 'trade' };

const swiftTypes: ReadonlyMap<string, CodeMeaning> = new Map(
  Object.entries({
    CHG: fee,
    COM: fee,
    BRF: fee,
    CMI: fee,
    CMT: fee,
    TAX: tax,
    INT: interest,
    DIV: dividend,
    CPN: coupon,
    MAT: redemption,
    RED: redemption,
    SEC: trade,
    PCH: trade,
    SAL: trade,
  }),
);

const germanTypes: ReadonlyMap<string, CodeMeaning> = new Map(
  Object.entries({
    '302': dividend,
    '803': fee,
    '804': fee,
    '806': fee,
    '807': fee,
    '808': fee,
    '809': fee,
    '810': fee,
    '811': fee,
    '812': interest,
    '814': interest,
    '815': interest,
    '817': interest,
  }),
);

/** `type` has four characters, of which the first says who informed about it. */
export function meaningOfCodes(type: string | undefined, germanCode: string | undefined): CodeMeaning | undefined {
  return swiftTypes.get(/^[A-Z]([A-Z]{3})$/.exec(type ?? '')?.[1] ?? '') ?? germanTypes.get(germanCode ?? '');
}
