// Creates and links the accounts and depositories of a consent, and books the rows that waited for them.

import type { Id } from '../../kit/id.ts';
import { refusalForFaults, type Fault, type Refusal } from '../../kit/refusal.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { authority as authorityResource, type Authority } from '../../model/custody/authority.ts';
import { nextState } from '../../model/custody/authority-state.ts';
import type { BookedRows, ConnectionObstacle, ConsentAccount } from '../../model/custody/consent-account.ts';
import { connectionsMax, type accountConnections } from '../../model/custody/custody-requests.ts';
import { foldNumber } from '../../model/custody/folded-words.ts';
import { identifierMapping } from '../../model/custody/identifier-mapping.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import { changeRecord, createRecord, notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { identifierMappingRules } from '../imports/names/identifier-mapping.ts';
import { accountRules } from '../structure/account.ts';
import { depositoryRules } from '../structure/entities.ts';
import { auditCoverage, lockAuthority } from './authority.ts';
import { coverageRefusals, linkCoverage } from './authority-coverage.ts';
import { findConsentAccounts, listAccountsToLink } from './consent-accounts.ts';
import { addToPortfolio, createNamedPlaces, type CreatedPlace, type NamedPlace } from './named-places.ts';
import { bookWaitingRows } from './waiting-rows.ts';

export const connectionRefusals = [
  ...coverageRefusals,
  'authority-not-found',
  'state-conflict',
  'portfolio-not-found',
  'different-client',
  'identifier-mapping-exists',
] as const satisfies readonly RefusalCode[];

type Input = ChangeOf<typeof accountConnections>;
type Wanted = NonNullable<Input['data']>[number];

/** What became of one place. */
export interface ConnectedAccount {
  readonly place: ConsentAccount;
  /** `unchanged`: it was linked before. `left-out`: a person has to decide; `detail` says what. */
  readonly outcome: 'created' | 'linked' | 'unchanged' | 'left-out';
  readonly id: Id | null;
  readonly detail: string | null;
}

export interface ConnectedAccounts {
  readonly accounts: readonly ConnectedAccount[];
  /** Whether there is more to connect with `all`. */
  readonly hasMore: boolean;
  readonly rows: BookedRows;
}

/** What is to be done with one place. */
type Step =
  | { readonly kind: 'create'; readonly place: ConsentAccount; readonly named: NamedPlace }
  | { readonly kind: 'link'; readonly place: ConsentAccount; readonly id: Id; readonly item: number | null }
  | { readonly kind: 'none'; readonly place: ConsentAccount; readonly detail: string | null };

function invalid(field: string, item: number | null, detail: string): Refusal {
  const fault: Fault = { code: 'invalid-attribute', detail, field, ...(item === null ? {} : { item }) };
  return refusalForFaults('invalid-document', [fault]);
}

export async function connectAccounts(work: Work, authorityId: string, input: Input): Promise<ConnectedAccounts> {
  const { all = false, data, portfolio } = input;
  if (all === (data !== undefined)) throw invalid('data', null, 'Send either all or data.');
  await lockLedger(work, authorityId);
  const authority = await lockAuthority(work, authorityId);
  nextState('authority', authority.state, 'link');
  const { accounts: places } = await findConsentAccounts(work, authority);
  const planned = data === undefined ? stepsForAll(authority, places) : stepsFor(authority, places, data);
  const steps = planned.steps;
  const connected = await takeSteps(work, authority, steps);
  const rows = await bookWaitingRows(work, authority.id);
  if (portfolio != null) await addToPortfolio(work, portfolio, connected.flatMap(placesOf));
  return { accounts: connected, hasMore: planned.hasMore, rows };
}

/** Before the authority: a feed that books has its client's ledger first, and asks for the authority at the end. */
async function lockLedger({ store, ledgerLocks }: Work, authorityId: string): Promise<void> {
  const known = await store.table(authorityResource).find(authorityId);
  if (known === undefined) throw notFound(authorityResource);
  ledgerLocks.clients.add(known.client);
  store.ledgerCounters.lockClients([known.client]);
}

function placesOf({ place, id }: ConnectedAccount): readonly CreatedPlace[] {
  return id === null ? [] : [{ type: place.kind === 'cash' ? account.type : depository.type, id }];
}

interface PlannedSteps {
  readonly steps: readonly Step[];
  readonly hasMore: boolean;
}

/** Everything that needs no decision, and what does, with its reason. What is linked is not listed. */
function stepsForAll(authority: Authority, places: readonly ConsentAccount[]): PlannedSteps {
  const open = places.filter(({ state }) => state !== 'linked');
  const steps = open.map((place) => usualStep(authority, place));
  const done = steps.filter(({ kind }) => kind !== 'none');
  const kept = new Set(done.slice(0, connectionsMax));
  return {
    steps: steps.filter((step) => step.kind === 'none' || kept.has(step)),
    hasMore: done.length > connectionsMax,
  };
}

/** Creates what is new, and links what exists. */
function usualStep({ legalEntity }: Authority, place: ConsentAccount): Step {
  const { state, obstacle, detail } = place;
  if (state === 'linked') return { kind: 'none', place, detail: null };
  if (obstacle !== null) return { kind: 'none', place, detail };
  if (state === 'new') return { kind: 'create', place, named: namedPlace(place, {}, { legalEntity, item: null }) };
  const id = place.accountId ?? place.depositoryId;
  return id === null ? { kind: 'none', place, detail } : { kind: 'link', place, id: id as Id, item: null };
}

/** As it is proposed, but for what was sent. */
function namedPlace(
  { kind, number, proposed }: ConsentAccount,
  { name, currency, legalEntityId }: NonNullable<Wanted['create']>,
  { legalEntity, item }: { readonly legalEntity: Id; readonly item: number | null },
): NamedPlace {
  if (legalEntityId != null && legalEntityId !== legalEntity) {
    const detail = 'The account must belong to the legal entity that has given the consent.';
    throw invalid('data', item, detail);
  }
  const called = name ?? proposed.name;
  if (kind === 'securities') return { kind, number, name: called };
  const code = currency ?? (proposed.currency as CurrencyCode | null);
  if (code === null)
    throw invalid(
      'data',
      item,
      `Choose a currency for the account ${number}: neither the custodian nor a row says it.`,
    );
  if (proposed.currency !== null && code !== proposed.currency)
    throw invalid(
      'data',
      item,
      `The account ${number} is in ${proposed.currency}, and its currency cannot be ${code}.`,
    );
  return { kind, number, name: called, currency: code };
}

const decidable: ReadonlySet<ConnectionObstacle> = new Set(['currency-unknown', 'different-custodian']);

function stepsFor(authority: Authority, places: readonly ConsentAccount[], data: readonly Wanted[]): PlannedSteps {
  const taken = new Set<ConsentAccount>();
  const steps = data.map((wanted, item): Step => {
    const place = findPlace(places, wanted, item);
    if (taken.has(place)) throw invalid('data', item, `The number ${place.number} is sent twice.`);
    taken.add(place);
    const { link, create } = wanted;
    if (link != null && create != null)
      throw invalid('data', item, `Send link or create for the number ${place.number}, not both.`);
    if (place.state === 'linked') return { kind: 'none', place, detail: null };
    if (link != null) return { kind: 'link', place, id: link as Id, item };
    if (create == null) {
      const step = usualStep(authority, place);
      if (step.kind === 'none') throw invalid('data', item, step.detail ?? 'A person has to decide.');
      return step.kind === 'link' ? { ...step, item } : step;
    }
    const isFree = place.state === 'new' || (place.obstacle !== null && decidable.has(place.obstacle));
    if (!isFree) throw invalid('data', item, `A record has the number ${place.number} already. Link it instead.`);
    return { kind: 'create', place, named: namedPlace(place, create, { legalEntity: authority.legalEntity, item }) };
  });
  return { steps, hasMore: false };
}

function findPlace(places: readonly ConsentAccount[], wanted: Wanted, item: number): ConsentAccount {
  const number = foldNumber(wanted.number);
  const { kind = null, currency = null } = wanted;
  const ofNumber = places.filter((place) => foldNumber(place.number) === number);
  const ofKind = kind === null ? ofNumber : ofNumber.filter((place) => place.kind === kind);
  const exact = ofKind.filter((place) => currency === null || place.currency === currency);
  const open = exact.length > 0 ? exact : ofKind.filter((place) => place.currency === null);
  const [first, second] = open;
  const words = [wanted.number, currency].filter((word) => word !== null).join(' ');
  if (first === undefined) {
    const detail = `Neither the custodian nor a row that waits names ${words}. Create the account, and link it to the authority.`;
    throw invalid('data', item, detail);
  }
  if (second !== undefined)
    throw invalid('data', item, `${words} has several parts. Send the currency and the kind that the list shows.`);
  return first;
}

async function takeSteps(
  work: Work,
  authority: Authority,
  steps: readonly Step[],
): Promise<readonly ConnectedAccount[]> {
  const { links } = work.store.custody;
  const creations = steps.filter((step) => step.kind === 'create');
  const linked = steps.filter((step) => step.kind === 'link');
  const linkedOf = (kind: ConsentAccount['kind']): readonly Id[] => [
    ...new Set(linked.filter(({ place }) => place.kind === kind).map(({ id }) => id)),
  ];
  for (const step of linked) await giveNumber(work, authority, step);
  const ownAccounts = [
    ...new Set([
      ...(await links.listCovered('account', authority.id)),
      ...linkedOf('cash'),
      ...(await listAccountsToLink(work, authority, linkedOf('securities'))),
    ]),
  ];
  const owner = { legalEntity: authority.legalEntity, custodian: authority.custodian, accounts: ownAccounts };
  const created = await createNamedPlaces(
    work,
    owner,
    creations.map(({ named }) => named),
  );
  const createdOf = (type: CreatedPlace['type']): readonly Id[] =>
    created.filter((place) => place.type === type).map(({ id }) => id);
  const coverage = {
    accounts: [...ownAccounts, ...createdOf('account')],
    depositories: [...linkedOf('securities'), ...createdOf('depository')],
  };
  if (creations.length + linked.length > 0) {
    await linkCoverage(work, authority, coverage, new Set(createdOf('account')));
    auditCoverage(work, authority, 'linked', coverage);
  }
  const idOfCreation = new Map(creations.map((step, index) => [step, created[index]?.id ?? null]));
  return steps.map((step): ConnectedAccount => {
    const { place } = step;
    switch (step.kind) {
      case 'create':
        return { place, outcome: 'created', id: idOfCreation.get(step) ?? null, detail: null };
      case 'link':
        return { place, outcome: 'linked', id: step.id, detail: null };
      case 'none':
        return {
          place,
          outcome: place.state === 'linked' ? 'unchanged' : 'left-out',
          id: place.state === 'linked' ? ((place.accountId ?? place.depositoryId) as Id | null) : null,
          detail: step.detail,
        };
    }
  });
}

/** A person says which record a number means: it gets the number if it has none, else a mapping leads to it. */
async function giveNumber(work: Work, authority: Authority, step: Step & { kind: 'link' }): Promise<void> {
  const { place, id, item } = step;
  const isCash = place.kind === 'cash';
  const resource = isCash ? account : depository;
  const [record] = await work.store.table(resource).lockReferencedRecords([id]);
  const at = { field: 'data', ...(item === null ? {} : { item }) };
  if (record === undefined) throw notFound(resource, at);
  if (record.client !== authority.client || record.legalEntity !== authority.legalEntity) {
    const detail = `The ${resource.type} belongs to another legal entity than the authority.`;
    throw refusalForFaults('different-legal-entity', [{ code: 'different-legal-entity', detail, ...at }]);
  }
  if (isCash && place.currency !== null && 'ccyCode' in record && record.ccyCode !== place.currency)
    throw invalid('data', item, `The account ${record.name} is not in ${place.currency}, as ${place.number} is.`);
  const isNamed = id === (place.accountId ?? place.depositoryId) || place.candidates.some((one) => one.id === id);
  const isOnly = place.candidates.length < 2;
  if (isNamed && isOnly) return;
  if (record.externalIdentifier === null && isOnly) {
    const number = { externalIdentifier: place.number };
    if (isCash) await changeRecord(work, accountRules, id, number);
    else await changeRecord(work, depositoryRules, id, number);
    return;
  }
  await mapNumber(work, authority, step);
}

async function mapNumber(work: Work, authority: Authority, { place, id }: Step & { kind: 'link' }): Promise<void> {
  const isCash = place.kind === 'cash';
  const kind = isCash ? 'account' : 'depository';
  const { client, custodian } = authority;
  const currency = isCash && place.currency !== null ? { currency: place.currency as CurrencyCode } : {};
  const value = { client, custodian, kind, scheme: 'number', value: place.number, ...currency } as const;
  const target = isCash ? { account: id } : { depository: id };
  const where = {
    client,
    custodian,
    kind,
    scheme: 'number',
    folded_value: foldNumber(place.number),
    currency: currency.currency ?? null,
  };
  const [present] = await work.store.table(identifierMapping).list({ where, limit: 1 });
  if (present === undefined) await createRecord(work, identifierMappingRules, { ...value, ...target });
  else await changeRecord(work, identifierMappingRules, present.id, target);
}
