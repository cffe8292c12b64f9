// What may happen to a client: where it may be placed, what it inherits, who may move it.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { AnyChange, ChangeOf } from '../../kit/resource.ts';
import { client, type Client } from '../../model/structure/client.ts';
import { scopedClient } from '../../model/access/scope.ts';
import { notFound, type WriteRules } from '../core/resource.ts';
import { removeMembers } from '../people/user.ts';
import type { Work } from '../core/work.ts';

function outsideReach(detail: string): Refusal {
  return new Refusal('outside-reach', detail);
}

/** The parent a client is to be placed below: one the caller sees. Without one it becomes a root of the workspace. */
async function getParent(work: Work, parentId: Id | null | undefined): Promise<Client | null> {
  if (parentId == null) {
    if (work.store.reach.sight.kind === 'all') return null;
    throw outsideReach('A token bound to one client cannot make a client a root of the workspace.');
  }
  const table = work.store.table(client);
  await table.hold([parentId]);
  const parent = await table.find(parentId);
  if (parent === undefined) throw notFound(client, { field: 'parent' });
  return parent;
}

/** The caller sees no further up than its own client, so that is where the hierarchy ends for it. */
async function showToCaller({ store }: Work, records: readonly Client[]): Promise<readonly Client[]> {
  const own = scopedClient(store.reach.sight);
  return records.map((record) => (record.id === own ? { ...record, parent: null } : record));
}

async function createClient(work: Work, asked: ChangeOf<typeof client>, id: Id): Promise<AnyChange> {
  await work.store.clientTree.lock();
  const parent = await getParent(work, asked.parent);
  const above = parent === null ? [] : ((await work.store.clientTree.findPath(parent.id)) ?? []);
  return {
    name: asked.name,
    referenceCurrency: asked.referenceCurrency ?? parent?.referenceCurrency ?? work.house.defaultCurrency,
    accountingMethod: asked.accountingMethod ?? parent?.accountingMethod ?? 'FIFO',
    createdAt: new Date(work.now),
    parent: parent?.id ?? null,
    path: [...above, id],
  };
}

async function changeClient(work: Work, present: Client, asked: ChangeOf<typeof client>): Promise<AnyChange> {
  const { parent, ...fields } = asked;
  if (parent !== undefined) await moveClient(work, present, parent);
  return fields;
}

async function moveClient(work: Work, present: Client, parentId: Id | null): Promise<void> {
  if (scopedClient(work.store.reach.sight) === present.id) {
    throw outsideReach('A token bound to one client cannot move that client.');
  }
  const parent = await getParent(work, parentId);
  const above = parent === null ? [] : ((await work.store.clientTree.findPath(parent.id)) ?? []);
  if (above.includes(present.id)) {
    const detail = 'A client cannot be placed below itself or below one of its descendants.';
    throw new Refusal('parent-cycle', detail, { faults: [{ code: 'parent-cycle', detail, field: 'parent' }] });
  }
  await work.store.clientTree.move(present.id, [...above, present.id]);
}

export const clientRules: WriteRules<typeof client> = {
  resource: client,
  refusals: ['parent-cycle', 'outside-reach'],
  create: createClient,
  change: changeClient,
  prepare: async (work, asked) => {
    if (asked.parent !== undefined) await work.store.clientTree.lock();
    return asked;
  },
  show: showToCaller,
  closeBelow: (work, { id }) => removeMembers(work, id),
};
