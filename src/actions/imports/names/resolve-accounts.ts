// Finds the accounts and depositories that files name by number, many at once. A number that nobody has is never taken for another.

import type { Id } from '../../../kit/id.ts';
import type { NamedAccount } from '../../../model/custody/statement.ts';
import { foldNumber, foldWord, isIban, numberKeys } from '../../../model/custody/folded-words.ts';
import { listMappings } from '../../../store/names/identifier-mappings.ts';
import {
  listAccountsByNumber,
  listDepositoriesByNumber,
  type NumberedRecord,
} from '../../../store/names/named-records.ts';
import type { Work } from '../../core/work.ts';
import { MappingLookup } from './mapping-lookup.ts';
import { missing, resolutionOf, type NameScope, type Resolution } from './resolution.ts';

/** In the order of the names. */
export function resolveAccounts(
  work: Work,
  scope: NameScope,
  names: readonly NamedAccount[],
): Promise<readonly Resolution[]> {
  return resolveNumbers(work, scope, { kind: 'account', names });
}

/** In the order of the names. A depository has no currency: what the file says about one does not count. */
export function resolveDepositories(
  work: Work,
  scope: NameScope,
  names: readonly NamedAccount[],
): Promise<readonly Resolution[]> {
  return resolveNumbers(work, scope, { kind: 'depository', names });
}

async function resolveNumbers(
  { store }: Work,
  scope: NameScope,
  { kind, names }: { readonly kind: 'account' | 'depository'; readonly names: readonly NamedAccount[] },
): Promise<readonly Resolution[]> {
  const numbers = [...new Set(names.map(({ number }) => number))].filter((number) => foldWord(number) !== '');
  if (numbers.length === 0) return names.map(() => missing);
  const { client } = scope;
  const mappings = await listMappings(store, { client, kind, values: [...new Set(numbers.map(foldNumber))] });
  const query = {
    client,
    keys: [...new Set(numbers.flatMap(numberKeys))].filter((key) => key !== ''),
    ids: [...new Set(mappings.map(({ target }) => target))],
  };
  const found = await (kind === 'account' ? listAccountsByNumber : listDepositoriesByNumber)(store, query);
  const lookup = new NumberLookup(scope, found, new MappingLookup(scope, mappings));
  return names.map((name) => lookup.resolve(name));
}

class NumberLookup {
  readonly #scope: NameScope;
  readonly #byId: ReadonlyMap<Id, NumberedRecord>;
  readonly #byNumber: ReadonlyMap<string, readonly NumberedRecord[]>;
  readonly #mappings: MappingLookup;

  constructor(scope: NameScope, found: readonly NumberedRecord[], mappings: MappingLookup) {
    this.#scope = scope;
    this.#byId = new Map(found.map((one) => [one.id, one]));
    this.#byNumber = Map.groupBy(found, ({ number }) => (number === null ? '' : foldNumber(number)));
    this.#mappings = mappings;
  }

  resolve(name: NamedAccount): Resolution {
    const number = foldNumber(name.number);
    if (number === '') return missing;
    const own = () => this.#narrowed(this.#ofCustodian(number), name);
    const steps = [() => this.#mapped(number, name, 'manual'), own, () => this.#mapped(number, name, 'learned')];
    for (const step of steps) {
      const resolution = resolutionOf(step());
      if (resolution.outcome !== 'missing') return resolution;
    }
    return missing;
  }

  #mapped(foldedValue: string, { currency }: NamedAccount, source: 'manual' | 'learned'): readonly NumberedRecord[] {
    const targets = this.#mappings.targets({ scheme: 'number', foldedValue, currency }, source);
    return targets.flatMap((id) => this.#byId.get(id) ?? []).filter((one) => fitsCurrency(one, currency));
  }

  /** Numbers other than IBANs are unique only at one custodian: those of others do not count. */
  #ofCustodian(number: string): readonly NumberedRecord[] {
    const found = this.#byNumber.get(number) ?? [];
    const { custodian } = this.#scope;
    if (custodian === null) return found;
    const own = found.filter((one) => one.custodian === custodian);
    if (own.length > 0) return own;
    return isIban(number) ? found : found.filter((one) => one.custodian === null);
  }

  /** One number may have parts in several currencies, and be that of several custodians. */
  #narrowed(found: readonly NumberedRecord[], { currency, institution }: NamedAccount): readonly NumberedRecord[] {
    const candidates = found.filter((one) => fitsCurrency(one, currency));
    if (candidates.length < 2 || institution === undefined) return candidates;
    const named = candidates.filter(
      ({ custodianName }) => custodianName !== null && foldWord(custodianName) === foldWord(institution),
    );
    return named.length > 0 ? named : candidates;
  }
}

function fitsCurrency({ currency }: NumberedRecord, named: string | undefined): boolean {
  return currency === null || named === undefined || currency === named.toUpperCase();
}
