// Reads the whole structure of a client and of every client below it on one snapshot.

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
import { getRecord } from '../core/resource.ts';
import { readInSnapshot, type Work } from '../core/work.ts';

export interface ClientTree {
  readonly client: Client;
  readonly legalEntities: readonly LegalEntityTree[];
  readonly reportingEntities: readonly ReportingEntityTree[];
  readonly children: readonly ClientTree[];
}

interface LegalEntityTree {
  readonly legalEntity: LegalEntity;
  readonly accounts: readonly Account[];
  readonly depositories: readonly Depository[];
}

interface ReportingEntityTree {
  readonly reportingEntity: ReportingEntity;
  readonly portfolios: readonly Portfolio[];
}

const recordsMax = 50_000;
/** Many JSON parsers fail on deeper nesting. */
const depthMax = 100;

/** Reads all visible records of a resource, up to a limit over all resources together. */
class TreeReader {
  readonly #store: Store;
  #remaining = recordsMax;

  constructor(store: Store) {
    this.#store = store;
  }

  async readAll<R extends Resource>(resource: R): Promise<RecordOf<R>[]> {
    const records = await this.#store.table(resource).list({ limit: this.#remaining + 1 });
    this.#remaining -= records.length;
    if (this.#remaining >= 0) return records;
    throw new Refusal(
      'tree-too-large',
      `The structure of this client has more than ${recordsMax} records. Read it resource by resource instead.`,
    );
  }
}

export function getClientTree(work: Work, id: string): Promise<ClientTree> {
  return readInSnapshot(work, async (snapshotWork) => {
    const rootClient = await getRecord(snapshotWork, clientRules, id);
    const reader = new TreeReader(await narrowToClient(snapshotWork, rootClient.id));
    const clients = await reader.readAll(client);
    const all = clients.map((one) => (one.id === rootClient.id ? rootClient : one));
    return buildTree(rootClient, {
      children: Map.groupBy(all, ({ parent }) => parent),
      legalEntities: Map.groupBy(await reader.readAll(legalEntity), (one) => one.client),
      accounts: Map.groupBy(await reader.readAll(account), (one) => one.legalEntity),
      depositories: Map.groupBy(await reader.readAll(depository), (one) => one.legalEntity),
      reportingEntities: Map.groupBy(await reader.readAll(reportingEntity), (one) => one.client),
      portfolios: Map.groupBy(await reader.readAll(portfolio), (one) => one.reportingEntity),
    });
  });
}

/** Narrows the caller's scope to one of the clients that it sees. */
async function narrowToClient({ store }: Work, clientId: Id): Promise<Store> {
  return store.switchScope({ ...store.scope, visibleClients: { kind: 'tree', clientId } });
}

interface TreeParts {
  readonly children: Map<Id | null, Client[]>;
  readonly legalEntities: Map<Id, LegalEntity[]>;
  readonly accounts: Map<Id, Account[]>;
  readonly depositories: Map<Id, Depository[]>;
  readonly reportingEntities: Map<Id, ReportingEntity[]>;
  readonly portfolios: Map<Id, Portfolio[]>;
}

function buildTree(rootClient: Client, parts: TreeParts, depth = 1): ClientTree {
  if (depth > depthMax)
    throw new Refusal(
      'tree-too-large',
      `The clients below it are nested more than ${depthMax} levels deep. Read them resource by resource instead.`,
    );
  const owned = parts.legalEntities.get(rootClient.id) ?? [];
  const reported = parts.reportingEntities.get(rootClient.id) ?? [];
  return {
    client: rootClient,
    legalEntities: owned.map((one) => ({
      legalEntity: one,
      accounts: parts.accounts.get(one.id) ?? [],
      depositories: parts.depositories.get(one.id) ?? [],
    })),
    reportingEntities: reported.map((one) => ({
      reportingEntity: one,
      portfolios: parts.portfolios.get(one.id) ?? [],
    })),
    children: (parts.children.get(rootClient.id) ?? []).map((child) => buildTree(child, parts, depth + 1)),
  };
}
