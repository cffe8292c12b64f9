// The accounts and depositories of a consent: what the custodian lists and what rows that wait name, which records of the client they are,
// and what stands in the way of connecting them.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { authority as authorityResource, type Authority } from '../../model/custody/authority.ts';
import type { Connector, ConnectorAccess, ConnectorAccount } from '../../model/custody/connector.ts';
import {
  candidatesMax,
  combinePlaces,
  placeKey,
  type ConnectionObstacle,
  type ConsentAccount,
  type StatedPlace,
} from '../../model/custody/consent-account.ts';
import type { PlaceRecord } from '../../store/custody/consent-accounts.ts';
import type { AppContext } from '../core/context.ts';
import { CredentialsReplaced } from './connector-access.ts';
import { getRecord } from '../core/resource.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { resolveAccounts, resolveDepositories } from '../imports/names/resolve-names.ts';
import type { Resolution } from '../imports/names/resolution.ts';

/** The places of a consent, and when the custodian listed them last. */
export interface ConsentPlaces {
  readonly authorityId: Id;
  readonly accounts: readonly ConsentAccount[];
  readonly listedAt: number | null;
}

export async function listConsentAccounts(work: Work, authorityId: string): Promise<ConsentPlaces> {
  return findConsentAccounts(work, await getRecord(work, { resource: authorityResource }, authorityId));
}

export async function findConsentAccounts(work: Work, authority: Authority): Promise<ConsentPlaces> {
  const { consentAccounts } = work.store.custody;
  const [listed, waiting] = await Promise.all([
    consentAccounts.findListed(authority.id),
    consentAccounts.listWaiting(authority.id),
  ]);
  const places = await foundPlaces(work, authority, combinePlaces(listed?.accounts ?? [], waiting));
  const accounts = await describePlaces(work, authority, places);
  return { authorityId: authority.id, accounts, listedAt: listed?.at ?? null };
}

interface FoundPlace {
  readonly place: StatedPlace;
  readonly found: Resolution;
  /** Whether the record is kept by another custodian: its number may be that of another account. */
  readonly isElsewhere: boolean;
}

function namesOf(places: readonly StatedPlace[]) {
  return places.map(({ number, currency }) => ({ number, ...(currency === null ? {} : { currency }) }));
}

/** Which records the numbers mean. A number that only rows name may be that of a depository, which they name in place of its account. */
async function foundPlaces(
  work: Work,
  { client, custodian }: Authority,
  places: readonly StatedPlace[],
): Promise<readonly FoundPlace[]> {
  const scope = { client, custodian };
  const find = async (
    wanted: readonly StatedPlace[],
    resolve: typeof resolveAccounts,
    custodianId: Id | null,
  ): Promise<ReadonlyMap<StatedPlace, Resolution>> => {
    const found = await resolve(work, { ...scope, custodian: custodianId }, namesOf(wanted));
    return new Map(wanted.map((place, index) => [place, found[index] ?? { outcome: 'missing' }]));
  };
  const cash = places.filter(({ kind }) => kind === 'cash');
  const accounts = await find(cash, resolveAccounts, custodian);
  const absent = cash.filter((place) => accounts.get(place)?.outcome === 'missing');
  const unlisted = absent.filter(({ isListed }) => !isListed);
  const others = places.filter(({ kind }) => kind === 'securities');
  const [depositories, elsewhere] = await Promise.all([
    find([...others, ...unlisted], resolveDepositories, custodian),
    find(absent, resolveAccounts, null),
  ]);
  const found = places.map((place): FoundPlace => {
    const account = accounts.get(place);
    if (account !== undefined && account.outcome !== 'missing') return { place, found: account, isElsewhere: false };
    const depository = depositories.get(place) ?? { outcome: 'missing' };
    if (depository.outcome !== 'missing')
      return { place: { ...place, kind: 'securities', currency: null }, found: depository, isElsewhere: false };
    const other = elsewhere.get(place) ?? { outcome: 'missing' };
    return { place, found: other, isElsewhere: other.outcome !== 'missing' };
  });
  return eachOnce(found);
}

/** A depository that some rows name as an account, and others as what it is, is one place. */
function eachOnce(found: readonly FoundPlace[]): readonly FoundPlace[] {
  const byKey = Map.groupBy(found, ({ place }) => placeKey(place));
  const merged = [...byKey].map(([key, same]) => {
    const first = same.find(({ place }) => place.isListed) ?? defined(same[0], 'a group has a member');
    const waitingRows = same.reduce((sum, { place }) => sum + place.waitingRows, 0);
    return [key, { ...first, place: { ...first.place, waitingRows } }] as const;
  });
  return merged.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place);
}

function idsOf(found: Resolution): readonly Id[] {
  switch (found.outcome) {
    case 'missing':
      return [];
    case 'found':
      return [found.id];
    case 'ambiguous':
      return found.candidates;
  }
}

/** What is known of the records that numbers mean. */
interface KnownRecords {
  readonly records: ReadonlyMap<Id, PlaceRecord>;
  /** The authority that covers a record. */
  readonly coveredBy: ReadonlyMap<Id, Id>;
  /** The accounts that settle through a depository. */
  readonly settling: ReadonlyMap<Id, readonly Id[]>;
}

async function readRecords({ store: { custody } }: Work, found: readonly FoundPlace[]): Promise<KnownRecords> {
  const idsOfKind = (kind: StatedPlace['kind']): readonly Id[] => [
    ...new Set(found.filter(({ place }) => place.kind === kind).flatMap((one) => idsOf(one.found))),
  ];
  const [accounts, depositories] = [idsOfKind('cash'), idsOfKind('securities')];
  const settling = await custody.consentAccounts.listSettling(depositories);
  const allAccounts = [...new Set([...accounts, ...[...settling.values()].flat()])];
  const [accountRecords, depositoryRecords, accountLinks, depositoryLinks] = await Promise.all([
    custody.consentAccounts.listRecords('account', allAccounts),
    custody.consentAccounts.listRecords('depository', depositories),
    custody.links.list('account', allAccounts),
    custody.links.list('depository', depositories),
  ]);
  const links = [...accountLinks, ...depositoryLinks];
  return {
    records: new Map([...accountRecords, ...depositoryRecords].map((one) => [one.id, one])),
    coveredBy: new Map(links.map(({ covered, authority }) => [covered, authority])),
    settling,
  };
}

async function describePlaces(
  work: Work,
  authority: Authority,
  found: readonly FoundPlace[],
): Promise<readonly ConsentAccount[]> {
  const known = await readRecords(work, found);
  return found.map((one) => describePlace(authority, known, one));
}

function describePlace(
  authority: Authority,
  known: KnownRecords,
  { place, found, isElsewhere }: FoundPlace,
): ConsentAccount {
  const { kind, number, currency, name, isListed, waitingRows } = place;
  const ids = idsOf(found);
  const covered = ids.find((id) => known.coveredBy.get(id) === authority.id);
  const id = covered ?? (found.outcome === 'found' ? found.id : null);
  const state = ids.length === 0 ? 'new' : covered !== undefined && !lacksAccounts() ? 'linked' : 'exists';
  const obstacle = state === 'linked' ? null : obstacleOf(authority, known, { place, ids, isElsewhere });
  const candidates = ids.length < 2 ? [] : ids.slice(0, candidatesMax);
  return {
    number,
    currency,
    name,
    kind,
    isListed,
    state,
    accountId: kind === 'cash' ? id : null,
    depositoryId: kind === 'securities' ? id : null,
    candidates: candidates.map((one) => ({ id: one, name: known.records.get(one)?.name ?? one })),
    waitingRows,
    obstacle,
    detail: obstacle === null ? null : obstacleDetail(obstacle, place, ids.map((one) => known.records.get(one))[0]),
    proposed: { name: name ?? number, currency, legalEntityId: authority.legalEntity },
  };

  /** Rows that name a depository are booked on its account, which has to be covered as well. */
  function lacksAccounts(): boolean {
    if (kind === 'cash' || waitingRows === 0 || covered === undefined) return false;
    return linkableAccounts(authority, known, covered).length > 0;
  }
}

function linkableAccounts(
  authority: Authority,
  { records, coveredBy, settling }: KnownRecords,
  depository: Id,
): readonly Id[] {
  return (settling.get(depository) ?? []).filter((id) => {
    const record = records.get(id);
    const isAtCustodian = record?.custodian == null || record.custodian === authority.custodian;
    return record?.legalEntity === authority.legalEntity && isAtCustodian && !coveredBy.has(id);
  });
}

/** The accounts of a depository that can be linked together with it. */
export async function listAccountsToLink(
  work: Work,
  authority: Authority,
  depositories: readonly Id[],
): Promise<readonly Id[]> {
  const { consentAccounts, links } = work.store.custody;
  const settling = await consentAccounts.listSettling(depositories);
  const accounts = [...new Set([...settling.values()].flat())];
  const records = new Map((await consentAccounts.listRecords('account', accounts)).map((one) => [one.id, one]));
  const coveredBy = new Map((await links.list('account', accounts)).map((one) => [one.covered, one.authority]));
  return [...new Set(depositories.flatMap((id) => linkableAccounts(authority, { records, coveredBy, settling }, id)))];
}

function obstacleOf(
  authority: Authority,
  { records, coveredBy }: KnownRecords,
  {
    place,
    ids,
    isElsewhere,
  }: { readonly place: StatedPlace; readonly ids: readonly Id[]; readonly isElsewhere: boolean },
): ConnectionObstacle | null {
  const [id, ...others] = ids;
  if (id === undefined) return place.kind === 'cash' && place.currency === null ? 'currency-unknown' : null;
  if (isElsewhere) return 'different-custodian';
  if (others.length > 0) return 'ambiguous';
  const record = records.get(id);
  if (record !== undefined && record.legalEntity !== authority.legalEntity) return 'different-legal-entity';
  if (record?.custodian != null && record.custodian !== authority.custodian) return 'different-custodian';
  const coveredByOther = coveredBy.get(id);
  return coveredByOther === undefined || coveredByOther === authority.id ? null : 'already-linked';
}

function obstacleDetail(obstacle: ConnectionObstacle, { kind }: StatedPlace, record: PlaceRecord | undefined): string {
  const what = kind === 'cash' ? 'account' : 'depository';
  const called = record === undefined ? `An ${what}` : `The ${what} “${record.name}”`;
  switch (obstacle) {
    case 'ambiguous':
      return `Several records may have this number. Choose the ${what} that is meant.`;
    case 'different-legal-entity':
      return `${called} has this number and belongs to another legal entity than the one that gave this consent. Ask its owner for a consent, or correct the number of the ${what}.`;
    case 'different-custodian':
      return `${called} has this number and is kept by another custodian. If both are the same, correct the custodian of the ${what}. If they are not, create another one.`;
    case 'already-linked':
      return `${called} has this number and gets its data by another authority. Unlink it there first.`;
    case 'currency-unknown':
      return 'Neither the custodian nor a row says its currency. Choose it.';
  }
}

/**
 * Asks the custodian what a consent is for. Undefined where it does not say: whatever keeps it from saying so, the consent is given and
 * its data has come in, and neither may be lost over a list that the next run asks for again.
 */
export async function askForAccounts(
  connector: Connector,
  access: ConnectorAccess,
): Promise<readonly ConnectorAccount[] | undefined> {
  try {
    return await connector.listAccounts?.(access);
  } catch (error) {
    if (error instanceof CredentialsReplaced) throw error;
    return undefined;
  }
}

/** Keeps what the custodian lists for a consent that is still active. */
export async function keepListedAccounts(
  context: AppContext,
  { tenant, authority: id }: { readonly tenant: Tenant; readonly authority: Id },
  accounts: readonly ConnectorAccount[],
): Promise<void> {
  await runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const present = await work.store.table(authorityResource).lock(id, 'to-change');
    if (present?.state === 'active') await work.store.custody.consentAccounts.saveListed(id, accounts, work.now);
  });
}
