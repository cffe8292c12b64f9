// Creates accounts and depositories from what a custodian, a consent or a file says of them: a number, a currency, a name. Callers have
// made sure that none of them is there yet.

import type { Id } from '../../kit/id.ts';
import { account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { keepingNamed } from '../limits/limit-names.ts';
import { createRecord, changeRecord, notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { accountRules } from '../structure/account.ts';
import { depositoryRules, portfolioRules } from '../structure/entities.ts';

/** Cash becomes an account, securities a depository. */
export type NamedPlace =
  | { readonly kind: 'cash'; readonly number: string; readonly name: string | null; readonly currency: CurrencyCode }
  | { readonly kind: 'securities'; readonly number: string; readonly name: string | null };

export interface CreatedPlace {
  readonly type: 'account' | 'depository';
  readonly id: Id;
}

/** Whose the new places are. */
export interface PlaceOwner {
  readonly legalEntity: Id;
  /** Keeps the accounts; null if nobody says who does. */
  readonly custodian: Id | null;
  /** Accounts that settle through the new depositories, beside those that are created with them. */
  readonly accounts?: readonly Id[];
}

/** In the order of the places. Every depository is linked to the accounts, so that what is bought with their cash is kept in it. */
export async function createNamedPlaces(
  work: Work,
  owner: PlaceOwner,
  places: readonly NamedPlace[],
): Promise<readonly CreatedPlace[]> {
  const { legalEntity, custodian } = owner;
  const created = new Map<NamedPlace, CreatedPlace>();
  const common = ({ number, name }: NamedPlace) => ({
    legalEntity,
    externalIdentifier: number,
    ...(name === null ? {} : { name }),
  });
  for (const place of places) {
    if (place.kind !== 'cash') continue;
    const fields = { ...common(place), ccyCode: place.currency, ...(custodian === null ? {} : { custodian }) };
    created.set(place, { type: account.type, id: (await createRecord(work, accountRules, fields)).id });
  }
  const accounts = [...(owner.accounts ?? []), ...[...created.values()].map(({ id }) => id)];
  for (const place of places) {
    if (place.kind !== 'securities') continue;
    const { id } = await createRecord(work, depositoryRules, { ...common(place), accounts });
    created.set(place, { type: depository.type, id });
  }
  return places.flatMap((place) => created.get(place) ?? []);
}

/** Adds accounts and depositories to those that a portfolio has. */
export async function addToPortfolio(work: Work, id: Id, places: readonly CreatedPlace[]): Promise<void> {
  const { store } = work;
  const known = await store.table(portfolio).find(id);
  if (known === undefined) throw notFound(portfolio, { field: 'portfolio' });
  if (places.length === 0) return;
  // Links first, as all who replace them do: whoever adds to the portfolio at the same time waits.
  store.clientHierarchy.lockLinks(known.client);
  const present = await store.table(portfolio).lock(id, 'to-change');
  if (present === undefined) throw notFound(portfolio, { field: 'portfolio' });
  const all = (type: CreatedPlace['type'], former: readonly Id[]): readonly Id[] => [
    ...new Set([...former, ...places.filter((place) => place.type === type).map((place) => place.id)]),
  ];
  const { accounts, depositories } = present;
  const links = { accounts: all('account', accounts), depositories: all('depository', depositories) };
  await changeRecord(work, keepingNamed(portfolioRules), id, links);
}
