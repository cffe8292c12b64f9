// Transactions whose accounts and instruments are named by numbers and codes: finds the records, many rows at a time.

import { defined } from '../../../kit/assert.ts';
import type { Id } from '../../../kit/id.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { NamedAccount, NamedInstrument } from '../../../model/custody/statement.ts';
import { listAccountOwners } from '../../../store/names/named-records.ts';
import type { TransactionInput } from '../../ledger/transaction-input.ts';
import type { Work } from '../../core/work.ts';
import { idOrRefusal, sentInstrument, sentNumber } from './name-refusal.ts';
import type { NameScope, Resolution } from './resolution.ts';
import { resolveAccounts, resolveDepositories, resolveScopedInstruments, type AccountWords } from './resolve-names.ts';

/** The words that a row uses in place of ids, or beside them. */
export interface TransactionNames {
  readonly account?: NamedAccount;
  readonly counterAccount?: NamedAccount;
  readonly depository?: NamedAccount;
  readonly instrument?: NamedInstrument;
}

export interface NamedTransaction {
  readonly input: TransactionInput;
  readonly names: TransactionNames;
}

const anywhere: NameScope = { client: null, custodian: null };

type NumberField = 'counterAccount' | 'depository';
const numberFields: readonly {
  readonly field: NumberField;
  readonly kind: 'account' | 'depository';
  readonly member: string;
}[] = [
  { field: 'counterAccount', kind: 'account', member: 'counter_account_number' },
  { field: 'depository', kind: 'depository', member: 'depository_number' },
];

/** Each row with ids in place of its words, or the refusal of the first word that names nothing for certain. */
export async function resolveTransactionNames(
  work: Work,
  rows: readonly NamedTransaction[],
): Promise<readonly (TransactionInput | Refusal)[]> {
  if (rows.every(({ names }) => Object.keys(names).length === 0)) return rows.map(({ input }) => input);
  const resolver = new RowResolver(work, rows);
  await resolver.resolveAccounts();
  await resolver.readScopes();
  for (const { field } of numberFields) await resolver.resolveNumbers(field);
  await resolver.resolveInstruments();
  return resolver.rows;
}

/** Of several accounts of one number, the one in the currency of the row's cash is meant. */
function inCurrency(named: NamedAccount, currency: string | null | undefined): AccountWords {
  return currency == null ? named : { ...named, rowCurrency: currency };
}

function resolutionAt(found: readonly Resolution[], index: number): Resolution {
  return defined(found[index], 'every name is resolved');
}

class RowResolver {
  readonly rows: (TransactionInput | Refusal)[];
  readonly #work: Work;
  readonly #names: readonly TransactionNames[];
  #scopes: ReadonlyMap<Id, NameScope> = new Map();

  constructor(work: Work, rows: readonly NamedTransaction[]) {
    this.#work = work;
    this.rows = rows.map(({ input }) => input);
    this.#names = rows.map(({ names }) => names);
  }

  /** The places of the rows that are not refused and use this word. */
  #placesWith(field: keyof TransactionNames): readonly number[] {
    return this.#names.flatMap((names, place) =>
      names[field] === undefined || this.rows[place] instanceof Refusal ? [] : [place],
    );
  }

  #inputAt(place: number): TransactionInput | undefined {
    const row = this.rows[place];
    return row instanceof Refusal ? undefined : row;
  }

  #putAll(
    field: keyof TransactionNames,
    places: readonly number[],
    found: (index: number, sentId: Id | null | undefined) => Id | Refusal,
  ): void {
    for (const [index, place] of places.entries()) {
      const row = defined(this.rows[place], 'a place is that of a row');
      if (row instanceof Refusal) continue;
      const outcome = found(index, row[field]);
      this.rows[place] = outcome instanceof Refusal ? outcome : { ...row, [field]: outcome };
    }
  }

  async resolveAccounts(): Promise<void> {
    const places = this.#placesWith('account');
    const names = places.map((place) => {
      const named = defined(this.#names[place]?.account, 'these rows name an account');
      return inCurrency(named, this.#inputAt(place)?.currency);
    });
    const found = await resolveAccounts(this.#work, anywhere, names);
    this.#putAll('account', places, (index, sentId) => {
      const name = defined(names[index], 'there is a name for each place');
      return idOrRefusal(resolutionAt(found, index), sentNumber('account', name, 'account_number'), sentId);
    });
  }

  /** What a row's other words may mean depends on the client and the custodian of its account. */
  async readScopes(): Promise<void> {
    const ids = this.rows.flatMap((row) => (row instanceof Refusal ? [] : (row.account ?? [])));
    const owners = await listAccountOwners(this.#work.store, [...new Set(ids)]);
    this.#scopes = new Map(owners.map(({ id, client, custodian }) => [id, { client, custodian }]));
  }

  #scopeOf(place: number): NameScope {
    const row = this.rows[place];
    const account = row === undefined || row instanceof Refusal ? null : row.account;
    return (account != null && this.#scopes.get(account)) || anywhere;
  }

  async resolveNumbers(field: NumberField): Promise<void> {
    const { kind, member } = defined(
      numberFields.find((one) => one.field === field),
      'the field is listed',
    );
    const resolve = kind === 'account' ? resolveAccounts : resolveDepositories;
    const byClient = Map.groupBy(this.#placesWith(field), (place) => this.#scopeOf(place).client);
    for (const [client, places] of byClient) {
      const names = places.map((place) => {
        const named = defined(this.#names[place]?.[field], 'these rows have the name');
        const { counterCcyCode, currency } = this.#inputAt(place) ?? {};
        return kind === 'account' ? inCurrency(named, counterCcyCode ?? currency) : named;
      });
      const found = await resolve(this.#work, { client, custodian: null }, names);
      this.#putAll(field, places, (index, sentId) => {
        const name = defined(names[index], 'there is a name for each place');
        return idOrRefusal(resolutionAt(found, index), sentNumber(kind, name, member), sentId);
      });
    }
  }

  async resolveInstruments(): Promise<void> {
    const places = this.#placesWith('instrument');
    const requests = places.map((place) => ({
      scope: this.#scopeOf(place),
      named: defined(this.#names[place]?.instrument, 'these rows name an instrument'),
    }));
    const found = await resolveScopedInstruments(this.#work, requests);
    this.#putAll('instrument', places, (index, sentId) => {
      const { named } = defined(requests[index], 'there is a request for each place');
      return idOrRefusal(resolutionAt(found, index), sentInstrument(named), sentId);
    });
  }
}
