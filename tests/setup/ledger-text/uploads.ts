// Reads uploads in a ledger text: what a depository holds, and what an account has in cash or owes.

import type { Upload } from '../../../src/engine/history/facts.ts';
import type { Fixed } from '../../../src/kit/fixed.ts';
import type { RowContext } from './row-text.ts';
import type { Words } from './words.ts';

/** `upload 2024-01-31 D X 100 worth 1100 accrued 3 rate 0.9 in EUR`, `upload 2024-01-31 A cash 500`, `… A owes 12` */
export function readUpload(words: Words, { structure, instruments }: RowContext): Upload {
  const day = words.date();
  const name = words.next('an account or a depository');
  if (!structure.isDepository(name)) {
    structure.account(words, name);
    const kind = words.oneOf(['cash', 'owes'], 'kind of upload');
    const amount = words.amount();
    words.end();
    if (kind === 'cash') return { kind, day, account: name, balance: amount };
    return { kind: 'fees', day, account: name, owed: amount };
  }
  const instrument = words.next('an instrument');
  if (!instruments.has(instrument)) words.fail(`there is no instrument "${instrument}"`);
  const quantity = words.amount();
  words.expect('worth');
  const marketValue = words.amount();
  const { accrued, rate, currency } = readMoneyClauses(words, structure.settings.referenceCurrency);
  const exchange = rate === undefined ? null : { rate, currency };
  return { kind: 'units', day, depository: name, instrument, quantity, marketValue, accrued, exchange };
}

function readMoneyClauses(words: Words, referenceCurrency: string) {
  const found: { accrued: Fixed; rate?: Fixed; currency: string } = { accrued: 0n, currency: referenceCurrency };
  words.clauses(
    new Map([
      ['accrued', () => void (found.accrued = words.amount())],
      ['rate', () => void (found.rate = words.amount())],
      ['in', () => void (found.currency = words.next('a currency'))],
    ]),
  );
  return found;
}
