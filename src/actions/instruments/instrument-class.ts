// Rules for instrument classes: where they may be placed and what they inherit, and the tree that a new environment gets.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { snakeCase, type AnyChange, type ChangeOf } from '../../kit/resource.ts';
import { instrumentClass, type ClassDetails, type InstrumentClass } from '../../model/instrument/instrument-class.ts';
import { defaultClassDetails, defaultTaxonomy, type ClassTemplate } from '../../model/instrument/default-taxonomy.ts';
import type { Lineage } from '../../store/resources/class-tree.ts';
import { notFound, type WriteRules } from '../core/resource.ts';
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

async function createClass(work: Work, input: InstrumentClassInput, id: Id): Promise<AnyChange> {
  requireAllClients(work);
  const name = defined(input.name, 'a new class has a name');
  const parent = input.parent ?? null;
  const above = await getLineage(work, parent);
  await refuseTakenName(work, { name, parent });
  return {
    ...(await inheritedDetails(work, parent)),
    ...input,
    parent,
    lineage: [...above.lineage, id],
    path: [...above.path, name],
    createdAt: new Date(work.now),
  };
}

async function changeClass(work: Work, present: InstrumentClass, input: InstrumentClassInput): Promise<AnyChange> {
  const { name = present.name, parent = present.parent, ...details } = input;
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
    if (input.name !== undefined || input.parent !== undefined) await work.store.classTree.lock();
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
  return branches.flatMap(({ name, details: ownDetails = {}, children: below = [] }) => {
    const id = work.ids.next();
    const details = { ...above.details, ...ownDetails };
    const treePosition = { lineage: [...above.lineage, id], path: [...above.path, name] };
    const fields = Object.entries(details).map(([field, value]) => [snakeCase(field), value]);
    const row = { id, parent_id: above.lineage.at(-1) ?? null, name, ...treePosition, ...Object.fromEntries(fields) };
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
