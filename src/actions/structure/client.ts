// The rules of clients: where one may be placed in the hierarchy, what it inherits, and who may move it.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { anyRecord, type AnyChange, type ChangeOf, type Resource } from '../../kit/resource.ts';
import { wholeSettings } from '../../model/custody/reconciliation-settings.ts';
import { client, type Client } from '../../model/structure/client.ts';
import { figureSettingsOf } from '../../model/structure/figure-settings.ts';
import { boundClientId } from '../../model/access/scope.ts';
import { limit } from '../../model/limit/limit.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { deleteRecord, notFound, type DeleteRules, type WriteRules } from '../core/resource.ts';
import { limitRules } from '../limits/limit.ts';
import { portfolioRules, reportingEntityRules } from './entities.ts';
import { removeMembers } from '../people/user.ts';
import { lacksAllClients, type Work } from '../core/work.ts';

/** Clients from before these settings have none stored. */
function withWholeSettings(record: Client): Client {
  return { ...record, reconciliation: wholeSettings(record.reconciliation) };
}

function outsideScope(detail: string): Refusal {
  return new Refusal('outside-reach', detail);
}

function refuseHiddenRoot(work: Work, parentId: Id | null | undefined): void {
  if (parentId == null && lacksAllClients(work))
    throw outsideScope('A token bound to one client cannot place a client at the root of the workspace.');
}

/** Where a client is placed: below a parent, or at the root of the workspace. */
interface Place {
  readonly parent: Client | null;
  /** The ids from the root down to the parent. */
  readonly path: readonly Id[];
}

/** Locks the parent, which the caller must see. */
async function lockPlace(work: Work, parentId: Id | null | undefined): Promise<Place> {
  refuseHiddenRoot(work, parentId);
  if (parentId == null) return { parent: null, path: [] };
  const table = work.store.table(client);
  const [, parent, path = []] = await Promise.all([
    table.lockReferenced([parentId]),
    table.find(parentId),
    work.store.clientHierarchy.findPath(parentId),
  ]);
  if (parent === undefined) throw notFound(client, { field: 'parent' });
  return { parent, path };
}

/** Completes the settings, and hides a parent that the caller does not see: that of a bound client, or of a person's. */
async function showClients({ store }: Work, records: readonly Client[]): Promise<readonly Client[]> {
  const { visibleClients } = store.scope;
  const ownClientId = boundClientId(visibleClients);
  const isHidden = ({ id, parent }: Client): boolean =>
    id === ownClientId ||
    (visibleClients.kind === 'some' && parent !== null && !visibleClients.clientIds.includes(parent));
  return records.map(withWholeSettings).map((record) => (isHidden(record) ? { ...record, parent: null } : record));
}

async function createClient(work: Work, input: ChangeOf<typeof client>, id: Id): Promise<AnyChange> {
  const { clientHierarchy } = work.store;
  refuseHiddenRoot(work, input.parent);
  clientHierarchy.lock();
  const [place, treeVersion] = await Promise.all([lockPlace(work, input.parent), clientHierarchy.addClient(id)]);
  const { parent, path: parentPath } = place;
  return {
    name: input.name,
    referenceCurrency: input.referenceCurrency ?? parent?.referenceCurrency ?? work.context.defaultCurrency,
    accountingMethod: input.accountingMethod ?? parent?.accountingMethod ?? 'FIFO',
    ...figureSettingsOf(input, parent),
    reconciliation: wholeSettings(parent?.reconciliation, input.reconciliation),
    createdAt: new Date(work.now),
    parent: parent?.id ?? null,
    path: [...parentPath, id],
    treeVersion,
  };
}

async function changeClient(work: Work, present: Client, input: ChangeOf<typeof client>): Promise<AnyChange> {
  const { parent, reconciliation, ...fields } = input;
  if (parent !== undefined) await moveClient(work, present, parent);
  if (reconciliation === undefined) return fields;
  return { ...fields, reconciliation: wholeSettings(present.reconciliation, reconciliation) };
}

async function moveClient(work: Work, present: Client, parentId: Id | null): Promise<void> {
  if (boundClientId(work.store.scope.visibleClients) === present.id) {
    throw outsideScope('A token bound to one client cannot move that client.');
  }
  const { path: parentPath } = await lockPlace(work, parentId);
  if (parentPath.includes(present.id)) {
    const detail = 'A client cannot be placed below itself or below one of its descendants.';
    throw new Refusal('parent-cycle', detail, { faults: [{ code: 'parent-cycle', detail, field: 'parent' }] });
  }
  await work.store.clientHierarchy.move(present.id, [...parentPath, present.id]);
}

/** What a client is looked at with. It goes with the client, in an order in which nothing refers to what goes before it. */
const reportingRules: readonly (readonly [Resource, DeleteRules<any>])[] = [
  [limit, limitRules],
  [portfolio, portfolioRules],
  [reportingEntity, reportingEntityRules],
];

const batchSize = 1_000;

async function deleteReporting(work: Work, client: Id): Promise<void> {
  for (const [resource, rules] of reportingRules) {
    for (;;) {
      const records = await work.store.table(resource).list({ where: { client }, limit: batchSize });
      if (records.length === 0) break;
      for (const record of records) await deleteRecord(work, rules, anyRecord(record).id);
    }
  }
}

export const clientRules: WriteRules<typeof client> = {
  resource: client,
  refusals: ['parent-cycle', 'outside-reach'],
  create: createClient,
  change: changeClient,
  prepare: async (work, input) => {
    if (input.parent !== undefined) work.store.clientHierarchy.lock();
    return input;
  },
  show: showClients,
  async beforeDelete(work, { id }) {
    await removeMembers(work, id);
    await deleteReporting(work, id);
    work.store.importUsage.subtractClient(id);
    work.store.importRows.deleteOfClient(id);
  },
};
