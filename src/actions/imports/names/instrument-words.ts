// The words by which a file names an instrument: which of them are codes that anybody uses, and which are the custodian's own.

import { instrumentSchemes, type InstrumentScheme } from '../../../model/custody/identifier-mapping.ts';
import type { NamedInstrument } from '../../../model/custody/statement.ts';
import { foldWord } from '../../../model/custody/folded-words.ts';
import { quotedCurrency } from '../../../model/instrument/quoted-currency.ts';
import { isCusip, isSedol } from '../../../model/instrument/security-code.ts';

/** The words of a name in one form, by scheme, and what else it says. */
export type Codes = { readonly [S in InstrumentScheme]?: string } & {
  readonly mic?: string;
  readonly currency?: string;
  readonly type?: NamedInstrument['type'];
};

/** Of the name of an instrument. Files are cut to it. */
const nameLengthMax = 200;

/** As an instrument is called that is created from the name. */
export function storedName(name: string | undefined): string {
  return (name ?? '').trim().slice(0, nameLengthMax);
}

/** An option that has the ticker of what it is on is not named by it. A ticker of its own has a date or a strike. */
export function ownTicker({ type, ticker }: NamedInstrument): string | undefined {
  return type === 'option' && ticker !== undefined && !/\d/.test(ticker) ? undefined : ticker;
}

export function codesOf(named: NamedInstrument): Codes {
  const { isin, cusip, sedol, mic, custodianCode, name, currency, type } = named;
  const words = {
    isin,
    cusip,
    sedol,
    ticker: ownTicker(named),
    mic,
    'custodian-code': custodianCode,
    name: name === undefined ? undefined : storedName(name),
  };
  const folded = Object.entries(words).map(([scheme, word]) => [scheme, word === undefined ? '' : foldWord(word)]);
  const quoted = quotedCurrency(currency);
  return {
    ...Object.fromEntries(folded.filter(([, word]) => word !== '')),
    ...(quoted && { currency: quoted.currency }),
    ...(type && { type }),
  };
}

export function wordsOf(codes: Codes): readonly string[] {
  return instrumentSchemes.flatMap((scheme) => codes[scheme] ?? []);
}

/** Whether this word is the custodian's own code: a CUSIP or a SEDOL with a wrong check digit is one, whatever the file calls it. */
export function isOwnCode(codes: Codes, scheme: InstrumentScheme): boolean {
  const code = codes[scheme];
  if (code === undefined) return false;
  switch (scheme) {
    case 'custodian-code':
      return true;
    case 'cusip':
      return !isCusip(code);
    case 'sedol':
      return !isSedol(code);
    case 'isin':
    case 'ticker':
    case 'name':
      return false;
  }
}

/** Whether the file says a code that names one security everywhere. */
export function hasSecurityCode(codes: Codes): boolean {
  return (['isin', 'cusip', 'sedol'] as const).some(
    (scheme) => codes[scheme] !== undefined && !isOwnCode(codes, scheme),
  );
}

/** Whether the name is the only word. */
export function isNameAlone(codes: Codes): boolean {
  return codes.name !== undefined && wordsOf(codes).length === 1;
}

/** How sure the strongest word of a name is, and that word. Names that agree in both mean one instrument. */
export interface StrongestWord {
  /** The lower, the surer. Of names by the same bare word, the one that says more comes first: the others may mean the same. */
  readonly rank: number;
  readonly word: string;
}

/** Codes come before these: tickers and names. */
const bareWordsFrom = 4;

/** Undefined if nothing names the instrument. */
export function strongestWord(named: NamedInstrument): StrongestWord | undefined {
  const codes = codesOf(named);
  const { isin, cusip, sedol, ticker, mic, name, currency = '', type = '' } = codes;
  const ownCode = instrumentSchemes.find((scheme) => isOwnCode(codes, scheme));
  const words = [
    isin,
    ownCode === 'cusip' ? undefined : cusip,
    ownCode === 'sedol' ? undefined : sedol,
    ownCode && `${ownCode} ${codes[ownCode]}`,
    ticker && mic && `${ticker} ${mic} ${type}`,
    ticker && `${ticker} ${currency} ${type}`,
    name && `${name} ${currency} ${type}`,
  ];
  const place = words.findIndex((word) => word !== undefined && word !== '');
  if (place === -1) return undefined;
  const unsaid = [mic, currency, type].filter((word) => word === undefined || word === '').length;
  return { rank: place + (place < bareWordsFrom ? 0 : unsaid / 4), word: words[place] ?? '' };
}
