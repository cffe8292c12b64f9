// The use cases of instruments: those of the catalogue, followed in every list by those that the service provides. Each is shown with
// the class it is counted in: its own, else the default class of its type.

import { assert } from '../../kit/assert.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { isBuiltInId } from '../../model/instrument/built-in-id.ts';
import { instrument, type Instrument } from '../../model/instrument/instrument.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import { changedValues } from '../core/changed-values.ts';
import { deleteActions, writeActions, type DeleteActions, type WriteActions } from '../core/record-actions.ts';
import { notFound, type Guard, type ResultPage } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import type { Work } from '../core/work.ts';
import { keepingNamed } from '../limits/limit-names.ts';
import { builtInRefusal, findBuiltInRecord, listBuiltInRecords } from './built-in-instruments.ts';
import { readDefaultClasses, type DefaultClasses } from './default-classes.ts';
import { instrumentRules } from './instrument.ts';

const stored = writeActions(instrumentRules);
const kept = deleteActions(keepingNamed(instrumentRules));

async function getBuiltIn(work: Work, id: string): Promise<Instrument> {
  const found = await findBuiltInRecord(work, id);
  if (found === undefined) throw notFound(instrument);
  return found;
}

/** A filter for a class also means the instruments without a class whose type has it as its default. */
function storedFilters(where: AnyChange, defaults: DefaultClasses): readonly AnyChange[] {
  if (where['instrumentClass'] === undefined) return [where];
  const types = defaults.typesOf(where['instrumentClass']);
  const meant = where['type'] === undefined ? types : types.filter((type) => type === where['type']);
  return [where, ...meant.map((type) => ({ ...where, type, instrumentClass: null }))];
}

async function listStored(work: Work, query: ListQuery, defaults: DefaultClasses): Promise<ResultPage<Instrument>> {
  const pages: ResultPage<Instrument>[] = [];
  for (const where of storedFilters(query.where ?? {}, defaults))
    pages.push(await stored.list(work, { ...query, where }));
  const found = pages.flatMap(({ records }) => records).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return {
    records: found.slice(0, query.limit).map((one) => defaults.withClass(one)),
    hasMore: found.length > query.limit || pages.some(({ hasMore }) => hasMore),
  };
}

async function listAll(work: Work, query: ListQuery): Promise<ResultPage<Instrument>> {
  assert(query.order !== 'newest-first', 'instruments are listed oldest first');
  const defaults = await readDefaultClasses(work);
  const page = await listStored(work, query, defaults);
  if (page.hasMore) return page;
  const builtIn = listBuiltInRecords(query, defaults);
  const room = query.limit - page.records.length;
  return { records: [...page.records, ...builtIn.slice(0, room)], hasMore: builtIn.length > room };
}

async function countAll(work: Work, where: AnyChange): Promise<number> {
  const defaults = await readDefaultClasses(work);
  let count = listBuiltInRecords({ where }, defaults).length;
  for (const one of storedFilters(where, defaults)) count += await stored.count(work, one);
  return count;
}

async function withClass(work: Work, one: Instrument): Promise<Instrument> {
  return one.instrumentClass === null ? (await readDefaultClasses(work)).withClass(one) : one;
}

async function lockBuiltIn(work: Work, id: string, guard: Guard<typeof instrument> = () => {}): Promise<Instrument> {
  const present = await getBuiltIn(work, id);
  requireAllClients(work);
  guard(present);
  return present;
}

async function changeStored(
  work: Work,
  id: string,
  input: Parameters<typeof stored.change>[2],
  guard: Guard<typeof instrument> = () => {},
): Promise<Instrument> {
  const defaults = await readDefaultClasses(work);
  const { instrumentClass, ...others } = input;
  const isShownDefault =
    instrumentClass != null && defaults.withClass(await stored.get(work, id)).instrumentClass === instrumentClass;
  // What was read can be sent back without stating the default class.
  const own = isShownDefault ? others : input;
  const changed = await stored.change(work, id, own, (present) => guard(defaults.withClass(present)));
  return defaults.withClass(changed);
}

async function deleteStored(
  actions: DeleteActions<typeof instrument>,
  work: Work,
  { id, guard = () => {} }: { readonly id: string; readonly guard: Guard<typeof instrument> | undefined },
): Promise<void> {
  if (isBuiltInId(id)) throw builtInRefusal(await lockBuiltIn(work, id, guard));
  const defaults = await readDefaultClasses(work);
  return actions.delete(work, id, (present) => guard(defaults.withClass(present)));
}

export const instrumentActions: WriteActions<typeof instrument> = {
  ...stored,
  refusals: [...stored.refusals, 'instrument-read-only'],
  get: async (work, id) => (isBuiltInId(id) ? getBuiltIn(work, id) : withClass(work, await stored.get(work, id))),
  list: listAll,
  count: countAll,
  async create(work, input) {
    const [created, defaults] = await Promise.all([stored.create(work, input), readDefaultClasses(work)]);
    return defaults.withClass(created);
  },
  async change(work, id, input, guard) {
    if (!isBuiltInId(id)) return changeStored(work, id, input, guard);
    const present = await lockBuiltIn(work, id, guard);
    if (Object.keys(changedValues(instrument, present, input)).length > 0) throw builtInRefusal(present);
    return present;
  },
  delete: (work, id, guard) => deleteStored(stored, work, { id, guard }),
};

/** The same, by which an instrument that limits name cannot be deleted. */
export const keptInstrumentActions: WriteActions<typeof instrument> = {
  ...instrumentActions,
  deletionRefusals: kept.deletionRefusals ?? [],
  delete: (work, id, guard) => deleteStored(kept, work, { id, guard }),
};
