// What reports need of a client besides its ledger, as it is known now or was known at a moment: structure, classes, instruments.
// Knows no engine.

import type { Id } from '../../../kit/id.ts';
import type { AnyRecord, Resource } from '../../../kit/resource.ts';
import { account, type Account } from '../../../model/structure/account.ts';
import { client as clientResource, type Client } from '../../../model/structure/client.ts';
import { depository, type Depository } from '../../../model/structure/depository.ts';
import { instrument, type Instrument } from '../../../model/instrument/instrument.ts';
import { instrumentClass, type InstrumentClass } from '../../../model/instrument/instrument-class.ts';
import { portfolio, type Portfolio } from '../../../model/structure/portfolio.ts';
import { seesReportingEntity } from '../../../model/access/scope.ts';
import { reportingEntity, type ReportingEntity } from '../../../model/structure/reporting-entity.ts';
import type { LinkedPair } from '../../../store/resources/link-versions.ts';
import type { Store } from '../../../store/store.ts';
import type { StatesAsked } from '../../../store/resources/record-versions.ts';
import type { ClassNode } from './class-lookup.ts';
import type { ClientStructure, PortfolioPlaces } from './client-structure.ts';

/** A moment after all: what is known then is what is known now. */
export const now = Date.UTC(9999, 11, 31);

function list<R>(store: Store, resource: Resource, asked: StatesAsked, knownAt: number): Promise<R[]> {
  return store.thingVersions(resource).listKnownAt(asked, knownAt) as Promise<AnyRecord[]> as Promise<R[]>;
}

export async function findReportingEntity(
  store: Store,
  id: string,
  knownAt: number,
): Promise<ReportingEntity | undefined> {
  if (!seesReportingEntity(store.reach.sight, id as Id)) return undefined;
  return (await list<ReportingEntity>(store, reportingEntity, { ids: [id as Id] }, knownAt))[0];
}

/** Undefined where there is no such client. All on one trip. */
export async function readStructure(store: Store, id: Id, knownAt: number): Promise<ClientStructure | undefined> {
  const of = <R>(resource: Resource): Promise<R[]> => list<R>(store, resource, { client: id }, knownAt);
  const linked = (table: string): Promise<LinkedPair[]> => store.linkVersions.listKnownAt(table, id, knownAt);
  const [clients, accounts, depositories, entities, portfolios, ofAccounts, accountsIn, depositoriesIn] =
    await Promise.all([
      list<Client>(store, clientResource, { ids: [id] }, knownAt),
      of<Account>(account),
      of<Depository>(depository),
      of<ReportingEntity>(reportingEntity),
      of<Portfolio>(portfolio),
      linked('account_depository'),
      linked('portfolio_account'),
      linked('portfolio_depository'),
    ]);
  const [found] = clients;
  if (found === undefined) return undefined;
  const { referenceCurrency, accountingMethod } = found;
  const places = groupedBy(ofAccounts);
  return {
    client: { id, referenceCurrency, accountingMethod },
    accounts: new Map(
      accounts.map(({ id: one, ccyCode, excludeFromReporting, custodian }) => [
        one,
        { currency: ccyCode, isExcluded: excludeFromReporting, custodian, depositories: places.get(one) ?? [] },
      ]),
    ),
    depositories: new Set(depositories.map(({ id: one }) => one)),
    portfolios: portfolioPlaces(portfolios, groupedBy(accountsIn), groupedBy(depositoriesIn)),
    reportingEntities: new Set(entities.map(({ id: one }) => one)),
  };
}

function groupedBy(pairs: readonly LinkedPair[]): ReadonlyMap<Id, readonly Id[]> {
  const groups = new Map<Id, Id[]>();
  for (const { one, other } of pairs) {
    const group = groups.get(one);
    if (group === undefined) groups.set(one, [other]);
    else group.push(other);
  }
  return groups;
}

function portfolioPlaces(
  portfolios: readonly Portfolio[],
  accounts: ReadonlyMap<Id, readonly Id[]>,
  depositories: ReadonlyMap<Id, readonly Id[]>,
): ReadonlyMap<string, PortfolioPlaces> {
  return new Map(
    portfolios.map(({ id, reportingEntity: entity }) => [
      id,
      {
        reportingEntity: entity,
        accounts: new Set(accounts.get(id)),
        depositories: new Set(depositories.get(id)),
      },
    ]),
  );
}

/** The whole tree, in the order of ids. */
export async function listClasses(store: Store, knownAt: number): Promise<ClassNode[]> {
  const classes = await list<InstrumentClass>(store, instrumentClass, 'shared', knownAt);
  return classes.map(({ id, name, parent, assetClass, stalenessDays }) => ({
    id,
    name,
    parent,
    assetClass,
    stalenessDays,
  }));
}

export function listInstruments(store: Store, ids: readonly Id[], knownAt: number): Promise<Instrument[]> {
  return ids.length === 0 ? Promise.resolve([]) : list<Instrument>(store, instrument, { ids }, knownAt);
}
