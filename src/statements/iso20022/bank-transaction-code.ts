// What a bank transaction code (`BkTxCd`) of ISO 20022 means for the ledger. Codes that say nothing about wealth are flows.

import { isTransfer } from '../../model/ledger/kind-traits.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { meaningOfCodes } from '../bank-codes.ts';
import type { XmlElement } from '../xml/xml-element.ts';

export interface EntryMeaning {
  readonly kind: TransactionKind;
  readonly category?: string;
  /** The code in the bank's words: `ACMT/MDOP/CHRG`, or the proprietary one. */
  readonly typeWord?: string;
  /** A proprietary code that is in no list, and may be a word. */
  readonly word?: string;
}

type Meaning = Pick<EntryMeaning, 'kind' | 'category'>;

const fee: Meaning = { kind: 'fee' };
const tax: Meaning = { kind: 'fee', category: 'tax' };
const dividend: Meaning = { kind: 'dividend' };
const coupon: Meaning = { kind: 'coupon' };
const redemption: Meaning = { kind: 'redemption' };
const trade: Meaning = { kind: 'trade' };
const interest: Meaning = { kind: 'interest' };
const flow: Meaning = { kind: 'flow' };

/** Sub-families that mean the same in every family. */
const anywhere: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    CHRG: fee,
    FEES: fee,
    COMM: fee,
    COME: fee,
    COMI: fee,
    COMT: fee,
    CHAR: fee,
    TAXE: tax,
    INTR: interest,
  }),
);

/** Sub-families of asset servicing, `SECU/CUST`. */
const assetServicing: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    DVCA: dividend,
    DVOP: dividend,
    DRIP: dividend,
    CAPG: dividend,
    SHPR: dividend,
    INTR: coupon,
    REDM: redemption,
    PCAL: redemption,
    PRED: redemption,
    MCAL: redemption,
    DRAW: redemption,
  }),
);

/** Sub-families of trades and their settlement, `SECU/SETT`. */
const settlement: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({ TRAD: trade, SUBS: trade, REDM: trade, SWIC: trade }),
);

const securitiesFamilies = new Map([
  ['CUST', assetServicing],
  ['SETT', settlement],
]);

/** From the first `BkTxCd` that says something: that of the detail goes before that of the entry. */
export function meaningOf(codes: readonly (XmlElement | undefined)[]): EntryMeaning {
  let fallback: EntryMeaning = flow;
  for (const code of codes) {
    if (code === undefined) continue;
    const [domain, family, sub] = domainCode(code);
    const proprietary = code.textAt('Prtry', 'Cd');
    const isStated = domain !== undefined && domain !== 'XTND';
    const typeWord = isStated ? [domain, family, sub].filter(Boolean).join('/') : proprietary;
    if (typeWord === undefined) continue;
    const meaning = isStated ? structuredMeaning(domain, family, sub) : undefined;
    const known = meaning ?? proprietaryMeaning(proprietary);
    const isWord =
      known === undefined && !isStated && /\p{L}{4}/u.test(typeWord) && !/^N[A-Z]{3}(?:\+|$)/.test(typeWord);
    const found = { ...(known ?? flow), typeWord, ...(isWord && { word: typeWord }) };
    if (!isTransfer(found.kind)) return found;
    if (fallback.typeWord === undefined) fallback = found;
  }
  return fallback;
}

function domainCode(code: XmlElement): (string | undefined)[] {
  return [code.textAt('Domn', 'Cd'), code.textAt('Domn', 'Fmly', 'Cd'), code.textAt('Domn', 'Fmly', 'SubFmlyCd')];
}

function structuredMeaning(domain: string, family = '', sub = ''): Meaning | undefined {
  const ofFamily = domain === 'SECU' ? securitiesFamilies.get(family) : undefined;
  return ofFamily?.get(sub) ?? anywhere.get(sub);
}

function proprietaryMeaning(code: string | undefined): Meaning | undefined {
  if (code === undefined) return undefined;
  const [type = '', german = ''] = code.split('+');
  return meaningOfCodes(type, german);
}
