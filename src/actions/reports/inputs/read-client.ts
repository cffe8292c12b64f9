// Reads what reports need of a client besides its ledger, as known now or at a past moment: structure, classes, instruments.

import type { Id } from '../../../kit/id.ts';
import type { AnyRecord, Resource } from '../../../kit/resource.ts';
import { account, type Account } from '../../../model/structure/account.ts';
import { client as clientResource, type Client } from '../../../model/structure/client.ts';
import { figureSettingsOf } from '../../../model/structure/figure-settings.ts';
import { depository, type Depository } from '../../../model/structure/depository.ts';
import { instrument, type Instrument } from '../../../model/instrument/instrument.ts';
import { instrumentClass, type InstrumentClass } from '../../../model/instrument/instrument-class.ts';
import { portfolio, type Portfolio } from '../../../model/structure/portfolio.ts';
import { canSeeReportingEntity } from '../../../model/access/scope.ts';
import { reportingEntity, type ReportingEntity } from '../../../model/structure/reporting-entity.ts';
import type { LinkedPair } from '../../../store/resources/link-versions.ts';
import type { Store } from '../../../store/store.ts';
import type { RecordSelection } from '../../../store/resources/record-versions.ts';
import { custodianSettings, type CustodianSettings } from '../../../model/structure/custodian.ts';
import type { CostMethod } from '../../../engine/lots/lot.ts';
import type { ClassNode } from './class-lookup.ts';
import type { ClientStructure, PortfolioPlaces } from './client-structure.ts';

/** A moment after everything: what is known then is what is known now. */
export const endOfTime = Date.UTC(9999, 11, 31);

function listKnownAt<R>(store: Store, resource: Resource, query: RecordSelection, knownAt: number): Promise<R[]> {
  return store.recordVersions(resource).listKnownAt(query, knownAt) as Promise<AnyRecord[]> as Promise<R[]>;
}

export async function findReportingEntity(
  store: Store,
  id: string,
  knownAt: number,
): Promise<ReportingEntity | undefined> {
  if (!canSeeReportingEntity(store.scope.visibleClients, id as Id)) return undefined;
  return (await listKnownAt<ReportingEntity>(store, reportingEntity, { ids: [id as Id] }, knownAt))[0];
}

/** Undefined if there is no such client. Reads everything in one batch. */
export async function readStructure(store: Store, id: Id, knownAt: number): Promise<ClientStructure | undefined> {
  const listOfClient = <R>(resource: Resource): Promise<R[]> =>
    listKnownAt<R>(store, resource, { client: id }, knownAt);
  const listLinks = (table: string): Promise<LinkedPair[]> => store.linkVersions.listKnownAt(table, id, knownAt);
  const [
    clients,
    accounts,
    depositories,
    entities,
    portfolios,
    accountDepositories,
    portfolioAccounts,
    portfolioDepositories,
    custodians,
  ] = await Promise.all([
    listKnownAt<Client>(store, clientResource, { ids: [id] }, knownAt),
    listOfClient<Account>(account),
    listOfClient<Depository>(depository),
    listOfClient<ReportingEntity>(reportingEntity),
    listOfClient<Portfolio>(portfolio),
    listLinks('account_depository'),
    listLinks('portfolio_account'),
    listLinks('portfolio_depository'),
    listKnownAt<CustodianSettings>(store, custodianSettings, 'shared', knownAt),
  ]);
  const [found] = clients;
  if (found === undefined) return undefined;
  const { referenceCurrency, accountingMethod } = found;
  const depositoriesByAccount = groupLinks(accountDepositories);
  const enforcedMethods = new Map(custodians.map((one) => [one.id, one.accountingMethod]));
  const enforcedBy = (by: Id | null): CostMethod | null => (by && enforcedMethods.get(by)) || null;
  return {
    client: { id, referenceCurrency, accountingMethod, ...figureSettingsOf(found) },
    accounts: new Map(
      accounts.map(({ id: one, ccyCode, excludeFromReporting, custodian }) => [
        one,
        {
          currency: ccyCode,
          isExcluded: excludeFromReporting,
          custodian,
          depositories: depositoriesByAccount.get(one) ?? [],
          ...withMethod(enforcedBy(custodian)),
        },
      ]),
    ),
    depositories: new Set(depositories.map(({ id: one }) => one)),
    portfolios: portfolioPlaces(portfolios, groupLinks(portfolioAccounts), groupLinks(portfolioDepositories)),
    reportingEntities: new Set(entities.map(({ id: one }) => one)),
  };
}

/** Absent where the custodian enforces none. */
function withMethod(method: CostMethod | null): { readonly method?: CostMethod } {
  return method === null ? {} : { method };
}

function groupLinks(pairs: readonly LinkedPair[]): ReadonlyMap<Id, readonly Id[]> {
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
  const classes = await listKnownAt<InstrumentClass>(store, instrumentClass, 'shared', knownAt);
  return classes.map(({ id, name, parent, assetClass, stalenessDays, defaultFor }) => ({
    id,
    name,
    parent,
    assetClass,
    stalenessDays,
    defaultFor: (defaultFor as InstrumentClass['defaultFor'] | null) ?? [],
  }));
}

export function listInstruments(store: Store, ids: readonly Id[], knownAt: number): Promise<Instrument[]> {
  return ids.length === 0 ? Promise.resolve([]) : listKnownAt<Instrument>(store, instrument, { ids }, knownAt);
}
