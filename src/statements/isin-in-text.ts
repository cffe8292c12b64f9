// Finds the ISIN that a bank wrote into a free text.

import { isIsin } from '../model/instrument/security-code.ts';

/** The first code with a right check digit. Undefined if two different ones are named, since either may be meant. */
export function isinIn(text: string): string | undefined {
  const codes = new Set((text.match(/\b[A-Z]{2}[A-Z0-9]{9}\d\b/g) ?? []).filter(isIsin));
  return codes.size === 1 ? [...codes][0] : undefined;
}
