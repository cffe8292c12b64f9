// The whole structure of a client as of one moment: what it owns, what it looks at, and the same of every client below it.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { RecordOf, Resource } from '../../kit/resource.ts';
import { account, type Account } from '../../model/structure/account.ts';
import { client, type Client } from '../../model/structure/client.ts';
import { depository, type Depository } from '../../model/structure/depository.ts';
import { legalEntity, type LegalEntity } from '../../model/structure/legal-entity.ts';
import { portfolio, type Portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity, type ReportingEntity } from '../../model/structure/reporting-entity.ts';
import { Store } from '../../store/store.ts';
import { clientRules } from './client.ts';
import { getThing } from '../core/resource.ts';
import { readingTogether, type Work } from '../core/work.ts';

export interface ClientTree {
  readonly client: Client;
  readonly legalEntities: readonly OwnedTree[];
  readonly reportingEntities: readonly ReportedTree[];
  readonly children: readonly ClientTree[];
}

export interface OwnedTree {
  readonly legalEntity: LegalEntity;
  readonly accounts: readonly Account[];
  readonly depositories: readonly Depository[];
}

export interface ReportedTree {
  readonly reportingEntity: ReportingEntity;
  readonly portfolios: readonly Portfolio[];
}

const thingsMax = 50_000;
/** Readers of JSON give up on what is nested much deeper. */
const depthMax = 100;

/** Takes everything of a kind that is seen, as long as the whole does not grow beyond bounds. */
class Harvest {
  readonly #store: Store;
  #left = thingsMax;

  constructor(store: Store) {
    this.#store = store;
  }

  async take<R extends Resource>(resource: R): Promise<RecordOf<R>[]> {
    const things = (await this.#store.table(resource).list({ limit: this.#left + 1 })) as RecordOf<R>[];
    this.#left -= things.length;
    if (this.#left >= 0) return things;
    throw new Refusal('tree-too-large', `The structure of this client has more than ${thingsMax} things.`);
  }
}

export function getClientTree(work: Work, id: string): Promise<ClientTree> {
  return readingTogether(work, async (together) => {
    const top = await getThing(together, clientRules, id);
    const harvest = new Harvest(await narrowed(together, top.id));
    const clients = await harvest.take(client);
    const all = clients.map((one) => (one.id === top.id ? top : one));
    return grow(top, {
      children: Map.groupBy(all, ({ parent }) => parent),
      legalEntities: Map.groupBy(await harvest.take(legalEntity), (one) => one.client),
      accounts: Map.groupBy(await harvest.take(account), (one) => one.legalEntity),
      depositories: Map.groupBy(await harvest.take(depository), (one) => one.legalEntity),
      reportingEntities: Map.groupBy(await harvest.take(reportingEntity), (one) => one.client),
      portfolios: Map.groupBy(await harvest.take(portfolio), (one) => one.reportingEntity),
    });
  });
}

/** The same caller with its sight on one of the clients it sees. */
async function narrowed({ house, store }: Work, clientId: Id): Promise<Store> {
  const reach = { ...store.reach, sight: { kind: 'tree', clientId } } as const;
  await house.database.switchTenant(store.run, reach);
  return new Store({ ...store, reach });
}

interface Parts {
  readonly children: Map<Id | null, Client[]>;
  readonly legalEntities: Map<Id, LegalEntity[]>;
  readonly accounts: Map<Id, Account[]>;
  readonly depositories: Map<Id, Depository[]>;
  readonly reportingEntities: Map<Id, ReportingEntity[]>;
  readonly portfolios: Map<Id, Portfolio[]>;
}

function grow(top: Client, parts: Parts, depth = 1): ClientTree {
  if (depth > depthMax) throw new Refusal('tree-too-large', `Its clients are more than ${depthMax} deep.`);
  const owned = parts.legalEntities.get(top.id) ?? [];
  const reported = parts.reportingEntities.get(top.id) ?? [];
  return {
    client: top,
    legalEntities: owned.map((one) => ({
      legalEntity: one,
      accounts: parts.accounts.get(one.id) ?? [],
      depositories: parts.depositories.get(one.id) ?? [],
    })),
    reportingEntities: reported.map((one) => ({
      reportingEntity: one,
      portfolios: parts.portfolios.get(one.id) ?? [],
    })),
    children: (parts.children.get(top.id) ?? []).map((child) => grow(child, parts, depth + 1)),
  };
}
