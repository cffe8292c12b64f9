// Whether an instrument can be the one that a file means by a word that is no code: nothing that the file says may contradict it.

import { fee } from '../../../model/instrument/fee.ts';
import { isBondType } from '../../../model/instrument/instrument.ts';
import { loan } from '../../../model/instrument/loan.ts';
import { mutualFund } from '../../../model/instrument/mutual-fund.ts';
import { otherInstrument } from '../../../model/instrument/other.ts';
import { stock } from '../../../model/instrument/stock.ts';
import type { CodedInstrument } from '../../../store/names/named-records.ts';
import type { Codes } from './instrument-words.ts';

/** The market and the currency of its quotes, where both sides say them. */
export function fitsListing({ mic, currency }: Codes, one: CodedInstrument): boolean {
  const differs = (named: string | undefined, own: string | null): boolean =>
    named !== undefined && own !== null && named !== own;
  return !differs(mic, one.mic) && !differs(currency, one.currency);
}

/** Custodians call a listed fund a stock and a stock a fund; what they call an option is neither. */
export function fitsType({ type: named }: Codes, { type }: CodedInstrument): boolean {
  const isShare = type === stock.type || type === mutualFund.type;
  switch (named) {
    case undefined:
      return true;
    case 'stock':
    case 'fund':
      return isShare || type === otherInstrument.type;
    case 'bond':
      return isBondType(type) || type === loan.type || type === otherInstrument.type;
    case 'option':
      return type === otherInstrument.type;
    case 'other':
      return !isShare && !isBondType(type) && type !== fee.type;
  }
}
