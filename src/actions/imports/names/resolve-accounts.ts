// Finds the accounts and depositories that files name by number, many at once. A number that nobody has is never taken for another.

import type { Id } from '../../../kit/id.ts';
import type { NamedAccount } from '../../../model/custody/statement.ts';
import {
  foldNumber,
  foldWord,
  isBankCode,
  isIban,
  numberKeys,
  spellingsWithoutZeros,
} from '../../../model/custody/folded-words.ts';
import { listMappings } from '../../../store/names/identifier-mappings.ts';
import {
  listAccountsByNumber,
  listDepositoriesByNumber,
  type NumberedRecord,
} from '../../../store/names/named-records.ts';
import type { Work } from '../../core/work.ts';
import { MappingLookup } from './mapping-lookup.ts';
import { missing, resolutionOf, type NameScope, type Resolution } from './resolution.ts';

/** The words of a file for an account, with what the row that uses them says beside them. */
export interface AccountWords extends NamedAccount {
  /**
   * The currency of the row's cash. It chooses among several accounts of one number, and rules out none: an account may hold cash in
   * several currencies. `currency` is that of the account itself and rules out all others.
   */
  readonly rowCurrency?: string;
}

/** In the order of the names. */
export function resolveAccounts(
  work: Work,
  scope: NameScope,
  names: readonly AccountWords[],
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
  { kind, names }: { readonly kind: 'account' | 'depository'; readonly names: readonly AccountWords[] },
): Promise<readonly Resolution[]> {
  const named = names.filter(({ number }) => foldWord(number) !== '');
  if (named.length === 0) return names.map(() => missing);
  const { client } = scope;
  const forms = new Set(named.flatMap(numberForms));
  const mappings = await listMappings(store, { client, kind, values: [...new Set([...forms].map(foldNumber))] });
  const keys = [...[...forms].flatMap(numberKeys), ...new Set(named.flatMap(shortenedNumbers))];
  const query = {
    client,
    keys: [...new Set(keys)].filter((key) => key !== ''),
    ids: [...new Set(mappings.map(({ target }) => target))],
  };
  const found = await (kind === 'account' ? listAccountsByNumber : listDepositoriesByNumber)(store, query);
  const lookup = new NumberLookup(scope, found, new MappingLookup(scope, mappings));
  return names.map((name) => lookup.resolve(name));
}

/** How an account may be named, the surest first: by its institution and its number, as statements write both, or by its number. */
function numberForms({ institution, number }: NamedAccount): readonly string[] {
  return institution === undefined || isIban(foldNumber(number)) ? [number] : [`${institution}/${number}`, number];
}

/** What a number is stored as whose zeros are left out. It is meant only by a statement of the same German bank. */
function shortenedNumbers({ institution, number }: NamedAccount): readonly string[] {
  return institution === undefined ? [] : spellingsWithoutZeros(institution, number);
}

/** Currencies count, and so do institutions where they are known: a number alone may be that of several accounts. */
class NumberLookup {
  readonly #scope: NameScope;
  readonly #byId: ReadonlyMap<Id, NumberedRecord>;
  readonly #byNumber = new Map<string, NumberedRecord[]>();
  readonly #mappings: MappingLookup;

  constructor(scope: NameScope, found: readonly NumberedRecord[], mappings: MappingLookup) {
    this.#scope = scope;
    this.#byId = new Map(found.map((one) => [one.id, one]));
    this.#mappings = mappings;
    for (const one of found) for (const form of storedForms(one)) this.#byNumber.getOrInsert(form, []).push(one);
  }

  resolve(name: AccountWords): Resolution {
    if (foldWord(name.number) === '') return missing;
    const forms = numberForms(name).map((form) => ({ form: foldNumber(form), isWhole: form !== name.number }));
    const own = forms.map(
      ({ form, isWhole }) =>
        () =>
          this.#narrowed(this.#ofCustodian(form, { name, isWhole }), name),
    );
    const steps = [
      ...forms.map(
        ({ form }) =>
          () =>
            this.#mapped(form, name, 'manual'),
      ),
      ...own,
      ...forms.map(
        ({ form }) =>
          () =>
            this.#mapped(form, name, 'learned'),
      ),
    ];
    for (const step of steps) {
      const resolution = resolutionOf(step());
      if (resolution.outcome !== 'missing') return resolution;
    }
    return missing;
  }

  /** What a person has said of the number in one currency counts whatever the currency of the account is. */
  #mapped(
    foldedValue: string,
    { currency, rowCurrency }: AccountWords,
    source: 'manual' | 'learned',
  ): readonly NumberedRecord[] {
    const word = { scheme: 'number', foldedValue, currency: currency ?? rowCurrency } as const;
    const fitting = this.#mappings.find(word, source).flatMap((mapping) => {
      const record = this.#byId.get(mapping.target);
      return record !== undefined && (mapping.currency !== null || fitsCurrency(record, currency)) ? [record] : [];
    });
    return [...new Set(fitting)];
  }

  /** Numbers other than IBANs are unique only at one custodian: those of others do not count. */
  #ofCustodian(
    form: string,
    { name, isWhole }: { readonly name: AccountWords; readonly isWhole: boolean },
  ): readonly NumberedRecord[] {
    const all = this.#byNumber.get(form) ?? [];
    const found = isWhole ? all : all.filter((one) => !isOfOtherBank(one, name));
    const { custodian } = this.#scope;
    if (custodian === null) return found;
    const own = found.filter((one) => one.custodian === custodian);
    if (own.length > 0) return own;
    return isIban(form) ? found : found.filter((one) => one.custodian === null);
  }

  /** One number may have parts in several currencies, and be that of several custodians. */
  #narrowed(
    found: readonly NumberedRecord[],
    { currency, rowCurrency, institution }: AccountWords,
  ): readonly NumberedRecord[] {
    let candidates = found.filter((one) => fitsCurrency(one, currency));
    const narrow = (isMeant: (one: NumberedRecord) => boolean): void => {
      const meant = candidates.length < 2 ? [] : candidates.filter(isMeant);
      if (meant.length > 0) candidates = meant;
    };
    if (institution !== undefined)
      narrow(({ custodianName }) => custodianName !== null && foldWord(custodianName) === foldWord(institution));
    // Equal numbers at two custodians, or of two clients, are those of accounts that have nothing to do with each other.
    if (rowCurrency !== undefined && areOfOnePlace(candidates))
      narrow((one) => one.currency !== null && fitsCurrency(one, rowCurrency));
    return candidates;
  }
}

/** The number of a record, and where its institution is a German bank code, the number at that bank. */
function storedForms({ number, custodianName }: NumberedRecord): readonly string[] {
  if (number === null) return [];
  const own = foldNumber(number);
  if (custodianName === null || !isBankCode(custodianName)) return [own];
  return [...new Set([own, foldNumber(`${custodianName}/${number}`)])];
}

/** Whether both say their German bank code, and it is not the same. */
function isOfOtherBank({ custodianName }: NumberedRecord, { institution }: NamedAccount): boolean {
  if (custodianName === null || institution === undefined) return false;
  const [own, named] = [foldWord(custodianName), foldWord(institution)];
  return isBankCode(own) && isBankCode(named) && own !== named;
}

function areOfOnePlace([first, ...others]: readonly NumberedRecord[]): boolean {
  return others.every(({ client, custodian }) => client === first?.client && custodian === first.custodian);
}

function fitsCurrency({ currency }: NumberedRecord, named: string | undefined): boolean {
  return currency === null || named === undefined || currency === named.toUpperCase();
}
