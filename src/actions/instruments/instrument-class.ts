// Rules for instrument classes: where they may be placed and what they inherit, and the tree that a new environment gets.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { snakeCase, type AnyChange, type ChangeOf } from '../../kit/resource.ts';
import { instrumentClass, type ClassDetails, type InstrumentClass } from '../../model/instrument/instrument-class.ts';
import { defaultClassDetails, defaultTaxonomy, type ClassTemplate } from '../../model/instrument/default-taxonomy.ts';
import type { Lineage } from '../../store/resources/class-tree.ts';
import { invalidateOnChange } from '../core/invalidation.ts';
import { auditRecord, notFound, type WriteRules } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';

type InstrumentClassInput = ChangeOf<typeof instrumentClass>;

const rootLineage: Lineage = { lineage: [], path: [] };

async function getLineage(work: Work, id: Id | null): Promise<Lineage> {
  if (id === null) return rootLineage;
  const found = await work.store.classTree.findLineage(id);
  if (found === undefined) throw notFound(instrumentClass, { field: 'parent' });
  return found;
}

async function refuseTakenName(work: Work, { name, parent }: { name: string; parent: Id | null }): Promise<void> {
  const [existing] = await work.store.table(instrumentClass).list({ where: { name, parent }, limit: 1 });
  if (existing === undefined) return;
  const code = 'instrument-class-exists';
  const detail = 'Another class below the same parent has this name.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'name' }] });
}

async function inheritedDetails(work: Work, parent: Id | null): Promise<ClassDetails> {
  const above = parent === null ? undefined : await work.store.table(instrumentClass).find(parent);
  const { assetClass, liquidity, allowedTransactionTypes, valuationBasis, performanceMeasure, stalenessDays } =
    above ?? defaultClassDetails;
  return { assetClass, liquidity, allowedTransactionTypes, valuationBasis, performanceMeasure, stalenessDays };
}

/** A type has one default class: takes these types from the classes that had them. */
async function takeDefaults(work: Work, id: Id, types: InstrumentClassInput['defaultFor'] = []): Promise<void> {
  const taken: ReadonlySet<string> = new Set(types);
  if (taken.size === 0) return;
  const table = work.store.table(instrumentClass);
  for (const { id: other, defaultFor } of await work.store.classTree.listDefaults()) {
    const rest = defaultFor.filter((type) => !taken.has(type));
    if (other === id || rest.length === defaultFor.length) continue;
    const before = defined(await table.find(other), 'the tree is locked');
    const after = await table.update(other, { defaultFor: rest });
    auditRecord(work, instrumentClassRules, 'change', { before, after });
    invalidateOnChange(work, instrumentClass, after, { defaultFor: rest });
  }
}

async function createClass(work: Work, input: InstrumentClassInput, id: Id): Promise<AnyChange> {
  requireAllClients(work);
  const name = defined(input.name, 'a new class has a name');
  const parent = input.parent ?? null;
  const [above, details] = await Promise.all([
    getLineage(work, parent),
    inheritedDetails(work, parent),
    refuseTakenName(work, { name, parent }),
  ]);
  await takeDefaults(work, id, input.defaultFor);
  return {
    ...details,
    defaultFor: [],
    ...input,
    parent,
    lineage: [...above.lineage, id],
    path: [...above.path, name],
    createdAt: new Date(work.now),
  };
}

async function changeClass(work: Work, present: InstrumentClass, input: InstrumentClassInput): Promise<AnyChange> {
  const { name = present.name, parent = present.parent, ...details } = input;
  await takeDefaults(work, present.id, details.defaultFor);
  if (name === present.name && parent === present.parent) return details;
  const above = await getLineage(work, parent);
  if (above.lineage.includes(present.id)) {
    const detail = 'A class cannot be placed below itself or below one of its descendants.';
    throw new Refusal('parent-cycle', detail, { faults: [{ code: 'parent-cycle', detail, field: 'parent' }] });
  }
  await refuseTakenName(work, { name, parent });
  await work.store.classTree.move(present.id, {
    lineage: [...above.lineage, present.id],
    path: [...above.path, name],
  });
  return details;
}

export const instrumentClassRules: WriteRules<typeof instrumentClass> = {
  resource: instrumentClass,
  refusals: ['instrument-class-exists', 'parent-cycle', 'outside-reach'],
  async prepare(work, input) {
    const { name, parent, defaultFor } = input;
    if (name !== undefined || parent !== undefined || defaultFor !== undefined) work.store.classTree.lock();
    return input;
  },
  create: createClass,
  change: changeClass,
  checkAccess: requireAllClients,
};

/** Lists the classes as rows, each after its parent. */
function taxonomyRows(
  work: Work,
  branches: readonly ClassTemplate[],
  above: Lineage & { readonly details: ClassDetails },
): (Readonly<Record<string, unknown>> & { readonly id: Id })[] {
  return branches.flatMap(({ name, details: ownDetails = {}, defaultFor = [], children: below = [] }) => {
    const id = work.ids.next();
    const details = { ...above.details, ...ownDetails };
    const treePosition = { lineage: [...above.lineage, id], path: [...above.path, name] };
    const fields = Object.entries(details).map(([field, value]) => [snakeCase(field), value]);
    const own = { id, parent_id: above.lineage.at(-1) ?? null, name, default_for: defaultFor };
    const row = { ...own, ...treePosition, ...Object.fromEntries(fields) };
    return [row, ...taxonomyRows(work, below, { ...treePosition, details })];
  });
}

/** Creates the default classes of a new environment. They are part of it, so they are not in the audit log. */
export async function createDefaultClasses(work: Work): Promise<void> {
  const rows = taxonomyRows(work, defaultTaxonomy, { ...rootLineage, details: defaultClassDetails });
  await work.store.classTree.insertDefaults(rows, work.now);
  work.store.recordVersions(instrumentClass).putStates(
    rows.map(({ id }) => id),
    work.now,
  );
}
