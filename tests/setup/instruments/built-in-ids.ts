// The reserved ids of the instruments that the service provides, as its reference states them.

function currencyHex(currency: string): string {
  return Buffer.from(currency, 'ascii').toString('hex');
}

export function cashId(currency: string): string {
  return `ffffffffffffffff01${currencyHex(currency)}`;
}

export function feesOwedId(currency: string): string {
  return `ffffffffffffffff02${currencyHex(currency)}`;
}

export const unidentifiedId = 'ffffffffffffffff03000000';

/** Whether an instrument is one that the service provides to everybody. */
export function isBuiltIn(id: string): boolean {
  return id.startsWith('ffffffffffffffff');
}
