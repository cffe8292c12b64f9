// Creates what a file names and nobody has: accounts, depositories and instruments, from what the file says about them.

import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import { withTightHeap } from '../../kit/memory/heap-growth.ts';
import type { Import } from '../../model/custody/import.ts';
import type { MappedKind } from '../../model/custody/identifier-mapping.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { writeActions } from '../core/record-actions.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { accountRules } from '../structure/account.ts';
import { depositoryRules } from '../structure/entities.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { sourceOf } from './book-import.ts';
import { decideAgain, lockOpenImport } from './check-import.ts';
import { refusalDetail } from './entry-input.ts';
import { readWaiting, type Creation } from './import-groups.ts';
import { auditImport } from './import-record.ts';
import { NamedRecords } from './named-records.ts';

/** What is to be created: the groups with these keys, or all that can be. */
export interface CreationOrder {
  readonly keys: readonly string[] | undefined;
  /** Owns new accounts and depositories. */
  readonly entity: Id | undefined;
}

interface CreatedRecord {
  readonly kind: MappedKind;
  readonly id: Id;
  readonly name: string;
}

interface RefusedCreation {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
}

export interface CreationOutcome {
  readonly record: Import;
  readonly created: readonly CreatedRecord[];
  readonly refused: readonly RefusedCreation[];
}

export const createMissingRefusals: readonly RefusalCode[] = [
  'import-not-found',
  'import-not-possible',
  'legal-entity-not-found',
  'different-client',
  'outside-reach',
];

interface OrderedCreation extends Creation {
  readonly key: string;
}

const accounts = writeActions(accountRules);
const depositories = writeActions(depositoryRules);

export function createMissing(work: Work, importId: string, order: CreationOrder): Promise<CreationOutcome> {
  return withTightHeap(async () => {
    const before = await lockOpenImport(work, importId);
    if (order.entity !== undefined) await requireOwner(work, before, order.entity);
    const { groups } = await readWaiting(work, before);
    const wanted = order.keys === undefined ? undefined : new Set(order.keys);
    const ordered = groups.flatMap(({ key, creation }): OrderedCreation[] =>
      creation === undefined || (wanted !== undefined && !wanted.has(key)) ? [] : [{ ...creation, key }],
    );
    const places = ordered.filter(({ kind }) => kind !== 'instrument');
    const lacking = places.filter(({ entityId }) => (order.entity ?? entityId) === null);
    if (lacking.length > 0) throw ownerNeeded(lacking.length);
    const created: CreatedRecord[] = [];
    const refused: RefusedCreation[] = [];
    for (const one of places) {
      const place = await createPlace(work, before, { one, entity: order.entity });
      if (place instanceof Refusal) refused.push({ key: one.key, name: one.name, detail: refusalDetail(place) });
      else created.push(place);
    }
    await createInstruments(work, before, { ordered, created, refused });
    const record = created.length === 0 ? before : await decideAgain(work, before);
    if (record !== before) auditImport(work, 'change', { before, after: record });
    return { record, created, refused };
  });
}

async function requireOwner({ store }: Work, { client }: Import, entity: Id): Promise<void> {
  const [owner] = await store.table(legalEntity).lockReferenced([entity]);
  if (owner === undefined) throw notFound(legalEntity, { field: 'legalEntity' });
  if (owner.client === client) return;
  const detail = 'The legal entity belongs to another client than the import.';
  throw new Refusal('different-client', detail, {
    faults: [{ code: 'different-client', detail, field: 'legalEntity' }],
  });
}

function ownerNeeded(count: number): Refusal {
  const what = count === 1 ? 'An account' : `${count} accounts`;
  const detail = `${what} would be created, and the client has several legal entities, or none. Say which one owns them.`;
  return refusalForFaults('invalid-document', [{ code: 'missing-attribute', detail, field: 'legalEntity' }]);
}

/** With its number, by which later files name it too. */
async function createPlace(
  work: Work,
  { custodian }: Import,
  { one, entity }: { readonly one: OrderedCreation; readonly entity: Id | undefined },
): Promise<CreatedRecord | Refusal> {
  const { kind, name, currency, entityId, from } = one;
  const externalIdentifier = 'number' in from.named ? from.named.number : '';
  const shared = { name, externalIdentifier, legalEntity: entity ?? (entityId as Id) };
  const ofAccount = { ...shared, ccyCode: currency as never, ...(custodian === null ? {} : { custodian }) };
  try {
    const record =
      kind === 'depository' ? await depositories.create(work, shared) : await accounts.create(work, ofAccount);
    return { kind, id: record.id, name: record.name };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function createInstruments(
  work: Work,
  before: Import,
  {
    ordered,
    created,
    refused,
  }: { readonly ordered: readonly OrderedCreation[]; created: CreatedRecord[]; refused: RefusedCreation[] },
): Promise<void> {
  const wanted = ordered.flatMap(({ key, name, from }) =>
    from.kind === 'instrument' ? [{ key, name, named: from.named }] : [],
  );
  if (wanted.length === 0) return;
  const names = new NamedRecords(work, { ...sourceOf(before, { mode: 'book', createsInstruments: true }) });
  await names.load(wanted.map(({ named }) => ({ item: 'instrument', place: { line: 1 }, instrument: named })));
  for (const { key, name, named } of wanted) {
    const id = names.instrument(named);
    const refusal = names.creationRefusal(named);
    if (typeof id === 'string') created.push({ kind: 'instrument', id, name });
    else if (refusal !== undefined) refused.push({ key, name, detail: refusalDetail(refusal) });
  }
  // Undoing or deleting the import removes those that nothing else uses by then.
  await work.store.importCreations.insert(before.id, before.client, names.takeCreations());
}
