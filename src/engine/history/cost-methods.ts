// Tells by which method the sales of a position are matched with lots: the one that its custodian enforces, else the client's.

import type { HoldingPlace } from '../ledger/transaction.ts';
import type { CostMethod } from '../lots/lot.ts';
import type { Facts } from './facts.ts';

export class CostMethods {
  readonly #facts: Pick<Facts, 'accounts' | 'settings'>;
  #byDepository: ReadonlyMap<string, CostMethod> | undefined;

  constructor(facts: Pick<Facts, 'accounts' | 'settings'>) {
    this.#facts = facts;
  }

  of({ account, depository }: HoldingPlace): CostMethod {
    const { accounts, settings } = this.#facts;
    if (account !== null) return accounts.get(account)?.method ?? settings.method;
    this.#byDepository ??= methodsByDepository(this.#facts);
    return (depository === null ? undefined : this.#byDepository.get(depository)) ?? settings.method;
  }
}

/** A depository's own positions follow the accounts that settle through it, if their custodians all enforce the same. */
function methodsByDepository({
  accounts,
  settings,
}: Pick<Facts, 'accounts' | 'settings'>): ReadonlyMap<string, CostMethod> {
  const methods = new Map<string, CostMethod>();
  for (const { depositories, method = settings.method } of accounts.values()) {
    for (const depository of depositories) {
      const known = methods.get(depository);
      methods.set(depository, known === undefined || known === method ? method : settings.method);
    }
  }
  return methods;
}
